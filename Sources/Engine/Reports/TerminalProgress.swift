import Contracts
import Timekeeping

/// How far a run is, as one line that fits its terminal.
public struct TerminalProgress: Sendable {
  /// Of all virtual time, in 0...1.
  public var share: Double
  /// Counted from 1.
  public var replication: Int
  public var replications: Int
  /// Where the scenario's clock stands.
  public var clock: String
  public var requestsPerSecond: Int
  public var secondsLeft: Double

  public init(
    share: Double, replication: Int, replications: Int, clock: String, requestsPerSecond: Int,
    secondsLeft: Double
  ) {
    self.share = share
    self.replication = replication
    self.replications = replications
    self.clock = clock
    self.requestsPerSecond = requestsPerSecond
    self.secondsLeft = secondsLeft
  }

  /// At most so many columns: what says least gives way first, and the share stays to the end.
  public func text(columns: Int) -> String {
    let percent = "\(Int(share * 100)) %"
    let left = Self.time(secondsLeft) + " left"
    let number = "\(replication)/\(replications)"
    let rate = "\(Figures.count(requestsPerSecond)) requests/s"
    let candidates = [
      [
        bar(20), percent, "replication \(number)", "virtual \(clock)", rate,
        "about \(left)",
      ],
      [bar(10), percent, "replication \(number)", clock, rate, left],
      [bar(10), percent, "replication \(number)", rate, left],
      [bar(10), percent, "replication \(number)", left], [bar(10), percent, number, left],
      [percent, number, left], [percent, left], [percent],
    ]
    let lines = candidates.map { $0.joined(separator: "  ") }
    return lines.first { TerminalStyle.columns(of: $0) <= columns } ?? ""
  }

  private func bar(_ width: Int) -> String {
    let full = min(width, max(0, Int(share * Double(width))))
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }

  /// `40 s`, `3 min`: an estimate knows no more.
  public static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "a long time" }
    if seconds < 90 { return "\(max(1, Int(seconds.rounded(.up)))) s" }
    if seconds < 5_400 { return "\(Int((seconds / 60).rounded(.up))) min" }
    return "\(Int((seconds / 3_600).rounded(.up))) h"
  }

  /// The scenario's clock: `13:05` in a run of a day or less, `Sat 21 Mar 13:05` in a longer one.
  public static func clock(_ instant: Instant, in zone: CivilZone, lasts: Span) -> String {
    let civil = zone.civil(at: instant)
    let time = Figures.clock(civil.timeOfDay)
    guard lasts > .days(1) else { return time }
    let texts = Texts.english
    let (day, month) = (civil.date.day, texts.months[civil.date.month - 1])
    return "\(texts.weekdays[civil.date.weekday - 1]) \(day) \(month) \(time)"
  }
}
