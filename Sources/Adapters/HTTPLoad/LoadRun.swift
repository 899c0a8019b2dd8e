import Observations
import Timekeeping

/// One load from its first call to its end, on one thread.
///
/// In an open workload calls are due by the schedule, whatever the server does. Where every slot is taken a call that is due waits for one,
/// and that is response time. So a server that stops is seen by all who would have come meanwhile, and not by one for each connection.
public final class LoadRun {
  /// More calls than these do not wait; then the generator gives up, and says so.
  static let waitingMost = 2_000_000
  /// How long a user waits whose call got no answer, before the next: a server that refuses at once would get thousands a second of it.
  public static let pauseOfUsers = Span.milliseconds(100)
  /// The loop looks at least so often whether it was kept from looking.
  private static let tick = Span.milliseconds(5)

  /// What the loop takes to begin.
  private static let beginning = Span.milliseconds(5)

  /// How it stands, for whoever watches.
  public struct Progress: Sendable {
    public var elapsed: Span
    public var inFlight: Int
    public var waiting: Int
    /// How many users there are; `nil` in an open workload.
    public var users: Int?
    public var tally: CallTally
    public var watch: GeneratorWatch
    /// The failures by class.
    public var failures: [HTTPFailure: Int]
  }

  public enum Ending: Sendable, Equatable {
    case complete
    case stopped
    /// No connection ever came about. The route is the one that was tried.
    case unreachable(HTTPFailure, route: Int, explanation: String)
  }

  public struct Outcome: Sendable {
    public var tally: CallTally
    public var watch: GeneratorWatch
    public var failures: [HTTPFailure: Int]
    public var outages: OutageTally
    /// How often a user waited because a call had got no answer.
    public var pauses: Int
    public var ending: Ending
    /// From the beginning to the last answer, at least as long as was planned; or to when it was stopped.
    public var took: Span
  }

  private struct Due {
    let moment: Instant
    let route: Int
  }

  private let plan: LoadPlan
  private let client: HTTPClient
  private let inbox: Inbox
  /// Of a closed workload.
  private let users: UserCount?
  private let starts: Instant
  private let ends: Instant
  private var tally: CallTally
  private var watch = GeneratorWatch()
  private var failures: [HTTPFailure: Int] = [:]
  private var outages = OutageTally()
  private var pauses = 0
  /// When users who wait after a failure go on, in order.
  private var pausing: [Instant] = []
  private var choice: RouteChoice
  /// Calls under way, by tag.
  private var underWay: [Due?]
  private var freeTags: [Int]
  /// Calls that are due and wait for a slot, in order; those before `firstWaiting` are gone.
  private var waiting: [Due] = []
  private var firstWaiting = 0
  /// Whether a server ever took a connection.
  private var hasReached: Bool
  private var unreached: Ending?
  private var lastEnded: Instant

  /// What ended in a turn of the client's loop.
  private final class Inbox {
    var ended: [(tag: Int, answer: HTTPAnswer)] = []
  }

  /// - Parameter isKnown: Whether the server was reached before, so that one that is gone is a finding.
  public init(
    _ plan: LoadPlan, options: HTTPOptions, isKnown: Bool = false
  ) throws(HTTPProblem) {
    self.plan = plan
    hasReached = isKnown
    let inbox = Inbox()
    self.inbox = inbox
    let slots = plan.slotsOfShare
    users = if case .closed(let users) = plan.pace { users } else { nil }
    client = try HTTPClient(slots: slots, options: options) { tag, answer in
      inbox.ended.append((tag, answer))
    }
    // A moment for the loop to begin, so that the first calls are not late.
    let now = MonotonicClock.now
    starts = plan.startsAt.map { now + ($0 - MonotonicClock.civil) } ?? now + Self.beginning
    ends = starts + plan.lasts
    lastEnded = starts
    tally = CallTally(plan, starts: starts)
    choice = RouteChoice(plan, owner: UInt64(plan.share.number - 1))
    underWay = Array(repeating: nil, count: slots)
    freeTags = Array((0..<slots).reversed())
  }

  /// - Parameters:
  ///   - isStopped: Asked often; `true` ends the load without waiting for any call.
  ///   - every: How often progress is told, from the same thread, which must not be kept.
  public func run(
    isStopped: () -> Bool, every: Span = .milliseconds(200),
    progress: (Progress) -> Void = { _ in }
  ) -> Outcome {
    rest(isStopped: isStopped)
    let clocks = WatchClocks()
    var schedule = plan.schedule(from: starts)
    var next = schedule?.next()
    var told = starts
    var wasStopped = false
    var looked = MonotonicClock.now
    while true {
      let now = MonotonicClock.now
      if isStopped() {
        wasStopped = true
        break
      }
      if unreached != nil, !hasReached, !client.hasSent { break }
      while let due = next, due.moment <= now {
        take(due.moment, route: due.route)
        next = schedule?.next()
      }
      if let users { send(users) }
      if now >= ends, isIdle || now >= ends + plan.patience { break }
      if now - told >= every {
        told = now
        progress(snapshot(at: now))
      }
      let until = min(next?.moment ?? .distantFuture, now < starts ? starts : now + Self.tick)
      watch.longestTurn = max(watch.longestTurn, MonotonicClock.now - looked)
      looked = client.turn(until: until)
      watch.longestOversleep = max(watch.longestOversleep, looked - until)
      takeAnswers()
    }
    let end = MonotonicClock.now
    for call in client.abandon() {
      guard let due = underWay[call.tag] else { preconditionFailure("a request without a call") }
      cutOff(due, call.requests, at: end)
    }
    for due in waiting[firstWaiting...] { cutOff(due, HTTPAnswer.Requests(), at: end) }
    clocks.read(into: &watch)
    return Outcome(
      tally: tally, watch: watch, failures: failures, outages: outages, pauses: pauses,
      ending: wasStopped ? .stopped : hasReached ? .complete : unreached ?? .complete,
      took: max(.milliseconds(1), wasStopped ? end - starts : max(ends, lastEnded) - starts))
  }

  /// Waits for a beginning that lies ahead.
  private func rest(isStopped: () -> Bool) {
    while case let now = MonotonicClock.now, now < starts - Self.beginning, !isStopped() {
      _ = client.turn(until: min(starts - Self.beginning, now + .milliseconds(100)))
    }
  }

  private var isIdle: Bool { client.inFlight == 0 && firstWaiting == waiting.count }

  /// Sends the calls of users who are there and wait for nothing. Where they become fewer, one whose call ended goes.
  private func send(_ users: UserCount) {
    let now = client.clock
    pausing.removeFirst(pausing.prefix { $0 <= now }.count)
    while case let now = client.clock, now >= starts, now < ends,
      client.inFlight + pausing.count < plan.share.size(of: users.users(at: now - starts))
    {
      send(Due(moment: now, route: choice.next()))
    }
  }

  /// A call is due: it is sent, or waits for a slot.
  private func take(_ moment: Instant, route: Int) {
    watch.lateness.record(max(.zero, MonotonicClock.now - moment))
    // What is rounded up to the end belongs to the last part.
    let due = Due(moment: min(moment, ends - .nanoseconds(1)), route: route)
    if client.hasRoom, firstWaiting == waiting.count {
      send(due)
    } else if waiting.count - firstWaiting < Self.waitingMost {
      waiting.append(due)
    } else {
      watch.missed += 1
    }
  }

  private func send(_ due: Due) {
    guard let tag = freeTags.popLast() else { preconditionFailure("a slot without a tag") }
    underWay[tag] = due
    tally.begin()
    client.send(plan.routes[due.route], tag: tag)
  }

  /// Takes note of what ended, and sends what waited.
  private func takeAnswers() {
    for (tag, answer) in inbox.ended {
      guard let due = underWay[tag] else { preconditionFailure("an answer without a call") }
      underWay[tag] = nil
      freeTags.append(tag)
      lastEnded = max(lastEnded, answer.ended)
      tally.end(route: due.route, due: due.moment, answer)
      if let connection = answer.connection { outages.note(connection, at: answer.ended - starts) }
      if users != nil, answer.failure != nil {
        pausing.append(answer.ended + Self.pauseOfUsers)
        pauses += 1
      }
      guard let failure = answer.failure ?? unexpected(answer.status) else {
        hasReached = true
        continue
      }
      if !failure.isUnreached { hasReached = true }
      failures[failure, default: 0] += 1
      if failure == .noLocalPort {
        watch.withoutPort += 1
      } else if failure.isUnreached, unreached == nil {
        unreached = .unreachable(failure, route: due.route, explanation: answer.explanation)
      }
    }
    inbox.ended.removeAll(keepingCapacity: true)
    while client.hasRoom, firstWaiting < waiting.count {
      send(waiting[firstWaiting])
      firstWaiting += 1
    }
    if firstWaiting > 65_536, firstWaiting * 2 > waiting.count {
      waiting.removeFirst(firstWaiting)
      firstWaiting = 0
    }
  }

  private func unexpected(_ status: Int) -> HTTPFailure? {
    plan.expected.contains { $0.contains(status) } ? nil : .unexpectedStatus(status)
  }

  private func cutOff(_ due: Due, _ requests: HTTPAnswer.Requests, at now: Instant) {
    if requests.first > 0 {
      hasReached = true
    } else if unreached == nil {
      unreached = .unreachable(
        .connectTimeOut, route: due.route, explanation: "none came about in \(now - due.moment)")
    }
    tally.cutOff(route: due.route, due: due.moment, requests, at: now)
  }

  private func snapshot(at now: Instant) -> Progress {
    Progress(
      elapsed: now - starts, inFlight: client.inFlight, waiting: waiting.count - firstWaiting,
      users: users?.users(at: now - starts),
      tally: tally, watch: watch, failures: failures)
  }
}
