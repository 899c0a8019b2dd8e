import Contracts
import Foundation
import Observations
import Reports
import Synchronization
import Timekeeping

/// Shows what happens in real time while it does: some lines that change in place on a terminal, a line now and then elsewhere. It draws on
/// a thread of its own, so that a slow terminal makes no load late.
final class LiveView: Sendable {
  /// How things stand.
  struct Reading: Sendable {
    var elapsed: Span
    var whole: LatencySample
    var answered: Int
    /// Calls that ended, one way or the other.
    var ended: Int
    var inFlight: Int
    var waiting: Int?
    var users: Int?
    var arrived: Int?
    /// By what they are called.
    var failures: [String: Int]
    var lateness: LatencyHistogram
    var violations: Int?
  }

  private let frame: TerminalLoadProgress
  private let isRewritten = Console.canRewrite
  private let isColoured = Console.wantsColour(STDERR_FILENO)
  private let latest = Mutex<Reading?>(nil)
  private let unsaid = Mutex<[String]>([])
  private let isOver = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// - Returns: `nil` when nobody wants to be told.
  init?(_ frame: TerminalLoadProgress, quiet: Bool) {
    if quiet { return nil }
    self.frame = frame
    Thread.detachNewThread { [self] in draw() }
  }

  /// Takes note of how it stands; costs the load next to nothing.
  func show(_ progress: Reading) { latest.withLock { $0 = progress } }

  /// Says something above the lines, which keep their place.
  func say(_ words: String) { unsaid.withLock { $0.append(words) } }

  /// Clears the lines, so that what follows begins at the margin.
  func end() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }

  private static let window = Span.seconds(2)

  private func draw() {
    var past: [Reading] = []
    var rows = 0
    var said = Span.zero
    // Lines of a log come when something has been seen, and then every few seconds.
    let pause = isRewritten ? Span.milliseconds(200) : .seconds(5)
    while !isOver.load(ordering: .relaxed) {
      usleep(50_000)
      speak(over: &rows)
      guard let now = latest.withLock(\.self) else { continue }
      // Another run has begun.
      if now.elapsed < said { (past, said) = ([], .zero) }
      guard now.elapsed - said >= pause else { continue }
      said = now.elapsed
      let before = past.first
      past.append(now)
      while past.count > 1, now.elapsed - past[1].elapsed >= Self.window { past.removeFirst() }
      let columns = (Console.columns(of: STDERR_FILENO) ?? 121) - 1
      let state = Self.state(now, since: before)
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
    _ now: Reading, since before: Reading?
  ) -> TerminalLoadProgress.State {
    var recent = now.whole
    if let before {
      recent.ended.remove(before.whole.ended)
      recent.endless -= before.whole.endless
    }
    let passed = max(0.001, (now.elapsed - (before?.elapsed ?? .zero)).seconds)
    func times(_ sample: LatencySample) -> [Double?] {
      TerminalLoadProgress.quantiles.map { q in
        LatencyHistogram.tells(q, of: sample.count) ? sample.quantile(q)?.seconds ?? .infinity : nil
      }
    }
    let failures = now.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return TerminalLoadProgress.State(
      elapsedSeconds: now.elapsed.seconds,
      answeredPerSecond: Double(now.answered - (before?.answered ?? 0)) / passed,
      inFlight: now.inFlight, waiting: now.waiting, users: now.users, recent: times(recent),
      whole: times(now.whole), ended: now.ended,
      failures: failures.map { ($0.key, $0.value) },
      lateSeconds: now.lateness.quantile(0.99)?.seconds, recentSeconds: passed,
      arrivedPerSecond: now.arrived.map { Double($0 - (before?.arrived ?? 0)) / passed },
      violations: now.violations)
  }
}

extension LiveView {
  /// Tells the user something without disturbing a view that is on the screen.
  final class Teller: Sendable {
    let view = Mutex<LiveView?>(nil)

    func say(_ words: String) {
      if let shown = view.withLock(\.self) { shown.say(words) } else { Console.error("\n" + words) }
    }
  }
}
