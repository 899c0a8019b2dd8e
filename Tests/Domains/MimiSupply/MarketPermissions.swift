import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Schema and permissions of MimiSupply's market` {
  /// One record of every type a request may write, with its owner.
  private func bazaar() -> Bazaar {
    var bazaar = Bazaar.enRoute()
    bazaar.complete()
    bazaar.position(1, Bazaar.restaurant, name: "position")
    bazaar.load(
      "u-customer", "UserProfile",
      [
        .appleUserID: .string("apple"), .role: .string("customer"), .isVerified: .int64(0),
        .createdAt: .timestamp(Bazaar.noon), .lastActiveAt: .timestamp(Bazaar.noon),
      ], by: "u-customer")
    return bazaar
  }

  private let schemaError = "BAD_REQUEST CKErrorInvalidArguments - -"

  @Test func `MS-13: the seed's 96 fields, 65 of them required`() {
    let types: [RecordType] = [
      "Partner", "Product", "UserProfile", "Order", "Driver", "DriverLocation",
      "DeliveryCompletion",
    ]
    let fields = types.flatMap { RecordSchema.of($0)!.fields }
    #expect(fields.count == 96)
    #expect(fields.count { $0.isRequired } == 65)
  }

  @Test func `MS-13, MS-14, MS-15: required, typed, known`() {
    let cases: [(RecordType, Fields, Actor, FieldNames)] = [
      (
        "Partner", Bazaar.partnerFields(), Bazaar.partner,
        [.isVerified, .isActive, .rating, .reviewCount]
      ),
      ("Product", Bazaar.productFields(), Bazaar.partner, [.updatedAt]),
      (
        "Driver", Bazaar.driverFields(7), Bazaar.driver(7),
        [.isOnline, .isAvailable, .rating, .completedDeliveries, .verificationStatus]
      ),
      ("Order", Bazaar().orderFields(), Bazaar.customer, [.updatedAt]),
    ]
    for (type, fields, actor, supplied) in cases {
      let error =
        type == "Order"
        ? "BAD_REQUEST CKErrorInvalidArguments orderCreationFailed -" : schemaError
      var whole = Bazaar()
      #expect(whole.create("new", type, fields, by: actor) == nil, "\(type)")
      for rule in RecordSchema.of(type)!.fields {
        if rule.isRequired {
          var bazaar = Bazaar()
          let failure = bazaar.create("new", type, fields.merged([rule.name: nil]), by: actor)
          #expect(
            failure?.essence == (supplied.contains(rule.name) ? nil : error),
            "\(type).\(rule.name)")
        }
        var bazaar = Bazaar()
        let wrong = fields.merged([rule.name: .bytes(base64: "AA==")])
        if !supplied.contains(rule.name) {
          #expect(
            bazaar.create("new", type, wrong, by: actor)?.essence == error,
            "\(type).\(rule.name)")
        }
      }
      var bazaar = Bazaar()
      let more = fields.merged(FieldChanges(undeclared: "colour", .string("red")))
      #expect(bazaar.create("new", type, more, by: actor)?.essence == error)
    }
    var bazaar = Bazaar()
    #expect(bazaar.create("x", "Secret", [:], by: Bazaar.admin)?.essence == schemaError)
    #expect(
      bazaar.update("p-1", [.name: nil], by: Bazaar.partner)?.essence == schemaError)
  }

  @Test func `values without a type take the schema's (2.1)`() {
    var bazaar = Bazaar()
    let fields = Bazaar.productFields().merged([
      .priceCents: .untyped("250"), .weight: .untyped("3"), .tags: .untyped(#"["a","b"]"#),
      .createdAt: .untyped("1772449200000"),
    ])
    #expect(bazaar.create("x", "Product", fields, by: Bazaar.partner) == nil)
    let product = bazaar.shelf.record("x")!
    #expect(product[Product.priceCents] == 250)
    #expect(product[Product.weight] == 3)
    #expect(product.fields[.tags] == .strings(["a", "b"]))
    for text in ["2.5", #""250""#, "true", "99999999999999999999"] {
      #expect(
        bazaar.update("x", [.priceCents: .untyped(text)], by: Bazaar.partner)?.essence
          == schemaError, "\(text)")
    }
  }

  @Test func `MS-16, MS-17: both ends of every range`() {
    let partner: [(FieldName, [FieldValue], [FieldValue])] = [
      (
        .name, [.string("abc"), .string(String(repeating: "ä", count: 100))],
        [.string("ab"), .string(String(repeating: "ä", count: 101))]
      ),
      (.deliveryRadius, [.double(0.1), .double(50)], [.double(0.09), .double(50.01)]),
      (.minimumOrderAmount, [.int64(0), .int64(10_000)], [.int64(-1), .int64(10_001)]),
      (.estimatedDeliveryTime, [.int64(1), .int64(1_440)], [.int64(0), .int64(1_441)]),
      (.latitude, [.double(-90), .double(90)], [.double(-90.001), .double(90.001)]),
      (.longitude, [.double(-180), .double(180)], [.double(-180.001), .double(180.001)]),
      (.category, [.string("bakery")], [.string("Bakery"), .string("")]),
      (.email, [.string("a@b")], [.string("ab"), .string("a@b@c")]),
      (.isActive, [.int64(0), .int64(1)], [.int64(2), .int64(-1)]),
      (.city, [.string("B")], [.string("")]),
      (.description, [.string("a\n\tb <script>")], [.string("a\u{7}"), .string("a\rb")]),
    ]
    let product: [(FieldName, [FieldValue], [FieldValue])] = [
      (.name, [.string("abc")], [.string("ab"), .string(String(repeating: "x", count: 201))]),
      (.priceCents, [.int64(1)], [.int64(0), .int64(-1)]),
      (.originalPriceCents, [.int64(1)], [.int64(0)]),
      (.stockQuantity, [.int64(-1), .int64(0)], [.int64(-2)]),
      (.category, [.string("food")], [.string("restaurant")]),
      (.allergens, [.strings(["milk"]), .strings([])], [.strings(["Milk"])]),
      (.weight, [.double(0)], [.double(-0.1)]),
      (.nutritionInfo, [.string(#"{"calories":1,"fat":0.5}"#)], [.string(#"{"calories":"1"}"#)]),
      (
        .dimensions, [.string(#"{"length":1,"width":2,"height":3}"#)],
        [.string(#"{"length":1}"#), .string("[]")]
      ),
    ]
    for (name, rows) in [("p-1" as RecordName, partner), ("soup", product)] {
      for (field, good, bad) in rows {
        var bazaar = Bazaar()
        for value in bad {
          #expect(
            bazaar.update(name, [field: value], by: Bazaar.partner)?.essence == schemaError,
            "\(field)")
        }
        for value in good {
          #expect(bazaar.update(name, [field: value], by: Bazaar.partner) == nil, "\(field)")
        }
      }
    }
  }

  @Test func `MS-08: media have their size`() {
    var bazaar = Bazaar()
    func asset(_ size: Int) -> Asset { Asset(fileChecksum: "c", size: size) }
    func hero(_ size: Int) -> String? {
      bazaar.update("p-1", [.heroImage: .asset(asset(size))], by: Bazaar.partner)?.mimiReason
    }
    #expect(hero(5 * 1_048_576) == nil)
    #expect(hero(5 * 1_048_576 + 1) == "media_too_large")
    func images(_ count: Int) -> String? {
      bazaar.update(
        "soup", [.images: .assets(Array(repeating: asset(1), count: count))], by: Bazaar.partner)?
        .mimiReason
    }
    #expect(images(10) == nil)
    #expect(images(11) == "too_many_images")
  }

  /// §2.14 again, by type: who may change which fields of an existing record.
  private static let updatable: [RecordName: [String: FieldNames]] = [
    "p-1": [
      "partner": [
        .name, .category, .description, .street, .city, .state, .postalCode, .country,
        .latitude, .longitude, .phoneNumber, .email, .heroImage, .logo, .isActive,
        .deliveryRadius, .minimumOrderAmount, .estimatedDeliveryTime, .openingHours,
      ],
      "admin": [
        .name, .category, .description, .street, .city, .state, .postalCode, .country,
        .latitude, .longitude, .phoneNumber, .email, .heroImage, .logo, .isActive,
        .deliveryRadius, .minimumOrderAmount, .estimatedDeliveryTime, .openingHours,
        .isVerified,
      ],
    ],
    "u-customer": [
      "customer": [
        .email, .fullName, .phoneNumber, .profileImage, .lastActiveAt, .deviceToken,
      ],
      "admin": [
        .email, .fullName, .phoneNumber, .profileImage, .lastActiveAt, .deviceToken, .role,
        .isVerified,
      ],
    ],
    "d-1": [
      "driver": [
        .name, .phoneNumber, .profileImage, .vehicleType, .licensePlate, .isOnline,
        .isAvailable, .currentLatitude, .currentLongitude,
      ],
      "admin": [
        .name, .phoneNumber, .profileImage, .vehicleType, .licensePlate, .isOnline,
        .isAvailable, .currentLatitude, .currentLongitude, .verificationStatus,
      ],
    ],
    "c-o-1": ["customer": [.customerRating, .customerFeedback]],
    "position": [:],
    "o-1": [
      "customer": [.tipCents, .totalCents, .deliveryInstructions],
      "partner": [.estimatedDeliveryTime],
      "driver": [.driverId],
      "admin": [.estimatedDeliveryTime, .driverId],
    ],
  ]

  @Test func `MS-105, MS-108: role by type by field`() {
    let actors: [(String, Actor)] = [
      ("customer", Bazaar.customer), ("partner", Bazaar.partner), ("driver", Bazaar.driver(1)),
      ("admin", Bazaar.admin), ("stranger", Bazaar.stranger), ("other", Bazaar.otherPartner),
    ]
    let start = bazaar()
    for (name, allowed) in Self.updatable {
      let record = start.shelf.record(name)!
      for rule in RecordSchema.of(record.type)!.fields
      where !rule.isImmutable && rule.name != .updatedAt && rule.name != .status {
        for (role, actor) in actors where start.sees(name, actor) {
          let value = other(than: record.fields[rule.name], rule)
          // Fields that go together.
          var fields: FieldChanges = [rule.name: value]
          if rule.name == .driverId { fields = [.driverId: nil] }
          var bazaar = start
          let isDenied = bazaar.update(name, fields, by: actor)?.code == .accessDenied
          #expect(
            isDenied == !(allowed[role]?.contains(rule.name) ?? false),
            "\(record.type).\(rule.name) by \(role)")
          // Naming the present value is harmless, except for who may not write at all.
          if allowed[role] != nil, let present = record.fields[rule.name] {
            #expect(bazaar.update(name, [rule.name: present], by: actor)?.code != .accessDenied)
          }
        }
      }
    }
  }

  private func other(than value: FieldValue?, _ rule: FieldRule) -> FieldValue {
    switch rule.kind {
    case .string: value == .string("abc") ? .string("abcd") : .string("abc")
    case .int64: value == .int64(1) ? .int64(0) : .int64(1)
    case .double: value == .double(1) ? .double(2) : .double(1)
    case .timestamp: .timestamp(Bazaar.noon + .hours(5))
    case .asset: .asset(Asset(fileChecksum: "z", size: 1))
    case .assets: .assets([])
    case .strings: .strings(["z"])
    }
  }

  @Test func `MS-105: of an offer its driver may change the state alone (2.11)`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.order()
    bazaar.move(to: "accepted", by: Bazaar.partner)
    let offer = bazaar.openOffer()!.name
    for (field, value) in [
      (.attempt, .int64(2)), (.distanceMeters, .double(1)), (.driverId, .string("d-2")),
      (.expiresAt, .timestamp(bazaar.now + .hours(1))),
    ] as [(FieldName, FieldValue)] {
      for actor in [Bazaar.driver(1), Bazaar.admin] {
        #expect(bazaar.update(offer, [field: value], by: actor)?.code == .accessDenied, "\(field)")
      }
    }
    #expect(bazaar.update(offer, [.state: .string("declined")], by: Bazaar.driver(1)) == nil)
  }

  @Test func `creating and deleting by role (2.14)`() {
    let rows: [(RecordType, Fields, [String: Bool])] = [
      (
        "Partner", Bazaar.partnerFields(),
        ["partner": true, "admin": true, "customer": false, "driver": false]
      ),
      (
        "Product", Bazaar.productFields(),
        ["partner": true, "admin": true, "customer": false, "driver": false, "other": false]
      ),
      ("UserProfile", [:], ["partner": false, "admin": false, "customer": false]),
      ("DriverOffer", [:], ["driver": false, "admin": false]),
      ("AuditEvent", [:], ["admin": false]),
    ]
    let actors: [String: Actor] = [
      "customer": Bazaar.customer, "partner": Bazaar.partner, "driver": Bazaar.driver(1),
      "admin": Bazaar.admin, "other": Bazaar.otherPartner,
    ]
    for (type, fields, allowed) in rows {
      for (role, isAllowed) in allowed {
        var bazaar = bazaar()
        let failure = bazaar.create("new", type, fields, by: actors[role]!)
        #expect((failure == nil) == isAllowed, "\(type) by \(role)")
        if !isAllowed { #expect(failure?.code == .accessDenied) }
      }
    }
    for (name, allowed) in [
      ("soup" as RecordName, ["partner", "admin"]), ("position", ["driver"]), ("o-1", []),
      ("d-1", []),
      ("c-o-1", []), ("u-customer", []),
    ] {
      for (role, actor) in actors {
        var bazaar = bazaar()
        guard bazaar.sees(name, actor) else { continue }
        #expect(
          (bazaar.delete(name, by: actor) == nil) == allowed.contains(role), "\(name) by \(role)")
      }
    }
  }

  @Test func `MS-25: a partner goes with its products, not while orders run`() {
    var bazaar = Bazaar()
    bazaar.order()
    #expect(bazaar.delete("p-1", by: Bazaar.partner)?.code == .badRequest)
    bazaar.move(to: "cancelled", by: Bazaar.customer)
    #expect(bazaar.delete("p-1", by: Bazaar.partner) == nil)
    #expect(bazaar.shelf.record("soup") == nil)
    #expect(bazaar.shelf.record("tea") != nil)
  }

  @Test func `MS-109: an unverified partner completes its profile and sells nothing`() {
    var bazaar = Bazaar()
    #expect(bazaar.create("p-3", "Partner", Bazaar.partnerFields(), by: Bazaar.partner) == nil)
    let partner = bazaar.shelf.record("p-3")!
    #expect(
      !partner[Partner.isVerified] && !partner[Partner.isActive]
        && partner[Partner.reviewCount] == 0)
    #expect(bazaar.update("p-3", [.name: .string("Neu")], by: Bazaar.partner) == nil)
    #expect(
      bazaar.create("n", "Product", Bazaar.productFields(of: "p-3"), by: Bazaar.partner)?.essence
        == "ACCESS_DENIED CKErrorPermissionFailure - partner_unverified")
    #expect(
      bazaar.update("p-3", [.isActive: .int64(1)], by: Bazaar.partner)?.code == .accessDenied)
    #expect(bazaar.update("p-3", [.isVerified: .int64(1)], by: Bazaar.admin) == nil)
    #expect(bazaar.update("p-3", [.isActive: .int64(1)], by: Bazaar.partner) == nil)
    #expect(
      bazaar.create("n", "Product", Bazaar.productFields(of: "p-9"), by: Bazaar.partner)?.code
        == .validatingReferenceError)
  }

  @Test func `partners see drivers of the supply in reduced form (3.4)`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1, at: Geography.Point(52.51749, 13.38851))
    let driver = bazaar.shelf.record("d-1")!
    #expect(bazaar.market.supply(driver, to: Bazaar.customer) == nil)
    #expect(bazaar.market.supply(driver, to: Bazaar.driver(1)) == nil)
    #expect(bazaar.market.supply(driver, to: Bazaar.admin) == driver)
    let reduced = bazaar.market.supply(driver, to: Bazaar.partner)!
    #expect(
      reduced.fields.names == [
        .currentLatitude, .currentLongitude, .isAvailable, .isOnline, .rating, .vehicleType,
      ])
    #expect(reduced[Driver.currentLatitude] == 52.517)
    #expect(reduced[Driver.currentLongitude] == 13.389)
    #expect(reduced.created.userRecordName == "_system")
  }
}
