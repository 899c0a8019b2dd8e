import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Creating orders at MimiSupply's market` {
  private func essence(
    _ changes: FieldChanges = [:], lines: [JSON]? = nil, subtotal: Int64 = 1_000,
    by actor: Actor = Bazaar.customer, in bazaar: Bazaar = Bazaar()
  ) -> String? {
    var bazaar = bazaar
    let before = bazaar.log.count
    let failure = bazaar.order("o-1", changes, lines: lines, subtotal: subtotal, by: actor)
    if failure != nil { #expect(bazaar.log.count == before, "a refusal leaves no trace") }
    return failure?.essence
  }

  private func constraint(_ reason: String, _ error: String = "orderCreationFailed") -> String {
    "BAD_REQUEST CKErrorConstraintViolation \(error) \(reason)"
  }

  private func invalid(_ reason: String) -> String {
    "BAD_REQUEST CKErrorInvalidArguments orderCreationFailed \(reason)"
  }

  @Test func `a paid order is accepted`() {
    #expect(essence() == nil)
  }

  @Test func `1: customerId is the caller, and callers are customers (MS-49)`() {
    #expect(
      essence([.customerId: .string("u-stranger")])
        == "ACCESS_DENIED CKErrorPermissionFailure orderCreationFailed customer_mismatch")
    for actor in [Bazaar.partner, Bazaar.driver(1), Bazaar.admin] {
      #expect(
        essence(by: actor) == "ACCESS_DENIED CKErrorPermissionFailure orderCreationFailed -")
    }
    #expect(essence(by: .anonymous)?.hasPrefix("ACCESS_DENIED") == true)
  }

  @Test func `2: embedded documents (MS-23)`() {
    for text in [
      "", "{", "{}", "[1]", "[{}]", "null",
      #"[{"id":"a","productId":"soup","productName":"S","quantity":"2","unitPriceCents":500,"totalPriceCents":1000}]"#,
      #"[{"id":"a","productId":"soup","productName":"S","quantity":1.5,"unitPriceCents":500,"totalPriceCents":1000}]"#,
      #"[{"id":"a","productId":"soup","productName":"S","quantity":2,"unitPriceCents":99999999999999999999,"totalPriceCents":1000}]"#,
    ] {
      #expect(essence([.items: .string(text)]) == invalid("malformed_items"), "\(text)")
    }
    let twice = [
      Bazaar.line("soup", price: 500, id: "x"), Bazaar.line("soup", price: 500, id: "x"),
    ]
    #expect(essence(lines: twice) == invalid("malformed_items"))
    for text in ["", "[]", #"{"street":"A"}"#] {
      #expect(
        essence([.deliveryAddress: .string(text)]) == invalid("malformed_address"), "\(text)")
    }
    for (latitude, longitude) in [(91.0, 13.0), (52.0, 181.0), (-90.5, 0)] {
      let point = Geography.Point(latitude, longitude)
      let address = Bazaar.address(point).description
      #expect(essence([.deliveryAddress: .string(address)]) == invalid("malformed_address"))
    }
    #expect(
      essence([.deliveryAddress: .string(Bazaar.address(nil).description)])
        == invalid("address_without_coordinates"))
  }

  @Test func `3: lines and quantities (MS-46)`() {
    #expect(essence(lines: [], subtotal: 0) == constraint("items_empty"))
    func lines(_ count: Int) -> [JSON] {
      (0..<count).map { Bazaar.line("soup", price: 500, id: "\($0)") }
    }
    #expect(essence(lines: lines(50), subtotal: 25_000) == nil)
    #expect(essence(lines: lines(51), subtotal: 25_500) == constraint("too_many_items"))
    #expect(essence(lines: lines(10_000), subtotal: 1) == constraint("too_many_items"))
    for quantity: Int64 in [0, -1, 100] {
      #expect(
        essence(lines: [Bazaar.line("soup", quantity, price: 500)], subtotal: 500 * quantity)
          == constraint("quantity_out_of_range"))
    }
    #expect(essence(lines: [Bazaar.line("soup", 99, price: 500)], subtotal: 49_500) == nil)
  }

  @Test func `4: amounts (MS-28 to MS-31)`() {
    for field: FieldName in [
      .subtotalCents, .deliveryFeeCents, .platformFeeCents, .taxCents, .tipCents,
    ] {
      #expect(essence([field: .int64(-1)]) == constraint("negative_amount"), "\(field)")
    }
    #expect(
      essence(lines: [Bazaar.line("soup", 2, price: 500, extra: -1)])
        == constraint("negative_amount"))
    #expect(
      essence(lines: [Bazaar.line("soup", 2, price: 500, total: 999)])
        == constraint("item_total_mismatch"))
    #expect(essence(subtotal: 1_001) == constraint("subtotal_mismatch"))
    #expect(essence([.totalCents: .int64(1_198)]) == constraint("total_mismatch"))
    #expect(essence([.totalCents: .int64(0)]) == constraint("total_mismatch"))
    // Surcharges count in the subtotal, not in the line (OP-11).
    #expect(essence(lines: [Bazaar.line("soup", 2, price: 500, extra: 50)], subtotal: 1_100) == nil)
  }

  @Test func `4: cents that overflow are refused (MS-31)`() {
    let huge = Int64.max / 2 + 1
    let line = Bazaar.line("soup", 2, price: huge, total: Int64.min)
    #expect(essence(lines: [line], subtotal: Int64.max) == constraint("negative_amount"))
    let total: FieldChanges = [.totalCents: .int64(Int64.max)]
    let quarter = Int64(1) << 62
    let wrapped = Bazaar.line("soup", 4, price: quarter, total: 0)
    #expect(essence(total, lines: [wrapped], subtotal: 0) == constraint("item_total_mismatch"))
    let extra = Bazaar.line("soup", 1, price: Int64.max, extra: 1)
    #expect(
      essence(total, lines: [extra], subtotal: Int64.max) == constraint("subtotal_mismatch"))
    let two = [
      Bazaar.line("soup", price: Int64.max, id: "a"), Bazaar.line("soup", price: 1, id: "b"),
    ]
    #expect(essence(total, lines: two, subtotal: Int64.max) == constraint("subtotal_mismatch"))
    #expect(
      essence(
        [
          .subtotalCents: .int64(Int64.max), .totalCents: .int64(Int64.max),
        ], lines: [Bazaar.line("soup", price: Int64.max)]) == constraint("total_mismatch"))
  }

  @Test func `5: MS-47 knows three beginnings among all combinations`() {
    for status in OrderStatus.allCases.map(\.rawValue) + ["driver_assigned"] {
      for payment in Stored.paymentStatuses {
        for method in Stored.paymentMethods {
          let answer = essence([
            .status: .string(status), .paymentStatus: .string(payment),
            .paymentMethod: .string(method),
          ])
          switch (status, payment, method) {
          case ("created", "pending", _), ("payment_confirmed", "completed", _),
            ("payment_confirmed", "pending", "cash"):
            #expect(answer == nil)
          case ("payment_confirmed", _, _), ("created", "completed", _):
            #expect(answer == constraint("payment_state_invalid", "paymentFailed"))
          case ("created", _, _): #expect(answer == constraint("payment_state_invalid"))
          default: #expect(answer == constraint("initial_status_invalid"))
          }
        }
      }
    }
    #expect(essence([.driverId: .string("d-1")]) == constraint("initial_status_invalid"))
    #expect(
      essence([.actualDeliveryTime: .timestamp(Bazaar.noon)])
        == constraint("initial_status_invalid"))
    // Aliases are normalised first (MS-59).
    #expect(essence([.status: .string("pending"), .paymentStatus: .string("pending")]) == nil)
    #expect(
      essence([.status: .string("sent")])
        == "BAD_REQUEST CKErrorInvalidArguments orderCreationFailed -")
  }

  @Test func `6: the estimate is later than now and at most a day ahead (MS-45)`() {
    func estimate(_ span: Span) -> String? {
      essence([.estimatedDeliveryTime: .timestamp(Bazaar.noon + span)])
    }
    #expect(estimate(.zero) == constraint("eta_not_in_future"))
    #expect(estimate(.milliseconds(1)) == nil)
    #expect(estimate(.hours(24)) == nil)
    #expect(estimate(.hours(24) + .milliseconds(1)) == constraint("eta_too_far"))
  }

  @Test func `7 and 8: the partner exists, is active, is verified (MS-42)`() {
    #expect(
      essence([.partnerId: .string("nobody")])
        == "VALIDATING_REFERENCE_ERROR CKErrorReferenceViolation partnerNotFound partner_unknown")
    var bazaar = Bazaar()
    bazaar.update("p-1", [.isVerified: .int64(0)], by: Bazaar.admin)
    #expect(essence(in: bazaar) == constraint("partner_unverified"))
    bazaar.update("p-1", [.isActive: .int64(0)], by: Bazaar.admin)
    #expect(essence(in: bazaar) == constraint("partner_inactive"))
  }

  @Test func `9: the partner is open at the commit (MS-41)`() {
    var bazaar = Bazaar()
    let hours = #"{"monday":{"isOpen":true,"openTime":"12:00","closeTime":"12:30"}}"#
    bazaar.update("p-1", [.openingHours: .string(hours)], by: Bazaar.partner)
    #expect(essence(in: bazaar) == nil)
    bazaar.wait(.minutes(30) - .milliseconds(1))
    #expect(essence(in: bazaar) == nil)
    bazaar.wait(.milliseconds(1))
    #expect(essence(in: bazaar) == constraint("partner_closed"))
  }

  @Test func `10: the radius is inclusive in whole metres (MS-40)`() {
    func metres(_ metres: Double) -> String? {
      essence([.deliveryAddress: .string(Bazaar.address(Bazaar.north(metres)).description)])
    }
    #expect(metres(3_000) == nil)
    #expect(metres(3_000.4) == nil)
    #expect(metres(3_000.6) == constraint("outside_delivery_radius"))
  }

  @Test func `11 to 13: products exist, are the partner's, available, at their price`() {
    func line(_ product: RecordName, price: Int64 = 500) -> String? {
      essence(lines: [Bazaar.line(product, 2, price: price)], subtotal: 2 * price)
    }
    let unknown =
      "VALIDATING_REFERENCE_ERROR CKErrorReferenceViolation productUnavailable product_unknown"
    #expect(line("nothing") == unknown)  // MS-43
    #expect(line("p-1") == unknown)
    #expect(line("tea") == constraint("product_of_other_partner"))  // MS-44
    #expect(line("soup", price: 501) == constraint("price_changed"))  // MS-32
    var bazaar = Bazaar()
    bazaar.update("soup", [.isAvailable: .int64(0)], by: Bazaar.partner)
    #expect(essence(in: bazaar) == constraint("product_unavailable", "productUnavailable"))
    // An unknown product goes before a foreign one, whatever their places.
    #expect(
      essence(
        lines: [Bazaar.line("tea", price: 500), Bazaar.line("nothing", price: 500)])
        == unknown)
  }

  @Test func `14: the minimum counts the subtotal alone, at equality (MS-39)`() {
    #expect(essence(lines: [Bazaar.line("soup", price: 500)], subtotal: 500) == nil)
    var bazaar = Bazaar()
    bazaar.update("p-1", [.minimumOrderAmount: .int64(1_001)], by: Bazaar.partner)
    #expect(essence(in: bazaar) == constraint("below_minimum_order"))
  }

  @Test func `15: lines of one product add up (MS-51)`() {
    func pieces(_ first: Int64, _ second: Int64) -> String? {
      essence(
        lines: [
          Bazaar.line("cake", first, price: 350, id: "a"),
          Bazaar.line("cake", second, price: 350, id: "b"),
        ], subtotal: 350 * (first + second))
    }
    #expect(pieces(2, 3) == nil)
    #expect(pieces(3, 3) == constraint("insufficient_stock", "productUnavailable"))
  }

  @Test func `reasons come in their order when several apply`() {
    var bazaar = Bazaar()
    bazaar.update(
      "p-1", [.isActive: .int64(0), .minimumOrderAmount: .int64(9_000)], by: Bazaar.partner)
    bazaar.update("soup", [.isAvailable: .int64(0)], by: Bazaar.partner)
    let wrong: [(FieldName, FieldValue, String)] = [
      (.totalCents, .int64(1), "total_mismatch"),
      (.status, .string("accepted"), "initial_status_invalid"),
      (.estimatedDeliveryTime, .timestamp(Bazaar.noon), "eta_not_in_future"),
      (.partnerId, .string("nobody"), "partner_unknown"),
    ]
    for start in wrong.indices {
      var changes: FieldChanges = [:]
      for (field, value, _) in wrong[start...] { changes[field] = value }
      #expect(bazaar.order("o-1", changes)?.mimiReason == wrong[start].2)
    }
    #expect(bazaar.order()?.mimiReason == "partner_inactive")
  }

  @Test func `fees deviate from an enforced policy only at a price (MS-34)`() {
    var settings = MarketSettings()
    settings.feePolicyEnforcement = true
    var bazaar = Bazaar(settings)
    #expect(bazaar.order("o-1") == nil)
    #expect(
      bazaar.order("o-2", [.deliveryFeeCents: .int64(299), .totalCents: .int64(1_299)]) == nil)
    #expect(
      bazaar.order("o-3", [.deliveryFeeCents: .int64(200), .totalCents: .int64(1_200)])?
        .essence == constraint("fee_mismatch"))
    // A wrong sum is one, whatever the policy says of the fees.
    #expect(
      bazaar.order("o-3", [.deliveryFeeCents: .int64(200)])?.mimiReason == "total_mismatch")
  }

  @Test func `a switched off rule lets its orders through`() {
    let cases: [(MimiSupply.Rule, FieldChanges)] = [
      (.ms28, [.totalCents: .int64(1)]),
      (.ms45, [.estimatedDeliveryTime: .timestamp(Bazaar.noon - .days(1))]),
      (.ms40, [.deliveryAddress: .string(Bazaar.address(Bazaar.north(90_000)).description)]),
      (.ms31, [.taxCents: .int64(-1), .totalCents: .int64(1_198)]),
    ]
    for (limit, changes) in cases {
      var strict = Bazaar()
      var lax = Bazaar(off: [limit])
      #expect(strict.order("o-1", changes) != nil)
      #expect(lax.order("o-1", changes) == nil, "\(limit)")
    }
  }
}
