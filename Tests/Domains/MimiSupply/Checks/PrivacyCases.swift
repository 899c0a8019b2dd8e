import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

private typealias S = MarketStory

/// Stories for §4.12.
enum PrivacyCases {
  static let all = audit + accounts

  private static func entry(
    _ number: Int64, _ event: String, _ record: RecordName? = nil,
    on device: String? = "device-alice"
  ) -> CloudRecord {
    var fields: Fields = [.sequence: .int64(number), .event: .string(event)]
    fields[.deviceId] = device.map { .string($0) }
    fields[.recordName] = record.map { .name($0) }
    return S.stored("audit_\(number)", "AuditEvent", fields, by: "_system")
  }

  private static func list(_ story: inout MarketStory, _ entries: [CloudRecord]) {
    let query = RecordQuery(
      "AuditEvent",
      [
        Filter(.userId, .equals, .string("alice")),
        Filter(.timestamp, .greaterThanOrEquals, .timestamp(S.start)),
      ])
    story.ask(
      .query(Location(database: "private"), Query(query)), as: "ada",
      S.replied(.found(entries, continuationMarker: nil)))
  }

  /// Nothing is decided before every request of the time has come back.
  private static func later(_ story: inout MarketStory) {
    for _ in 1...2 {
      story.now += .minutes(3)
      story.look(["x"], [S.failed("x", .notFound, .unknownItem)])
    }
  }

  /// An admin reads Bob's profile, once or twice, and may not be answered the second time.
  private static func reads(_ story: inout MarketStory, lost: Bool) {
    func list(_ entries: [CloudRecord]) {
      let query = RecordQuery(
        "AuditEvent",
        [
          Filter(.userId, .equals, .string("ada")),
          Filter(.timestamp, .greaterThanOrEquals, .timestamp(S.start)),
        ])
      story.ask(
        .query(Location(database: "private"), Query(query)), as: "ada",
        S.replied(.found(entries, continuationMarker: nil)))
    }
    list([])
    story.look(["bob"], as: "ada", [.saved(S.stored("bob", "UserProfile", by: "bob"))])
    if lost {
      story.ask(
        .lookup(Location(database: "private"), Lookup([.init("bob")])), as: "ada",
        .unknown(.timedOut))
    }
    list((1...2).map { entry($0, "data_access", "bob", on: "device-ada") })
    later(&story)
  }

  /// Alice makes a product that has no name of hers, and the log knows of two.
  private static func makes(_ story: inout MarketStory, meeting fault: FaultKind? = nil) {
    list(&story, [])
    story.write(
      [Modification.Item(.create, RecordDraft(name: nil, type: "UserProfile"))],
      [.saved(S.stored("one", "UserProfile"))], meeting: fault)
    list(&story, [entry(1, "data_modification", "one"), entry(2, "data_modification", "two")])
    later(&story)
  }

  private static let forged = Modification.Item(
    .forceUpdate, RecordDraft(name: "audit_1", fields: [.event: .string("none")]))
  private static let forging = MimiSupply.Request.modify(
    Location(database: "private"), Modification([forged], zone: nil, atomic: nil))

  private static let profile = Modification.Item(
    .forceUpdate, RecordDraft(name: "alice", fields: [.fullName: .string("A")]))

  private static func sequence(_ numbers: Int64...) -> Outcome<MimiSupply> {
    S.replied(.found(numbers.map { entry($0, "data_access") }, continuationMarker: nil))
  }

  private static let whole = MimiSupply.Request.query(
    Location(database: "private"), Query(RecordQuery("AuditEvent", sortedBy: [Sort(.sequence)])))

  private static let audit: [MarketCase] = [
    MarketCase(.ms111) {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))])
      list(&$0, [entry(1, "data_modification", "alice")])
      later(&$0)
    } fails: {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))])
      list(&$0, [entry(1, "data_modification", "alice"), entry(2, "data_modification", "alice")])
      later(&$0)
    },
    MarketCase(.ms111) {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))])
      list(&$0, [entry(1, "data_modification", "alice")])
      later(&$0)
    } fails: {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))])
      list(&$0, [entry(1, "data_modification", "alice", on: nil)])
      later(&$0)
    },
    MarketCase(.ms111) {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))], meeting: .duplicate)
      list(&$0, [entry(1, "data_modification", "alice"), entry(2, "data_modification", "alice")])
      later(&$0)
    } fails: {
      list(&$0, [])
      $0.write([profile], [.saved(S.stored("alice", "UserProfile"))], meeting: .duplicate)
      list(&$0, (1...3).map { entry($0, "data_modification", "alice") })
      later(&$0)
    },
    MarketCase(.ms111) {
      reads(&$0, lost: true)
    } fails: {
      reads(&$0, lost: false)
    },
    MarketCase(.ms112) {
      makes(&$0, meeting: .duplicate)
      $0.write([forged], as: "ada", [S.failed("audit_1", .accessDenied, .permissionFailure)])
    } fails: {
      makes(&$0)
    },
    MarketCase(.ms112) {
      $0.ask(forging, as: "ada", .unsent(.connectionRefused))
      $0.write([forged], as: "ada", [S.failed("audit_1", .accessDenied, .permissionFailure)])
    } fails: {
      $0.write([forged], as: "ada", [.saved(entry(1, "data_access"))])
    },
    MarketCase(.ms111) {
      list(&$0, [])
      $0.ask(.deleteAccount, S.replied(.done))
      list(&$0, [entry(1, "account_deletion")])
      later(&$0)
    } fails: {
      list(&$0, [])
      $0.ask(.deleteAccount, S.replied(.done))
      list(&$0, [])
      later(&$0)
    },
    MarketCase(.ms111) {
      $0.control(.setRiskScore(user: "alice", score: 0.81))
      $0.control(.setRiskScore(user: "alice", score: 0.9))
      list(&$0, [entry(1, "suspicious_activity", on: nil)])
    } fails: {
      $0.control(.setRiskScore(user: "alice", score: 0.81))
      list(&$0, [])
    },
    MarketCase(.ms111) {
      $0.control(.setRiskScore(user: "alice", score: 0.81))
      list(&$0, [entry(1, "suspicious_activity", on: nil)])
    } fails: {
      $0.control(.setRiskScore(user: "alice", score: 0.8))
      list(&$0, [entry(1, "suspicious_activity", on: nil)])
    },
    MarketCase(.ms112) {
      $0.ask(whole, as: "ada", sequence(7, 8, 9))
      $0.ask(whole, as: "ada", sequence(8, 9, 10))
    } fails: {
      $0.ask(whole, as: "ada", sequence(7, 9, 10))
    },
    MarketCase(.ms113) {
      list(&$0, [])
      $0.write([profile], [S.failed("alice", .accessDenied, .permissionFailure)])
      list(&$0, [entry(1, "permission_denied")])
      later(&$0)
    } fails: {
      list(&$0, [])
      $0.write([profile], [S.failed("alice", .accessDenied, .permissionFailure)])
      list(&$0, [])
      later(&$0)
    },
  ]

  private static func orders(_ story: inout MarketStory) {
    story.write(
      [.init(.create, RecordDraft(name: "o", type: "Order"))],
      [.saved(S.stored("o", "Order", order("alice")))])
  }

  private static func order(_ customer: UserName, cents: Int64 = 100) -> Fields {
    [
      .customerId: .name(customer), .subtotalCents: .int64(cents),
      .deliveryFeeCents: .int64(0), .platformFeeCents: .int64(0), .taxCents: .int64(0),
      .tipCents: .int64(0), .totalCents: .int64(cents), .status: .string("accepted"),
      .paymentMethod: .string("cash"), .paymentStatus: .string("pending"),
    ]
  }

  private static func export(_ customers: UserName...) -> Outcome<MimiSupply> {
    let orders = customers.map { customer -> JSON in
      ["recordName": "o", "fields": ["customerId": ["value": .name(customer)]]]
    }
    return S.replied(
      .exported([
        "profile": ["recordName": "alice"], "orders": .array(orders), "addresses": [],
        "paymentMethods": [], "preferences": [:],
      ]))
  }

  private static let online = Modification.Item(
    .forceUpdate, RecordDraft(name: "d", fields: [.isOnline: .int64(1)]))

  private static func withdraws(_ story: inout MarketStory) {
    story.now = S.start
    story.control(.setConsent(user: "dirk", kind: "location", granted: false))
  }

  private static let accounts: [MarketCase] = [
    MarketCase(.ms115) {
      orders(&$0)
      $0.ask(.exportAccount, export("alice"))
    } fails: {
      orders(&$0)
      $0.ask(.exportAccount, export("alice", "bob"))
    },
    MarketCase(.ms116) {
      orders(&$0)
      $0.ask(.deleteAccount, S.replied(.done))
      $0.look(
        ["o"], as: "olga", [.saved(S.stored("o", "Order", order("deleted-1"), by: "deleted-1"))])
    } fails: {
      orders(&$0)
      $0.ask(.deleteAccount, S.replied(.done))
      $0.look(["o"], as: "olga", [.saved(S.stored("o", "Order", order("alice"), by: "deleted-1"))])
    },
    MarketCase(.ms117) {
      $0.control(.setRiskScore(user: "alice", score: 0.81))
      $0.ask(
        .currentUser(Location(database: "public")),
        S.refused(
          Failure(
            .authenticationFailed, .notAuthenticated, mimiError: "authenticationRequired",
            mimiReason: "account_locked")))
    } fails: {
      $0.control(.setRiskScore(user: "alice", score: 0.81))
      $0.ask(
        .currentUser(Location(database: "public")),
        S.replied(.user(UserIdentity(userRecordName: "alice"))))
    },
    MarketCase(.ms118) {
      withdraws(&$0)
      $0.write(
        [online], as: "dirk", [S.failed("d", .badRequest, .constraintViolation, "consent_missing")])
    } fails: {
      withdraws(&$0)
      $0.write(
        [online], as: "dirk",
        [.saved(S.stored("d", "Driver", [.userId: .string("dirk")], by: "dirk"))])
    },
  ]
}
