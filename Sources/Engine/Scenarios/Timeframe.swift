import Contracts
import Timekeeping

/// When a run begins and ends, and in which zone its times of day are meant.
struct Timeframe {
  let starts: Instant
  let ends: Instant
  let zone: CivilZone
}

/// The beginning of a run: `2026-03-21T06:00 Europe/Amsterdam`, or with an offset or `Z`.
extension Reading {
  /// Years that every part can handle: tokens count seconds since 1970, nanoseconds end in 2262.
  static let years = 1970...2199

  func start(_ node: SourceNode) -> (instant: Instant, zone: CivilZone)? {
    let example = "e.g. 2026-03-21T06:00 Europe/Amsterdam"
    let wanted = "a date, a time of day and a zone, \(example)"
    guard let text = text(node, "starts", wanted: wanted) else { return nil }
    let (clock, zoneName) = Self.parts(of: text)
    guard let civil = CivilTime(clock) else {
      refuse(node, "starts", "that is not a date with a time of day", wanted: wanted)
      return nil
    }
    guard Self.years.contains(civil.date.year) else {
      let range = "\(Self.years.lowerBound) to \(Self.years.upperBound)"
      refuse(node, "starts", wanted: "a year from \(range), \(example)")
      return nil
    }
    if let zoneName {
      guard let zone = namedZone(zoneName, node) else { return nil }
      return agreed(civil, zone, node)
    }
    guard let offset = civil.offset else {
      refuse(
        node, "starts", "it names no time zone",
        wanted: "a zone after it: '\(printable(clock)) Europe/Amsterdam', or Z for UTC")
      return nil
    }
    guard let zone = Self.zone(offset: offset) else {
      refuse(
        node, "starts", "no time zone has this offset from UTC",
        wanted: "the zone's name after it, \(example)")
      return nil
    }
    return (civil.instant(offset: offset), zone)
  }

  /// A zone's name is what follows the last blank, unless it begins with a digit.
  private static func parts(of text: String) -> (clock: String, zone: String?) {
    guard let blank = text.lastIndex(of: " "),
      let first = text[text.index(after: blank)...].first, first.isLetter
    else { return (text, nil) }
    return (String(text[..<blank]), String(text[text.index(after: blank)...]))
  }

  private func namedZone(_ name: String, _ node: SourceNode) -> CivilZone? {
    let isSound =
      name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || [43, 45, 47, 95].contains(byte)
      }
    guard isSound, let zone = CivilZone(name) else {
      refuse(
        node, "starts", "there is no time zone '\(printable(name))'",
        wanted: "one by its IANA name, e.g. Europe/Amsterdam or UTC")
      return nil
    }
    return zone
  }

  /// The zone of a bare offset: IANA has one for each whole hour, with the sign turned round.
  private static func zone(offset: Span) -> CivilZone? {
    guard offset != .zero else { return .utc }
    guard offset.nanoseconds % Span.hours(1).nanoseconds == 0 else { return nil }
    let hours = offset.nanoseconds / Span.hours(1).nanoseconds
    return CivilZone("Etc/GMT\(hours > 0 ? "-" : "+")\(hours.magnitude)")
  }

  /// Puts the beginning's clock reading into a zone.
  private func agreed(
    _ civil: CivilTime, _ zone: CivilZone, _ node: SourceNode
  ) -> (instant: Instant, zone: CivilZone)? {
    let instant = zone.instant(civil)
    if let offset = civil.offset {
      let shown = zone.civil(at: instant)
      guard shown.offset == offset else {
        refuse(
          node, "starts", "clocks in \(zone) then differ from UTC by \(shown.offset ?? .zero)",
          wanted: "the offset or the zone, not both")
        return nil
      }
    }
    warnOfClocks(node, civil, zone, "the run begins")
    return (instant, zone)
  }

  /// Warns of a clock reading that its zone's clocks skip or show twice.
  ///
  /// - Parameter what: What then happens: `the run begins`.
  private func warnOfClocks(
    _ node: SourceNode, _ civil: CivilTime, _ zone: CivilZone, _ what: String
  ) {
    let instants = zone.instants(civil)
    if instants.isEmpty {
      warn(
        node, "clocks in \(zone) skip \(node.inWords); \(what) at \(zone.instant(civil))",
        "choose another hour if that is not meant")
    } else if instants.count > 1 {
      warn(
        node,
        "clocks in \(zone) show \(node.inWords) twice; \(what) the first time, at \(instants[0])",
        "write \(Self.withOffset(instants[1], zone)) if the second is meant")
    }
  }

  /// `2026-10-25T02:30:00+01:00`: what a zone's clocks show at an instant, and by how much they differ from UTC.
  private static func withOffset(_ instant: Instant, _ zone: CivilZone) -> String {
    let shown = zone.civil(at: instant)
    let minutes = (shown.offset ?? .zero).nanoseconds / Span.minutes(1).nanoseconds
    func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + String(number) }
    return shown.instant(offset: .zero).description.prefix(19) + (minutes < 0 ? "-" : "+")
      + two(minutes.magnitude / 60) + ":" + two(minutes.magnitude % 60)
  }
}

extension Scenario {
  /// A moment of the run as its events write one, or an instant with its offset: `10:00`, `+2h`, `2026-03-21T09:00:00Z`.
  ///
  /// - Parameter name: What it is called in messages.
  /// - Returns: The moment, and what is allowed but probably not meant.
  /// - Throws: What is wrong with it, and what would be right.
  public func moment(
    _ text: String, named name: String
  ) throws(ScenarioErrors) -> (instant: Instant, warnings: [ScenarioProblem]) {
    if let instant = Instant(text) { return (instant, []) }
    let reading = Reading(file: "")
    let node = SourceNode(.scalar(text, quoted: true), at: SourceLocation(line: 1, column: 1))
    let frame = Timeframe(starts: starts, ends: ends, zone: zone)
    guard let moment = reading.moment(node, name, in: frame, closed: true) else {
      throw ScenarioErrors(reading.problems)
    }
    return (moment, reading.warnings)
  }
}

/// Moments inside a run: `10:00`, `+2h`, `2026-03-21T10:00`.
extension Reading {
  static let wantedMoment =
    "a time of day, a time after the start or a date with a time, e.g. \"10:00\", +2h or 2026-03-21T10:00"

  /// - Parameters:
  ///   - earliest: A time of day means the first one from here on.
  ///   - closed: Whether the end of the run itself is allowed, as for the end of a fault.
  func moment(
    _ node: SourceNode, _ name: String, in frame: Timeframe?, from earliest: Instant? = nil,
    closed: Bool = false
  ) -> Instant? {
    guard let text = text(node, name, wanted: Self.wantedMoment),
      let found = found(text, node, name, frame, from: earliest), let frame
    else { return nil }
    let instant = found.instant
    guard instant >= frame.starts, closed ? instant <= frame.ends : instant < frame.ends else {
      // A time of day before the beginning would be the one of the next day, which nobody means.
      let early = earliest.flatMap { earliest in
        self.found(text, node, name, frame, from: nil).flatMap {
          $0.instant < earliest ? earliest : nil
        }
      }
      refuse(
        node, name, early == nil ? "it lies outside the run" : "it lies before 'from'",
        wanted:
          "a moment from \(clock(early ?? frame.starts, frame)) to \(clock(frame.ends, frame))")
      return nil
    }
    if let civil = found.civil {
      warnOfClocks(node, civil, frame.zone, "'\(name)' lies")
    }
    return instant
  }

  /// A moment, and the clock reading that named it, unless it was the second one of that reading.
  private struct Found {
    let instant: Instant
    var civil: CivilTime?

    /// The first instant from `earliest` on that a reading may mean; else the first of all.
    init(_ civil: CivilTime, _ zone: CivilZone, from earliest: Instant) {
      let first = zone.instant(civil)
      instant = zone.instants(civil).first { $0 >= earliest } ?? first
      if instant == first { self.civil = civil }
    }

    init(_ instant: Instant) { self.instant = instant }
  }

  /// Reads a moment without asking whether it lies in the run; without a frame only its form is judged.
  private func found(
    _ text: String, _ node: SourceNode, _ name: String, _ frame: Timeframe?,
    from earliest: Instant?
  ) -> Found? {
    if text.first == "+" || text.first == "-" {
      let longest = Self.longestRun
      let span = span(node, name, in: .zero...longest, example: "+2h")
      return frame.flatMap { frame in span.map { Found(frame.starts + $0) } }
    }
    let timeOfDay = Self.timeOfDay(text)
    let civil = timeOfDay == nil ? CivilTime(text) : nil
    guard timeOfDay != nil || civil.map({ Self.years.contains($0.date.year) }) == true else {
      refuse(node, name, wanted: Self.wantedMoment)
      return nil
    }
    guard let frame else { return nil }
    let earliest = earliest ?? frame.starts
    if let civil { return Found(civil, frame.zone, from: earliest) }
    guard let timeOfDay else { return nil }
    let first = frame.zone.civil(at: earliest).date.daysSinceEpoch
    // The day before and two after are enough: a zone moves a clock by less than a day.
    return (first - 1...first + 2).lazy.map { day in
      Found(
        CivilTime(date: CivilDate(daysSinceEpoch: day), timeOfDay: timeOfDay), frame.zone,
        from: earliest)
    }.first { $0.instant >= earliest }
  }

  /// `10:00` or `10:00:30`, as the time since midnight.
  private static func timeOfDay(_ text: String) -> Span? {
    guard text.utf8.count <= 8 else { return nil }
    return CivilTime("2000-01-01T\(text)").flatMap { $0.offset == nil ? $0.timeOfDay : nil }
  }

  /// What local clocks show, for messages.
  private func clock(_ instant: Instant, _ frame: Timeframe) -> String {
    let local = frame.zone.civil(at: instant).instant(offset: .zero).description
    return "\(local.prefix(16)) \(frame.zone)"
  }
}
