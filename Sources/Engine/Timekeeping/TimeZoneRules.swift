import Foundation

/// A civil time zone by its IANA name, such as `Europe/Amsterdam`.
///
/// Foundation's database answers; within the years that scenarios use, the answers are facts, not settings of
/// the machine.
public struct CivilZone: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  private let zone: TimeZone

  /// - Returns: `nil` when no such zone is known.
  public init?(_ name: String) {
    guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else {
      return nil
    }
    self.name = name
    self.zone = zone
  }

  public static let amsterdam = CivilZone("Europe/Amsterdam")!
  public static let berlin = CivilZone("Europe/Berlin")!
  public static let utc = CivilZone("UTC")!

  public var description: String { name }

  /// What local clocks add to UTC at an instant.
  public func offset(at instant: Instant) -> Span {
    .seconds(
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.unixSeconds)))))
  }

  /// What local clocks show at an instant.
  public func civil(at instant: Instant) -> CivilTime {
    let offset = offset(at: instant)
    let local = instant + offset
    let days = local.unixSeconds.flooredDivision(by: 86_400)
    return CivilTime(
      date: CivilDate(daysSinceEpoch: days), timeOfDay: local - Instant(unixSeconds: days * 86_400),
      offset: offset)
  }

  /// The instants at which local clocks show a time, the first one first: none where they are set forward over it, two where they
  /// are set back and show it again. An offset in the time decides, and nothing is left to ask.
  public func instants(_ civil: CivilTime) -> [Instant] {
    if let offset = civil.offset { return [civil.instant(offset: offset)] }
    let guess = civil.instant(offset: .zero)
    // Where clocks are set back, the offset before is the greater one and gives the earlier instant.
    let before = offset(at: guess - .days(1))
    let after = offset(at: guess + .days(1))
    return (before == after ? [before] : [before, after]).compactMap { offset in
      let instant = civil.instant(offset: offset)
      return self.offset(at: instant) == offset ? instant : nil
    }
  }

  /// The instant at which local clocks show a time; in the hour that is skipped, the one an hour later,
  /// in the hour that is repeated, the first.
  public func instant(_ civil: CivilTime) -> Instant {
    instants(civil).first
      ?? civil.instant(offset: offset(at: civil.instant(offset: .zero) - .days(1)))
  }

  public func instant(_ date: CivilDate, _ timeOfDay: Span = .zero) -> Instant {
    instant(CivilTime(date: date, timeOfDay: timeOfDay))
  }
}
