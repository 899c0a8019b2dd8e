import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

private typealias S = MarketStory

/// Examples of money, ordering, stock, states and deliveries.
enum TradeCases {
  static let all = money + ledgers + ordering + stock + states + deliveries

  /// An order that is refused for a reason, and the same one taken.
  private static func refused(
    _ limit: MimiSupply.Rule, _ reason: String, _ changes: @escaping @Sendable (S) -> FieldChanges,
    after prelude: @escaping @Sendable (inout S) -> Void = { _ in }
  ) -> MarketCase {
    MarketCase(limit) {
      prelude(&$0)
      $0.places(as: "good")
      $0.places(changes($0), refused: reason)
    } fails: {
      prelude(&$0)
      $0.places(changes($0))
    }
  }

  /// A good order that is refused for a reason.
  private static func wrongly(_ limit: MimiSupply.Rule, _ reason: String) -> MarketCase {
    MarketCase(limit) {
      $0.places()
      $0.shows()
    } fails: {
      $0.places(refused: reason)
    }
  }

  static let money: [MarketCase] = [
    refused(.ms28, "total_mismatch") { _ in [.totalCents: .int64(2_600)] },
    wrongly(.ms28, "total_mismatch"),
    MarketCase(.ms28) {
      $0.shows()
    } fails: {
      $0.shows([.tipCents: .int64(1)])
    },
    refused(.ms29, "subtotal_mismatch") { _ in
      [.subtotalCents: .int64(2_401), .totalCents: .int64(2_600)]
    },
    wrongly(.ms29, "subtotal_mismatch"),
    refused(.ms30, "item_total_mismatch") { _ in
      let items = """
        [{"id": "1", "productId": "dish", "productName": "x", "quantity": 2, "unitPriceCents": 1200, \
        "totalPriceCents": 2399}]
        """
      return [.items: .string(items)]
    },
    wrongly(.ms30, "item_total_mismatch"),
    refused(.ms31, "negative_amount") { _ in
      [.tipCents: .int64(-100), .totalCents: .int64(2_499)]
    },
    refused(.ms31, "total_mismatch") { _ in [.deliveryFeeCents: .int64(.max)] },
    refused(.ms31, "amount_out_of_range") { _ in
      [
        .tipCents: .int64(Bounds.cents.upperBound),
        .totalCents: .int64(Bounds.cents.upperBound + 2_599),
      ]
    },
    wrongly(.ms31, "negative_amount"),
    refused(.ms32, "price_changed") { _ in
      [.items: S.items([("dish", 2)], price: 1_100), .subtotalCents: .int64(2_200)]
    },
    MarketCase(.ms32) {
      $0.owner(
        changes: "dish", "Product", [.priceCents: .int64(1_300)],
        to: S.product("p", price: 1_300))
      $0.places(refused: "price_changed")
    } fails: {
      $0.owner(
        changes: "dish", "Product", [.priceCents: .int64(1_300)],
        to: S.product("p", price: 1_300))
      $0.places()
    },
    MarketCase(.ms33) {
      $0.places()
      $0.steps([.tipCents: .int64(100), .totalCents: .int64(2_699)])
    } fails: {
      $0.places()
      $0.steps(S.status(.cancelled), then: S.status(.cancelled, "refunded"))
      $0.steps(
        [.tipCents: .int64(100), .totalCents: .int64(2_699)], tag: 2,
        then: S.status(.cancelled, "refunded"))
    },
    refused(
      .ms34, "fee_mismatch",
      { _ in [.platformFeeCents: .int64(99), .totalCents: .int64(2_698)] },
      after: { $0.control(.configure(["feePolicyEnforcement": true])) }),
    MarketCase(.ms35) {
      told(2_400, &$0)
    } fails: {
      told(1_680, &$0)
    },
    MarketCase(.ms80) {
      reviewed(rating: 4, reviews: 1, &$0)
    } fails: {
      reviewed(rating: 4, reviews: 2, &$0)
    },
    MarketCase(.ms80) {
      reviewed(rating: 4, reviews: 1, &$0)
    } fails: {
      reviewed(rating: 0, reviews: 1, &$0)
    },
    MarketCase(.ms37) {
      $0.shows(S.status(.cancelled, "refunded"))
    } fails: {
      $0.shows(S.status(.cancelled, "completed"))
    },
  ]

  /// A delivery, and what olga is then told that she earned.
  private static func told(_ cents: Int64, _ story: inout S) {
    story.isOnItsWay()
    story.completes()
    story.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    let stats = PartnerStats(
      ordersToday: 1, revenueTodayCents: cents, averageRating: 0, reviewCount: 0, totalOrders: 1,
      totalRevenueCents: cents, activeOrders: 0)
    story.ask(.partnerStats(partner: "p"), as: "olga", S.replied(.stats(stats)))
  }

  /// A delivery that alice gives four stars, and what olga is then told of her reviews.
  private static func reviewed(rating: Double, reviews: Int64, _ story: inout S) {
    story.isOnItsWay()
    story.completes()
    story.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    story.rates(4)
    let stats = PartnerStats(
      ordersToday: 1, revenueTodayCents: 2_400, averageRating: rating, reviewCount: reviews,
      totalOrders: 1, totalRevenueCents: 2_400, activeOrders: 0)
    story.ask(.partnerStats(partner: "p"), as: "olga", S.replied(.stats(stats)))
  }

  // MARK: What inspection shows

  /// One delivery of 556 m by bicycle on a Saturday noon in Berlin, with a tip of 100 cents and eight minutes of waiting:
  /// 350 + 44 + 100 + 50 + 75 + 60 cents, and the lunch bonus of 100.
  private static func delivered(
    pay: Int64 = 779, paid: Int64 = 2_699, refunded: Int64 = 0, counted: Int64 = 1,
    rating: Double = 4, stars: Int64? = 4, promised: Int64 = 394, _ story: inout S
  ) {
    var shown = S.Inspected()
    let pickup = story.now.unixMilliseconds
    shown.orders.append(
      (
        "o",
        story.order(
          S.carried(.delivered, [.tipCents: .int64(100), .totalCents: .int64(2_699)])),
        [
          "payCents": .int(pay), "pickedUpAt": .int(pickup), "enteredAt": .int(pickup),
          "waitingSince": .int(pickup - 8 * 60_000 - 500), "paidCents": .int(paid),
          "refundedCents": .int(refunded),
        ]
      ))
    shown.others = [
      S.stored(
        "p", "Partner",
        S.partner([.rating: .double(rating), .reviewCount: .int64(stars == nil ? 0 : 1)])),
      S.stored(
        "van", "Driver",
        [
          .vehicleType: .string("bicycle"), .completedDeliveries: .int64(counted),
          .rating: .double(rating),
        ]),
      S.stored(
        "offer_1", "DriverOffer",
        [
          .orderId: .string("o"), .driverId: .string("van"), .state: .string("accepted"),
          .offeredAt: .timestamp(story.now), .expiresAt: .timestamp(story.now + .seconds(30)),
          .estimatedEarningsCents: .int64(promised),
        ], at: story.now),
    ]
    if let stars {
      shown.others.append(
        S.stored(
          "c", "DeliveryCompletion",
          [
            .orderId: .string("o"), .driverId: .string("van"), .customerRating: .int64(stars),
          ]))
    }
    story.inspects(shown)
  }

  static let ledgers: [MarketCase] = [
    MarketCase(.ms36) {
      delivered(&$0)
    } fails: {
      delivered(pay: 679, &$0)
    },
    MarketCase(.ms36) {
      delivered(&$0)
    } fails: {
      delivered(promised: 474, &$0)
    },
    MarketCase(.ms38) {
      delivered(&$0)
    } fails: {
      delivered(paid: 2_599, &$0)
    },
    MarketCase(.ms79) {
      delivered(&$0)
    } fails: {
      delivered(counted: 0, &$0)
    },
    MarketCase(.ms80) {
      delivered(&$0)
    } fails: {
      delivered(rating: 5, &$0)
    },
  ]

  static let ordering: [MarketCase] = [
    refused(.ms39, "below_minimum_order") { _ in [.subtotalCents: .int64(999)] },
    wrongly(.ms39, "below_minimum_order"),
    refused(.ms40, "outside_delivery_radius") { _ in [.deliveryAddress: S.address(north: 52.0451)]
    },
    MarketCase(.ms40) {
      $0.places([.deliveryAddress: S.address(north: 52.0449)])
    } fails: {
      $0.places(
        [.deliveryAddress: S.address(north: 52.0449)], refused: "outside_delivery_radius")
    },
    MarketCase(.ms41) {
      $0.now = S.start + .minutes(59)
      $0.places()
      $0.now = S.start + .hours(1)
      $0.places(as: "late", refused: "partner_closed")
    } fails: {
      $0.now = S.start + .hours(1)
      $0.places()
    },
    MarketCase(.ms42) {
      closes(&$0)
      $0.places(refused: "partner_inactive")
    } fails: {
      closes(&$0)
      $0.places()
    },
    refused(.ms43, "product_unavailable") { _ in [.items: S.items([("off", 2)])] },
    wrongly(.ms43, "product_unavailable"),
    refused(.ms44, "product_of_other_partner") { _ in [.items: S.items([("foreign", 2)])] },
    wrongly(.ms44, "product_of_other_partner"),
    refused(.ms45, "eta_not_in_future") { story in
      [.estimatedDeliveryTime: .timestamp(story.now - .seconds(1))]
    },
    refused(.ms45, "eta_too_far") { story in
      [.estimatedDeliveryTime: .timestamp(story.now + .hours(24) + .seconds(1))]
    },
    wrongly(.ms45, "eta_too_far"),
    refused(.ms46, "too_many_items") { _ in
      [.items: S.items(Array(repeating: ("dish", 1), count: 51))]
    },
    refused(.ms46, "quantity_out_of_range") { _ in [.items: S.items([("dish", 100)])] },
    wrongly(.ms46, "too_many_items"),
    refused(.ms47, "initial_status_invalid") { _ in S.status(.accepted) },
    refused(.ms47, "payment_state_invalid") { _ in S.status(.created, "completed") },
    wrongly(.ms47, "initial_status_invalid"),
    MarketCase(.ms48) {
      $0.places()
      $0.places(refused: "EXISTS")
    } fails: {
      $0.places()
      $0.places()
    },
  ]

  /// Olga closes her partner.
  private static func closes(_ story: inout S) {
    story.owner(
      changes: "p", "Partner", [.isActive: .int64(0)], to: S.partner([.isActive: .int64(0)]))
  }

  /// Two of the five pieces.
  private static func few(_ quantity: Int64) -> FieldChanges {
    [.items: S.items([("few", quantity)])]
  }

  static let stock: [MarketCase] = [
    MarketCase(.ms50) {
      $0.shows(product: "few", S.product("p", stock: -1))
    } fails: {
      $0.shows(product: "few", S.product("p", stock: -2))
    },
    MarketCase(.ms51) {
      $0.places(few(3))
      $0.places(few(3), as: "second", refused: "insufficient_stock")
      $0.shows(product: "few", S.product("p", stock: 2))
    } fails: {
      $0.places(few(3))
      $0.places(few(3), as: "second")
    },
    MarketCase(.ms51) {
      $0.places(few(5))
    } fails: {
      $0.places(few(5), refused: "insufficient_stock")
    },
    MarketCase(.ms51) {
      $0.places(few(3))
      $0.shows(product: "few", S.product("p", stock: 2))
    } fails: {
      $0.places(few(3))
      $0.shows(product: "few", S.product("p", stock: 5))
    },
    MarketCase(.ms52) {
      returns(&$0)
      $0.shows(product: "few", S.product("p", stock: 5))
    } fails: {
      returns(&$0)
      $0.shows(product: "few", S.product("p", stock: 2))
    },
    MarketCase(.ms52) {
      returns(&$0)
      $0.shows(product: "few", S.product("p", stock: 5))
    } fails: {
      returns(&$0)
      $0.shows(product: "few", S.product("p", stock: 8))
    },
    MarketCase(.ms53) {
      $0.places(few(5))
      $0.shows(product: "few", S.product("p", stock: 0, isAvailable: 0))
    } fails: {
      $0.places(few(5))
      $0.shows(product: "few", S.product("p", stock: 0))
    },
    MarketCase(.ms53) {
      switchedOff(&$0, shown: 0)
    } fails: {
      switchedOff(&$0, shown: 1)
    },
    MarketCase(.ms54) {
      $0.places()
      $0.shows(product: "dish", S.product("p"))
    } fails: {
      $0.places()
      $0.shows(product: "dish", S.product("p", stock: 1))
    },
    MarketCase(.ms55) {
      unpaid(&$0, until: .minutes(16), S.status(.failed, "cancelled"))
    } fails: {
      unpaid(&$0, until: .minutes(16), S.status(.created, "pending"))
    },
    MarketCase(.ms55) {
      unpaid(&$0, until: .minutes(14) + .seconds(50), S.status(.created, "pending"))
    } fails: {
      unpaid(&$0, until: .minutes(14), S.status(.failed, "cancelled"))
    },
  ]

  private static func returns(_ story: inout S) {
    story.places(few(3))
    story.steps(
      S.status(.cancelled), then: few(3).merging(S.status(.cancelled, "refunded")))
  }

  /// Olga switches the product off while an order holds two of its pieces, which then come back.
  private static func switchedOff(_ story: inout S, shown flag: Int64) {
    story.places(few(2))
    story.shows(product: "few", S.product("p", stock: 3))
    story.owner(
      changes: "few", "Product", [.isAvailable: .int64(0)],
      to: S.product("p", stock: 3, isAvailable: 0))
    story.shows(product: "few", S.product("p", stock: 5, isAvailable: flag), tag: "9")
  }

  private static func unpaid(
    _ story: inout S, until span: Span, _ shown: FieldChanges
  ) {
    story.places(S.status(.created, "pending"))
    story.now += span - .seconds(5)
    story.shows(shown, tag: 2, by: "_system")
  }

  static let states: [MarketCase] = [
    MarketCase(.ms56) {
      $0.places()
      $0.steps(S.status(.delivered), refused: "illegal_transition")
      $0.steps(S.status(.accepted), as: "olga")
    } fails: {
      $0.places()
      $0.steps(S.status(.readyForPickup), as: "olga")
    },
    MarketCase(.ms56) {
      $0.places()
      $0.steps(S.status(.accepted), as: "olga")
    } fails: {
      $0.places()
      $0.steps(S.status(.accepted), as: "olga", refused: "illegal_transition")
    },
    MarketCase(.ms57) {
      $0.places()
      $0.steps(S.status(.accepted), refused: "transition_not_permitted_for_role")
      $0.steps(S.status(.accepted), as: "olga")
    } fails: {
      $0.places()
      $0.steps(S.status(.accepted))
    },
    MarketCase(.ms57) {
      $0.places()
      $0.steps(S.status(.accepted), as: "dirk", refused: "transition_not_permitted_for_role")
    } fails: {
      $0.places()
      $0.steps(S.status(.accepted), as: "olga", refused: "transition_not_permitted_for_role")
      $0.shows()
    },
    MarketCase(.ms58) {
      cancelled(&$0)
      $0.steps(S.status(.accepted), as: "olga", tag: 2, refused: "illegal_transition")
    } fails: {
      cancelled(&$0)
      $0.steps(S.status(.accepted), as: "olga", tag: 2)
    },
    MarketCase(.ms59) {
      $0.places()
      $0.steps([.status: .string("confirmed")], as: "olga", then: S.status(.accepted))
    } fails: {
      $0.places()
      $0.steps([.status: .string("confirmed")], as: "olga", refused: "invalid")
    },
    MarketCase(.ms59) {
      $0.places()
      $0.steps(S.status(.paymentConfirmed), refused: "illegal_transition")
      $0.shows()
    } fails: {
      $0.places()
      $0.steps(S.status(.paymentConfirmed))
    },
    MarketCase(.ms59) {
      $0.shows()
    } fails: {
      $0.shows([.status: .string("confirmed")])
    },
    MarketCase(.ms60) {
      prepares(&$0)
      $0.steps(S.status(.cancelled), tag: 3, refused: "transition_not_permitted_for_role")
    } fails: {
      prepares(&$0)
      $0.steps(S.status(.cancelled), tag: 3)
    },
    MarketCase(.ms60) {
      $0.isOnItsWay()
      $0.steps(S.status(.cancelled), as: "ada", tag: 3, refused: "illegal_transition")
    } fails: {
      $0.isOnItsWay()
      $0.steps(S.status(.cancelled), as: "ada", tag: 3)
    },
    MarketCase(.ms61) {
      $0.shows()
      $0.shows()
    } fails: {
      $0.shows(S.status(.delivered))
    },
    MarketCase(.ms61) {
      $0.shows()
      $0.shows(tag: 2)
    } fails: {
      $0.shows()
      $0.shows([.updatedAt: .timestamp(S.start)], tag: 2)
    },
    MarketCase(.ms62) {
      $0.places()
      $0.now += .seconds(110)
      $0.shows()
      $0.now += .seconds(10)
      $0.shows(S.status(.cancelled, "refunded"), tag: 2, by: "_system")
    } fails: {
      $0.places()
      $0.now += .seconds(120)
      $0.shows()
    },
    MarketCase(.ms62) {
      $0.places()
      $0.now += .seconds(110)
      $0.shows()
    } fails: {
      $0.places()
      $0.now += .seconds(60)
      $0.shows(S.status(.cancelled, "refunded"), tag: 2, by: "_system")
    },
    MarketCase(.ms63) {
      processes(&$0)
      $0.steps(S.status(.paymentConfirmed), tag: 2, refused: "payment_state_invalid")
      $0.steps(S.status(.paymentConfirmed, "completed"), tag: 2)
    } fails: {
      processes(&$0)
      $0.steps(
        S.status(.paymentConfirmed), tag: 2, then: S.status(.paymentConfirmed, "processing"))
    },
    MarketCase(.ms63) {
      processes(&$0)
    } fails: {
      $0.places(S.status(.created, "pending"))
      $0.steps(
        S.status(.paymentProcessing), then: S.status(.paymentProcessing, "pending"))
    },
    MarketCase(.ms63) {
      processes(&$0)
      $0.steps(S.status(.cancelled), tag: 2, then: S.status(.cancelled, "cancelled"))
    } fails: {
      processes(&$0)
      $0.steps(S.status(.cancelled), tag: 2, then: S.status(.cancelled, "failed"))
    },
  ]

  private static func cancelled(_ story: inout S) {
    story.places()
    story.steps(S.status(.cancelled), then: S.status(.cancelled, "refunded"))
  }

  private static func prepares(_ story: inout S) {
    story.places()
    story.steps(S.status(.accepted), as: "olga")
    story.steps(S.status(.preparing), as: "olga", tag: 2)
  }

  private static func processes(_ story: inout S) {
    story.places(S.status(.created, "pending"))
    story.steps(S.status(.paymentProcessing), then: S.status(.paymentProcessing, "processing"))
  }

  static let deliveries: [MarketCase] = [
    MarketCase(.ms78) {
      $0.isOnItsWay()
      $0.completes()
    } fails: {
      $0.isOnItsWay()
      $0.completes(ago: .hours(1))
    },
    MarketCase(.ms78) {
      $0.isOnItsWay()
      $0.completes(ago: .hours(1), refused: "invalid")
    } fails: {
      $0.isOnItsWay()
      $0.completes(refused: "invalid")
    },
    MarketCase(.ms77) {
      $0.isOnItsWay()
      $0.steps(S.status(.delivered), as: "dirk", tag: 3, refused: "completion_missing")
      $0.completes()
      $0.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    } fails: {
      $0.isOnItsWay()
      $0.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    },
    MarketCase(.ms77) {
      $0.isOnItsWay()
      $0.steps(S.status(.delivered), as: "dirk", tag: 3, refused: "completion_missing")
    } fails: {
      $0.isOnItsWay()
      $0.completes()
      $0.steps(S.status(.delivered), as: "dirk", tag: 3, refused: "completion_missing")
    },
    MarketCase(.ms78) {
      $0.isOnItsWay()
      $0.completes()
      $0.completes("again", refused: "completion_exists")
    } fails: {
      $0.isOnItsWay()
      $0.completes()
      $0.completes("again")
    },
    MarketCase(.ms78) {
      $0.isOnItsWay()
      $0.completes()
    } fails: {
      $0.places()
      $0.steps(S.carried(.pickedUp), as: "dirk", then: S.carried(.pickedUp))
      $0.completes()
      $0.shows(S.carried(.pickedUp), tag: 2)
    },
    MarketCase(.ms78) {
      $0.isOnItsWay()
      $0.completes()
    } fails: {
      $0.isOnItsWay()
      $0.completes(by: "other", as: "bob")
    },
    MarketCase(.ms81) {
      rated(&$0)
      $0.rates(1, refused: "already_rated")
    } fails: {
      rated(&$0)
      $0.rates(1)
    },
    MarketCase(.ms81) {
      rated(&$0)
    } fails: {
      $0.isOnItsWay()
      $0.completes()
      $0.rates(5, as: "bob")
    },
    MarketCase(.ms81) {
      $0.isOnItsWay()
      $0.completes()
      $0.rates(5, refused: "not_delivered")
    } fails: {
      $0.isOnItsWay()
      $0.completes()
      $0.rates(5)
      $0.shows(S.carried(.enRoute), tag: 3)
    },
  ]

  private static func rated(_ story: inout S) {
    story.isOnItsWay()
    story.completes()
    story.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    story.rates(5)
  }
}
