import Contracts
import Foundation
import HTTPLoad
import Observations
import Reports
import Synchronization
import Timekeeping

/// Shows a load while it runs: some lines that change in place on a terminal, a line now and then elsewhere. It draws on a thread of its
/// own, so that a slow terminal does not make the load late.
final class LoadView: Sendable {
  private let frame: TerminalLoadProgress
  private let isRewritten = Console.canRewrite
  private let isColoured = Console.wantsColour(STDERR_FILENO)
  private let latest = Mutex<LoadRun.Progress?>(nil)
  private let unsaid = Mutex<[String]>([])
  private let isOver = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// - Returns: `nil` when nobody wants to be told.
  init?(title: String, options: LoadOptions, rate: ArrivalRate?, quiet: Bool) {
    if quiet { return nil }
    frame = TerminalLoadProgress(
      title: title, rate: rate, lastsSeconds: options.lasts.seconds)
    Thread.detachNewThread { [self] in draw() }
  }

  /// Takes note of how it stands; costs the load next to nothing.
  func show(_ progress: LoadRun.Progress) { latest.withLock { $0 = progress } }

  /// Says something above the lines, which keep their place.
  func say(_ words: String) { unsaid.withLock { $0.append(words) } }

  /// Clears the lines, so that what follows begins at the margin.
  func end() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }

  private static let window = Span.seconds(2)

  private func draw() {
    var past: [(elapsed: Span, whole: LatencySample, answered: Int)] = []
    var rows = 0
    var said = Span.zero
    // Lines of a log come when something has been seen, and then every few seconds.
    let pause = isRewritten ? Span.milliseconds(200) : .seconds(5)
    while !isOver.load(ordering: .relaxed) {
      usleep(50_000)
      speak(over: &rows)
      guard let now = latest.withLock(\.self), now.elapsed - said >= pause else { continue }
      said = now.elapsed
      let before = past.first
      past.append((now.elapsed, now.tally.whole, now.tally.answered))
      while past.count > 1, now.elapsed - past[1].elapsed >= Self.window { past.removeFirst() }
      let columns = (Console.columns(of: STDERR_FILENO) ?? 121) - 1
      let state = Self.state(now, since: before ?? (.zero, LatencySample(), 0))
      if isRewritten {
        let lines = frame.lines(state, columns: columns, colour: isColoured)
        Console.write(Self.up(rows) + lines.map { $0 + "\u{1B}[K\n" }.joined())
        rows = lines.count
      } else {
        Console.error(frame.line(state))
      }
    }
    speak(over: &rows)
    if isRewritten, rows > 0 { Console.write(Self.up(rows) + "\u{1B}[J") }
    ended.signal()
  }

  private func speak(over rows: inout Int) {
    let words = unsaid.withLock { list in
      defer { list = [] }
      return list
    }
    guard !words.isEmpty else { return }
    if isRewritten {
      // What the terminal echoed of Ctrl-C goes, too.
      Console.write(Self.up(rows) + "\u{1B}[J")
      rows = 0
    }
    for line in words { Console.error(line) }
  }

  private static func up(_ rows: Int) -> String { rows > 0 ? "\r\u{1B}[\(rows)A" : "\r" }

  private static func state(
    _ now: LoadRun.Progress, since before: (elapsed: Span, whole: LatencySample, answered: Int)
  ) -> TerminalLoadProgress.State {
    var recent = now.tally.whole
    recent.ended.remove(before.whole.ended)
    recent.endless -= before.whole.endless
    let passed = max(0.001, (now.elapsed - before.elapsed).seconds)
    func times(_ sample: LatencySample) -> [Double?] {
      TerminalLoadProgress.quantiles.map { q in
        LatencyHistogram.tells(q, of: sample.count) ? sample.quantile(q)?.seconds ?? .infinity : nil
      }
    }
    let failures = now.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return TerminalLoadProgress.State(
      elapsedSeconds: now.elapsed.seconds,
      answeredPerSecond: Double(now.tally.answered - before.answered) / passed,
      inFlight: now.inFlight, waiting: now.waiting, users: now.users, recent: times(recent),
      whole: times(now.tally.whole), ended: now.tally.answered + now.tally.failed,
      failures: failures.map { ($0.key.words, $0.value) },
      lateSeconds: now.watch.lateness.quantile(0.99)?.seconds, recentSeconds: passed)
  }
}
