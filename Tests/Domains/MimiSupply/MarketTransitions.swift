import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `The order state machine of MimiSupply's market` {
  enum Who: String, CaseIterable {
    case customer, partner, driver, admin, stranger, otherPartner, otherDriver

    var actor: Actor {
      switch self {
      case .customer: Bazaar.customer
      case .partner: Bazaar.partner
      case .driver: Bazaar.driver(1)
      case .admin: Bazaar.admin
      case .stranger: Bazaar.stranger
      case .otherPartner: Bazaar.otherPartner
      case .otherDriver: Bazaar.driver(2)
      }
    }
  }

  @Test func `a status is found by its text, and nothing else is one`() {
    for status in OrderStatus.allCases { #expect(OrderStatus.of(status.rawValue) == status) }
    for text in [
      "", "lost__", "Created", "accepteD", "delivereD", "cancelleD", "picked-up", "en_routE",
    ] {
      #expect(OrderStatus.of(text) == nil)
    }
  }

  /// §5.1 again, written down from the table: who may, with the defaults.
  private static let table: [String: Set<Who>] = [
    "created payment_processing": [.customer],
    "payment_processing payment_confirmed": [.customer],
    "payment_processing failed": [],
    "created failed": [],
    "created cancelled": [.customer, .admin],
    "payment_processing cancelled": [.customer, .admin],
    "payment_confirmed accepted": [.partner, .admin],
    "payment_confirmed cancelled": [.customer, .partner, .admin],
    "accepted preparing": [.partner, .admin],
    "accepted cancelled": [.customer, .partner, .admin],
    "preparing ready_for_pickup": [.partner, .admin],
    "preparing cancelled": [.partner, .admin],
    "ready_for_pickup cancelled": [.admin],
    "accepted failed": [.admin],
    "preparing failed": [.admin],
    "ready_for_pickup failed": [.admin],
    "ready_for_pickup picked_up": [.driver],
    "picked_up en_route": [.driver],
    "en_route delivered": [.driver],
    "picked_up failed": [.driver, .admin],
    "en_route failed": [.driver, .admin],
  ]

  /// An order in a state, with driver 1 where a driver is possible and a completion where one is.
  private func bazaar(in status: OrderStatus) -> Bazaar {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.loadDriver(2, at: nil)
    var fields = bazaar.orderFields([.status: .string(status.rawValue)])
    switch status {
    case .created: fields[.paymentStatus] = .string("pending")
    case .paymentProcessing: fields[.paymentStatus] = .string("processing")
    case .cancelled, .failed: fields[.paymentStatus] = .string("refunded")
    default: break
    }
    let place = status.place
    if place >= OrderStatus.accepted.place { fields[.driverId] = .string("d-1") }
    bazaar.load("o-1", "Order", fields, by: "u-customer")
    if status == .enRoute { bazaar.complete() }
    return bazaar
  }

  @Test(arguments: OrderStatus.allCases)
  func `MS-56, MS-57: every pair by everybody`(from: OrderStatus) {
    for to in OrderStatus.allCases {
      for who in Who.allCases {
        var bazaar = bazaar(in: from)
        let sees = bazaar.sees("o-1", who.actor)
        let before = bazaar.log.count
        var fields: FieldChanges = [.status: .string(to.rawValue)]
        if to == .paymentConfirmed, from == .paymentProcessing, who == .customer {
          fields[.paymentStatus] = .string("completed")
        }
        let failure = bazaar.update("o-1", fields, by: who.actor)
        let pair = "\(from.rawValue) \(to.rawValue)"
        let expected: String?
        if !sees {
          expected = "NOT_FOUND CKErrorUnknownItem - -"
        } else if let parties = Self.table[pair] {
          expected =
            parties.contains(who)
            ? nil
            : "ACCESS_DENIED CKErrorPermissionFailure - transition_not_permitted_for_role"
        } else {
          expected = "BAD_REQUEST CKErrorConstraintViolation - illegal_transition"
        }
        #expect(failure?.essence == expected, "\(pair) by \(who)")
        #expect(bazaar.status() == (failure == nil ? to.rawValue : from.rawValue))
        if failure != nil { #expect(bazaar.log.count == before) }
      }
    }
  }

  @Test func `strangers do not see the order, its driver and its partner do (MS-106)`() {
    for status in OrderStatus.allCases {
      let bazaar = bazaar(in: status)
      #expect(bazaar.sees("o-1", Bazaar.customer))
      #expect(bazaar.sees("o-1", Bazaar.admin))
      #expect(!bazaar.sees("o-1", Bazaar.stranger))
      #expect(!bazaar.sees("o-1", Bazaar.otherPartner))
      #expect(!bazaar.sees("o-1", Bazaar.driver(2)))
      #expect(!bazaar.sees("o-1", .anonymous))
      let isConfirmed = status.place >= OrderStatus.paymentConfirmed.place
      #expect(bazaar.sees("o-1", Bazaar.partner) == isConfirmed)
    }
  }

  @Test func `MS-59: aliases are normalised, the present status is illegal`() {
    var bazaar = bazaar(in: .paymentConfirmed)
    #expect(bazaar.move(to: "confirmed", by: Bazaar.partner) == nil)
    #expect(bazaar.status() == "accepted")
    #expect(bazaar.move(to: "accepted", by: Bazaar.partner)?.mimiReason == "illegal_transition")
    #expect(bazaar.move(to: "confirmed", by: Bazaar.partner)?.mimiReason == "illegal_transition")
    // A save of the whole record names the status and changes something else.
    var whole = FieldChanges(bazaar.shelf.record("o-1")!.fields)
    whole[.tipCents] = .int64(100)
    whole[.totalCents] = .int64(1_299)
    #expect(bazaar.update("o-1", whole, by: Bazaar.customer) == nil)
    #expect(bazaar.shelf.record("o-1")?[Order.tipCents] == 100)
  }

  @Test func `MS-60: the customer's window is a setting, and nobody cancels after pickup`() {
    for (until, states) in [
      (MimiSupply.Deployment.CustomerCancelUntil.paymentConfirmed, 1), (.accepted, 2),
      (.preparing, 3),
    ] {
      var settings = MarketSettings()
      settings.customerCancelUntil = until
      var bazaar = Bazaar(settings)
      for (index, status) in [OrderStatus.paymentConfirmed, .accepted, .preparing].enumerated() {
        let name: RecordName = "o-\(index)"
        bazaar.load(
          name, "Order", bazaar.orderFields([.status: .string(status.rawValue)]),
          by: "u-customer")
        let failure = bazaar.move(name, to: "cancelled", by: Bazaar.customer)
        #expect((failure == nil) == (index < states), "\(until) \(status)")
      }
    }
  }

  @Test func `MS-63: payments follow their transitions`() {
    var bazaar = Bazaar()
    bazaar.order("o-1", [.status: .string("created"), .paymentStatus: .string("pending")])
    #expect(
      bazaar.update("o-1", [.paymentStatus: .string("completed")], by: Bazaar.customer)?.code
        == .accessDenied)
    #expect(bazaar.move(to: "payment_processing", by: Bazaar.customer) == nil)
    #expect(bazaar.payment() == "processing")
    #expect(!bazaar.sees("o-1", Bazaar.partner))
    #expect(
      bazaar.move(to: "payment_confirmed", by: Bazaar.customer)?.essence
        == "BAD_REQUEST CKErrorConstraintViolation paymentFailed payment_state_invalid")
    #expect(
      bazaar.update(
        "o-1",
        [.status: .string("payment_confirmed"), .paymentStatus: .string("completed")],
        by: Bazaar.customer) == nil)
    #expect(bazaar.sees("o-1", Bazaar.partner))
    #expect(bazaar.move(to: "cancelled", by: Bazaar.partner) == nil)
    #expect(bazaar.payment() == "refunded")  // MS-37
    #expect(bazaar.market.orders["o-1"]!.refundedCents == 1_199)
  }

  @Test func `cash is cancelled before and completed with delivery (MS-63)`() {
    let cash: FieldChanges = [
      .paymentMethod: .string("cash"), .paymentStatus: .string("pending"),
    ]
    var bazaar = Bazaar()
    bazaar.order("o-1", cash)
    #expect(bazaar.move(to: "cancelled", by: Bazaar.customer) == nil)
    #expect(bazaar.payment() == "cancelled")
    bazaar.loadDriver(1)
    bazaar.order("o-2", cash)
    for (status, actor) in [
      ("accepted", Bazaar.partner), ("preparing", Bazaar.partner), ("ready", Bazaar.partner),
    ] {
      bazaar.move("o-2", to: status, by: actor)
    }
    bazaar.answer("accepted", for: "o-2")
    bazaar.move("o-2", to: "picked_up", by: Bazaar.driver(1))
    bazaar.move("o-2", to: "en_route", by: Bazaar.driver(1))
    bazaar.complete("o-2")
    #expect(bazaar.move("o-2", to: "delivered", by: Bazaar.driver(1)) == nil)
    #expect(bazaar.payment("o-2") == "completed")
  }

  @Test func `the stub pays after its delay and refuses what it was told to`() {
    var settings = MarketSettings()
    settings.paymentMode = .stub
    var bazaar = Bazaar(settings)
    for name: RecordName in ["o-1", "o-2"] {
      bazaar.order(
        name, [.status: .string("created"), .paymentStatus: .string("pending")],
        lines: [Bazaar.line("cake", 2, price: 350)], subtotal: 700)
      bazaar.move(name, to: "payment_processing", by: Bazaar.customer)
    }
    bazaar.market.refusedPayments = ["o-2"]
    #expect(
      bazaar.update(
        "o-1",
        [.status: .string("payment_confirmed"), .paymentStatus: .string("completed")],
        by: Bazaar.customer)?.mimiReason == "transition_not_permitted_for_role")
    bazaar.wait(.seconds(2) - .milliseconds(1))
    #expect(bazaar.status() == "payment_processing")
    bazaar.wait(.milliseconds(1))
    #expect([bazaar.status(), bazaar.payment()] == ["payment_confirmed", "completed"])
    #expect([bazaar.status("o-2"), bazaar.payment("o-2")] == ["failed", "failed"])
    #expect(bazaar.stock("cake") == 3)
  }

  @Test func `MS-33: a tip changes with the total while the order is active`() {
    var bazaar = bazaar(in: .enRoute)
    func tip(_ tip: Int64, _ total: Int64) -> FieldChanges {
      [.tipCents: .int64(tip), .totalCents: .int64(total)]
    }
    #expect(bazaar.update("o-1", tip(100, 1_299), by: Bazaar.customer) == nil)
    #expect(
      bazaar.update("o-1", tip(200, 1_299), by: Bazaar.customer)?.mimiReason == "total_mismatch")
    #expect(
      bazaar.update("o-1", [.totalCents: .int64(5)], by: Bazaar.customer)?.mimiReason
        == "total_mismatch")
    #expect(
      bazaar.update("o-1", tip(-1, 1_198), by: Bazaar.customer)?.mimiReason == "negative_amount")
    #expect(
      bazaar.update("o-1", tip(Int64.max, Int64.max), by: Bazaar.customer)?.mimiReason
        == "total_mismatch")
    #expect(bazaar.update("o-1", tip(0, 1_199), by: Bazaar.admin)?.code == .accessDenied)
    bazaar.move(to: "delivered", by: Bazaar.driver(1))
    #expect(
      bazaar.update("o-1", tip(300, 1_499), by: Bazaar.customer)?.mimiReason
        == "illegal_transition")
  }

  @Test func `MS-26: immutable fields of an order, whoever writes`() {
    let changes: Fields = [
      .customerId: .string("x"), .partnerId: .string("p-2"), .items: .string("[]"),
      .subtotalCents: .int64(1), .deliveryFeeCents: .int64(1), .platformFeeCents: .int64(1),
      .taxCents: .int64(1), .deliveryAddress: .string("{}"), .paymentMethod: .string("cash"),
      .createdAt: .timestamp(Bazaar.noon + .days(1)),
    ]
    for (field, value) in changes.declared {
      for actor in [Bazaar.customer, Bazaar.partner, Bazaar.admin] {
        var bazaar = bazaar(in: .accepted)
        #expect(
          bazaar.update("o-1", [field: value], by: actor)?.essence
            == "BAD_REQUEST CKErrorConstraintViolation - immutable_field", "\(field)")
      }
    }
  }

  @Test func `MS-61: updatedAt never decreases and a client's is overwritten`() {
    var bazaar = bazaar(in: .paymentConfirmed)
    bazaar.wait(.seconds(5))
    bazaar.update(
      "o-1",
      [.status: .string("accepted"), .updatedAt: .timestamp(Bazaar.noon + .days(99))],
      by: Bazaar.partner)
    #expect(bazaar.shelf.record("o-1")?.fields[.updatedAt] == .timestamp(bazaar.now))
  }
}
