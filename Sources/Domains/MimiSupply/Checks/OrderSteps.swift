import MimiSupplyContract

/// Who may move an order (§5.1).
enum Party: Sendable, Hashable { case customer, partner, driver, admin, system }

/// The order state machine of §5.1, written down here a second time: the checks go by their own reading.
enum OrderSteps {
  private struct Pair: Hashable { let from: OrderStatus, to: OrderStatus }

  private static let parties: [Pair: Set<Party>] = {
    let rows: [([OrderStatus], OrderStatus, Set<Party>)] = [
      ([.created], .paymentProcessing, [.customer, .system]),
      ([.paymentProcessing], .paymentConfirmed, [.customer, .system]),
      ([.paymentProcessing, .created], .failed, [.system]),
      ([.created, .paymentProcessing], .cancelled, [.customer, .admin]),
      ([.paymentConfirmed], .accepted, [.partner, .admin]),
      ([.paymentConfirmed], .cancelled, [.customer, .partner, .admin, .system]),
      ([.accepted], .preparing, [.partner, .admin]),
      ([.accepted, .preparing], .cancelled, [.customer, .partner, .admin]),
      ([.preparing], .readyForPickup, [.partner, .admin]),
      ([.readyForPickup], .cancelled, [.admin]),
      ([.accepted, .preparing, .readyForPickup], .failed, [.system, .admin]),
      ([.readyForPickup], .pickedUp, [.driver]),
      ([.pickedUp], .enRoute, [.driver]),
      ([.enRoute], .delivered, [.driver]),
      ([.pickedUp, .enRoute], .failed, [.driver, .admin]),
    ]
    var parties: [Pair: Set<Party>] = [:]
    for (origins, to, who) in rows {
      for from in origins { parties[Pair(from: from, to: to)] = who }
    }
    return parties
  }()

  /// Who may take an order from one state to another; `nil` when nobody may.
  static func parties(from: OrderStatus, to: OrderStatus) -> Set<Party>? {
    parties[Pair(from: from, to: to)]
  }

  /// Whether a customer may still cancel (MS-60, OP-12).
  static func mayCancel(_ from: OrderStatus, until last: OrderStatus) -> Bool {
    from.place <= last.place
  }

  /// What a step makes of a payment (§5.1); `nil` where several would be right, and for a refund, which is MS-37's.
  static func payment(
    after from: OrderStatus, to: OrderStatus, _ payment: String
  ) -> String? {
    switch (from, to) {
    case (.created, .paymentProcessing): "processing"
    case (.paymentProcessing, .paymentConfirmed): "completed"
    case (.paymentProcessing, .failed): "failed"
    case (.created, .failed), (.created, .cancelled), (.paymentProcessing, .cancelled): "cancelled"
    case (_, .cancelled): payment == "completed" ? nil : "cancelled"
    case (_, .failed): nil
    case (_, .delivered): "completed"
    default: payment
    }
  }

  /// Whether a payment may go from one state to another (MS-63).
  static func pays(from: String, to: String) -> Bool {
    switch (from, to) {
    case _ where from == to: true
    case ("pending", "processing"), ("pending", "completed"), ("pending", "cancelled"),
      ("pending", "failed"), ("processing", "completed"), ("processing", "failed"),
      ("processing", "cancelled"), ("completed", "refunded"):
      true
    default: false
    }
  }
}
