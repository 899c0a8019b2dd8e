import Contracts
import MimiSupplyContract
import MimiSupplyDomain
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyJourneys

@Suite struct `People of MimiSupply` {
  /// One evening for all tests that only look at it.
  private static let evening = SmallCity().live().records

  private static var statuses: [RecordName: Set<OrderStatus>] {
    var seen: [RecordName: Set<OrderStatus>] = [:]
    for order in evening.flatMap({ $0.shown("Order") }) {
      if let status = order.status { seen[order.name, default: []].insert(status) }
    }
    return seen
  }

  @Test func `an evening is the same on any workers, and another seed makes another`() {
    var city = SmallCity()
    city.regions = 2
    city.replications = 2
    city.lasts = .hours(3)
    let digests = city.live(workers: 1).results.map(\.digest)
    #expect(city.live(workers: 2).results.map(\.digest) == digests)
    city.seed = 4
    #expect(Set(city.live(workers: 2).results.map(\.digest)).isDisjoint(with: digests))
  }

  @Test(arguments: 1...200)
  func `adversaries of a city share all acts evenly`(count: Int) {
    let acts = Adversary.acts.count
    let firsts = (1...count).map { Adversary.firstAct(of: $0, among: count) }
    let shares = zip(firsts, firsts.dropFirst() + [acts]).map { $1 - $0 }
    #expect(firsts.first == 0)
    #expect(shares.allSatisfy { [acts / count, acts / count + 1].contains($0) }, "\(shares)")
  }

  @Test func `orders go all the way from the cart to a rating`() {
    let statuses = Self.statuses
    let delivered = statuses.filter { $0.value.contains(.delivered) }
    #expect(delivered.count >= 15, "\(delivered.count) of \(statuses.count)")
    let line: Set<OrderStatus> = [
      .paymentConfirmed, .accepted, .preparing, .readyForPickup, .pickedUp, .enRoute,
    ]
    #expect(delivered.values.contains { $0.isSuperset(of: line) })
    let ratings = Self.evening.flatMap { $0.shown("DeliveryCompletion") }
      .compactMap { $0[DeliveryCompletion.customerRating] }
    #expect(!ratings.isEmpty)
    #expect(ratings.allSatisfy { (1...5).contains($0) })
  }

  @Test func `a customer without a session signs in at the first checkout, selects a role, orders`()
  {
    var signedIn: Set<UInt32> = []
    var selected: Set<UInt32> = []
    var ordered: Set<UInt32> = []
    for record in Self.evening {
      guard let person = record.person?.index, let call = record.call else { continue }
      switch call.request {
      case .signIn: signedIn.insert(person)
      case .selectRole("customer"):
        #expect(signedIn.contains(person))
        selected.insert(person)
      default:
        if !record.created("Order").isEmpty {
          #expect(call.credential?.userToken != nil, "MS-49")
          ordered.insert(person)
        }
      }
    }
    #expect(!selected.isEmpty)
    #expect(selected == signedIn)
    #expect(!ordered.isDisjoint(with: selected))
  }

  @Test func `MS-126: after a list of partners the products of its first three are fetched`() {
    // By person: what the first list showed on top, and whose products were asked for afterwards; what was asked for
    // before comes from the cache.
    var wanted: [UInt32: [RecordName]] = [:]
    var asked: [UInt32: Set<RecordName>] = [:]
    for record in Self.evening {
      guard let person = record.person?.index, case .query(_, let query)? = record.call?.request
      else { continue }
      if query.query.recordType == "Partner", query.query.filters.count == 2,
        query.query.filters[0].fieldName == "isActive"
      {
        if wanted[person] == nil { wanted[person] = record.shown("Partner").prefix(3).map(\.name) }
      } else if query.query.recordType == "Product", wanted[person] != nil,
        case .identifier(let partner)? = query.query.filters.first?.value
      {
        asked[person, default: []].insert(partner)
      }
    }
    let complete = wanted.filter { asked[$0.key]?.isSuperset(of: $0.value) == true }
    #expect(wanted.count > 10)
    // Who looked in the last minute of the evening may have been cut short.
    #expect(complete.count >= wanted.count - 2, "\(complete.count) of \(wanted.count)")
  }

  @Test
  func `MS-74: a driver on delivery sends a position every ten seconds, an idle one every thirty`()
  {
    // By driver: when positions were sent, and when the driver had an order in hand.
    var sent: [RecordName: [Instant]] = [:]
    for record in Self.evening {
      for draft in record.created("DriverLocation") {
        if let driver = draft[Order.driver] {
          sent[driver, default: []].append(record.call!.sent)
        }
      }
    }
    let gaps = sent.values.flatMap { times in
      zip(times.dropFirst(), times).map { ($0 - $1).seconds }
    }
    let short = gaps.count { (8.5...12).contains($0) }
    let long = gaps.count { (26.5...35).contains($0) }
    #expect(short > 100 && long > 100)
    // The rest: between two shifts, and where a request came in between.
    #expect(Double(short + long) > 0.95 * Double(gaps.count), "\(short) + \(long) of \(gaps.count)")
  }

  @Test func `who registers is verified by an admin and works in the same evening`() {
    var city = SmallCity()
    city.population["newcomers"] = .share(1)
    city.population["partners"] = .count(3)
    city.population["drivers"] = .count(12)
    let records = city.live().records
    let partners = records.flatMap { $0.shown("Partner") }.filter { $0[Partner.isActive] }
    #expect(Set(partners.map(\.name)) == ["partner-1", "partner-2", "partner-3"])
    let drivers = records.flatMap { $0.shown("Driver") }
    #expect(drivers.contains { $0[Driver.verificationStatus] == "pending" })
    #expect(drivers.contains { $0[Driver.isOnline] })
    #expect(records.flatMap { $0.shown("Order") }.contains { $0.status == .delivered })
  }

  @Test(arguments: ["offer", "auto", "batch", "pool"])
  func `drivers deliver in every mode`(mode: String) {
    var city = SmallCity()
    city.parameters["dispatchMode"] = .choice(mode)
    let orders = city.live().records.flatMap { $0.shown("Order") }
    let delivered = Set(orders.filter { $0.status == .delivered }.map(\.name))
    #expect(delivered.count >= 15, "\(mode): \(delivered.count)")
  }

  @Test func `a driver who gave an order back keeps it when it comes to the same driver again`() {
    var city = SmallCity()
    city.population["drivers"] = .count(3)
    city.parameters["released"] = .share(1)
    city.parameters["dispatchMode"] = .choice("auto")
    let records = city.live().records
    // By person and order: how often it was given back.
    var given: [RecordName: Int] = [:]
    for record in records {
      guard let person = record.person, let call = record.call, call.outcome.isReplied,
        case .modify(_, let asked) = call.request
      else { continue }
      for item in asked.items where item.kind == .update {
        if case .some(.none) = item.record.fields[.driverId] {
          given["\(person.index) \(item.record.name ?? "")", default: 0] += 1
        }
      }
    }
    #expect(given.count >= 3)
    #expect(given.values.allSatisfy { $0 == 1 }, "\(given)")
    #expect(records.contains { $0.shown("Order").contains { $0.status == .delivered } })
  }

  @Test func `customers who pay through the stub are confirmed or refused by it`() {
    var city = SmallCity()
    city.parameters["paymentMode"] = .choice("stub")
    city.parameters["paymentRefused"] = .share(0.3)
    let orders = city.live().records.flatMap { $0.shown("Order") }
    #expect(orders.contains { $0.status == .paymentProcessing })
    #expect(orders.contains { $0[Order.paymentStatus] == "failed" && $0.status == .failed })
    #expect(orders.contains { $0.status == .delivered })
  }

  // MARK: Common random numbers

  /// Who wanted what, as drafts of orders tell it: names, partner, items, tip.
  private static func carts(_ records: [Record<MimiSupply>]) -> [RecordName: [FieldValue??]] {
    var carts: [RecordName: [FieldValue??]] = [:]
    for draft in records.flatMap({ $0.created("Order") }) where carts[draft.name!] == nil {
      carts[draft.name!] = [FieldName.partnerId, .items, .tipCents, .paymentMethod].map {
        draft.fields[$0]
      }
    }
    return carts
  }

  @Test func `in another dispatch mode the same customers order the same`() {
    func carts(_ mode: String) -> [RecordName: [FieldValue??]] {
      var city = SmallCity()
      city.parameters["dispatchMode"] = .choice(mode)
      // What cancels or fails is ordered again, which depends on the mode; so does what is sold out.
      city.parameters["reorders"] = .share(0)
      city.parameters["productsWithStock"] = .share(0)
      city.parameters["upkeepEvery"] = .span(.days(30))
      return Self.carts(city.live().records)
    }
    let offered = carts("offer")
    #expect(offered.count > 20)
    for mode in ["auto", "batch", "pool"] {
      let other = carts(mode)
      let same = offered.count { other[$0.key] == $0.value }
      // One who still waits for an order when the next session begins may order something else.
      #expect(Double(same) >= 0.8 * Double(offered.count), "\(mode): \(same) of \(offered.count)")
    }
  }
}
