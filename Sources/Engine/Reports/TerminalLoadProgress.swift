import Timekeeping

/// How a load stands, as lines that fit a terminal.
public struct TerminalLoadProgress: Sendable {
  /// What is known at one moment.
  public struct State: Sendable {
    public var elapsedSeconds: Double
    /// Over the last seconds.
    public var answeredPerSecond: Double
    public var inFlight: Int
    /// For a connection; `nil` where nobody queues for one in view.
    public var waiting: Int?
    /// How many users there are to be; `nil` in an open workload.
    public var users: Int?
    /// Of the last seconds and of the whole, in the order of `quantiles`; infinite among those without an answer, `nil` where too few
    /// calls tell.
    public var recent: [Double?]
    public var whole: [Double?]
    /// Calls that ended, one way or the other.
    public var ended: Int
    /// By class, the most frequent first.
    public var failures: [(words: String, count: Int)]
    /// The 99 % quantile of the generator's lateness; `nil` where nothing is due.
    public var lateSeconds: Double?
    /// How long "the last seconds" are.
    public var recentSeconds: Double
    /// Sessions that began in the last seconds; `nil` where no sessions are asked for.
    public var arrivedPerSecond: Double?
    /// How often a rule was broken; `nil` where nothing is judged by rules.
    public var violations: Int?

    public init(
      elapsedSeconds: Double, answeredPerSecond: Double, inFlight: Int, waiting: Int?,
      users: Int? = nil, recent: [Double?], whole: [Double?], ended: Int,
      failures: [(words: String, count: Int)], lateSeconds: Double?, recentSeconds: Double,
      arrivedPerSecond: Double? = nil, violations: Int? = nil
    ) {
      self.arrivedPerSecond = arrivedPerSecond
      self.violations = violations
      self.elapsedSeconds = elapsedSeconds
      self.answeredPerSecond = answeredPerSecond
      self.inFlight = inFlight
      self.waiting = waiting
      self.users = users
      self.recent = recent
      self.whole = whole
      self.ended = ended
      self.failures = failures
      self.lateSeconds = lateSeconds
      self.recentSeconds = recentSeconds
    }
  }

  public static let quantiles = [0.5, 0.9, 0.99, 0.999]

  /// What a load asks for so many of.
  public enum Wanted: Sendable {
    /// In a second.
    case calls, sessions
    /// At once.
    case people
  }

  private let title: String
  /// How many are wanted; `nil` where a view says how many users there are, or nothing is asked for.
  private let rate: ArrivalRate?
  private let wants: Wanted
  private let lastsSeconds: Double
  /// Seconds of the run in a second of the clock.
  private let speed: Double

  public init(
    title: String, rate: ArrivalRate?, wants: Wanted = .calls, lastsSeconds: Double,
    speed: Double = 1
  ) {
    self.title = title
    self.rate = rate
    self.wants = wants
    self.lastsSeconds = lastsSeconds
    self.speed = speed
  }

  /// The view in place: always as many lines, none wider than the terminal.
  public func lines(_ now: State, columns: Int, colour: Bool) -> [String] {
    let style = TerminalStyle(width: max(20, columns), colour: colour)
    let share = min(1, now.elapsedSeconds / lastsSeconds)
    let (full, left) = (Int(share * 20), timeLeft(now))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    let wanted = wanted(now).map { "wanted \($0)  " } ?? ""
    let names = Self.quantiles.map { style.pad(Figures.quantile($0), to: 12) }.joined()
    let window = "last \(Int(now.recentSeconds.rounded())) s"
    let plain = [
      Escaping.visible(title, limit: 300),
      "\(bar) \(Int(share * 100)) %  \(left)",
      wanted + "answered \(Figures.number(now.answeredPerSecond))/s  in flight \(now.inFlight)"
        + (now.waiting.map { "  waiting \($0)" } ?? ""),
      style.pad("", to: 10) + names,
      row(window, now.recent, style), row("whole", now.whole, style),
      errors(now),
      foot(now),
    ].map { style.cut($0, to: style.width) }
    return plain.enumerated().map { index, line in
      index == 0 || index == 3
        ? style.paint(line, index == 0 ? .strong : .quiet)
        : isBad(index, now) ? style.paint(line, .bad) : line
    }
  }

  private func isBad(_ line: Int, _ now: State) -> Bool {
    line == 6 && !now.failures.isEmpty || line == 7 && now.violations ?? 0 > 0
  }

  private func foot(_ now: State) -> String {
    [rules(now), now.lateSeconds.map { "generator late by \(Figures.duration($0)) (p99)" }]
      .compactMap(\.self).joined(separator: "  ")
  }

  private func rules(_ now: State) -> String? {
    now.violations.map { "rules broken \($0 == 0 ? "0" : Figures.count($0, "time"))" }
  }

  /// One line of a log.
  public func line(_ now: State) -> String {
    let tails = zip(Self.quantiles, now.whole).map { q, seconds in
      "\(Figures.quantile(q)) \(words(seconds))"
    }
    let answered = Figures.number(now.answeredPerSecond)
    // A rate is reached or not; of users nobody knows how often they will have asked.
    let reached =
      wanted(now).map {
        wants == .calls && rate != nil ? "\(answered) of \($0)" : "\(answered)/s by \($0)"
      } ?? "\(answered)/s"
    return [
      TerminalProgress.time(now.elapsedSeconds),
      reached, "in flight \(now.inFlight)",
      tails.joined(separator: " "), errors(now), rules(now), timeLeft(now),
    ].compactMap(\.self).joined(separator: "  ")
  }

  private func wanted(_ now: State) -> String? {
    guard let rate else {
      return now.users.map { $0 == 1 ? "1 user" : "\(Figures.count($0)) users" }
    }
    let wanted = Figures.number(rate.perSecond(at: Span(seconds: now.elapsedSeconds)))
    switch wants {
    case .calls: return wanted + "/s"
    case .people: return wanted + " people"
    case .sessions:
      let came = now.arrivedPerSecond.map { " (came \(Figures.number($0))/s)" } ?? ""
      return wanted + "/s sessions" + came
    }
  }

  private func row(_ name: String, _ times: [Double?], _ style: TerminalStyle) -> String {
    let label = name + String(repeating: " ", count: max(0, 10 - name.count))
    return label + times.map { style.pad(words($0), to: 12) }.joined()
  }

  private func words(_ seconds: Double?) -> String {
    guard let seconds else { return Texts.english.none }
    return seconds.isFinite ? Figures.duration(seconds) : "no answer"
  }

  private func errors(_ now: State) -> String {
    let all = now.failures.reduce(0) { $0 + $1.count }
    guard all > 0 else { return "errors 0" }
    let share = Figures.share(Double(all) / Double(max(all, now.ended)))
    let kinds = now.failures.prefix(3).map { "\($0.words) \(Figures.count($0.count))" }
    return "errors \(share): " + kinds.joined(separator: ", ")
  }

  private func timeLeft(_ now: State) -> String {
    let left = lastsSeconds - now.elapsedSeconds
    return left > 0
      ? TerminalProgress.time(left / speed) + " left" : "waiting for the last answers"
  }
}

extension ArrivalRate {
  /// How many arrive in a second at a time; behind a jump what follows it, and nobody after the end.
  fileprivate func perSecond(at time: Span) -> Double {
    guard time >= .zero, let next = corners.firstIndex(where: { $0.at > time }) else { return 0 }
    let (a, b) = (corners[next - 1], corners[next])
    let gone = (time - a.at).seconds / (b.at - a.at).seconds
    return a.perSecond + (b.perSecond - a.perSecond) * gone
  }
}
