import Contracts
import Timekeeping

/// Records as people read them: who, when by local clocks, what, and what came of it; a violation is marked where it was seen.
public struct TerminalTrace: Sendable {
  /// Something that a check saw, and where.
  public struct Violation: Hashable, Sendable {
    public var limit: String
    public var what: String
    /// The path of the person, or of the region.
    public var who: String
    public var time: Instant

    public init(limit: String, what: String, who: String, time: Instant) {
      self.limit = limit
      self.what = what
      self.who = who
      self.time = time
    }
  }

  /// Which part is shown.
  public enum Cut: Hashable, Sendable {
    case whole
    /// Around the line of that number, from 1.
    case line(Int)
    case moment(Instant)
    /// Around the first line that a violation marks.
    case violation
  }

  /// One line of `--events`, as far as a trace shows it.
  private struct Entry {
    let person: String
    let time: Instant?
    let seen: Instant?
    let words: String
  }

  private let zone: CivilZone
  private let violations: [Violation]
  private let entries: [Entry]
  /// The numbers of the violations that each line marks.
  private let marks: [[Int]]

  /// - Parameters:
  ///   - lines: Lines of `--events`.
  ///   - violations: Those to mark.
  public init(_ lines: [String], in zone: CivilZone, violations: [Violation] = []) {
    self.zone = zone
    self.violations = violations
    entries = lines.map(Self.entry)
    var open = Array(violations.indices)
    marks = entries.map { entry in
      let found = open.filter {
        violations[$0].who == entry.person && violations[$0].time == entry.seen
      }
      open.removeAll { found.contains($0) }
      return found
    }
  }

  // MARK: - Choosing

  /// The places of the lines that are shown: all, or so many before and after a place; `nil` where the cut finds no place.
  public func range(_ cut: Cut, context: Int) -> Range<Int>? {
    let middle: Int?
    switch cut {
    case .whole: return entries.indices
    case .line(let number): middle = entries.indices.contains(number - 1) ? number - 1 : nil
    case .moment(let instant):
      middle =
        entries.firstIndex { ($0.seen ?? $0.time).map { $0 >= instant } ?? false }
        ?? entries.indices.last
    case .violation: middle = marks.firstIndex { !$0.isEmpty }
    }
    guard let middle else { return nil }
    return max(0, middle - context)..<min(entries.count, middle + context + 1)
  }

  // MARK: - Text

  /// The lines of a range, numbered, a heading for each day, each violation below the line that shows it.
  public func text(_ range: Range<Int>, colour: Bool) -> [String] {
    let style = TerminalStyle(width: .max, colour: colour)
    let isOne = Set(entries[range].map(\.person)).count == 1
    let width = String(range.upperBound).count
    let names = entries[range].map(\.person.count).max() ?? 0
    var lines =
      isOne ? [style.paint(Escaping.visible(entries[range.lowerBound].person), .strong)] : []
    var day = ""
    for place in range {
      let entry = entries[place]
      let civil = entry.time.map(zone.civil(at:))
      if let civil, Figures.day(civil.date) != day {
        day = Figures.day(civil.date)
        lines.append(style.paint("\(day), times of \(zone)", .quiet))
      }
      let clock = civil.map { Self.clock($0.timeOfDay) } ?? String(repeating: " ", count: 12)
      let name = Escaping.visible(entry.person)
      let who =
        isOne ? "" : name + String(repeating: " ", count: max(0, names - name.count)) + "  "
      let isMarked = !marks[place].isEmpty
      let mark = isMarked ? style.paint("✗", .bad) : " "
      lines.append(
        "\(mark) \(style.pad(String(place + 1), to: width))  \(clock)  \(who)\(entry.words)")
      for number in marks[place] { lines.append(said(violations[number], style, width)) }
    }
    return lines + unlocated(style, width)
  }

  private func said(_ violation: Violation, _ style: TerminalStyle, _ width: Int) -> String {
    String(repeating: " ", count: width + 4)
      + style.paint(
        "\(Escaping.visible(violation.limit, limit: 20)): \(Escaping.visible(violation.what, limit: 500))",
        .bad)
  }

  /// Violations that no line shows: a check saw them in everything together, or in what others did.
  private func unlocated(_ style: TerminalStyle, _ width: Int) -> [String] {
    let placed = Set(marks.flatMap(\.self))
    return violations.indices.filter { !placed.contains($0) }.map { number in
      let violation = violations[number]
      let moment = Figures.moment(violation.time, in: zone)
      return
        "✗ \(Escaping.visible(violation.limit, limit: 20)), seen by \(Escaping.visible(violation.who)), \(moment): \(Escaping.visible(violation.what, limit: 500))"
    }
  }

  /// `11:42:07.123`.
  private static func clock(_ timeOfDay: Span) -> String {
    let milliseconds = timeOfDay.nanoseconds / 1_000_000 % 1_000
    let text = String(milliseconds)
    return Figures.clock(timeOfDay, seconds: true) + "."
      + String(repeating: "0", count: 3 - text.count) + text
  }

  private static func entry(_ line: String) -> Entry {
    guard let record = JSON(parsing: line) else {
      return Entry(person: "", time: nil, seen: nil, words: Escaping.visible(line, limit: 500))
    }
    let sent = record["sent"]?.string.flatMap { Instant($0) }
    let answered = record["answered"]?.string.flatMap { Instant($0) }
    let intended = record["intended"]?.string.flatMap { Instant($0) } ?? sent
    let kind = record["kind"]?.string ?? ""
    var parts: [String] = []
    switch kind {
    case "request":
      parts.append(Escaping.visible(record["operation"]?.string ?? ""))
      if let attempt = record["attempt"]?.int, attempt > 1 { parts.append("attempt \(attempt)") }
    case "control": parts.append("operator's command")
    default: parts.append(Escaping.visible(kind, limit: 40))
    }
    let status = [record["outcome"]?.string, record["code"]?.string].compactMap(\.self)
      .map { Escaping.visible($0) }.joined(separator: " ")
    if !status.isEmpty { parts.append(status) }
    if kind == "request", let intended, let answered {
      parts.append(Figures.duration((answered - intended).seconds))
    }
    let details = [record["action"], record["request"], record["reply"]].compactMap(\.self)
      .filter { $0.object?.members.isEmpty != true && !$0.isNull }
      .map { Escaping.visible($0.description, limit: 240) }.joined(separator: " → ")
    if !details.isEmpty { parts.append(details) }
    return Entry(
      person: record["person"]?.string ?? "", time: sent ?? answered, seen: answered ?? sent,
      words: parts.joined(separator: "  "))
  }
}
