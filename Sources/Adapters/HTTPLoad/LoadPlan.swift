import Observations
import Timekeeping

/// What a load is made of, before anything is sent.
public struct LoadPlan {
  /// When the next call is due.
  public enum Pace: Sendable, Equatable {
    /// So many a second, evenly, whatever becomes of them.
    case constant(perSecond: Double)
    /// So many a second on average, independent of each other (a Poisson process).
    case poisson(perSecond: Double)
    /// As many as the rate says at each moment, evenly or independent of each other.
    case varying(ArrivalRate, isPoisson: Bool)
    /// So many at a time: each is followed by the next as soon as it ended, while so many users are there.
    case closed(UserCount)
  }

  public var routes: [HTTPRoute]
  /// How often each route is taken, in proportion; as many as routes, none negative and one positive.
  public var weights: [Double]
  public var pace: Pace
  /// How long calls are begun, the warm-up included.
  public var lasts: Span
  /// What is meant for the first so long is sent and counted nowhere.
  public var warmUp: Span
  /// How long calls that are due are waited for after the end.
  public var patience: Span
  /// The most calls under way, and so the most connections; in a closed workload each user has one.
  public var slots: Int
  public var seed: UInt64
  /// Statuses that count as answers.
  public var expected: [ClosedRange<Int>]
  /// How long each phase lasts, one after another, whose response times are kept by themselves.
  public var phases: [Span] = []
  /// Which of its calls, users and connections are this generator's.
  public var share = Share.whole
  /// When the first call is due, by the clock that people set; a moment from now where it is left out.
  public var startsAt: Instant?

  public init(
    routes: [HTTPRoute], weights: [Double], pace: Pace, lasts: Span, warmUp: Span = .zero,
    patience: Span = .seconds(10), slots: Int = 64, seed: UInt64 = 1,
    expected: [ClosedRange<Int>] = [200...399]
  ) {
    precondition(!routes.isEmpty && routes.count == weights.count, "a weight for each route")
    precondition(weights.allSatisfy { $0 >= 0 } && weights.contains { $0 > 0 }, "nothing to send")
    precondition(warmUp >= .zero && warmUp < lasts, "a warm-up ends before the load does")
    self.routes = routes
    self.weights = weights
    self.pace = pace
    self.lasts = lasts
    self.warmUp = warmUp
    self.patience = patience
    self.slots = slots
    self.seed = seed
    self.expected = expected
  }

  /// How many calls are due a second, over time; `nil` of a closed workload, which has no schedule.
  public var rate: ArrivalRate? {
    switch pace {
    case .closed: nil
    case .constant(let perSecond), .poisson(let perSecond): .constant(perSecond, lasting: lasts)
    case .varying(let rate, _): rate
    }
  }

  /// The calls of this generator, one after another; `nil` of a closed workload.
  func schedule(from starts: Instant) -> Schedule? {
    arrivals(from: starts).map { Schedule($0, RouteChoice(self), share: share) }
  }

  /// How many calls are under way at most.
  var slotsOfShare: Int {
    if case .closed(let users) = pace {
      max(1, share.size(of: users.most))
    } else {
      max(1, share.size(of: slots))
    }
  }

  /// When calls are due, one after another: it depends on plan and seed alone.
  private func arrivals(from starts: Instant) -> Arrivals? {
    guard let rate else { return nil }
    switch pace {
    case .constant, .closed, .varying(_, isPoisson: false):
      return Arrivals(evenly: rate, from: starts)
    case .poisson, .varying(_, isPoisson: true):
      return Arrivals(
        rate, from: starts, drawing: RandomStream(seed: seed, owner: 0, purpose: 1))
    }
  }
}

/// When a generator's calls are due, and which route each takes: calls of the whole load are dealt to its generators in turn.
struct Schedule {
  private var arrivals: Arrivals
  private var choice: RouteChoice
  private let share: Share
  private var index = -1

  init(_ arrivals: Arrivals, _ choice: RouteChoice, share: Share) {
    (self.arrivals, self.choice, self.share) = (arrivals, choice, share)
  }

  mutating func next() -> (moment: Instant, route: Int)? {
    while let moment = arrivals.next() {
      index += 1
      let route = choice.next()
      if share.takes(index) { return (moment, route) }
    }
    return nil
  }
}

/// Which route the next call takes.
struct RouteChoice {
  private let sums: [Double]
  private var stream: RandomStream

  /// - Parameter owner: Generators of users choose by themselves.
  init(_ plan: LoadPlan, owner: UInt64 = 0) {
    var sum = 0.0
    sums = plan.weights.map {
      sum += $0
      return sum
    }
    stream = RandomStream(seed: plan.seed, owner: owner, purpose: 2)
  }

  mutating func next() -> Int {
    guard sums.count > 1 else { return 0 }
    let place = stream.unit() * sums[sums.count - 1]
    return sums.firstIndex { place < $0 } ?? sums.count - 1
  }
}
