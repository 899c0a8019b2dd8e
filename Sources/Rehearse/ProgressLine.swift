import Contracts
import Foundation
import Scenarios
import Simulation
import Synchronization
import Timekeeping

/// Tells how far a run is: one line that changes on a terminal, a line now and then elsewhere.
final class ProgressLine: Sendable {
  private let scenario: Scenario
  private let isTerminal: Bool
  private let began = Mutex(DispatchTime.now().uptimeNanoseconds)
  private let shown = Mutex<(last: UInt64, any: Bool)>((0, false))

  /// - Returns: `nil` when nobody wants to be told.
  init?(_ scenario: Scenario, quiet: Bool) {
    if quiet { return nil }
    self.scenario = scenario
    isTerminal = isatty(STDERR_FILENO) == 1
  }

  func show(_ progress: RunProgress) {
    let now = DispatchTime.now().uptimeNanoseconds
    let elapsed = Double(now - began.withLock(\.self)) / 1e9
    // Nothing for what is over in two seconds; then often on a terminal, seldom in a log.
    let pause: UInt64 = isTerminal ? 100_000_000 : 5_000_000_000
    let isDue = shown.withLock { state in
      guard elapsed > 1, now - state.last > pause else { return false }
      state = (now, true)
      return true
    }
    guard isDue, progress.share > 0 else { return }
    let left = elapsed / progress.share * (1 - progress.share)
    let clock = scenario.zone.civil(at: progress.virtualTime)
    let minutes = clock.timeOfDay.nanoseconds / 60_000_000_000
    let time =
      "\(clock.date.month)/\(clock.date.day) \(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    let rate = Self.grouped(Int(Double(progress.requests) / elapsed))
    let text =
      "\(bar(progress.share)) \(Int(progress.share * 100)) %  replication \(min(progress.replicationsDone + 1, progress.replications))/\(progress.replications)  virtual \(time)  \(rate) requests/s  about \(Self.time(left)) left"
    Console.write(isTerminal ? "\r\u{1B}[2K\(text)" : text + "\n")
  }

  /// A run whose objectives are still open makes more replications.
  func announce(from: Int, to: Int) {
    end()
    began.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
    Console.error("Still open after \(from) replications; going on to \(to).")
  }

  /// Clears the line, so that what follows begins at the margin.
  func end() {
    let any = shown.withLock(\.any)
    if any, isTerminal { Console.write("\r\u{1B}[2K") }
  }

  private func bar(_ share: Double) -> String {
    let full = Int(share * 20)
    return String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
  }

  static func time(_ seconds: Double) -> String {
    seconds < 90 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
  }

  /// 1234567 as 1,234,567.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits = String(digits.dropLast(3))
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
