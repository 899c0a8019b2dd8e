import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Degradation, circuit breakers and the rate budget: §7.4 to §7.6.
enum ClientHealthChecks {
  static let all: [MSCheck] = [
    .byApp(.ms121) { LevelWatch() },
    .byApp(.ms123) { BreakerWatch() },
    .byApp(.ms130) { BudgetWatch() },
  ]
}

/// MS-121: the level follows from the services that are degraded, and these from their requests.
private struct LevelWatch: AppWatch {
  private var degraded: Set<AppService> = []
  private var level = DegradationLevel.none
  /// When a service last changed, while the level has not been said anew.
  private var changedAt: Instant?
  private var failures: [AppService: Int] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .health(let service, let isDegraded, let succeeded, let count):
      judge.expect(
        isDegraded == (Double(succeeded) < 0.8 * Double(count))
          && count - succeeded <= failures[service, default: 0],
        "\(service.rawValue) was called \(isDegraded ? "degraded" : "well") with \(succeeded) of \(count)"
      )
      if isDegraded { degraded.insert(service) } else { degraded.remove(service) }
      changedAt = time
    case .level(let new): level = new
    default: judgeLevel(before: time, &judge)
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    judgeLevel(before: call.sent, &judge)
    if !call.isWell { failures[.of(call.request), default: 0] += 1 }
  }

  private mutating func judgeLevel(before time: Instant, _ judge: inout Judge) {
    guard let changedAt, changedAt < time else { return }
    self.changedAt = nil
    let documented = Self.level(of: degraded)
    judge.expect(
      level == documented,
      "the level is \(level.rawValue) with \(degraded.map(\.rawValue).sorted()) degraded")
  }

  /// §7.4.
  private static func level(of degraded: Set<AppService>) -> DegradationLevel {
    let isCritical: Set<AppService> = [.cloudKit, .authentication, .payment]
    switch degraded.count(where: isCritical.contains) {
    case 2...: return .severe
    case 1: return .moderate
    default: return degraded.count >= 3 ? .moderate : degraded.isEmpty ? .none : .minor
    }
  }
}

/// MS-123: each breaker opens, waits, tries and closes as §7.5 has it.
private struct BreakerWatch: AppWatch {
  private struct Figures {
    let failures: Int
    let recovery: Span
    let successes: Int
    let timeout: Span

    static func of(_ name: BreakerName) -> Figures {
      switch name {
      case .cloudKit, .location: Figures(5, .seconds(30), 3, .seconds(10))
      case .network: Figures(3, .seconds(15), 2, .seconds(5))
      case .payment: Figures(2, .seconds(60), 5, .seconds(15))
      }
    }

    private init(_ failures: Int, _ recovery: Span, _ successes: Int, _ timeout: Span) {
      self.failures = failures
      self.recovery = recovery
      self.successes = successes
      self.timeout = timeout
    }
  }

  private struct Course {
    var state = BreakerState.closed
    /// When it got there.
    var since = Instant.distantPast
    /// The latest outcomes that it watched.
    private(set) var outcomes: [(at: Instant, isGood: Bool)] = []
    /// How many of them are not good.
    private(set) var failures = 0
    private static let remembered = 32

    mutating func take(_ isGood: Bool, at instant: Instant) {
      outcomes.append((instant, isGood))
      if !isGood { failures += 1 }
      guard outcomes.count > Self.remembered else { return }
      if !outcomes.removeFirst().isGood { failures -= 1 }
    }

    /// What it could know at an instant, since it is in its state.
    func known(at time: Instant) -> [Bool] {
      outcomes.filter { $0.at > since && $0.at <= time }.sorted { $0.at < $1.at }.map(\.isGood)
    }
  }

  /// By the places of their names.
  private var courses = BreakerName.allCases.map { _ in Course() }

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    guard case .breaker(let name, let state) = note else { return }
    var course = courses[name.place]
    let figures = Figures.of(name)
    let known = course.known(at: time)
    switch (course.state, state) {
    case (.closed, .open):
      judge.expect(
        known.count { !$0 } >= figures.failures,
        "breaker \(name.rawValue) opened after \(known.count { !$0 }) failures")
    case (.open, .halfOpen):
      judge.expect(
        time - course.since >= figures.recovery,
        "breaker \(name.rawValue) tried again after \(time - course.since)")
    case (.halfOpen, .open):
      judge.expect(known.contains(false), "breaker \(name.rawValue) opened without a failure")
    case (.halfOpen, .closed):
      judge.expect(
        known.count { $0 } >= figures.successes,
        "breaker \(name.rawValue) closed after \(known.count { $0 }) successes")
    default:
      judge.violated(
        "breaker \(name.rawValue) went from \(course.state.rawValue) to \(state.rawValue)")
    }
    course.state = state
    course.since = time
    courses[name.place] = course
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    for name in [.network, BreakerName.watching(.of(call.request))] {
      let figures = Figures.of(name)
      judgeSending(call, name, courses[name.place], figures, &judge)
      let isInTime = call.answered - call.sent <= figures.timeout
      let isGood = name == .network ? call.outcome.isAnswered : call.isWell
      courses[name.place].take(isGood && isInTime, at: call.answered)
    }
  }

  private func judgeSending(
    _ call: SeenCall, _ name: BreakerName, _ course: Course, _ figures: Figures,
    _ judge: inout Judge
  ) {
    switch course.state {
    case .halfOpen: break
    case .open:
      if call.sent > course.since {
        judge.violated("a request left through the open breaker \(name.rawValue)")
      }
    case .closed:
      guard course.failures >= figures.failures else { return }
      func isKnown(_ outcome: (at: Instant, isGood: Bool)) -> Bool {
        outcome.at > course.since && outcome.at < call.sent
      }
      let failures = course.outcomes.count { !$0.isGood && isKnown($0) }
      guard failures >= figures.failures else { return }
      let known = course.outcomes.filter(isKnown)
      let last = known.sorted { $0.at < $1.at }.suffix(figures.failures)
      if !last.contains(where: \.isGood) {
        judge.violated(
          "breaker \(name.rawValue) is closed after \(figures.failures) failures in a row")
      }
    }
  }
}

/// MS-130: ten requests at once and one more each second, three under way at a time.
private struct BudgetWatch: AppWatch {
  private static let most = 10.0
  private static let perSecond = 1.0
  private static let concurrent = 3
  private static let window = Span.seconds(30)

  /// The latest, by the instant of sending.
  private var recent: [(sent: Instant, answered: Instant)] = []

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    let place = recent.lastIndex { $0.sent <= call.sent }.map { $0 + 1 } ?? 0
    recent.insert((call.sent, call.answered), at: place)
    if let newest = recent.last?.sent { recent.removeAll { newest - $0.sent > Self.window } }
    guard let own = recent.lastIndex(where: { $0.sent == call.sent }) else { return }
    let underWay = recent.prefix(own + 1).count { $0.answered > call.sent }
    if underWay > Self.concurrent {
      return judge.violated("\(underWay) requests under way at once")
    }
    judge.expect(keepsBudget(around: own), "more requests than ten and one a second")
  }

  /// Whether every stretch that holds the request at this place keeps the budget.
  private func keepsBudget(around place: Int) -> Bool {
    for first in 0...place where recent.count - first > Int(Self.most) {
      for last in place..<recent.count {
        let lasts = (recent[last].sent - recent[first].sent).seconds
        if Double(last - first + 1) > Self.most + lasts * Self.perSecond + 1e-6 { return false }
      }
    }
    return true
  }
}
