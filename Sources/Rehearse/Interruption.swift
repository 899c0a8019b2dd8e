import Foundation
import Synchronization
import Verdicts

/// Ctrl-C and SIGTERM: the first ends the run at its next exchange points and lets the partial report be written, the
/// second ends the program.
final class Interruption {
  /// How often it was asked for; shared with the threads that run.
  final class Flag: Sendable {
    private let count = Atomic<Int>(0)
    var isUp: Bool { count.load(ordering: .relaxed) > 0 }
    fileprivate func raise() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  let flag = Flag()
  private var sources: [any DispatchSourceSignal] = []

  init(
    saying words: String =
      "Stopping at the next exchange point; once more ends at once without a report."
  ) {
    let queue = DispatchQueue(label: "interruption")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [flag] in
        if flag.raise() > 1 { _exit(ExitStatus.interrupted.rawValue) }
        Console.error("\n" + words)
      }
      source.resume()
      sources.append(source)
    }
  }
}
