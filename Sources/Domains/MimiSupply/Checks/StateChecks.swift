import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The order state machine: MS-56 to MS-63.
enum StateChecks {
  static let all: [MSCheck] = [
    .transition(.ms56) { step, change, _, judge in
      guard change.from.isActive, change.from != change.to else { return }
      let isLegal = OrderSteps.parties(from: change.from, to: change.to) != nil
      switch step.fate {
      case .done: judge.expect(isLegal, "\(step.order) \(change) is no transition")
      case .refused(let failure) where step.names(only: [.status]):
        if failure.mimiReason == "illegal_transition" {
          judge.expect(!isLegal, "\(step.order) \(change) was called illegal")
        } else if !isLegal, failure.code == .badRequest, let reason = failure.mimiReason {
          judge.violated("\(change) was refused with \(reason)")
        }
      default: break
      }
    },
    .transition(.ms57, judgeActor),
    .transition(.ms58) { step, change, _, judge in
      guard change.from.isTerminal, change.from != change.to else { return }
      switch step.fate {
      case .done: judge.violated("\(step.order) \(change) after its end")
      case .refused(let failure) where failure.mimiReason == "illegal_transition": judge.held()
      default: break
      }
    },
    .each(.ms59, .asking(.query, .lookup, .modify, .changes), judgeStored)
      + .attempt(.ms59, judgeNamed),
    .transition(.ms60) { step, change, facts, judge in
      guard change.to == .cancelled, let parties = change.parties else { return }
      switch step.fate {
      case .done:
        if change.from.isCarried {
          judge.violated("\(step.order) was cancelled after pickup")
        } else if parties == [.customer] {
          judge.expect(
            OrderSteps.mayCancel(change.from, until: facts.rules.customerCancelUntil),
            "a customer cancelled \(step.order) at \(change.from.rawValue)")
        }
      case .refused(let failure)
      where failure.mimiReason == "transition_not_permitted_for_role" && parties == [.customer]:
        if OrderSteps.mayCancel(change.from, until: facts.rules.customerCancelUntil) {
          if change.isCertain {
            judge.violated("a customer could not cancel \(step.order) at \(change.from.rawValue)")
          }
        } else {
          judge.held()
        }
      case .refused(let failure)
      where failure.mimiReason == "illegal_transition" && change.from.isCarried:
        judge.held()
      default: break
      }
    },
    .shownOrder(.ms61, judgeTimes),
    .shownOrder(.ms62, judgeAcceptance),
    .eachOrder(.ms63, judgePayment) + .attempt(.ms63, judgePayment),
  ]

  // MARK: MS-57

  @Sendable private static func judgeActor(
    _ step: Step, _ change: StatusChange, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let parties = change.parties, change.from != change.to,
      var allowed = OrderSteps.parties(from: change.from, to: change.to)
    else { return }
    if change.to == .paymentConfirmed, facts.rules.paysByStub { allowed.remove(.customer) }
    let mayDo = !allowed.isDisjoint(with: parties)
    switch step.fate {
    case .done:
      judge.expect(
        mayDo, "\(step.order) \(change) by one who is \(parties.map { "\($0)" }.sorted())")
    case .refused(let failure) where failure.mimiReason == "transition_not_permitted_for_role":
      // Whether the customer's time to cancel is over is MS-60's.
      if mayDo, change.to != .cancelled, change.isCertain {
        judge.violated("\(step.order) \(change) was refused to whom it belongs")
      } else if !mayDo {
        judge.expect(
          failure.code == .accessDenied, "a foreign step was refused with \(failure.code.rawValue)")
      }
    default: break
    }
  }

  // MARK: MS-59

  @Sendable private static func judgeStored(_ call: SeenCall, _ judge: inout Judge) {
    guard call.showsWholeRecords else { return }
    for order in call.orders {
      guard let text = order.stored else { continue }
      judge.expect(order.status != nil, "\(order.name) is stored as '\(text)'")
    }
  }

  @Sendable private static func judgeNamed(
    _ step: Step, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    guard let named = step.named, let target = step.target else { return }
    switch step.fate {
    case .done(let record) where step.kind == .update && step.names(only: [.status]):
      if let tag = step.draft.changeTag, let before = facts.orders[step.order]?.version(tag),
        before.status == target
      {
        judge.violated("\(step.order) was \(target.rawValue) and was written so again")
      } else if named != target.rawValue {
        judge.expect(record.status == target, "'\(named)' made \(record[Order.status] ?? "")")
      }
    case .refused(let failure) where failure.native == .invalidArguments:
      if OrderStatus.aliases[named] != nil, step.names(only: [.status]),
        failure.mimiReason == nil, step.draft.changeTag != nil
      {
        judge.violated("the alias '\(named)' was not understood")
      }
    default: break
    }
  }

  // MARK: MS-61

  @Sendable private static func judgeTimes(
    _ order: ShownOrder, _ known: OrderFacts?, _ call: SeenCall, _ facts: MarketFacts,
    _ judge: inout Judge
  ) {
    guard let status = order.status else { return }
    let delivered = order.record.fields[.actualDeliveryTime]
    if (delivered != nil) != (status == .delivered) {
      return judge.violated(
        "\(order.name) is \(status.rawValue) \(delivered == nil ? "without" : "with") a delivery time"
      )
    }
    if status == .delivered, case .timestamp(let at)? = delivered {
      let told = facts.completions[order.name] ?? []
      let times = told.compactMap(\.completedAt)
      if told.count == 1, times.count == 1, told[0].fate.record != nil {
        judge.expect(times[0].toMilliseconds == at, "\(order.name) was not delivered when it says")
      }
    }
    guard let now = order.record[Order.updatedAt], let known else { return }
    for version in known.versions where version.last.upperBound < call.sent {
      guard version.updatedAt <= now else {
        return judge.violated("updatedAt of \(order.name) went back")
      }
    }
    judge.held()
  }

  // MARK: MS-62

  /// A confirmed order is accepted, declined or, after two minutes, cancelled by the system, and never before.
  @Sendable private static func judgeAcceptance(
    _ order: ShownOrder, _ known: OrderFacts?, _ call: SeenCall, _ facts: MarketFacts,
    _ judge: inout Judge
  ) {
    guard let known, let confirmed = known.confirmed, let status = order.status,
      confirmed.lowerBound >= facts.rules.since
    else { return }
    let limit = facts.rules.partnerAcceptTimeout
    let during = call.during
    if status == .paymentConfirmed {
      guard during.lowerBound > confirmed.lowerBound + limit - .seconds(30) else { return }
      judge.expect(
        during.lowerBound <= confirmed.upperBound + limit,
        "\(order.name) waits for its partner longer than \(limit)")
    } else if status == .cancelled, order.record.modified.userRecordName == "_system",
      known.latest?.status == .paymentConfirmed, !known.isUncertain
    {
      let payment = order.record[Order.paymentStatus]
      judge.expect(
        during.upperBound >= confirmed.lowerBound + limit
          && (payment == "refunded" || (known.paymentMethod == "cash" && payment == "cancelled")),
        "\(order.name) was cancelled by the system too early or without a refund")
    }
  }

  // MARK: MS-63

  @Sendable private static func judgePayment(_ order: ShownOrder, _ judge: inout Judge) {
    guard let status = order.status, status.isActive || status == .delivered,
      status.place >= OrderStatus.paymentConfirmed.place,
      let payment = order.record[Order.paymentStatus]
    else { return }
    let isDueInCash =
      payment == "pending" && status != .delivered && order.record[Order.paymentMethod] == "cash"
    judge.expect(
      payment == "completed" || isDueInCash,
      "\(order.name) is \(status.rawValue) with payment \(payment)")
  }

  @Sendable private static func judgePayment(
    _ step: Step, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    switch step.fate {
    case .done(let record):
      guard step.kind == .update, let tag = step.draft.changeTag,
        let before = facts.orders[step.order]?.version(tag),
        let after = record[Order.paymentStatus]
      else { return }
      if before.payment != after, !OrderSteps.pays(from: before.payment, to: after) {
        return judge.violated(
          "the payment of \(step.order) went from \(before.payment) to \(after)")
      }
      // A step that is none is another rule's matter.
      guard let status = record.status, status != before.status,
        OrderSteps.parties(from: before.status, to: status) != nil,
        let due = OrderSteps.payment(after: before.status, to: status, before.payment)
      else { return }
      judge.expect(
        after == due,
        "\(step.order) came to \(status.rawValue) with \(after) instead of \(due)")
    case .refused(let failure) where failure.mimiReason == "payment_state_invalid":
      if let payment = step.draft[Order.paymentStatus] {
        judge.expect(payment != "completed", "a completed payment was refused")
      } else {
        judge.held()
      }
    default: break
    }
  }
}

/// What a write wanted to make of an order's status.
struct StatusChange: CustomStringConvertible {
  let from: OrderStatus
  let to: OrderStatus
  /// How the writer stands to the order; `nil` when nobody knows.
  let parties: Set<Party>?
  /// Whether the state before is certain even where the tag was never compared.
  let isCertain: Bool

  var description: String { "from \(from.rawValue) to \(to.rawValue)" }
}

extension Check<MimiSupply> {
  /// Judges each tagged write of a status, where the version is known that it was based on.
  fileprivate static func transition(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (Step, StatusChange, MarketFacts, inout Judge) -> Void
  ) -> MSCheck {
    .step(limit) { step, order, facts, verdict in
      guard step.kind == .update || step.kind == .replace, let to = step.target,
        let tag = step.draft.changeTag, let before = order.version(tag)
      else { return }
      let parties = facts.parties(step, to: order, driver: before.driver)
      let change = StatusChange(
        from: before.status, to: to, parties: parties,
        isCertain: order.stood(tag, throughout: step.during))
      judge(step, change, facts, &verdict)
    }
  }
}

extension OrderFacts {
  /// The interval in which it was confirmed; `nil` when that was not seen.
  fileprivate var confirmed: ClosedRange<Instant>? {
    if began == .paymentConfirmed { return created }
    return versions.first { $0.status == .paymentConfirmed }?.committed
  }
}

extension CompletionWrite {
  var completedAt: Instant? {
    if let instant = draft[DeliveryCompletion.completedAt] { instant } else { nil }
  }
}
