import Contracts
import Foundation
import Reports
import Scenarios
import Simulation
import Synchronization
import Timekeeping

/// Tells how far a run is: one line that changes on a terminal, a line now and then elsewhere.
final class ProgressLine: Sendable {
  private let scenario: Scenario
  private let isRewritten: Bool
  private let began = Mutex(DispatchTime.now().uptimeNanoseconds)
  private let shown = Mutex<(last: UInt64, any: Bool)>((0, false))

  /// - Returns: `nil` when nobody wants to be told.
  init?(_ scenario: Scenario, quiet: Bool) {
    if quiet { return nil }
    self.scenario = scenario
    isRewritten = Console.canRewrite
  }

  func show(_ progress: RunProgress) {
    let now = DispatchTime.now().uptimeNanoseconds
    let elapsed = Double(now - began.withLock(\.self)) / 1e9
    // Nothing for what is over in two seconds; then often on a terminal, seldom in a log.
    let pause: UInt64 = isRewritten ? 100_000_000 : 5_000_000_000
    let isDue = shown.withLock { state in
      guard elapsed > 1, now - state.last > pause else { return false }
      state = (now, true)
      return true
    }
    guard isDue, progress.share > 0 else { return }
    let line = TerminalProgress(
      share: progress.share,
      replication: min(progress.replicationsDone + 1, progress.replications),
      replications: progress.replications,
      clock: TerminalProgress.clock(
        progress.virtualTime, in: scenario.zone, lasts: scenario.lasts),
      requestsPerSecond: Int(Double(progress.requests) / elapsed),
      secondsLeft: elapsed / progress.share * (1 - progress.share))
    Self.write(line.text(columns: Self.columns), rewriting: isRewritten)
  }

  /// The terminal's width, asked for each time since people resize theirs, less the last column: a cursor behind it would begin
  /// another line.
  private static var columns: Int { (Console.columns(of: STDERR_FILENO) ?? 121) - 1 }

  /// Over the line that stands there, or as a line of its own.
  static func write(_ text: String, rewriting: Bool) {
    Console.write(rewriting ? "\r\u{1B}[2K\(text)" : text + "\n")
  }

  /// A run whose objectives are still open makes more replications.
  func announce(from: Int, to: Int) {
    end()
    began.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
    Console.error(Self.announcement(from: from, to: to))
  }

  static func announcement(from: Int, to: Int) -> String {
    "Still open after \(Figures.count(from, "replication")); going on to \(to)."
  }

  /// Clears the line, so that what follows begins at the margin.
  func end() {
    if shown.withLock(\.any), isRewritten { Self.write("", rewriting: true) }
  }
}
