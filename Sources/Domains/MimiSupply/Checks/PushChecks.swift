import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Subscriptions and pushes: MS-90 to MS-96, MS-98 to MS-100.
enum PushChecks {
  static let all: [MSCheck] = [
    due(.ms90, .order),
    due(.ms91, .position),
    due(.ms92, .partner),
    due(.ms93, .offer) + due(.ms93, .record)
      + arriving(.ms93) { push, _, facts, judge in
        if let problem = facts.misfire(push) { judge.violated(problem) }
      }
      + arriving(.ms93) { push, _, facts, judge in
        guard facts.isUnique(push), let key = facts.key(of: push) else { return }
        judge.expect(
          !facts.hasArrived(push, key),
          """
          \(facts.subscription(of: key)) told a device twice of \(key.record) \
          \(facts.label(of: key))
          """)
      },
    arriving(.ms94) { push, instant, facts, judge in
      guard let user = push.destination.token.flatMap({ facts.devices[$0]?.user }),
        let isLeak = facts.isLeak(push, to: user, at: instant)
      else { return }
      judge.expect(!isLeak, "\(user) was told of \(push.recordName), which \(user) cannot see")
    },
    arriving(.ms95) { push, _, facts, judge in
      guard let device = push.destination.token.flatMap({ facts.devices[$0] }) else { return }
      if let origin = facts.origin(of: push), origin.user == device.user {
        judge.expect(
          origin.device != device.device,
          "\(device.device ?? "a device") was told of its own change of \(push.recordName)")
      } else if facts.isOwnChange(push, of: device) == false {
        judge.held()
      }
    }
      + .ripe(.ms95, of: FanOutFacts.self) { push, facts, judge in
        guard let device = push.destination.token.flatMap({ facts.devices[$0] }),
          facts.isOwnChange(push, of: device) == true
        else { return }
        judge.violated(
          "\(device.device ?? "a device") was told of its own change of \(push.recordName)")
      },
    eachPush(.ms96) { push, _, judge in
      judge.expect(push.misshape == nil, "a push \(push.misshape ?? "")")
    },
    .history(.ms98, .asking(.poll), OrderOfPolls.init),
    .history(.ms99, [.asks(.poll), .signals], Badges.init),
    eachPush(.ms100) { push, settings, judge in
      if let field = push.personalField {
        return judge.violated("a push of \(push.recordName) carries \(field)")
      }
      // Without additional fields nothing in it is long.
      guard !push.additional.isEmpty else { return judge.held() }
      let bytes = push.document.description.utf8.count
      judge.expect(bytes <= settings.pushMaxBytes, "a push has \(bytes) bytes")
    },
  ]

  /// Judges at every inspection what has to have arrived by then.
  static func due(_ limit: MimiSupply.Rule, _ kind: FanOutFacts.Kind) -> MSCheck {
    .census(limit, by: FanOutFacts.self) { _, moment, facts, judge in
      for one in facts.due(at: moment.time, kind) {
        judge.expect(
          facts.hasArrived(one),
          """
          \(facts.subscription(of: one.key)) told a device nothing of \(one.key.record) \
          \(facts.label(of: one.key))
          """)
      }
    }
  }

  /// Judges each push that reaches a device.
  private static func arriving(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (PushNotification, Instant, FanOutFacts, inout Judge) -> Void
  ) -> MSCheck {
    .signal(limit, by: FanOutFacts.self) { signal, moment, facts, verdict in
      if case .notification(let push) = signal { judge(push, moment.time, facts, &verdict) }
    }
  }

  /// Judges each push by itself, whichever way it came.
  private static func eachPush(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (PushNotification, PlatformSettings, inout Judge) -> Void
  ) -> MSCheck {
    .signal(limit, by: PlatformSettings.self) { signal, _, settings, verdict in
      if case .notification(let push) = signal { judge(push, settings, &verdict) }
    }
      + .each(limit, .asking(.poll), by: PlatformSettings.self) { call, settings, verdict in
        guard case .notifications(let pushes)? = call.content else { return }
        for push in pushes { judge(push, settings, &verdict) }
      }
  }
}

extension PushNotification {
  /// What is wrong with the shape of §3.5.
  fileprivate var misshape: String? {
    if id.isEmpty || container != Location.container { return "has no origin" }
    switch content {
    case .order(let order, let status, let title, let body, let badge):
      if order != recordName { return "names \(order) and is about \(recordName)" }
      if OrderStatus.of(status) == nil, status != OrderStatus.claim {
        return "has the status \(status)"
      }
      if title != "Bestellupdate" { return "has the title '\(title)'" }
      if body.isEmpty { return "has no sentence" }
      if status == "en_route", body != "Ihre Bestellung ist unterwegs!" { return "says '\(body)'" }
      return badge < 0 ? "has the badge \(badge)" : nil
    case .position(let driver): return driver.isEmpty ? "names no driver" : nil
    case .offer(let offer, let order, let driver):
      return offer != recordName || order.isEmpty || driver.isEmpty ? "names no offer" : nil
    case .customerDeleted(let order): return order.isEmpty ? "names no order" : nil
    case .record: return nil
    }
  }

  /// An additional field that holds an address, items, an amount or a phone number.
  fileprivate var personalField: String? {
    additional.names.texts.first { name in
      name.hasSuffix("Cents") || Self.personal.contains(text: name)
    }
  }

  private static let personal: FieldNames = [
    .items, .deliveryAddress, .deliveryInstructions, .phoneNumber, .street, .postalCode,
    .minimumOrderAmount,
  ]
}
