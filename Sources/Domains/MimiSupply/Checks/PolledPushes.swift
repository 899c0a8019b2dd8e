import MimiSupplyContract
import Observations
import Timekeeping

extension Scope<MimiSupply> {
  /// The pushes of one device by its token.
  fileprivate static let pushToken = each(
    "push token", by: String.self,
    asked: { call, body in
      if case .poll(let poll) = call.request, let token = poll.token { body(token) }
    },
    signalled: { signal, body in
      if case .notification(let push) = signal, let token = push.destination.token { body(token) }
    })
}

/// MS-98: what a device fetches tells of an order's states in their order.
///
/// Signals are not judged: each goes its own way and may overtake another.
struct OrderOfPolls: History {
  static let scope = Scope<MimiSupply>.pushToken

  /// By subscription and order: how far it had come, and when that answer was there.
  private var last: [String: (place: Int, at: Instant)] = [:]

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    guard case .notifications(let pushes)? = call.content else { return }
    for push in pushes {
      guard case .order(let order, let status, _, _, _) = push.content,
        let place = OrderStatus.of(status)?.place
      else { continue }
      let key = "\(push.subscription ?? "") \(order)"
      if let before = last[key], before.at == call.answered || before.at < call.sent {
        judge.expect(
          before.place <= place,
          "a device was told that \(order) is \(status) behind something later")
      }
      last[key] = (place, call.answered)
    }
  }
}

/// MS-99: a badge counts what waits for its device, itself included.
struct Badges: History {
  static let scope = Scope<MimiSupply>.pushToken

  /// Further apart than this, one is there before the other is sent.
  private static let apart = FanOutFacts.patience

  private var recent: [(at: Instant, badge: Int?)] = []
  /// Where in `recent` the first stands that was not judged.
  private var next = 0
  private var isPolled = false

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    isPolled = true
    guard case .notifications(let pushes)? = call.content else { return }
    for (index, push) in pushes.enumerated() {
      guard let badge = push.badge else { continue }
      // What was queued before it waited still when all were fetched.
      judge.expect(badge > index, "a badge says \(badge) and \(index) older ones waited with it")
    }
  }

  mutating func signalled(
    _ signal: MimiSupply.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .notification(let push) = signal else { return }
    recent.append((moment.time, push.badge))
    ripen(at: moment.time, &judge)
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) { ripen(at: instant, &judge) }

  /// A badge can count no more than what came within that time around it.
  private mutating func ripen(at now: Instant, _ judge: inout Judge) {
    guard !isPolled else { return }
    while next < recent.count, recent[next].at + Self.apart < now {
      let (at, badge) = recent[next]
      next += 1
      guard let badge else { continue }
      let around = recent.count {
        at - Self.apart <= $0.at && $0.at <= at + Self.apart
      }
      judge.expect(
        (1...around).contains(badge), "a badge says \(badge) where at most \(around) waited")
    }
    let gone = recent.prefix(next).count { $0.at + Self.apart + Self.apart < now }
    recent.removeFirst(gone)
    next -= gone
  }
}

extension PushNotification {
  fileprivate var badge: Int? {
    if case .order(_, _, _, _, let badge) = content { badge } else { nil }
  }
}
