import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

private let zone = Zone("MimiSupplyZone")

@Suite struct `MimiSupply's feeds and cursors` {
  /// Writers in the zone: orders are made, tipped, cancelled, and one driver's positions come and go.
  private struct Writers {
    var stream: RandomStream
    var count = 0
    /// Orders by name, as last answered.
    var orders: [RecordName: CloudRecord] = [:]

    mutating func write(_ city: inout City) throws {
      city.now += .milliseconds(100)
      let names = orders.keys.sorted()
      switch stream.pick(0..<4) {
      case 0, 1:
        count += 1
        let order = city.order("o-\(count)")
        orders["o-\(count)"] = try city.save(order, as: "customer-1", zone: zone)
      case 2 where !names.isEmpty:
        let name = stream.pick(names)
        let present = try #require(city.twin.shelf.record(name))
        guard present[Order.status] == "payment_confirmed" else { return }
        let tip = Int64(stream.pick(1..<500))
        let item = city.updating(
          present, [.tipCents: .int64(tip), .totalCents: .int64(1_499 + tip)])
        orders[name] = try city.save(item, as: "customer-1", zone: zone)
      case 3 where !names.isEmpty:
        let name = stream.pick(names)
        let present = try #require(city.twin.shelf.record(name))
        guard present[Order.status] == "payment_confirmed" else { return }
        orders[name] = try city.save(
          city.updating(present, [.status: .string("cancelled")]), as: "customer-1", zone: zone)
      default: break
      }
    }
  }

  /// A copy of what a user sees, kept by the feed alone.
  private struct Replica {
    let user: String
    var token: String?
    var records: [RecordName: CloudRecord] = [:]

    mutating func catchUp(_ city: inout City, limit: Int) throws {
      while true {
        let query = FeedQuery(zone: zone, syncToken: token, resultsLimit: limit)
        guard
          case .feed(let items, let next, let more) = try city.content(
            .changes(Location(database: "private"), query), as: user)
        else { return }
        #expect(Set(items.map(\.name)).count == items.count, "each record once")
        for item in items {
          switch item {
          case .saved(let record): records[record.name] = record
          case .deleted(let name): records[name] = nil
          case .failed: Issue.record("a feed holds no failures")
          }
        }
        token = next
        if !more { return }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a replica built from the feed equals the visible set under writers (MS-11)`(seed: UInt64)
    throws
  {
    var city = City()
    city.operate(.configure(["requestsPerSecondPerUser": 100_000]))
    var writers = Writers(stream: RandomStream(seed: seed, owner: 3, purpose: 0))
    var replicas = ["customer-1", "partner-1", "customer-2", "admin"].map { Replica(user: $0) }
    for round in 0..<120 {
      try writers.write(&city)
      if round % 40 == 39 {
        // The customer leaves the records' audience: what is deleted has to be told.
        try Self.deleteOldest(of: &city, &writers)
      }
      let index = writers.stream.pick(0..<4)
      try replicas[index].catchUp(&city, limit: writers.stream.pick(1..<9))
    }
    for index in replicas.indices {
      try replicas[index].catchUp(&city, limit: 3)
      let user = replicas[index].user
      let actor = city.twin.actor(of: "user-\(user)", on: nil)
      let visible = city.twin.shelf.names(inZone: "MimiSupplyZone")
        .compactMap { city.twin.shelf.record($0) }
        .filter { city.twin.market.isVisible($0, to: actor, on: city.twin.shelf) }
      #expect(
        replicas[index].records == Dictionary(uniqueKeysWithValues: visible.map { ($0.name, $0) }),
        "seed \(seed), \(user)")
    }
  }

  private static func deleteOldest(of city: inout City, _ writers: inout Writers) throws {
    guard let name = writers.orders.keys.sorted().first,
      let order = city.twin.shelf.record(name)
    else { return }
    city.line.twin.commit(
      [Change(from: order, to: nil)], by: .system, cause: .timer, at: city.now)
    writers.orders[name] = nil
  }

  @Test func `a record that leaves the visible set is a tombstone (MS-11, MS-107)`() throws {
    var city = City()
    city.operate(.configure(["dispatchMode": "auto"]))
    _ = try city.save(city.order("o-1"), as: "customer-1", zone: zone)
    let order = try #require(city.twin.shelf.record("o-1"))
    _ = try city.save(
      city.updating(order, [.status: .string("accepted")]), as: "partner-1", zone: zone)
    city.pass(.seconds(1))
    let assigned = try #require(city.twin.shelf.record("o-1"))
    let driver = try #require(assigned[Order.driver])
    let user = "driver-" + driver.text.dropFirst("driver-".count)
    var replica = Replica(user: user)
    try replica.catchUp(&city, limit: 10)
    #expect(replica.records["o-1"] == assigned)

    _ = try city.save(
      city.updating(assigned, [.driverId: nil as FieldValue?]), as: user, zone: zone)
    try replica.catchUp(&city, limit: 10)
    // Given back, it may be assigned anew at once, to the same driver or another.
    let isTheirs = city.twin.shelf.record("o-1")?[Order.driver] == driver
    #expect((replica.records["o-1"] != nil) == isTheirs)
  }

  @Test func `tokens are bound to zone and user and expire with the history`() throws {
    var city = City()
    _ = try city.save(city.order("o-1"), as: "customer-1", zone: zone)
    let here = Location(database: "private")
    guard
      case .feed(_, let token, false) = try city.content(
        .changes(here, FeedQuery(zone: zone)), as: "customer-1")
    else { throw ControlProblem("no feed") }
    let mine = FeedQuery(zone: zone, syncToken: token)
    #expect(city.ask(.changes(here, mine), as: "customer-1")?.reply != nil)
    #expect(try city.refusal(.changes(here, mine), as: "partner-1").native == .invalidArguments)
    let forged = FeedQuery(zone: zone, syncToken: "0" + token)
    #expect(try city.refusal(.changes(here, forged), as: "customer-1").code == .badRequest)
    #expect(
      try city.refusal(.changes(here, FeedQuery(zone: nil)), as: "customer-1").code == .badRequest)
    city.operate(.configure(["changeHistoryLimit": 1]))
    for index in 2..<5 { _ = try city.save(city.order("o-\(index)"), as: "customer-1", zone: zone) }
    #expect(
      try city.refusal(.changes(here, mine), as: "customer-1").native == .changeTokenExpired)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a scan returns every undisturbed record exactly once under writers (MS-10)`(seed: UInt64)
    throws
  {
    var city = City()
    city.operate(.configure(["requestsPerSecondPerUser": 100_000]))
    var stream = RandomStream(seed: seed, owner: 5, purpose: 0)
    let products = city.twin.shelf.names(of: "Product")
    var disturbed: Set<RecordName> = []
    var seen: [RecordName] = []
    let query = RecordQuery("Product", sortedBy: [Sort(.priceCents, ascending: seed % 2 == 0)])
    var marker: String?
    repeat {
      guard
        case .found(let page, let next) = try city.content(
          .query(
            Location(database: "public"),
            Query(query, resultsLimit: stream.pick(1..<5), continuationMarker: marker)))
      else { return }
      seen += page.map(\.name)
      marker = next
      let name = stream.pick(products)
      let partner = "partner-" + name.text.split(separator: "-")[1]
      if let present = city.twin.shelf.record(name) {
        disturbed.insert(name)
        let item =
          stream.chance(0.3)
          ? Modification.Item(.forceDelete, RecordDraft(name: name))
          : city.updating(present, [.priceCents: .int64(Int64(stream.pick(1..<90_000)))])
        _ = try city.modify([item], as: partner, in: "public")
      }
    } while marker != nil
    let undisturbed = Set(products).subtracting(disturbed)
    #expect(Set(seen).isSuperset(of: undisturbed), "seed \(seed)")
    for name in undisturbed { #expect(seen.count { $0 == name } == 1, "seed \(seed): \(name)") }
  }

  @Test func `a marker belongs to its query and its user`() throws {
    var city = City()
    let here = Location(database: "public")
    let query = Query(RecordQuery("Product"), resultsLimit: 2)
    guard case .found(_, let marker?) = try city.content(.query(here, query), as: "customer-1")
    else { throw ControlProblem("no marker") }
    var next = query
    next.continuationMarker = marker
    #expect(city.ask(.query(here, next), as: "customer-1")?.reply != nil)
    #expect(try city.refusal(.query(here, next), as: "customer-2").native == .invalidArguments)
    next.query = RecordQuery("Product", sortedBy: [Sort(.name)])
    #expect(try city.refusal(.query(here, next), as: "customer-1").native == .invalidArguments)
  }

  @Test func `comparators and orders find what they name`() throws {
    var city = City()
    func find(_ query: RecordQuery) throws -> [RecordName] {
      guard
        case .found(let records, _) = try city.content(
          .query(Location(database: "public"), Query(query)))
      else { return [] }
      return records.map(\.name)
    }
    func products(_ filter: Filter) throws -> Int {
      try find(RecordQuery("Product", [filter])).count
    }
    let all = city.twin.shelf.count(of: "Product")
    #expect(try products(Filter(.stockQuantity, .equals, nil)) == all - 6)
    #expect(try products(Filter(.stockQuantity, .lessThan, .int64(11))) == 3)
    #expect(try products(Filter(.stockQuantity, .lessThanOrEquals, .int64(12))) == 4)
    #expect(try products(Filter(.stockQuantity, .greaterThan, .int64(12))) == 2)
    #expect(try products(Filter(.partnerId, .isIn, .strings(["partner-3", "partner-9"]))) == 4)
    #expect(try products(Filter(.name, .beginsWith, .string("Pizza"))) == 2)
    #expect(try products(Filter(.name, .containsAllTokens, .string("MARGHERITA pizza"))) == 1)
    #expect(try products(Filter(.name, .containsAnyTokens, .string("kase brot"))) == 2)
    #expect(try products(Filter(text: "___createdBy", .equals, .string("user-partner-1"))) == 3)
    let near = Filter(
      text: "location", .near, .position(latitude: 52.5170, longitude: 13.3888), distance: 0)
    #expect(try find(RecordQuery("Partner", [near])) == ["partner-1", "partner-6"])
    let place = FieldValue.position(latitude: 52.5170, longitude: 13.3888)
    let sorted = try find(
      RecordQuery("Partner", sortedBy: [Sort(text: "location", relativeLocation: place)]))
    #expect(sorted.count == 10 && sorted[2] == "partner-9")
    #expect(sorted.last == "partner-3")
  }
}

extension ItemResult {
  fileprivate var name: RecordName {
    switch self {
    case .saved(let record): record.name
    case .deleted(let name): name
    case .failed(let failed): failed.recordName ?? ""
    }
  }
}
