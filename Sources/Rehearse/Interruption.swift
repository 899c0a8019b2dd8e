import Foundation
import RunFolders
import Synchronization
import Verdicts

/// Ctrl-C, SIGTERM and the end of the terminal (SIGHUP): the first ends the run at its next barriers and lets the partial report be written, the
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

  /// - Parameter say: How the user is told; a view in place says it above its lines.
  init(
    saying words: String =
      "Stopping at the next exchange point; once more ends at once without a report.",
    by say: @escaping @Sendable (String) -> Void = { Console.error("\n" + $0) }
  ) {
    let queue = DispatchQueue(label: "interruption")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      // 'nohup' asks that the end of the terminal be none of the run.
      if number == SIGHUP, unsafeBitCast(before, to: Int.self) == 1 { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [flag] in
        if flag.raise() > 1 {
          TemporaryFiles.remove()
          _exit(ExitStatus.interrupted.rawValue)
        }
        say(words)
      }
      source.resume()
      sources.append(source)
    }
  }
}
