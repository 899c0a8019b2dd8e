import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

private let publicly = Location(database: "public")

@Suite struct `Hostile requests to MimiSupply` {
  private static let product: FieldChanges = [
    .partnerId: .string("partner-1"), .name: .string("Abc"), .description: .string(""),
    .priceCents: .int64(100), .category: .string("food"), .isAvailable: .int64(1),
    .createdAt: .timestamp(cityNoon), .updatedAt: .timestamp(cityNoon),
  ]

  private func product(
    _ name: RecordName?, _ more: FieldChanges = [:], _ kind: Modification.Kind = .create
  ) -> Modification.Item {
    Modification.Item(
      kind,
      RecordDraft(name: name, type: "Product", fields: Self.product.merging(more)))
  }

  /// What one request over the wire is answered.
  private func answer(
    _ city: inout City, _ path: String, _ body: String, as user: String
  ) -> Outcome<MimiSupply>? {
    let place = "/database/1/iCloud.com.mimisupply.app/production/"
    let wire = WireRequest(
      "POST", "\(place)\(path)?ckAPIToken=a&ckWebAuthToken=session-\(user)", body: Array(body.utf8))
    let (request, credential) = MimiSupply.read(wire)
    return city.line.ask(request, with: credential, at: city.now)
  }

  // MARK: Schema

  @Test(arguments: [FieldName.rating, .reviewCount, .isVerified, .isActive])
  func `a value that the twin overwrites is of its type all the same (MS-14)`(field: FieldName)
    throws
  {
    var city = City()
    let before = city.state
    let known = try #require(city.twin.shelf.record("partner-1"))
    var fields = FieldChanges(known.fields)
    fields[field] = .untyped(#""1""#)
    let item = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    #expect(try city.failure(item, as: "partner-1", in: "public").failure.code == .badRequest)
    fields[field] = .int64(7)
    let outside = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    if field.text.hasPrefix("is") {
      #expect(try city.failure(outside, as: "partner-1", in: "public").failure.code == .badRequest)
    }
    #expect(city.state == before)
    fields[field] = known.fields[field]
    let whole = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    let branch = try city.save(whole, as: "partner-1", in: "public")
    #expect(!branch[Partner.isVerified] && !branch[Partner.isActive])
  }

  @Test func `updatedAt is overwritten, but only by a write that gives an instant (MS-14)`() throws
  {
    var city = City()
    let wrong = product("p-1", [.updatedAt: .string("today")])
    #expect(
      try city.failure(wrong, as: "partner-1", in: "public").failure.native == .invalidArguments)
    let early = product("p-1", [.updatedAt: .timestamp(cityNoon - .hours(5))])
    let stored = try city.save(early, as: "partner-1", in: "public")
    #expect(stored.fields[.updatedAt] == .timestamp(cityNoon))
  }

  @Test func `an unknown field is refused even to be removed (MS-15)`() throws {
    var city = City()
    let before = city.state
    let removal = FieldChanges(undeclared: "colour", nil)
    for item in [
      product("p-1", removal), product("product-1-1", removal, .forceUpdate),
      product("product-1-1", removal, .forceReplace),
    ] {
      let failed = try city.failure(item, as: "partner-1", in: "public")
      #expect(failed.failure.native == .invalidArguments, "\(item.kind)")
    }
    #expect(city.state == before)
  }

  @Test func `a type that is no text is none, and so is a half-read notificationInfo`() throws {
    var city = City()
    let typed = #"""
      {"operations":[{"operationType":"forceUpdate","record":{"recordName":"product-1-1",
      "fields":{"weight":{"value":1,"type":5}}}}]}
      """#
    let results = answer(&city, "public/records/modify", typed, as: "partner-1")?.reply?.content
    guard case .items(let items)? = results else { throw ControlProblem("no items") }
    #expect(items.first?.failure?.failure.native == .invalidArguments)
    let subscription = #"""
      {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s",
      "subscriptionType":"query","query":{"recordType":"Order"},"firesOn":["create"],
      "notificationInfo":{"shouldBadge":"yes"}}}]}
      """#
    let made =
      answer(&city, "private/subscriptions/modify", subscription, as: "partner-1")?.reply?.content
    guard case .subscriptions(let made)? = made, case .failed(_, let failure)? = made.first else {
      throw ControlProblem("it was stored")
    }
    #expect(failure.native == .invalidArguments)
  }

  @Test func `numbersAsStrings reads texts where the schema wants numbers, in writes and queries`()
    throws
  {
    var city = City()
    let write = #"""
      {"numbersAsStrings":true,"operations":[{"operationType":"forceUpdate","record":{
      "recordName":"product-1-1","fields":{"priceCents":{"value":"250"}}}}]}
      """#
    guard
      case .items(let items)? = answer(
        &city, "public/records/modify", write, as: "partner-1")?.reply?.content
    else { throw ControlProblem("no items") }
    #expect(items.first?.record?.fields[.priceCents] == .int64(250))
    for (value, expected) in [(#""250""#, 1), (#""25x""#, nil), ("250", 1)] as [(String, Int?)] {
      let query = """
        {"numbersAsStrings":true,"query":{"recordType":"Product","filterBy":[{"comparator":"EQUALS",
        "fieldName":"priceCents","fieldValue":{"value":\(value)}}]}}
        """
      let content = answer(&city, "public/records/query", query, as: "partner-1")?.reply?.content
      var count: Int?
      if case .found(let records, _)? = content { count = records.count }
      #expect(count == expected, "\(value)")
    }
    let plain = write.replacing(#""numbersAsStrings":true,"#, with: "")
    guard
      case .items(let items)? = answer(
        &city, "public/records/modify", plain, as: "partner-1")?.reply?.content
    else { throw ControlProblem("no items") }
    #expect(items.first?.failure?.failure.native == .invalidArguments)
  }

  @Test func `EQUALS null asks of lists and files, too, whether they are there`() throws {
    var city = City()
    _ = try city.save(
      product("product-1-1", [.tags: .strings(["Bio"])], .forceUpdate), as: "partner-1",
      in: "public")
    func found(_ type: RecordType, _ field: String, _ comparator: String) throws -> Int {
      let query = RecordQuery(type, [Filter(field, text: comparator, nil)])
      guard case .found(let records, _) = try city.content(.query(publicly, Query(query))) else {
        return -1
      }
      return records.count
    }
    let all = city.twin.shelf.count(of: "Product")
    #expect(try found("Product", "tags", "NOT_EQUALS") == 1)
    #expect(try found("Product", "tags", "EQUALS") == all - 1)
    #expect(try found("Partner", "logo", "EQUALS") == 10)
  }

  // MARK: Names and the audit log

  @Test
  func `nobody changes the audit log, and nobody takes its names or those of offers (MS-112)`()
    throws
  {
    var city = City()
    let entry = try #require(try city.lookup("audit_1", as: "admin"))
    for kind in [Modification.Kind.update, .forceUpdate, .forceReplace, .delete, .forceDelete] {
      let item = Modification.Item(
        kind, RecordDraft(name: "audit_1", type: "AuditEvent", changeTag: entry.changeTag))
      #expect(try city.failure(item, as: "admin").failure.code == .accessDenied, "\(kind)")
    }
    let update = Modification.Item(.update, RecordDraft(name: "audit_1", changeTag: "1"))
    #expect(try city.failure(update, as: "customer-1").failure.code == .notFound)
    #expect(try city.lookup("audit_1", as: "admin") == entry)
    for name: RecordName in ["audit_1", "audit_99999", "offer_60"] {
      let failed = try city.failure(city.order(name), as: "customer-1")
      #expect(failed.failure.code == .exists && failed.conflict == nil, "\(name)")
      // The public database has names of its own (§2.1).
      _ = try city.save(product(name), as: "partner-1", in: "public")
    }
    for name: RecordName in ["audit_x", "offer_", "offer_6a"] {
      _ = try city.save(city.order(name), as: "customer-1")
    }
  }

  @Test func `MS-105: where permissions are switched off, the log still keeps its entries`() throws
  {
    var city = City(rules: Rules<MimiSupply.Rule>(off: ["MS-105"]))
    let entry = try #require(try city.lookup("audit_1", as: "admin"))
    for kind in [Modification.Kind.delete, .forceDelete] {
      let item = Modification.Item(
        kind, RecordDraft(name: "audit_1", type: "AuditEvent", changeTag: entry.changeTag))
      _ = try city.modify([item], as: "admin")
    }
    #expect(try city.lookup("audit_1", as: "admin") == entry)
  }

  @Test func `who may not write learns nothing of a record's type`() throws {
    var city = City()
    let item = Modification.Item(.forceUpdate, RecordDraft(name: "partner-1", type: "Product"))
    #expect(
      try city.failure(item, as: "partner-2", in: "public").failure.code == .accessDenied)
    #expect(
      try city.failure(item, as: "partner-1", in: "public").failure.native == .invalidArguments)
  }
}
