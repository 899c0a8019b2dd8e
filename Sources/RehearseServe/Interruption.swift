import Foundation

/// Ctrl-C and SIGTERM: the first ends the server in order, the second at once.
final class Interruption {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (arrivals, arrive) = AsyncStream<Void>.makeStream()
    let queue = DispatchQueue(label: "interruption")
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { arrive.yield() }
      source.resume()
      sources.append(source)
    }
    self.arrivals = arrivals
    self.sources = sources
  }

  /// Returns with the first signal.
  func wait() async {
    for await _ in arrivals { break }
    for source in sources { source.setEventHandler { _exit(0) } }
  }
}
