import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

private typealias S = MarketStory

/// Stories for the limits of §4.1 and the change tags of §4.9.
enum PlatformCases {
  static let all = rates + sizes + batches + tags

  // MARK: Rates

  private static let current = MimiSupply.Request.currentUser(Location(database: "public"))
  private static let welcome = S.replied(.user(UserIdentity(userRecordName: "alice")))

  private static func throttled(after wait: Span?) -> Outcome<MimiSupply> {
    S.refused(Failure(.throttled, .requestRateLimited, retryAfter: wait))
  }

  /// So many admissions at once, each answered within a tenth of a second.
  private static func admit(
    _ count: Int, _ story: inout MarketStory, as name: String = "alice", device: DeviceName? = nil
  ) {
    for _ in 0..<count {
      story.ask(current, as: name, device: device, welcome, then: .zero)
    }
  }

  private static let rates: [MarketCase] = [
    MarketCase(.ms01) {
      admit(40, &$0)
      $0.ask(current, throttled(after: .seconds(1)), then: .seconds(2))
      admit(40, &$0)
    } fails: {
      admit(41, &$0)
    },
    // What arrives twice is admitted twice.
    MarketCase(.ms01) {
      admit(38, &$0)
      $0.ask(current, welcome, then: .zero, meeting: .duplicate)
      $0.ask(current, throttled(after: nil), then: .minutes(2))
      $0.ask(current, welcome)
    } fails: {
      admit(37, &$0)
      $0.ask(current, welcome, then: .zero, meeting: .duplicate)
      $0.ask(current, throttled(after: nil), then: .minutes(2))
      $0.ask(current, welcome)
    },
    MarketCase(.ms02) {
      admit(40, &$0)
      $0.now += .milliseconds(500)
      $0.ask(current, throttled(after: .milliseconds(500)))
    } fails: {
      $0.ask(current, throttled(after: nil))
    },
    MarketCase(.ms03) {
      admit(20, &$0, device: "a")
      admit(20, &$0, device: "b")
      admit(40, &$0, as: "bob")
    } fails: {
      admit(30, &$0, device: "a")
      admit(30, &$0, device: "b")
    },
  ]

  // MARK: Sizes

  private static let megabyte = 1 << 20

  /// A new product whose fields have so many bytes.
  private static func product(_ bytes: Int) -> Modification.Item {
    let text = String(repeating: "x", count: bytes - "description".utf8.count)
    return .init(
      .create, RecordDraft(name: "p", type: "Product", fields: [.description: .string(text)]))
  }

  private static func stores(_ item: Modification.Item, _ story: inout MarketStory) {
    let record = S.stored("p", "Product", item.record.fields.written, by: "olga")
    story.write([item], as: "olga", in: "public", [.saved(record)])
  }

  private static func upload(_ size: Int) -> MimiSupply.Request {
    .upload(Upload(to: Upload.path(of: "t"), .synthetic(size: size, seed: 1)))
  }

  private static func asset(_ size: Int) -> Asset { Asset(fileChecksum: "c\(size)", size: size) }

  private static func missing(_ count: Int) -> Modification {
    Modification(
      (0..<count).map { .init(.delete, RecordDraft(name: "n\($0)", changeTag: "0")) })
  }

  private static func images(_ count: Int, _ size: Int) -> Modification.Item {
    let files = FieldValue.assets(Array(repeating: asset(size), count: count))
    return .init(.update, RecordDraft(name: "p", changeTag: "1", fields: [.images: files]))
  }

  private static func configured(_ setting: String, _ value: Int, _ story: inout S) {
    story.control(.configure([setting: .number(value)]))
  }

  private static let sizes: [MarketCase] = [
    MarketCase(.ms04) {
      stores(product(megabyte), &$0)
      $0.write(
        [product(megabyte + 1)], as: "olga", in: "public",
        [S.failed("p", .badRequest, .limitExceeded, "record_too_large")])
    } fails: {
      stores(product(megabyte + 1), &$0)
    },
    MarketCase(.ms05) {
      $0.ask(upload(1 << 30), S.replied(.uploaded(asset(1 << 30))))
      $0.ask(
        upload((1 << 30) + 1),
        S.refused(Failure(.badRequest, .limitExceeded, mimiReason: "asset_too_large")))
    } fails: {
      $0.ask(upload((1 << 30) + 1), S.replied(.uploaded(asset((1 << 30) + 1))))
    },
    MarketCase(.ms07) {
      let results = (0..<400).map { S.failed("n\($0)", .notFound, .unknownItem) }
      $0.ask(
        .modify(Location(database: "private"), missing(400)), S.replied(.items(results)))
      $0.ask(
        .modify(Location(database: "private"), missing(401)),
        S.refused(Failure(.badRequest, .limitExceeded)))
    } fails: {
      let results = (0..<401).map { S.failed("n\($0)", .notFound, .unknownItem) }
      $0.ask(
        .modify(Location(database: "private"), missing(401)), S.replied(.items(results)))
    },
    // By the values in force: what a configured backend takes is right, and what goes beyond them is not.
    MarketCase(.ms04) {
      configured("maxRecordBytes", 2 * megabyte, &$0)
      stores(product(2 * megabyte), &$0)
    } fails: {
      configured("maxRecordBytes", megabyte / 2, &$0)
      stores(product(megabyte), &$0)
    },
    MarketCase(.ms05) {
      configured("maxAssetBytes", 2 << 30, &$0)
      $0.ask(upload((1 << 30) + 1), S.replied(.uploaded(asset((1 << 30) + 1))))
    } fails: {
      configured("maxAssetBytes", 1 << 20, &$0)
      $0.ask(upload(1 << 30), S.replied(.uploaded(asset(1 << 30))))
    },
    MarketCase(.ms07) {
      configured("maxOperationsPerRequest", 500, &$0)
      let results = (0..<500).map { S.failed("n\($0)", .notFound, .unknownItem) }
      $0.ask(
        .modify(Location(database: "private"), missing(500)), S.replied(.items(results)))
    } fails: {
      configured("maxOperationsPerRequest", 300, &$0)
      let results = (0..<400).map { S.failed("n\($0)", .notFound, .unknownItem) }
      $0.ask(
        .modify(Location(database: "private"), missing(400)), S.replied(.items(results)))
    },
    MarketCase(.ms08) {
      let ten = S.stored(
        "p", "Product", [.images: .assets(Array(repeating: asset(3 << 20), count: 10))])
      $0.write([images(10, 3 << 20)], as: "olga", in: "public", [.saved(ten)])
      $0.write(
        [images(11, 3 << 20)], as: "olga", in: "public",
        [S.failed("p", .badRequest, .constraintViolation, "too_many_images")])
    } fails: {
      let large = S.stored("p", "Product", [.images: .assets([asset((3 << 20) + 1)])])
      $0.write([images(1, (3 << 20) + 1)], as: "olga", in: "public", [.saved(large)])
    },
  ]

  // MARK: Batches, scans, feeds

  private static let zone = Zone("MimiSupplyZone")

  private static func creating(_ names: RecordName...) -> [Modification.Item] {
    names.map { .init(.create, RecordDraft(name: $0, type: "Order")) }
  }

  private static let bad = S.failed("b", .badRequest, .constraintViolation, "total_mismatch")
  private static let undone = S.failed("a", .atomicError, .batchRequestFailed)

  private static func page(_ marker: String?) -> MimiSupply.Request {
    let query = RecordQuery("Product", [Filter(.partnerId, .equals, .string("p"))])
    return .query(
      Location(database: "public"), Query(query, resultsLimit: 1, continuationMarker: marker))
  }

  private static func dish(_ name: RecordName) -> CloudRecord {
    S.stored(name, "Product", [.partnerId: .string("p")], by: "olga")
  }

  private static func dishes(_ story: inout MarketStory) {
    for name: RecordName in ["a", "b"] {
      story.write(
        [.init(.create, RecordDraft(name: name, type: "Product"))], as: "olga", in: "public",
        [.saved(dish(name))])
    }
  }

  private static func feed(_ token: String?) -> MimiSupply.Request {
    .changes(Location(database: "private"), FeedQuery(zone: zone, syncToken: token))
  }

  private static func position(_ story: inout MarketStory) {
    let item = Modification.Item(.create, RecordDraft(name: "x", type: "DriverLocation"))
    story.write(
      [item], as: "dirk", zone: zone, [.saved(S.stored("x", "DriverLocation", by: "dirk"))])
    story.ask(
      feed(nil), as: "dirk",
      S.replied(
        .feed(
          [.saved(S.stored("x", "DriverLocation", by: "dirk"))], syncToken: "1",
          moreComing: false)))
    let gone = Modification.Item(.delete, RecordDraft(name: "x", changeTag: "1"))
    story.write([gone], as: "dirk", zone: zone, [.deleted(recordName: "x")])
  }

  private static let batches: [MarketCase] = [
    MarketCase(.ms09) {
      $0.write(creating("a", "b"), zone: zone, [undone, bad])
      $0.look(["a"], [S.failed("a", .notFound, .unknownItem)])
      $0.write(creating("c", "d"), [.saved(S.stored("c", "Order")), bad])
    } fails: {
      $0.write(creating("a", "b"), zone: zone, [.saved(S.stored("a", "Order")), bad])
    },
    MarketCase(.ms10) {
      dishes(&$0)
      $0.ask(page(nil), as: nil, S.replied(.found([dish("a")], continuationMarker: "m")))
      $0.ask(page("m"), as: nil, S.replied(.found([dish("b")], continuationMarker: nil)))
    } fails: {
      dishes(&$0)
      $0.ask(page(nil), as: nil, S.replied(.found([dish("a")], continuationMarker: "m")))
      $0.ask(page("m"), as: nil, S.replied(.found([dish("a")], continuationMarker: nil)))
    },
    MarketCase(.ms11) {
      position(&$0)
      $0.ask(
        feed("1"), as: "dirk",
        S.replied(.feed([.deleted(recordName: "x")], syncToken: "2", moreComing: false)))
    } fails: {
      position(&$0)
      $0.ask(feed("1"), as: "dirk", S.replied(.feed([], syncToken: "2", moreComing: false)))
    },
    MarketCase(.ms12) {
      $0.control(.injectFault(InjectedFault(.zoneBusy, user: "alice", zone: zone.zoneName)))
      $0.ask(
        .modify(Location(database: "private"), Modification(creating("a"), zone: zone)),
        S.refused(Failure(.tryAgainLater, .zoneBusy, retryAfter: .seconds(2))))
      $0.look(["a"], as: "ada", [S.failed("a", .notFound, .unknownItem)])
    } fails: {
      $0.ask(
        .modify(Location(database: "private"), Modification(creating("a"), zone: zone)),
        S.refused(Failure(.tryAgainLater, .zoneBusy, retryAfter: .seconds(2))))
      $0.look(["a"], as: "ada", [.saved(S.stored("a", "Order"))])
    },
  ]

  // MARK: Tags

  private static func update(_ tag: String) -> Modification.Item {
    .init(.update, RecordDraft(name: "p", changeTag: tag))
  }

  private static func saved(_ tag: String, at moment: Instant) -> ItemResult {
    .saved(S.stored("p", "Product", tag: tag, by: "olga", at: moment))
  }

  private static func conflict(_ tag: String, server: String) -> ItemResult {
    S.failed(
      "p", .conflict, .serverRecordChanged,
      conflict: .init(
        server: S.stored("p", "Product", tag: server),
        client: RecordDraft(name: "p", changeTag: tag),
        ancestor: S.stored("p", "Product", tag: tag)))
  }

  private static let tags: [MarketCase] = [
    MarketCase(.ms82) {
      $0.write([update("1")], as: "olga", [saved("2", at: $0.now)])
      $0.look(["p"], [saved("2", at: $0.now - .seconds(5))])
    } fails: {
      $0.write([update("1")], as: "olga", [saved("1", at: $0.now)])
    },
    MarketCase(.ms83) {
      $0.write([update("1")], as: "olga", [saved("2", at: $0.now)])
      $0.write([update("1")], as: "olga", [conflict("1", server: "2")])
    } fails: {
      $0.write([update("1")], as: "olga", [saved("2", at: $0.now)])
      $0.write([update("1")], as: "olga", [saved("3", at: $0.now)])
    },
    MarketCase(.ms84) {
      $0.write(
        [.init(.forceUpdate, RecordDraft(name: "p"))], in: "public",
        [S.failed("p", .accessDenied, .permissionFailure)])
    } fails: {
      $0.write(
        [.init(.forceUpdate, RecordDraft(name: "p"))], in: "public",
        [saved("2", at: $0.now)])
    },
    MarketCase(.ms85) {
      $0.write([update("1")], as: "olga", [saved("2", at: $0.now)], then: .milliseconds(50))
      $0.write([update("1")], as: "olga", [conflict("1", server: "2")])
    } fails: {
      $0.write([update("1")], as: "olga", [saved("2", at: $0.now)], then: .milliseconds(50))
      $0.write([update("1")], as: "olga", [saved("3", at: $0.now)])
    },
  ]
}
