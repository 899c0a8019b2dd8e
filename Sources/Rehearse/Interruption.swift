import Foundation
import Synchronization
import Verdicts

/// Ctrl-C and SIGTERM: the first ends the run at its next exchange points and lets the partial report be written, the
/// second ends the program.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  init() {
    let queue = DispatchQueue(label: "interruption")
    let asked = Flag()
    flag = asked
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if asked.raise() > 1 { _exit(ExitStatus.interrupted.rawValue) }
        Console.error("\nStopping at the next exchange point; once more ends at once without a report.")
      }
      source.resume()
      return source
    }
  }

  private let flag: Flag

  var isAsked: Bool { flag.count > 0 }

  private final class Flag: Sendable {
    private let value = Atomic<Int>(0)
    func raise() -> Int { value.add(1, ordering: .relaxed).newValue }
    var count: Int { value.load(ordering: .relaxed) }
  }
}
