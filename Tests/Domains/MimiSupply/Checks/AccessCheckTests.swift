import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

private typealias R = SchemaRecords
private typealias S = MarketStory

/// `p` of olga, and a product of it; `d` of dirk.
private let world = [
  Fixture.Entry(
    "p", type: "Partner", creator: "olga",
    fields: R.partner.merging([.isVerified: .int64(1), .isActive: .int64(1)])),
  Fixture.Entry("dish", type: "Product", creator: "olga", fields: R.product),
  Fixture.Entry("d", type: "Driver", creator: "dirk", fields: R.driver),
]

@Suite struct `Checks of identity and access` {
  private static let cases: [MarketCase] = [
    MarketCase(.ms49) {
      $0.stores("o", "Order", R.order)
      $0.refuses("q", "Order", R.order, .accessDenied, .permissionFailure, as: "olga")
    } fails: {
      $0.stores("o", "Order", R.order, as: "olga")
    },
    MarketCase(.ms101) {
      $0.ask(.exportAccount, as: nil, needsSignIn)
      $0.ask(.query(catalogue, Query(RecordQuery("Partner"))), as: nil, nothing)
    } fails: {
      $0.ask(.query(home, Query(RecordQuery("Order"))), as: nil, nothing)
    },
    MarketCase(.ms102) {
      $0.ask(.query(catalogue, Query(RecordQuery("Partner"))), as: nil, nothing)
    } fails: {
      $0.ask(.query(catalogue, Query(RecordQuery("Partner"))), as: nil, needsSignIn)
    },
    MarketCase(.ms103) {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "2", is: "u-1")
    } fails: {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "2", is: "u-2", isNew: true)
    },
    MarketCase(.ms103) {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "2", is: "u-1")
    } fails: {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "2", is: "u-1", active: S.start + .minutes(1))
    },
    MarketCase(.ms103) {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true, sends: "a@b.c", shows: "a@b.c")
      $0.signIn("eva", nonce: "2", is: "u-1", sends: "d@e.f", shows: "a@b.c")
    } fails: {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true, sends: "a@b.c", shows: "a@b.c")
      $0.signIn("eva", nonce: "2", is: "u-1", sends: "d@e.f", shows: "d@e.f")
    },
    MarketCase(.ms103) {
      $0.changesProfile([.lastActiveAt: .timestamp(S.start + .hours(1))])
      $0.changesProfile([.lastActiveAt: .timestamp(S.start + .hours(2))])
    } fails: {
      $0.changesProfile([.lastActiveAt: .timestamp(S.start + .hours(1))])
      $0.changesProfile([.lastActiveAt: .timestamp(S.start)])
    },
    MarketCase(.ms103) {
      $0.changesProfile([.fullName: .string("A")])
      $0.changesProfile([.deviceToken: .string("t")], active: S.start + .hours(2))
    } fails: {
      $0.changesProfile([.fullName: .string("A")])
      $0.changesProfile([.deviceToken: .string("t")])
    },
    MarketCase(.ms104) {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "1", is: nil)
    } fails: {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "1", is: "u-1")
    },
    MarketCase(.ms105) {
      $0.stores("dirk", "UserProfile", R.profile, .update, as: "ada")
      $0.refuses(
        "dirk", "UserProfile", R.profile, .accessDenied, .permissionFailure, nil, .update)
    } fails: {
      $0.changes("dirk", "UserProfile", R.profile, as: "alice")
    },
    MarketCase(.ms106) {
      $0.shows("o", "Order", R.order, to: "alice")
      $0.shows("o", "Order", R.order, to: "olga")
      $0.missing("o", to: "bob")
      $0.missing("never", to: "bob")
    } fails: {
      $0.shows("o", "Order", R.order, to: "bob")
    },
    MarketCase(.ms107) {
      delivered(&$0)
      $0.missing("d", to: "alice")
    } fails: {
      delivered(&$0)
      $0.shows("d", "Driver", R.driver, to: "alice", by: "dirk")
    },
    MarketCase(.ms108) {
      $0.stores("p2", "Partner", R.partner, as: "olga")
    } fails: {
      $0.stores("p2", "Partner", R.partner, with: [.isVerified: .int64(1)], as: "olga")
    },
    MarketCase(.ms109) {
      $0.stores("q", "Product", R.product, in: "public", as: "olga")
      $0.refuses(
        "q", "Product", R.product, .accessDenied, .permissionFailure, as: "bob", in: "public")
    } fails: {
      $0.stores("q", "Product", R.product, in: "public", as: "bob")
    },
    MarketCase(.ms110) {
      $0.uploads(shown: "/a/1")
      $0.downloads("/a/1")
      $0.downloads("/a/2", nil)
      $0.now += .minutes(15)
      $0.downloads("/a/1", nil)
    } fails: {
      $0.uploads(shown: "/a/1")
      $0.now += .minutes(15)
      $0.downloads("/a/1")
    },
    MarketCase(.ms110) {
      $0.uploads(shown: "/a/1")
    } fails: {
      $0.uploads(shown: "/a/1", saidToHave: 2)
    },
  ]

  private static let catalogue = Location(database: "public")
  private static let home = Location(database: "private")
  private static let nothing = S.replied(.found([], continuationMarker: nil))
  private static let needsSignIn = S.refused(
    Failure(.authenticationRequired, .notAuthenticated))

  /// An order of alice that dirk has had.
  private static func delivered(_ story: inout MarketStory) {
    let carried = R.order.merging([.driverId: .string("d"), .status: .string("en_route")])
    story.stores("o", "Order", R.order)
    story.shows("o", "Order", carried, to: "alice")
    story.shows("d", "Driver", R.driver, to: "alice", by: "dirk")
    story.shows("o", "Order", carried.merging([.status: .string("delivered")]), to: "alice")
  }

  private static func judge(
    _ limit: MimiSupply.Rule, _ tell: (inout MarketStory) -> Void
  ) -> (violations: Int, exercised: Int, what: [String]) {
    var story = MarketStory(world)
    tell(&story)
    let judge = story.judged(by: limit)
    return (judge.violations, judge.exercised, judge.evidence.map(\.what))
  }

  @Test(arguments: cases)
  func `hold on good records and say that the rule was tried`(example: MarketCase) {
    let judged = Self.judge(example.limit, example.holds)
    #expect(judged.violations == 0, "\(judged.what)")
    #expect(judged.exercised > 0)
  }

  @Test(arguments: cases)
  func `fail on records that break their rule`(example: MarketCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  // MARK: What may not be taken for a violation

  @Test func `MS-103: who deleted the account is new again`() {
    let judged = Self.judge(.ms103) {
      $0.signIn("eva", nonce: "1", is: "u-1", isNew: true)
      $0.signIn("eva", nonce: "2", is: "u-2", isNew: true)
      // Its answer comes last, its effect came in between.
      $0.ask(
        .deleteAccount, credential: .init(apiToken: "mimi-app", userToken: "session_u-1"),
        S.replied(.done))
    }
    #expect(judged.violations == 0, "\(judged.what)")
  }

  @Test func `MS-104: the hash of one nonce is accepted for no other`() {
    let judged = Self.judge(.ms104) {
      $0.signIn("eva", nonce: "1", is: "u-1")
      $0.signIn("eva", nonce: "2", hash: "1", is: "u-1")
    }
    #expect(judged.violations == 1)
  }

  @Test func `what the operator decided is what lifetimes are judged by: MS-104, MS-110`() {
    func reused(_ lifetime: Span, after wait: Span) -> Int {
      Self.judge(.ms104) {
        $0.control(.configure(Adjustment { $0.identityTokenLifetime = lifetime }))
        $0.now += .minutes(1)
        $0.signIn("eva", nonce: "1", is: "u-1")
        $0.now += wait
        $0.signIn("eva", nonce: "1", is: "u-1")
      }.violations
    }
    #expect(reused(.minutes(4), after: .minutes(6)) == 0)
    #expect(reused(.minutes(20), after: .minutes(12)) == 1)
    func fetched(_ lifetime: Span, after wait: Span) -> Int {
      Self.judge(.ms110) {
        $0.control(.configure(Adjustment { $0.assetUrlLifetime = lifetime }))
        $0.now += .minutes(1)
        $0.uploads(shown: "/a/1")
        $0.now += wait
        $0.downloads("/a/1")
      }.violations
    }
    #expect(fetched(.hours(1), after: .minutes(30)) == 0)
    #expect(fetched(.minutes(5), after: .minutes(10)) == 1)
  }

  @Test func `MS-105: a transition brings its own changes`() {
    let paid = R.order.merging([.paymentStatus: .string("completed")])
    let cancelled = paid.merging([
      .status: .string("cancelled"), .paymentStatus: .string("refunded"),
    ])
    let judged = Self.judge(.ms105) {
      $0.shows("o", "Order", paid, to: "olga")
      $0.changes("o", "Order", cancelled, as: "olga")
    }
    #expect(judged.violations == 0, "\(judged.what)")
    #expect(judged.exercised > 0)
  }

  @Test func `MS-105: an order's amounts are not its partner's`() {
    let judged = Self.judge(.ms105) {
      $0.shows("o", "Order", R.order, to: "olga")
      $0.changes(
        "o", "Order", R.order.merging([.tipCents: .int64(500)]), as: "olga")
    }
    #expect(judged.violations == 1)
  }

  @Test func `MS-105: partners see available drivers without a name`() {
    let near = Query(
      RecordQuery(
        "Driver",
        [Filter(text: "location", .near, .position(latitude: 52.5, longitude: 13.4), distance: 100)]
      ))
    func asks(_ fields: Fields) -> Int {
      Self.judge(.ms105) {
        $0.ask(
          .query(Self.home, near), as: "olga",
          S.replied(.found([S.stored("d", "Driver", fields)], continuationMarker: nil)))
      }.violations
    }
    #expect(asks([.vehicleType: .string("car"), .currentLatitude: .double(52.123)]) == 0)
    #expect(asks([.vehicleType: .string("car"), .currentLatitude: .double(52.1234)]) == 1)
    #expect(asks([.name: .string("Dirk")]) == 1)
  }

  @Test func `MS-106: a missing record and an invisible one are refused in the same words`() {
    let judged = Self.judge(.ms106) {
      $0.missing("o", to: "bob", saying: "there is no such record")
      $0.missing("q", to: "bob", saying: "you may not see this record")
    }
    #expect(judged.violations == 1)
  }

  @Test func `MS-106: a copy in a conflict is shown like any other record`() {
    let judged = Self.judge(.ms106) {
      let conflict = ItemFailure.Conflict(
        server: S.stored("o", "Order", R.order), client: RecordDraft(name: "o"), ancestor: nil)
      $0.write(
        [.init(.create, RecordDraft(name: "o", type: "Order"))], as: "bob",
        [S.failed("o", .exists, .serverRecordChanged, conflict: conflict)])
    }
    #expect(judged.violations == 1)
  }

  @Test func `MS-106: what explains a showing may become known after it`() {
    let carried = R.order.merging([.driverId: .string("d"), .status: .string("en_route")])
    let judged = Self.judge(.ms106) {
      $0.stores("o", "Order", R.order)
      $0.shows("d", "Driver", R.driver, to: "alice", by: "dirk")
      $0.shows("o", "Order", carried, to: "alice")
    }
    #expect(judged.violations == 0, "\(judged.what)")
    let unexplained = Self.judge(.ms106) {
      $0.stores("o", "Order", R.order)
      $0.shows("d", "Driver", R.driver, to: "alice", by: "dirk")
    }
    #expect(unexplained.violations == 1)
  }

  @Test func `MS-109: a product of a partner who was verified meanwhile is no violation`() {
    let verified = R.partner.merging([.isVerified: .int64(1)])
    let product = R.product.merging([.partnerId: .string("p2")])
    func judged(verifying: Bool) -> Int {
      Self.judge(.ms109) {
        $0.stores("p2", "Partner", R.partner, in: "public", as: "olga")
        if verifying {
          $0.stores(
            "p2", "Partner", verified, .update, in: "public", as: "ada", lasting: .seconds(30),
            then: .seconds(1))
        }
        $0.stores("q", "Product", product, in: "public", as: "olga")
      }.violations
    }
    #expect(judged(verifying: true) == 0)
    #expect(judged(verifying: false) == 1)
  }

  @Test func `MS-109: who may not sell yet is told why`() {
    let product = R.product.merging([.partnerId: .string("p2")])
    func judged(_ reason: String?) -> Int {
      Self.judge(.ms109) {
        $0.stores("p2", "Partner", R.partner, in: "public", as: "olga")
        $0.refuses(
          "q", "Product", product, .accessDenied, .permissionFailure, reason, as: "olga",
          in: "public")
      }.violations
    }
    #expect(judged("partner_unverified") == 0)
    #expect(judged(nil) == 1)
  }
}

// MARK: - Short words

extension MarketStory {
  /// Somebody looks a record up and is shown it.
  fileprivate mutating func shows(
    _ name: RecordName, _ type: RecordType, _ fields: Fields, to user: UserName,
    by creator: UserName = "alice"
  ) {
    look([name], as: user.text, [.saved(Self.stored(name, type, fields, by: creator))])
  }

  /// Somebody looks a record up and is told that there is none.
  fileprivate mutating func missing(
    _ name: RecordName, to user: UserName, saying reason: String = "there is no such record"
  ) {
    look(
      [name], as: user.text, [.failed(ItemFailure(name, Failure(.notFound, .unknownItem, reason)))])
  }

  /// Somebody saves a record with the tag that it was seen with, and all its fields.
  fileprivate mutating func changes(
    _ name: RecordName, _ type: RecordType, _ fields: Fields, as user: String
  ) {
    write(
      [
        .init(
          .update,
          RecordDraft(
            name: name, type: type, changeTag: "1", fields: FieldChanges(fields)))
      ], as: user,
      [
        .saved(
          Self.stored(name, type, fields, tag: "2", at: Self.start).modified(at: now))
      ])
  }

  /// - Parameter user: Whom the backend takes it for; `nil` when the nonce was used.
  /// Alice changes her profile, which is shown with her latest activity.
  fileprivate mutating func changesProfile(_ fields: FieldChanges, active: Instant? = nil) {
    var stored = SchemaRecords.profile.merged(fields)
    if let active { stored[.lastActiveAt] = .timestamp(active) }
    write(
      [.init(.update, RecordDraft(name: "alice", changeTag: "1", fields: fields))],
      [.saved(Self.stored("alice", "UserProfile", stored))])
  }

  fileprivate mutating func signIn(
    _ apple: String, nonce: String, hash: String? = nil, is user: UserName?, isNew: Bool = false,
    active: Instant? = nil, sends email: String? = nil, shows shown: String? = nil
  ) {
    let nonce = String(repeating: "n", count: 32 - nonce.count) + nonce
    let hash = "hash of \(hash.map { String(repeating: "n", count: 32 - $0.count) + $0 } ?? nonce)"
    let asked = SignIn(
      identityToken: "sim.\(apple).\(hash).\(now.unixMilliseconds)", nonce: nonce, deviceID: "d",
      email: email)
    guard let user else {
      ask(
        .signIn(asked), as: nil,
        Self.refused(Failure(.authenticationFailed, .notAuthenticated, mimiReason: "nonce_reused")))
      return
    }
    var profile = SchemaRecords.profile.merging([
      .appleUserID: .string(apple), .lastActiveAt: .timestamp(active ?? now),
    ])
    profile[.email] = shown.map { .string($0) }
    ask(
      .signIn(asked), as: nil,
      Self.replied(
        .signedIn(
          SignInAnswer(
            userToken: "session_\(user)", expiresAt: now + .hours(24), userRecordName: user,
            isNewUser: isNew, requiresRoleSelection: isNew,
            userProfile: Self.stored(user.profile, "UserProfile", profile)))))
  }

  fileprivate mutating func uploads(shown url: String, saidToHave size: Int = 1) {
    let asset = Asset(fileChecksum: "c", size: size)
    ask(.upload(Upload(to: "/u", .bytes([1]))), Self.replied(.uploaded(asset)))
    var addressed = asset
    addressed.downloadURL = url
    let profile = SchemaRecords.profile.merging([.profileImage: .asset(addressed)])
    look(["alice"], [.saved(Self.stored("alice", "UserProfile", profile))])
  }

  fileprivate mutating func downloads(_ path: String, _ bytes: [UInt8]? = [1]) {
    ask(
      .download(path: path), as: nil,
      bytes.map { Self.replied(.downloaded($0)) }
        ?? Self.refused(Failure(.notFound, .assetFileNotFound)))
  }
}

extension CloudRecord {
  fileprivate func modified(at instant: Instant) -> CloudRecord {
    var copy = self
    copy.modified.timestamp = instant
    return copy
  }
}
