import Contracts
import MimiSupplyContract
import Timekeeping

@testable import MimiSupplyChecks

private typealias S = MarketStory
private typealias R = SchemaRecords

/// Writes that a backend takes although the state of things forbids them, or refuses with another's reason.
enum SubtleWrites {
  static let all = records + orders + people + queries

  private static func changes(
    _ name: RecordName, _ fields: FieldChanges, as user: String, _ story: inout S,
    _ result: ItemResult, in database: String = "private"
  ) {
    story.write(
      [.init(.update, RecordDraft(name: name, changeTag: "1", fields: fields))], as: user,
      in: database, [result])
  }

  private static func forgets(_ story: inout S, _ result: ItemResult) {
    story.write([.init(.forceDelete, RecordDraft(name: "none"))], [result])
  }

  private static let records: [MarketCase] = [
    // What is new need not be there.
    MarketCase(.ms106) {
      $0.refuses(
        "x", "Product", R.product, with: [.partnerId: .string("none")], .validatingReferenceError,
        .referenceViolation, as: "ada", in: "public")
      $0.look(["x"], in: "public", [S.failed("x", .notFound, .unknownItem)])
    } fails: {
      $0.refuses(
        "x", "Product", R.product, with: [.partnerId: .string("none")], .notFound, .unknownItem,
        as: "ada", in: "public")
    },
    // What is to be gone in any case need not be there either.
    MarketCase(.ms106) {
      forgets(&$0, .deleted(recordName: "none"))
    } fails: {
      forgets(&$0, S.failed("none", .notFound, .unknownItem))
    },
    MarketCase(.ms15) {
      changes(
        "dish", [.partnerId: .string("q")], as: "olga", &$0,
        S.failed("dish", .badRequest, .constraintViolation, "immutable_field"), in: "public")
    } fails: {
      changes(
        "dish", [.partnerId: .string("q")], as: "olga", &$0,
        S.failed("dish", .badRequest, .invalidArguments), in: "public")
    },
  ]

  // MARK: Orders

  private static let instructions: FieldChanges = [.deliveryInstructions: .string("ring")]

  private static func putsOff(
    _ story: inout S, by minutes: Int64, refused reason: String? = nil
  ) {
    story.steps(
      [.estimatedDeliveryTime: .timestamp(story.now + .minutes(minutes))], as: "olga",
      refused: reason)
  }

  /// Olga loses her verification while an order waits for her.
  private static func suspends(_ story: inout S) {
    story.places()
    story.owner(
      changes: "p", "Partner", [.isVerified: .int64(0)], to: S.partner([.isVerified: .int64(0)]))
  }

  private static func rated(_ story: inout S) {
    story.isOnItsWay()
    story.completes()
    story.steps(S.status(.delivered), as: "dirk", tag: 3, then: S.carried(.delivered))
    story.rates(5)
  }

  private static let orders: [MarketCase] = [
    MarketCase(.ms45) {
      $0.places()
      putsOff(&$0, by: 50)
      putsOff(&$0, by: -1, refused: "eta_not_in_future")
    } fails: {
      $0.places()
      putsOff(&$0, by: -1)
    },
    MarketCase(.ms45) {
      $0.places()
      putsOff(&$0, by: -1, refused: "eta_not_in_future")
    } fails: {
      $0.places()
      putsOff(&$0, by: 50, refused: "eta_not_in_future")
    },
    MarketCase(.ms42) {
      suspends(&$0)
      $0.steps(S.status(.accepted), as: "olga", refused: "partner_unverified")
    } fails: {
      suspends(&$0)
      $0.steps(S.status(.accepted), as: "olga")
    },
    MarketCase(.ms42) {
      $0.places()
      $0.steps(S.status(.accepted), as: "olga")
    } fails: {
      $0.places()
      $0.steps(S.status(.accepted), as: "olga", refused: "partner_unverified")
    },
    MarketCase(.ms42) {
      suspends(&$0)
      $0.steps(S.status(.accepted), as: "olga", refused: "partner_unverified")
    } fails: {
      suspends(&$0)
      $0.steps(S.status(.accepted), as: "olga", refused: "illegal_transition")
    },
    MarketCase(.ms105) {
      $0.isOnItsWay()
      $0.steps(instructions, tag: 3, refused: "illegal_transition")
    } fails: {
      $0.isOnItsWay()
      $0.steps(instructions, tag: 3, then: S.carried(.enRoute))
    },
    MarketCase(.ms105) {
      $0.places()
      $0.steps(instructions)
    } fails: {
      $0.places()
      $0.steps(instructions, refused: "illegal_transition")
    },
    MarketCase(.ms81) {
      rated(&$0)
      $0.rates(1, refused: "already_rated")
    } fails: {
      rated(&$0)
      changes(
        "c", [.customerFeedback: .string("Gut.")], as: "alice", &$0,
        S.refusal("c", "already_rated")!)
    },
  ]

  // MARK: People

  /// Dirk, verified or not, goes online and is refused.
  private static func isRefused(
    _ reason: String, _ status: String, _ story: inout S
  ) {
    var fixture = Fixture()
    fixture.records = [
      .init(
        "bike", type: "Driver", creator: "dirk",
        fields: R.driver.merging([
          .verificationStatus: .string(status)
        ]))
    ]
    story.control(.load(fixture))
    changes(
      "bike", [.isOnline: .int64(1)], as: "dirk", &story,
      S.failed("bike", .badRequest, .constraintViolation, reason))
  }

  private static func exports(_ addresses: [JSON], _ story: inout S) {
    story.ask(
      .exportAccount,
      S.replied(
        .exported([
          "profile": ["recordName": "alice"],
          "orders": [
            [
              "recordName": "o",
              "fields": [
                "customerId": ["value": "alice"], "deliveryAddress": ["value": #"{"city":"b"}"#],
              ],
            ]
          ],
          "addresses": .array(addresses), "paymentMethods": [], "preferences": [:],
        ])))
  }

  /// Dirk leaves, and somebody looks for a record of his.
  private static func leaves(_ story: inout S, then result: ItemResult) {
    story.look(["van"], as: "dirk", [.saved(S.stored("van", "Driver", van, by: "dirk"))])
    story.ask(.deleteAccount, as: "dirk", S.replied(.done))
    story.look([result.record?.name ?? "van"], as: "ada", [result])
  }

  private static let van: Fields = [
    .userId: .string("dirk"), .isOnline: .int64(0), .isAvailable: .int64(0),
  ]
  private static let gone = S.failed("van", .notFound, .unknownItem)

  private static let people: [MarketCase] = [
    MarketCase(.ms116) {
      leaves(&$0, then: gone)
    } fails: {
      leaves(
        &$0,
        then: .saved(
          S.stored("spot", "DriverLocation", [.driverId: .string("van")], by: "deleted-1")))
    },
    MarketCase(.ms116) {
      leaves(&$0, then: gone)
    } fails: {
      leaves(&$0, then: .saved(S.stored("van", "Driver", by: "deleted-1")))
    },
    MarketCase(.ms66) {
      isRefused("driver_not_verified", "pending", &$0)
    } fails: {
      isRefused("driver_not_verified", "verified", &$0)
    },
    MarketCase(.ms115) {
      exports([["city": "b"]], &$0)
    } fails: {
      exports([], &$0)
    },
  ]

  // MARK: What queries leave out

  private static func products(
    _ filter: Filter, _ shown: [RecordName], _ story: inout S
  ) {
    let query = RecordQuery("Product", [Filter(.partnerId, .equals, .string("p")), filter])
    story.ask(
      .query(Location(database: "public"), Query(query)),
      S.replied(
        .found(
          shown.map { S.stored($0, "Product", S.product("p")) }, continuationMarker: nil)))
  }

  /// Alice has an order in a zone of hers, and looks for her orders in all zones.
  private static func looksEverywhere(_ story: inout S, _ shown: [RecordName]) {
    let order = S.stored("o", "Order", story.order())
    story.write(
      [.init(.create, RecordDraft(name: "o", type: "Order", fields: FieldChanges(order.fields)))],
      zone: Zone("MimiSupplyZone"), [.saved(order)])
    let own = RecordQuery("Order", [Filter(.customerId, .equals, .string("alice"))])
    story.ask(
      .query(Location(database: "private"), Query(own, zoneWide: true)),
      S.replied(.found(shown.isEmpty ? [] : [order], continuationMarker: nil)))
  }

  private static let queries: [MarketCase] = [
    MarketCase(.ms10) {
      products(Filter(.priceCents, .lessThanOrEquals, .int64(1_200)), ["dish", "off"], &$0)
    } fails: {
      products(Filter(.priceCents, .lessThanOrEquals, .int64(1_200)), ["dish"], &$0)
    },
    MarketCase(.ms10) {
      products(Filter(.stockQuantity, .notEquals, .int64(5)), ["dish", "off"], &$0)
    } fails: {
      products(Filter(.stockQuantity, .notEquals, .int64(5)), [], &$0)
    },
    MarketCase(.ms10) {
      looksEverywhere(&$0, ["o"])
    } fails: {
      looksEverywhere(&$0, [])
    },
  ]
}
