import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the order state machine: MS-56 to MS-63.
enum StateActs {
  static let all: [Act] =
    OrderStatus.allCases.map { status in
      Act { adversary, me throws(JourneyEnded) in try await adversary.everyStep(from: status, me) }
    } + [
      Act { adversary, me throws(JourneyEnded) in try await adversary.aliases(me) },
      Act { adversary, me throws(JourneyEnded) in try await adversary.lateCancellations(me) },
      Act { adversary, me throws(JourneyEnded) in try await adversary.silentPartner(me) },
      Act { adversary, me throws(JourneyEnded) in try await adversary.payments(me) },
      Act { adversary, me throws(JourneyEnded) in try await adversary.cashDelivery(me) },
    ]
}

extension Adversary {
  /// MS-56 to MS-58: an order in one state, and everybody who tries to take it to each of the eleven. Last of all come
  /// those who may.
  fileprivate func everyStep(
    from status: OrderStatus, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let order = try await order(in: status, me)
    for role in Corner.Role.allCases {
      guard let found = try await look(order, as: role, me) else { continue }
      let items = OrderStatus.allCases.filter { !Self.mayGo(from: status, to: $0, role) }.map {
        Modification.Item(
          .update,
          RecordDraft(
            name: order, changeTag: found.changeTag, fields: [.status: .string($0.rawValue)]))
      }
      try await write(items, as: role, me)
      _ = try await look(order, as: role, me)
    }
    try await finish(order, me)
  }

  /// A new order that was brought to a state.
  fileprivate func order(
    in status: OrderStatus, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> RecordName {
    var order = order(at: me.now)
    switch status {
    case .created, .paymentProcessing:
      (order.status, order.paymentStatus) = (.created, "pending")
      _ = try await place(order, me)
      if status != .created { try await move(order.name, to: status, as: .customer, me) }
    case .cancelled, .failed:
      _ = try await place(order, me)
      try await move(order.name, to: .accepted, as: .owner, me)
      try await move(order.name, to: status, as: .admin, me)
    default: _ = try await deliver(order, to: status, me)
    }
    return order.name
  }

  /// Steps that would be taken, and so end what is tried.
  private static func mayGo(
    from: OrderStatus, to: OrderStatus, _ role: Corner.Role
  ) -> Bool {
    switch role {
    case .admin: from.isActive && to.isTerminal || to.place == from.place + 1
    case .customer: from.place <= OrderStatus.accepted.place && to == .cancelled || to.place == 1
    case .owner:
      to == .cancelled && from.place < OrderStatus.readyForPickup.place
        || to.place == from.place + 1
    case .driver: to.place == from.place + 1 || from.isCarried && to == .failed
    default: false
    }
  }

  /// MS-59: other words for the same states, and the state that it is in already.
  fileprivate func aliases(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    try await goOnline(me)
    _ = try await place(order, me)
    for (word, role) in [
      ("confirmed", Corner.Role.owner), ("confirmed", .owner), ("preparing", .owner),
      ("preparing", .owner), ("ready", .owner), ("ready_for_pickup", .owner),
    ] {
      try await update(order.name, [.status: .string(word)], as: role, me)
      if word == "preparing" { try await take(order.name, me) }
    }
    try await move(order.name, to: .pickedUp, as: .driver, me)
    try await update(order.name, [.status: .string("delivering")], as: .driver, me)
    _ = try await look(order.name, as: .customer, me)
    try await finish(order.name, me)
  }

  /// MS-60: a customer cancels in every state, one order after the other.
  fileprivate func lateCancellations(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    for status in [
      OrderStatus.paymentConfirmed, .accepted, .preparing, .readyForPickup, .pickedUp, .enRoute,
    ] {
      let order = try await order(in: status, me)
      try await move(order, to: .cancelled, as: .customer, me)
      _ = try await look(order, as: .customer, me)
      if status.place >= OrderStatus.pickedUp.place {
        try await move(order, to: .cancelled, as: .admin, me)
      }
      try await finish(order, me)
    }
  }

  /// MS-62: nobody accepts; looked at just before two minutes are over, and just after them.
  fileprivate func silentPartner(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    let began = me.now
    _ = try await place(order, me)
    for wait in [Span.minutes(2) - .seconds(4), .minutes(2) + .seconds(8)] {
      try await me.think(until: began + wait)
      _ = try await look(order.name, as: .customer, me)
    }
    try await move(order.name, to: .accepted, as: .owner, me)
    try await clear(order.name, me)
  }

  /// MS-63: an order is confirmed when it is paid, and not before.
  fileprivate func payments(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = try await order(in: .paymentProcessing, me)
    try await move(order, to: .paymentConfirmed, as: .customer, me)
    for payment in ["failed", "refunded", "completed"] {
      try await update(
        order,
        [
          .status: .string(OrderStatus.paymentConfirmed.rawValue),
          .paymentStatus: .string(payment),
        ], as: .customer, me)
      _ = try await look(order, as: .customer, me)
    }
    try await clear(order, me)
  }

  /// MS-61, MS-63: cash is paid with the delivery, whose moment is its completion's.
  fileprivate func cashDelivery(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    var order = order(at: me.now)
    (order.paymentMethod, order.paymentStatus) = ("cash", "pending")
    _ = try await deliver(order, me)
    _ = try await look(order.name, as: .customer, me)
    try await finish(order.name, me)
  }
}
