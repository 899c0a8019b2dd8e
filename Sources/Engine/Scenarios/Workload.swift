import Timekeeping

/// How people come in a scenario that says so itself, phase after phase: in an open workload whatever the backend does, in a closed
/// one as soon as somebody has gone.
public struct Workload: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Phases say how many arrive in a second; each begins a session.
    case open
    /// Phases say how many are in a session, or in the pause after one, at once.
    case closed
  }

  /// How arrivals of an open workload lie in time.
  public enum Spacing: String, Hashable, Sendable, CaseIterable {
    /// As those of many who know nothing of each other.
    case poisson
    /// At equal distances while the rate stays.
    case even
  }

  /// A part of the load with a name; what it asks for goes evenly from its beginning to its end.
  public struct Phase: Hashable, Sendable {
    public var name: String
    public var lasts: Span
    /// Arrivals in a second, or people at once.
    public var from: Double
    public var to: Double
    /// Whether what was meant for it counts in no latency.
    public var isWarmUp: Bool

    public init(
      _ name: String, lasts: Span, from: Double, to: Double? = nil, isWarmUp: Bool = false
    ) {
      self.name = name
      self.lasts = lasts
      self.from = from
      self.to = to ?? from
      self.isWarmUp = isWarmUp
    }
  }

  /// What is searched for in phases that ask for more and more: up to which rate something holds.
  public struct Capacity: Hashable, Sendable {
    /// What has to hold in a phase; a share of requests, or a quantile.
    public var objective: Objective
    /// Sessions in a second that it has to be, if that is demanded.
    public var atLeast: Double?

    public init(_ objective: Objective, atLeast: Double? = nil) {
      self.objective = objective
      self.atLeast = atLeast
    }
  }

  /// The world whose people come.
  public var domain: String
  public var kind: Kind
  public var phases: [Phase]
  public var spacing: Spacing
  /// Between two sessions of one who stays, in a closed workload.
  public var pause: Span
  /// How late the latest of a hundred requests may leave, in real time, before the generator counts as the limit.
  public var lateness: Span
  public var capacity: Capacity?

  public static let standardLateness = Span.milliseconds(10)

  public init(
    domain: String, kind: Kind, phases: [Phase], spacing: Spacing = .poisson,
    pause: Span = .seconds(1), lateness: Span = Workload.standardLateness,
    capacity: Capacity? = nil
  ) {
    self.capacity = capacity
    self.domain = domain
    self.kind = kind
    self.phases = phases
    self.spacing = spacing
    self.pause = pause
    self.lateness = lateness
  }

  public var lasts: Span { phases.reduce(.zero) { $0 + $1.lasts } }

  /// How long the phases at the beginning last that are a warm-up.
  public var warmUp: Span { phases.prefix(while: \.isWarmUp).reduce(.zero) { $0 + $1.lasts } }

  /// The phases that are no warm-up, each with its part of a run.
  public func measured(from starts: Instant) -> [(phase: Phase, window: Objective.Window)] {
    var found: [(phase: Phase, window: Objective.Window)] = []
    var from = starts
    for phase in phases {
      let to = from + phase.lasts
      if !phase.isWarmUp { found.append((phase, Objective.Window(from: from, to: to))) }
      from = to
    }
    return found
  }

  /// Whether it asks for the same throughout a run.
  func isSteady(for run: Span) -> Bool {
    lasts == run && phases.allSatisfy { $0.from == phases[0].from && $0.to == phases[0].from }
  }

  /// Arrivals in a second, or people at once, over time.
  public var rate: ArrivalRate {
    var corners: [ArrivalRate.Corner] = []
    var at = Span.zero
    for phase in phases {
      corners.append(ArrivalRate.Corner(at: at, perSecond: phase.from))
      at += phase.lasts
      corners.append(ArrivalRate.Corner(at: at, perSecond: phase.to))
    }
    return ArrivalRate(corners)
  }

  /// When people arrive, in order; the same for every run with that seed.
  public func arrivals(from starts: Instant, seed: UInt64) -> Arrivals {
    switch spacing {
    case .even: Arrivals(evenly: rate, from: starts)
    case .poisson:
      Arrivals(
        rate, from: starts,
        drawing: RandomStream(seed: seed, owner: stableHash("\(domain)/arrivals"), purpose: 0))
    }
  }

  /// The most people at once.
  public var mostAtOnce: Int { phases.reduce(0) { max($0, Int(max($1.from, $1.to))) } }

  /// How many people a region, counted from 0, needs so that every user of a closed workload is somebody; one for an open workload.
  public func visitorsNeeded(inRegion region: Int, of regions: Int) -> Int {
    guard kind == .closed else { return 1 }
    return (mostAtOnce + regions - 1 - region) / regions
  }

  /// When the n-th user of a closed workload, counted from 0, is there: while the whole number next to the line is at least n + 1, so that a
  /// phase has as many as it begins and ends with.
  public func turns(ofUser number: Int, from starts: Instant) -> [Range<Instant>] {
    let level = Double(number) + 0.5
    var turns: [Range<Instant>] = []
    var begins = starts
    for phase in phases {
      let ends = begins + phase.lasts
      if let turn = phase.turn(at: level, begins..<ends) {
        if let last = turns.last, last.upperBound == turn.lowerBound {
          turns[turns.count - 1] = last.lowerBound..<turn.upperBound
        } else {
          turns.append(turn)
        }
      }
      begins = ends
    }
    return turns
  }
}

extension Workload.Phase {
  /// When at least so many are to be there.
  fileprivate func turn(at level: Double, _ whole: Range<Instant>) -> Range<Instant>? {
    if from >= level, to >= level { return whole }
    guard max(from, to) >= level else { return nil }
    let crossing =
      whole.lowerBound + Span(seconds: lasts.seconds * (level - from) / (to - from))
    let turn =
      to > from
      ? min(crossing, whole.upperBound)..<whole.upperBound
      : whole.lowerBound..<min(crossing, whole.upperBound)
    return turn.isEmpty ? nil : turn
  }

  /// `20/s`, `20/s to 200/s`, `100 people`.
  public func load(_ kind: Workload.Kind) -> String {
    let (first, last) = (plain(from), plain(to))
    return switch kind {
    case .open: from == to ? "\(first)/s" : "\(first)/s to \(last)/s"
    case .closed: (from == to ? first : "\(first) to \(last)") + " people"
    }
  }
}

/// Where a run's time comes from.
public enum Timeline: Hashable, Sendable {
  /// Discrete events, as fast as the machine allows.
  case virtual
  /// Real time; of the scenario's time so many seconds pass in each.
  case wall(speed: Double)

  public var isWall: Bool { self != .virtual }

  /// `60 s`, that pass in one.
  public var speedInWords: String {
    if case .wall(let speed) = self { "\(plain(speed)) s" } else { "" }
  }
}
