import Contracts
import MimiSupplyContract
import MimiSupplyDomain
import Testing
import Timekeeping

@testable import MimiSupplyJourneys

@Suite struct `Shapes of a city` {
  private static func fixtures(_ city: SmallCity) -> [Fixture] {
    MimiSupplyBackend().populate(city.plan()).controls.compactMap { assigned in
      if case .control(.load(let fixture)) = assigned.request { fixture } else { nil }
    }
  }

  private static func city(_ population: [String: Setting.Value]) -> SmallCity {
    var city = SmallCity()
    city.population.merge(population) { $1 }
    return city
  }

  @Test func `the same seed settles the same people, another seed others`() {
    var city = SmallCity()
    let one = Self.fixtures(city)
    #expect(one == Self.fixtures(city))
    city.seed += 1
    #expect(one != Self.fixtures(city))
  }

  @Test func `one customer more leaves everybody else as they were`() {
    let few = Self.fixtures(Self.city(["customers": .count(30)]))
    let more = Self.fixtures(Self.city(["customers": .count(31)]))
    #expect(few.flatMap(\.records) == more.flatMap(\.records))
    let before = few.flatMap(\.users).map(\.name)
    #expect(more.flatMap(\.users).map(\.name).filter { $0 != "user-customer-31" } == before)
  }

  @Test func `regions share out the population without a rest`() {
    var names: [String] = []
    for region in 1...3 {
      var city = SmallCity()
      city.regions = 3
      let plan = city.plan()
      let settled = MimiSupplyBackend().populate(
        .init(
          seed: plan.seed, region: region, regions: 3, population: plan.population,
          parameters: plan.parameters, quirks: [], adversaries: 0, rulesOff: [],
          starts: plan.starts, ends: plan.ends, path: "mimi-supply/\(region)",
          tokens: plan.tokens))
      names += settled.persons.map(\.name).filter { !$0.hasPrefix("admin") }
    }
    #expect(names.count == 40 + 4 + 24)
    #expect(Set(names).count == names.count)
  }

  @Test func `partners sell what section 5.6 says`() {
    let city = Self.city(["partners": .count(150), "customers": .count(0), "drivers": .count(0)])
    let records = Self.fixtures(city).flatMap(\.records)
    let partners = records.filter { $0.type == "Partner" }
    #expect(partners.count == 150)
    for partner in partners {
      guard let radius = partner.fields[Partner.deliveryRadius],
        let minimum = partner.fields[Partner.minimumOrderAmount],
        let hours = partner.fields[Partner.openingHours]
      else {
        Issue.record("a partner without radius, minimum or hours")
        continue
      }
      #expect((2...10).contains(radius))
      #expect((200...5_000).contains(minimum))
      #expect(OpeningHours(parsing: hours) != nil)
    }
    let prices = records.filter { $0.type == "Product" }.compactMap {
      $0.fields[Product.priceCents]
    }.sorted()
    #expect(prices.count == 150 * 40)
    // The median of 6,000 draws at sigma 0.8 has a standard error of 1.3 %: five of them either way.
    #expect((608...692).contains(prices[3_000]), "median \(prices[3_000])")
    let finite = records.count { $0.fields[.stockQuantity] != nil }
    // 30 % of 6,000 ± five standard errors.
    #expect((1_622...1_978).contains(finite), "\(finite)")
  }

  @Test func `customers live where their usual partner delivers, 2.3 km away on average`() {
    var city = Self.city(["partners": .count(20)])
    city.parameters["radiusSmallest"] = .number(10)
    let made = MimiSupplyJourneys.City(CityPlan(city.plan()))
    let distances = (1...2_000).map { number -> Double in
      let seed = CustomerSeed(number: number, in: made)
      let partner = made.partners.first { $0.name == seed.favourite }!
      return Double(Geography.metres(seed.home, partner.point)) / 1_000
    }
    #expect(distances.allSatisfy { $0 <= 10 })
    // Gamma 2.3: mean 2.3, deviation 1.517; five standard errors are 0.17, and the cut at 10 km takes 0.01.
    let mean = distances.reduce(0, +) / 2_000
    #expect(abs(mean - 2.3) < 0.18, "\(mean)")
  }

  @Test(arguments: [(0.5, 2.0), (1, 1), (2.3, 1), (9, 0.5)])
  func `gamma deviates have the moments of their distribution`(shape: Double, scale: Double) {
    let count = 40_000
    var stream = RandomStream(seed: 11, owner: 1, purpose: 0)
    let draws = (0..<count).map { _ in stream.gamma(shape: shape, scale: scale) }
    let mean = draws.reduce(0, +) / Double(count)
    let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    // Closed forms: mean kθ, variance kθ², fourth central moment (3k² + 6k)θ⁴; within five standard errors.
    let error = 5 * (shape * scale * scale / Double(count)).squareRoot()
    #expect(abs(mean - shape * scale) < error, "seed 11: mean \(mean)")
    let fourth = (3 * shape * shape + 6 * shape) * scale * scale * scale * scale
    let exact = shape * scale * scale
    let spread = 5 * ((fourth - exact * exact) / Double(count)).squareRoot()
    #expect(abs(variance - exact) < spread, "seed 11: variance \(variance)")
  }

  @Test func `a day's demand follows its hours and its weekday`() {
    #expect(abs(DayCurve.shares.reduce(0, +) - 100) < 1e-9)
    let midnight = Instant("2026-03-27T00:00:00+01:00")!
    let curve = DayCurve(perDay: 0.5)
    var hours = Array(repeating: 0, count: 24)
    for person in 0..<20_000 {
      var stream = RandomStream(seed: 5, owner: UInt64(person), purpose: 0)
      var at = midnight
      while let next = curve.next(after: at, until: midnight + .days(1), &stream) {
        hours[next.localHour.hour] += 1
        at = next
      }
    }
    // 20,000 people × 0.5 × 1.2 on a Friday, Poisson: within five standard deviations.
    let total = hours.reduce(0, +)
    #expect(abs(Double(total) - 12_000) < 5 * 110, "\(total)")
    for (hour, count) in hours.enumerated() {
      let expected = 120 * DayCurve.shares[hour]
      #expect(
        abs(Double(count) - expected) < 5 * expected.squareRoot() + 1, "hour \(hour): \(count)")
    }
  }

  @Test func `a partner's people are there when its record says that it is open`() {
    for category in Stored.partnerCategories {
      let plan = WeekPlan(of: category)
      let hours = OpeningHours(plan.document)!
      var at = Instant("2026-03-26T00:00:30+01:00")!
      // Three days by quarters of an hour, the change to summer time among them.
      for _ in 0..<(3 * 96) {
        let opening = plan.opening(after: at)!
        let isThere = opening.opens <= at && at < opening.closes
        #expect(isThere == hours.isOpen(at: at, in: .berlin), "\(category) at \(at)")
        at += .minutes(15)
      }
    }
  }

  @Test func `only what a scenario changes is configured`() {
    let standard = Settings(CitySettings.parameters)
    #expect(MimiSupply.Deployment.adjustment(standard) == nil)
    let changed = Settings(
      CitySettings.parameters,
      overridden: [
        "dispatchMode": .choice("batch"), "batchWindow": .span(.seconds(20)),
        "driverCapacity": .count(2), "batchAsOffers": .flag(false),
      ])
    #expect(
      MimiSupply.Deployment.adjustment(changed)
        == Adjustment {
          $0.dispatchMode = .batch
          $0.batchWindow = .seconds(20)
          $0.driverCapacity = 2
          $0.batchAsOffers = false
        })
  }
}
