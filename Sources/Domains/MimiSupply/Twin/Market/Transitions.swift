import Contracts
import MimiSupplyContract
import Timekeeping

/// A pair of the order state machine (§5.1).
struct Transition: Hashable, Sendable {
  enum Party: Hashable, Sendable, CaseIterable { case customer, partner, driver, admin, system }

  let id: String
  let parties: Set<Party>

  /// - Returns: `nil` when the pair is illegal (MS-56).
  static func from(_ from: OrderStatus, to: OrderStatus) -> Transition? {
    switch (from, to) {
    case (.created, .paymentProcessing): Transition("T1", [.customer, .system])
    case (.paymentProcessing, .paymentConfirmed): Transition("T2", [.customer, .system])
    case (.paymentProcessing, .failed): Transition("T3", [.system])
    case (.created, .failed): Transition("T4", [.system])
    case (.created, .cancelled), (.paymentProcessing, .cancelled):
      Transition("T5", [.customer, .admin])
    case (.paymentConfirmed, .accepted): Transition("T6", [.partner, .admin])
    case (.paymentConfirmed, .cancelled):
      Transition("T7", [.customer, .partner, .admin, .system])
    case (.accepted, .preparing): Transition("T8", [.partner, .admin])
    case (.accepted, .cancelled): Transition("T9", [.customer, .partner, .admin])
    case (.preparing, .readyForPickup): Transition("T10", [.partner, .admin])
    case (.preparing, .cancelled): Transition("T11", [.customer, .partner, .admin])
    case (.readyForPickup, .cancelled): Transition("T12", [.admin])
    case (.accepted, .failed), (.preparing, .failed), (.readyForPickup, .failed):
      Transition("T13", [.system, .admin])
    case (.readyForPickup, .pickedUp): Transition("T14", [.driver])
    case (.pickedUp, .enRoute): Transition("T15", [.driver])
    case (.enRoute, .delivered): Transition("T16", [.driver])
    case (.pickedUp, .failed), (.enRoute, .failed): Transition("T17", [.driver, .admin])
    default: nil
    }
  }

  private init(_ id: String, _ parties: Set<Party>) {
    self.id = id
    self.parties = parties
  }
}

extension Market {
  /// Whether one who stands to the order in these ways may perform the transition (MS-57, MS-60).
  func permits(_ transition: Transition, by parties: Set<Transition.Party>) -> Bool {
    guard rules.binds(.ms57) else { return true }
    var allowed = transition.parties.intersection(parties)
    if rules.binds(.ms60) {  // OP-12
      switch transition.id {
      case "T9" where settings.customerCancelUntil == .paymentConfirmed: allowed.remove(.customer)
      case "T11" where settings.customerCancelUntil != .preparing: allowed.remove(.customer)
      default: break
      }
    }
    if transition.id == "T2", settings.paymentMode == .stub { allowed.remove(.customer) }
    return !allowed.isEmpty
  }

  /// The other fields of the order that a transition changes (§5.1, MS-37, MS-61, MS-63).
  func effects(
    of transition: Transition, on order: CloudRecord, to target: OrderStatus, completedAt: Instant?,
    bySystem: Bool
  ) -> FieldChanges {
    var effects: FieldChanges = [:]
    let payment = order[Order.paymentStatus]
    switch transition.id {
    case "T1": effects[.paymentStatus] = .string("processing")
    case "T2": if bySystem { effects[.paymentStatus] = .string("completed") }
    case "T3": effects[.paymentStatus] = .string("failed")
    case "T4", "T5": effects[.paymentStatus] = .string("cancelled")
    case "T7", "T9", "T11", "T12", "T13", "T17":
      let isPaid = payment == "completed"
      if !isPaid || rules.binds(.ms37) {
        effects[.paymentStatus] = .string(isPaid ? "refunded" : "cancelled")  // MS-37
      }
    case "T16":
      if let completedAt, rules.binds(.ms61) {
        effects[.actualDeliveryTime] = .timestamp(completedAt)  // MS-61
      }
      if payment == "pending" { effects[.paymentStatus] = .string("completed") }  // MS-63
    default: break
    }
    if target.isTerminal, orders[order.name]?.isOrphan == true {
      effects = effects.merging(anonymising(order))  // MS-116
    }
    return effects
  }

  /// How an actor stands to an order.
  func parties(_ actor: Actor, to order: CloudRecord) -> Set<Transition.Party> {
    guard case .user(let name, let role, _) = actor else {
      return actor == .system ? [.system] : []
    }
    var parties: Set<Transition.Party> = []
    if role == .admin { parties.insert(.admin) }
    if order[Order.customer] == name { parties.insert(.customer) }
    if let partner = order[Order.partner], partners[partner]?.owner == name {
      parties.insert(.partner)
    }
    if let driver = order[Order.driver], drivers[driver]?.user == name {
      parties.insert(.driver)
    }
    return parties
  }

  /// The commit's time, which never goes back (MS-61).
  func later(than before: CloudRecord?, _ now: Instant) -> Instant {
    guard let last = before?[Order.updatedAt], rules.binds(.ms61) else {
      return now.toMilliseconds
    }
    return max(last, now.toMilliseconds)
  }
}
