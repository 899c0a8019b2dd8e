import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `MimiSupply's writes` {
  @Test func `a stale tag changes nothing and brings all three copies (MS-83)`() throws {
    var city = City()
    let first = try city.save(city.order("o-1"), as: "customer-1")
    let second = try city.save(
      city.updating(first, [.deliveryInstructions: .string("ring")]), as: "customer-1")
    #expect(second.changeTag != first.changeTag)
    let before = city.state

    let stale = city.updating(first, [.deliveryInstructions: .string("knock")])
    let failed = try city.failure(stale, as: "customer-1")

    #expect(failed.failure.code == .conflict && failed.failure.native == .serverRecordChanged)
    #expect(failed.conflict?.server == second)
    #expect(failed.conflict?.client == stale.record)
    #expect(failed.conflict?.ancestor == first)
    #expect(city.state == before)
  }

  @Test func `a name is unique in each of both databases (§2.1)`() throws {
    var city = City()
    let order = try city.save(city.order("product-1-1"), as: "customer-1")
    #expect(order.name == "product-1-1" && order.type == "Order")
    #expect(try city.failure(city.order("product-1-1"), as: "customer-1").failure.code == .exists)
    #expect(try city.lookup("product-1-1", as: "customer-1")?.type == "Order")
    #expect(try city.lookup("product-1-1", as: nil, in: "public")?.type == "Product")
    // Each is changed, reserved, restored and told of by itself.
    let stocked = Modification.Item(
      .forceUpdate, RecordDraft(name: "product-1-1", fields: [.stockQuantity: .int64(2)]))
    _ = try city.save(stocked, as: "partner-1", in: "public")
    let twin = try city.save(city.order("partner-1"), as: "customer-1")
    let sold = try #require(try city.lookup("product-1-1", as: nil, in: "public"))
    #expect(sold[Product.stockQuantity] == 0 && !sold[Driver.isAvailable])
    _ = try city.save(city.updating(twin, [.status: .string("cancelled")]), as: "customer-1")
    let back = try #require(try city.lookup("product-1-1", as: nil, in: "public"))
    #expect(back[Product.stockQuantity] == 2 && back[Driver.isAvailable])
    #expect(try city.lookup("product-1-1", as: "customer-1")?.changeTag == order.changeTag)
    let removal = Modification.Item(.forceDelete, RecordDraft(name: "product-1-1"))
    _ = try city.modify([removal], as: "partner-1", in: "public")
    #expect(try city.lookup("product-1-1", as: nil, in: "public") == nil)
    #expect(try city.lookup("product-1-1", as: "customer-1") != nil)
  }

  @Test
  func `who claims too late gets his own copy and the state that he had read (MS-83, MS-106)`()
    throws
  {
    var city = City()
    city.operate(.configure(["dispatchMode": "pool"]))
    for driver in ["driver-1", "driver-2"] {
      let position = RecordDraft(
        name: "\(driver)-here", type: "DriverLocation",
        fields: [
          .driverId: .string(driver), .latitude: .double(52.517), .longitude: .double(13.3888),
          .timestamp: .timestamp(city.now),
        ])
      _ = try city.save(.init(.create, position), as: driver)
    }
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let open = try city.save(
      city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    #expect(try city.lookup("o-1", as: "driver-2")?.changeTag == open.changeTag)
    let taken = try city.save(
      city.updating(open, [.driverId: .string("driver-1")]), as: "driver-1")
    let claim = city.updating(open, [.driverId: .string("driver-2")])

    let late = try city.failure(claim, as: "driver-2")

    #expect(late.failure.code == .conflict)
    #expect(late.conflict == .init(server: nil, client: claim.record, ancestor: open))
    #expect(try city.lookup("o-1", as: "driver-2") == nil)
    // A tag that he guesses brings nothing: neither what was before he looked nor what came after.
    _ = try city.save(
      city.updating(taken, [.deliveryInstructions: .string("ring")]), as: "customer-1")
    for guessed in [order.changeTag, taken.changeTag] {
      let guess = try city.failure(
        city.updating(open, [.driverId: .string("driver-2")], tag: guessed), as: "driver-2")
      #expect(guess.failure.code == .conflict && guess.conflict?.ancestor == nil)
      #expect(guess.conflict?.server == nil)
    }
  }

  @Test func `save policies compare tags, create and keep fields as section 3 has them`() throws {
    var city = City()
    let product = try #require(try city.lookup("product-1-1", as: "partner-1", in: "public"))
    func save(_ kind: Modification.Kind, _ tag: String?, _ fields: FieldChanges)
      throws -> ItemResult
    {
      let draft = RecordDraft(
        name: "product-1-1", type: "Product", changeTag: tag, fields: fields)
      return try city.modify([.init(kind, draft)], as: "partner-1", in: "public")[0]
    }
    #expect(try save(.update, nil, [.name: .string("Wurst")]).failure?.failure.code == .badRequest)
    let renamed = try #require(try save(.forceUpdate, nil, [.name: .string("Wurst")]).record)
    #expect(renamed.fields[.priceCents] == product.fields[.priceCents], "unspecified fields stay")
    #expect(
      try save(.update, product.changeTag, [.name: .string("Rost")]).failure?.failure.code
        == .conflict)
    #expect(
      try save(.replace, renamed.changeTag, [.name: .string("Brat")]).failure?.failure.code
        == .badRequest, "a replacement without required fields removes them")
    var whole = FieldChanges(renamed.fields)
    whole[.stockQuantity] = .int64(3)
    let replaced = try #require(try save(.replace, renamed.changeTag, whole).record)
    whole[.stockQuantity] = nil
    let again = try #require(try save(.forceReplace, nil, whole).record)
    #expect(replaced.fields[.stockQuantity] == .int64(3) && again.fields[.stockQuantity] == nil)
    #expect(try save(.create, nil, whole).failure?.failure.code == .exists)
    for kind in [Modification.Kind.update, .replace, .delete] {
      let failed = try city.failure(
        .init(kind, RecordDraft(name: "product-9-9", changeTag: "1")), as: "partner-1",
        in: "public")
      #expect(failed.failure.code == .notFound)
    }
    let gone = try city.modify(
      [.init(.forceDelete, RecordDraft(name: "product-9-9"))], as: "partner-1", in: "public")
    #expect(gone == [.deleted(recordName: "product-9-9")])
    #expect(try save(.delete, "stale", [:]).failure?.failure.code == .conflict)
    #expect(try save(.delete, again.changeTag, [:]) == .deleted(recordName: "product-1-1"))
  }

  @Test
  func `creating a name again yields EXISTS, with copies for who sees it alone (MS-48, MS-106)`()
    throws
  {
    var city = City()
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let before = city.state
    let again = try city.failure(city.order("o-1"), as: "customer-1")
    #expect(again.failure.code == .exists && again.conflict?.server == order)
    #expect(again.conflict?.ancestor?.fields == [:])
    let foreign = try city.failure(
      city.order("o-1", customer: "user-customer-2"), as: "customer-2")
    #expect(foreign.failure.code == .exists && foreign.conflict == nil)
    let hidden = try city.failure(
      city.updating(order, [.tipCents: .int64(1)]), as: "customer-2")
    let missing = try city.failure(
      .init(.update, RecordDraft(name: "o-9", changeTag: "1")), as: "customer-2")
    #expect(hidden.failure == missing.failure && hidden.conflict == nil)
    #expect(city.state == before)
  }

  @Test(arguments: 0..<4)
  func `in an atomic zone one bad operation undoes all, in a default zone none other (MS-09)`(
    position: Int
  ) throws {
    for zone in [Zone("MimiSupplyZone"), nil] {
      var city = City()
      let before = city.state
      var items = (0..<4).map { city.order("o-\($0)") }
      items[position].record.fields[.totalCents] = .int64(1)
      let results = try city.modify(items, as: "customer-1", zone: zone)
      for (index, result) in results.enumerated() {
        switch (zone, index == position) {
        case (_, true): #expect(result.failure?.failure.mimiReason == "total_mismatch")
        case (nil, false): #expect(result.record?.name == "o-\(index)")
        case (_, false):
          #expect(result.failure?.failure.code == .atomicError)
          #expect(result.failure?.failure.native == .batchRequestFailed)
        }
      }
      if zone != nil { #expect(city.state == before, "no trace remains") }
    }
  }

  @Test func `a batch that is not to be atomic is none, in a custom zone too`() throws {
    var city = City()
    var bad = city.order("o-1")
    bad.record.fields[.totalCents] = .int64(1)
    let results = try city.modify(
      [city.order("o-0"), bad], as: "customer-1", zone: Zone("MimiSupplyZone"), atomic: false)
    #expect(results[0].record?.zone.zoneName == "MimiSupplyZone" && results[1].failure != nil)
  }

  @Test func `a record may grow to its bound and not a byte beyond, by updates too (MS-04)`() throws
  {
    var city = City()
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let backend = 1_048_576 - order.bytes - "deliveryInstructions".utf8.count
    let full = String(repeating: "x", count: backend)
    let over = try city.failure(
      city.updating(order, [.deliveryInstructions: .string(full + "x")]), as: "customer-1")
    #expect(over.failure.mimiReason == "record_too_large" && over.failure.native == .limitExceeded)
    let grown = try city.save(
      city.updating(order, [.deliveryInstructions: .string(full)]), as: "customer-1")
    #expect(grown.bytes == 1_048_576)
  }

  @Test func `a full database takes no growth, and what shrinks still works (MS-06)`() throws {
    var city = City()
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let used = city.twin.shelf.bytes
    city.operate(.configure(["maxDatabaseBytes": .number(used)]))
    let failed = try city.failure(city.order("o-2"), as: "customer-1")
    #expect(failed.failure.code == .quotaExceeded && failed.failure.native == .quotaExceeded)
    #expect(try city.lookup("o-1", as: "customer-1") == order)
    let partner = try #require(try city.lookup("partner-2", as: "partner-2", in: "public"))
    _ = try city.save(
      city.updating(partner, [.description: .string("-")]), as: "partner-2", in: "public")
    #expect(city.twin.shelf.bytes < used, "what shrinks makes the database smaller")
    #expect(city.twin.countersDocument["bytes"] == .number(city.twin.shelf.bytes))
  }

  @Test func `what fits exactly ends at the limit, and a byte more does not fit (MS-06)`() throws {
    var city = City()
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let used = city.twin.shelf.bytes
    city.operate(.configure(["maxDatabaseBytes": .number(used + order.bytes - 1)]))
    #expect(
      try city.failure(city.order("o-2"), as: "customer-1").failure.code == .quotaExceeded)
    city.operate(.configure(["maxDatabaseBytes": .number(used + order.bytes)]))
    _ = try city.save(city.order("o-2"), as: "customer-1")
    #expect(city.twin.shelf.bytes == used + order.bytes)
    // Entries of the audit log are the twin's own.
    for _ in 0..<5 { _ = try city.lookup("o-2", as: "admin") }
    let second = try #require(try city.lookup("o-2", as: "customer-1"))
    _ = try city.save(city.updating(second, [.status: .string("cancelled")]), as: "customer-1")
  }

  @Test func `side effects count, and a commit that they make too large has none (MS-06)`() throws {
    var city = City()
    let position = RecordDraft(
      name: "here", type: "DriverLocation",
      fields: [
        .driverId: .string("driver-1"), .latitude: .double(52.517), .longitude: .double(13.3888),
        .timestamp: .timestamp(city.now),
      ])
    _ = try city.save(.init(.create, position), as: "driver-1")
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let accepted = city.updating(order, [.status: .string("accepted")])
    city.operate(.configure(["maxDatabaseBytes": .number(city.twin.shelf.bytes + 50)]))
    let before = city.state

    // The order gets smaller, and the offer that follows is too large.
    let full = try city.failure(accepted, as: "partner-1")

    #expect(full.failure.code == .quotaExceeded && city.state == before)
    city.operate(.configure(["maxDatabaseBytes": .number(city.twin.shelf.bytes + 1_000)]))
    _ = try city.save(accepted, as: "partner-1")
    #expect(city.twin.shelf.count(of: "DriverOffer") == 1)
  }
}
