import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Pushes on their way to phones: KK-91, KK-92, KK-94 to KK-97, KK-99, KK-100, KK-120.
enum PushChecks {
  static let all: [KKCheck] = [
    .history(.kk91, [.notes, .signals, .asks(.diensten)]) {
      Promises(
        noted: { note in
          guard case .refreshingAfterPush(_, let devices) = note else { return [] }
          return devices.map { .ask(deviceID: $0) }
        },
        signalled: { signal in
          if case .push(let push) = signal { [.refresh(eventNumber: push.eventNumber)] } else { [] }
        })
    },
    answered(.kk92) { delivery, state, judge in
      judge.expect(
        delivery.apnsEnvironment == state.expected,
        "a push to a phone of build '\(state.buildEnvironment ?? "")' went through "
          + delivery.apnsEnvironment.rawValue)
    },
    answered(.kk94) { delivery, state, judge in
      guard let home = state.home, home != delivery.apnsEnvironment, !state.isOut else { return }
      switch delivery.result {
      case .timeout: judge.held()
      case .delivered:
        judge.violated(
          "\(delivery.apnsEnvironment.rawValue) delivered to a token of \(home.rawValue)")
      default: break
      }
    },
    answered(.kk95) { delivery, state, judge in
      guard state.home == nil, !state.token.isEmpty, !state.isOut else { return }
      judge.expect(
        delivery.result == .badDeviceToken,
        "a token that APNs never issued was answered as \(delivery.result?.rawValue ?? "")")
    },
    .history(.kk96, [.signals, .notes], OwnTeams.init),
    .note(.kk97) { note, _, judge in
      guard case .pushOpened(let opening) = note else { return }
      judge.expect(
        opening.waited <= .seconds(2), "a tapped push showed nothing for \(opening.waited)")
    },
    .history(
      .kk99, [.signals, .inspections, .notes], by: CellFacts.self, OnceForEachPhone.init)
      + .history(.kk99, TimelyPushes.concerns, by: CellFacts.self, TimelyPushes.init),
    .command(.kk100) { command, reply, judge in
      guard case .sendTestPush(let device, let title, _) = command else { return }
      guard case .pushDeliveries(let sent) = reply else {
        return judge.violated("a test alert left no record")
      }
      judge.expect(
        sent.map(\.deviceID) == [device] && sent.map(\.title) == [title],
        "a test alert went to \(sent.count) enrollments")
    },
    .each(.kk120, .asking(.status)) { call, judge in
      guard let status = call.status, status.role == .manager,
        !(status.pushEnabled && status.hasApnsToken), !status.teamEmailPreferences.isEmpty
      else { return }
      judge.expect(
        status.teamEmailPreferences.allSatisfy(\.emailEnabled),
        "a manager gets no mail while push does not work")
    }
      + .history(
        .kk120, .asking(.status, .emailPreferences), by: Clubs.self, MailWishes.init)
      + .history(.kk120, SentMails.concerns, by: Clubs.self, SentMails.init)
      + .each(.kk120, .asking(.status), by: PushFacts.self) { call, facts, judge in
        guard let status = call.status,
          let isEnabled = facts.isPushEnabled(status.deviceID, during: call.during)
        else { return }
        judge.expect(
          status.pushEnabled == isEnabled, "pushes are not switched as the operator switched them")
      },
  ]

  /// Judges each push with what APNs answered, once, in the light of what its phone is known by.
  private static func answered(
    _ limit: KantineKoning.Rule,
    _ judge: @escaping @Sendable (PushDelivery, PushFacts.State, inout Judge) -> Void
  ) -> KKCheck {
    .census(limit, by: PushFacts.self) { inspection, _, facts, verdict in
      for delivery in inspection.settled {
        guard delivery.result?.wasSent ?? false,
          let state = facts.state(of: delivery.deviceID, at: delivery.sentAt)
        else { continue }
        judge(delivery, state, &verdict)
      }
    }
  }
}

/// KK-96: a push names its team, and leads to nobody else's.
private struct OwnTeams: History {
  static let scope = Scope<KantineKoning>.region

  mutating func signalled(
    _ signal: KantineKoning.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .push(let push) = signal else { return }
    judge.expect(
      !push.tenantSlug.isEmpty && !push.teamCode.isEmpty,
      "a push does not say which team it is about")
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    guard case .pushOpened(let opening) = note else { return }
    judge.expect(
      opening.follows || !opening.hasNavigated,
      "a phone went to \(opening.tenant)/\(opening.team), which it does not follow")
  }
}

/// KK-99: an event reaches a phone once, and an enrollment that is gone not at all.
private struct OnceForEachPhone: History {
  static let scope = Scope<KantineKoning>.cell
  private let facts: CellFacts
  private var seen: [PersonID: Set<Int>] = [:]
  /// The token of a phone that was installed anew; 0 while it has none. What still goes to its old token, until APNs tells
  /// that it is gone (§8, point 2), reaches no app.
  private var renewed: [PersonID: UInt64] = [:]
  private var next = 0

  init(_ facts: CellFacts) { self.facts = facts }

  mutating func signalled(
    _ signal: KantineKoning.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    guard case .push(let push) = signal, let person = moment.person,
      renewed[person].map({ $0 == stableHash(push.dispatch.token) }) ?? true
    else { return }
    judge.expect(
      seen[person, default: []].insert(push.eventNumber).inserted,
      "event \(push.eventNumber) reached a phone twice")
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    for delivery in inspection.deliveries where delivery.number >= next {
      next = delivery.number + 1
      look(at: delivery, &judge)
    }
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person else { return }
    switch note {
    case .reinstalled, .identifierChanged: renewed[person] = 0
    case .pushTokenGiven(let token): if renewed[person] != nil { renewed[person] = token }
    default: break
    }
  }

  private func look(at delivery: PushDelivery, _ judge: inout Judge) {
    if let right = facts.right(of: delivery.deviceID),
      right.tenant != delivery.tenantSlug || !right.given.contains(delivery.teamCode)
    {
      judge.violated("a push about \(delivery.teamCode) went to somebody who never followed it")
    }
    guard let gone = facts.certainRight(delivery.deviceID)?.gone,
      gone.at + .seconds(1) < delivery.sentAt
    else { return }
    judge.violated("a push went to an enrollment that was gone since \(gone.at)")
  }
}
