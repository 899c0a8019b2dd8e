import Observations
import Timekeeping

/// One load from its first call to its end, on one thread.
///
/// In an open workload calls are due by the schedule, whatever the server does. Where every slot is taken a call that is due waits for one,
/// and that is response time. So a server that stops is seen by all who would have come meanwhile, and not by one for each connection.
public final class LoadRun {
  /// More calls than these do not wait; then the generator gives up, and says so.
  static let waitingMost = 2_000_000
  /// The loop looks at least so often whether it was kept from looking.
  private static let tick = Span.milliseconds(5)

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
    /// Nobody was reached, and nobody had been before.
    case unreachable(HTTPFailure, explanation: String)
  }

  public struct Outcome: Sendable {
    public var tally: CallTally
    public var watch: GeneratorWatch
    public var failures: [HTTPFailure: Int]
    public var ending: Ending
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
  private var choice: RouteChoice
  /// Calls under way, by tag.
  private var underWay: [Due?]
  private var freeTags: [Int]
  /// Calls that are due and wait for a slot, in order; those before `firstWaiting` are gone.
  private var waiting: [Due] = []
  private var firstWaiting = 0
  private var unreached: Ending?

  /// What ended in a turn of the client's loop.
  private final class Inbox {
    var ended: [(tag: Int, answer: HTTPAnswer)] = []
  }

  public init(_ plan: LoadPlan, options: HTTPOptions) throws(HTTPProblem) {
    self.plan = plan
    let inbox = Inbox()
    self.inbox = inbox
    let slots: Int
    if case .closed(let users) = plan.pace {
      (self.users, slots) = (users, users.most)
    } else {
      (self.users, slots) = (nil, plan.slots)
    }
    client = try HTTPClient(slots: slots, options: options) { tag, answer in
      inbox.ended.append((tag, answer))
    }
    // A moment for the loop to begin, so that the first calls are not late.
    starts = MonotonicClock.now + .milliseconds(5)
    ends = starts + plan.lasts
    tally = CallTally(plan, starts: starts)
    choice = RouteChoice(plan)
    underWay = Array(repeating: nil, count: slots)
    freeTags = Array((0..<slots).reversed())
  }

  /// - Parameters:
  ///   - isStopped: Asked often; `true` ends the load without waiting for anybody.
  ///   - every: How often progress is told, from the same thread, which must not be kept.
  public func run(
    isStopped: () -> Bool, every: Span = .milliseconds(200),
    progress: (Progress) -> Void = { _ in }
  ) -> Outcome {
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
      if unreached != nil { break }
      if schedule != nil {
        while let due = next, due <= now {
          take(due)
          next = schedule?.next()
        }
      } else if let users, now < ends {
        // Where they become fewer, whose call ended goes.
        let wanted = users.users(at: now - starts)
        while client.inFlight < wanted { send(Due(moment: client.clock, route: choice.next())) }
      }
      let isDone = schedule != nil ? next == nil : now >= ends
      if isDone, isIdle || now >= ends + plan.patience { break }
      if now - told >= every {
        told = now
        progress(snapshot(at: now))
      }
      let until = min(next ?? .distantFuture, now + Self.tick)
      watch.longestTurn = max(watch.longestTurn, MonotonicClock.now - looked)
      looked = client.turn(until: until)
      watch.longestOversleep = max(watch.longestOversleep, looked - until)
      takeAnswers()
    }
    let end = MonotonicClock.now
    for call in client.abandon() { cutOff(call.tag, at: end) }
    for due in waiting[firstWaiting...] { tally.cutOff(route: due.route, due: due.moment, at: end) }
    clocks.read(into: &watch)
    return Outcome(
      tally: tally, watch: watch, failures: failures,
      ending: wasStopped ? .stopped : unreached ?? .complete)
  }

  private var isIdle: Bool { client.inFlight == 0 && firstWaiting == waiting.count }

  /// A call is due: it is sent, or waits for a slot.
  private func take(_ moment: Instant) {
    watch.lateness.record(max(.zero, MonotonicClock.now - moment))
    let due = Due(moment: moment, route: choice.next())
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
      tally.end(route: due.route, due: due.moment, answer)
      guard let failure = answer.failure ?? unexpected(answer.status) else { continue }
      failures[failure, default: 0] += 1
      if failure == .noLocalPort {
        watch.withoutPort += 1
      } else if failure.isUnreached, !hasReached {
        unreached = .unreachable(failure, explanation: answer.explanation)
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

  /// Whether anybody ever answered, or at least took a connection.
  private var hasReached: Bool {
    tally.answered > 0 || failures.keys.contains { !$0.isUnreached }
  }

  private func unexpected(_ status: Int) -> HTTPFailure? {
    plan.expected.contains { $0.contains(status) } ? nil : .unexpectedStatus(status)
  }

  private func cutOff(_ tag: Int, at now: Instant) {
    guard let due = underWay[tag] else { return }
    tally.cutOff(route: due.route, due: due.moment, at: now)
  }

  private func snapshot(at now: Instant) -> Progress {
    Progress(
      elapsed: now - starts, inFlight: client.inFlight, waiting: waiting.count - firstWaiting,
      users: users?.users(at: now - starts),
      tally: tally, watch: watch, failures: failures)
  }
}
