import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Everybody of one city, and what the operator loads before they live.
public struct Population: Sendable {
  public private(set) var people:
    [(name: String, behaviour: @Sendable () -> any Behaviour<MimiSupply>)] = []
  /// The places of those among them who come whenever they like; the others keep hours.
  public private(set) var customers = 0..<0
  public private(set) var fixtures: [Fixture] = []
  /// What else the operator does before they live.
  public private(set) var controls: [Control] = []
  /// Orders whose payment the stub will refuse (mode `stub`).
  public private(set) var refusedPayments: [RecordName] = []
  private let plan: CityPlan
  private let city: City

  public init(_ plan: CityPlan) {
    self.plan = plan
    city = City(plan)
    settlePartners()
    settleDrivers()
    settleCustomers()
    settleAdmins()
    settleAdversaries()
    settleCommuters()
    settleAttackers()
  }

  /// Sessions of the fixtures outlive the run.
  private var sessionsEnd: Instant { plan.ends + .days(1) }

  private mutating func settlePartners() {
    let city = city
    for seed in city.partners {
      var fixture = Fixture()
      if !seed.isNewcomer {
        Account(seed.name.text, .partner).enter(&fixture, until: sessionsEnd)
        let flags: Fields = [.isVerified: .int64(1), .isActive: .int64(1)]
        fixture.records.append(
          Fixture.Entry(
            seed.name, type: .partner, creator: seed.user,
            fields: seed.fields.merging(flags)))
        fixture.records += seed.products.map {
          Fixture.Entry($0.name, type: .product, creator: seed.user, fields: $0.fields)
        }
        fixtures.append(fixture)
      }
      let begins = begin(seed.hours.opening(after: plan.starts)?.opens, of: seed.name.text)
      people.append(
        (
          seed.name.text,
          {
            let owner = PartnerOwner(seed, in: city, begins: begins)
            return Device(of: owner, with: owner.phone.app)
          }
        ))
    }
  }

  private mutating func settleDrivers() {
    let city = city
    var fixture = Fixture()
    for index in plan.share(plan.population.count("drivers")) {
      let seed = DriverSeed(number: index + 1, plan: plan)
      if !seed.isNewcomer {
        Account(seed.name.text, .driver).enter(&fixture, until: sessionsEnd)
        fixture.records.append(
          Fixture.Entry(seed.name, type: .driver, creator: seed.user, fields: seed.fields))
      }
      let shift = Shifts(plan: plan, driver: seed.name).next(after: plan.starts)
      // Who registers does not wait for the first shift.
      let begins = begin(seed.isNewcomer ? plan.starts : shift?.begins, of: seed.name.text)
      people.append(
        (
          seed.name.text,
          {
            let courier = Courier(seed, in: city, begins: begins)
            return Device(of: courier, with: courier.phone.app)
          }
        ))
    }
    fixtures.append(fixture)
  }

  /// Not everybody whose day has begun is there in the first second.
  private func begin(_ instant: Instant?, of name: String) -> Instant? {
    guard let instant, instant <= plan.starts else { return instant }
    var stream = plan.stream(name, Shaping.arriving.rawValue)
    return plan.starts + .seconds(2) + stream.sample(.uniform(from: .zero, to: .minutes(2)))
  }

  private mutating func settleCustomers() {
    let (city, first) = (city, people.count)
    defer { customers = first..<people.count }
    var fixture = Fixture()
    for index in plan.share(plan.population.count("customers")) {
      let seed = CustomerSeed(number: index + 1, in: city)
      if !seed.isStranger { Account(seed.name, .customer).enter(&fixture, until: sessionsEnd) }
      if city.habits.shopping.paysByStub {
        var luck = city.luck(seed.name, about: "payments")
        for number in 1...20 where luck.chance(city.habits.shopping.paymentRefused) {
          refusedPayments.append(Customer.order(number, of: seed.name))
        }
      }
      people.append(
        (
          seed.name,
          {
            let customer = Customer(seed, in: city)
            return Device(of: customer, with: customer.phone.app)
          }
        ))
    }
    fixtures.append(fixture)
  }

  private mutating func settleAdmins() {
    let city = city
    var fixture = Fixture()
    for number in 0..<plan.population.count("admins") {
      let name = "admin-\(number + 1)"
      Account(name, .admin).enter(&fixture, until: sessionsEnd)
      people.append((name, { Administrator(name, in: city) }))
    }
    fixtures.append(fixture)
  }

  /// People who use the app where the network comes and goes, each in a corner behind those of the adversaries.
  private mutating func settleCommuters() {
    for number in 0..<plan.population.count("commuters") {
      let name = "commuter-\(number + 1)"
      let corner = Corner(name: name, number: 2_000 + number, at: plan.starts)
      var stream = plan.stream(name, 0)
      let begins = plan.starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(5)))
      let settings = AppSettings(plan, of: name)
      let every = plan.parameters.span("errandEvery")
      fixtures.append(corner.fixture)
      people.append(
        (
          name,
          {
            let commuter = Commuter(
              corner, settings, turn: number * 5, begins: begins, every: every)
            return Device(of: commuter, with: commuter.app)
          }
        ))
    }
  }

  /// Clients without a rate budget, each in a corner behind those of the commuters.
  private mutating func settleAttackers() {
    for number in 0..<plan.population.count("attackers") {
      let name = "attacker-\(number + 1)"
      let corner = Corner(name: name, number: 12_000 + number, at: plan.starts)
      var stream = plan.stream(name, 0)
      let begins = plan.starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(5)))
      let every = plan.parameters.span("attackEvery")
      fixtures.append(corner.fixture)
      people.append((name, { Attacker(corner, begins: begins, every: every) }))
    }
  }

  /// A share of extra persons, at least one in every city, because a rule that nobody tries to break has not been
  /// checked.
  private mutating func settleAdversaries() {
    guard plan.adversaries > 0 else { return }
    let count = max(1, Int((plan.adversaries * Double(people.count)).rounded()))
    let every = plan.parameters.span("mischiefEvery")
    let tokens = plan.tokens
    for number in 1...count {
      let name = "adversary-\(number)"
      let corner = Corner(name: name, number: number, at: plan.starts)
      var stream = plan.stream(name, 0)
      let begins = plan.starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(10)))
      fixtures.append(corner.fixture)
      controls += corner.controls
      people.append(
        (
          name,
          {
            Adversary(
              corner, number, of: count, begins: begins, every: every, tokens: tokens)
          }
        ))
    }
  }
}

extension CustomerSeed {
  /// Lives where the distance to the usual partner has the distribution of §5.6.
  init(number: Int, in city: City) {
    let plan = city.plan
    name = "customer-\(number)"
    var stream = plan.stream(name, Shaping.settling.rawValue)
    isStranger = stream.chance(plan.population.share("signInAtCheckout"))
    if city.partners.isEmpty {
      favourite = nil
      home = stream.point(within: plan.population.number("cityRadius") * 1_000, of: City.centre)
    } else {
      let partner = stream.pick(city.partners)
      favourite = partner.name
      home = Self.home(near: partner, plan.parameters, &stream)
    }
    var arrivals = plan.stream(name, Shaping.arriving.rawValue)
    begins = city.curve.next(after: plan.starts, until: plan.ends, &arrivals)
    self.arrivals = arrivals
  }

  private static func home(
    near partner: PartnerSeed, _ parameters: Settings, _ stream: inout RandomStream
  ) -> Geography.Point {
    let shape = parameters.number("distanceShape")
    let scale = parameters.number("distanceScale")
    for _ in 0..<100 {
      let km = stream.gamma(shape: max(0.1, shape), scale: max(0.01, scale))
      guard km < partner.radiusKm else { continue }
      let home = partner.point.moved(metres: km * 1_000, bearing: stream.unit())
      if Double(Geography.metres(home, partner.point)) <= partner.radiusKm * 1_000 { return home }
    }
    return partner.point
  }
}
