import AsiaTravelPlanContract
import AsiaTravelPlanDomain
import AsiaTravelPlanJourneys
import Backends
import Contracts
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping
import WireLine

@testable import AsiaTravelPlanTwin

/// Agencies that live in virtual time, and what was seen of them.
struct LivingAgencies {
  var agencies = 1
  var regions = 1
  var lasts = Span.hours(12)
  var seed: UInt64 = 7
  var rulesOff: [AsiaTravelPlan.Rule] = []
  var quirks: Set<String> = []
  var adversaries = 0.1
  var bookings = 60
  var tours = 8
  var parameters: [String: Setting.Value] = [
    "mischiefEvery": .span(.minutes(4)), "requestsPerDay": .number(60),
    "newStaffEvery": .span(.hours(3)), "signsOut": .share(0.5),
  ]

  func live(workers: Int = 1) -> ReplicationResult {
    var world = World(
      domain: AsiaTravelPlan.domain, regions: regions,
      population: Settings(
        AgencySettings.population,
        overridden: [
          "agencies": .count(agencies), "bookings": .count(bookings), "activities": .count(2),
          "tours": .count(tours),
        ]), parameters: Settings(AgencySettings.parameters, overridden: parameters),
      adversaries: adversaries)
    world.rulesOff = Set(rulesOff.map(\.id))
    world.quirks = quirks
    // A Monday, half past seven in Ho Chi Minh City.
    let scenario = Scenario(
      name: "agency", title: "Agency", starts: Instant("2026-03-02T00:30:00Z")!, zone: .utc,
      lasts: lasts, seed: seed, replications: 1, worlds: [world],
      network: Network(
        latency: .lognormal(median: .milliseconds(60), p95: .milliseconds(250))),
      barrierInterval: .hours(1))
    return VirtualRun(scenario, domains: [AnyDomain(AsiaTravelPlanBackend())], tokens: codec)
      .run(workers: workers)[0]
  }
}

extension ReplicationResult {
  /// How often an operation was refused, by the code.
  fileprivate func refusals(_ operation: String) -> [String: Int] {
    worlds[0].operations.first { $0.name == operation }?.refusals ?? [:]
  }

  fileprivate func replied(_ operation: String) -> Int {
    worlds[0].operations.first { $0.name == operation }?.replied ?? 0
  }

  fileprivate func milestones(_ name: String) -> BusinessTally? {
    worlds[0].business.first { $0.name == name }
  }
}

@Suite struct `Agencies in virtual time` {
  @Test(arguments: [1, 7, 42] as [UInt64])
  func `live a day in which only what is expected is refused`(seed: UInt64) {
    var agency = LivingAgencies(seed: seed, adversaries: 0)
    agency.parameters["newStaffEvery"] = .span(.days(30))
    let result = agency.live()
    #expect(result.replied("bookings") > 100 && result.replied("addActivity") > 10)
    #expect(result.replied("assign") > 10 && result.replied("tours") > 1)
    for operation in result.worlds[0].operations {
      // Of an older list; after a bank of pages that somebody left.
      let allowed: Set<String> =
        switch operation.name {
        case "booking", "activities", "invoices", "bookings": ["forbidden"]
        case "logIn": ["login_stayed", "access_denied"]
        case "token": ["invalid_grant"]
        default: []
        }
      #expect(
        Set(operation.refusals.keys).isSubset(of: allowed),
        "seed \(seed), \(operation.name): \(operation.refusals)")
      #expect(operation.unknown - operation.cutOffInAll == 0, "\(operation.name)")
    }
    #expect(result.refusals("bookings").isEmpty)
  }

  @Test func `live the same on one worker and on seven, and another day with another seed`() {
    let agencies = LivingAgencies(agencies: 7, regions: 7, lasts: .hours(3))
    let alone = agencies.live()
    #expect(alone.digest == agencies.live(workers: 7).digest)
    var others = agencies
    others.seed = 8
    #expect(others.live().digest != alone.digest)
  }

  @Test func `outsiders never get past the app's gate, and are told nothing by the backend`() {
    var agency = LivingAgencies(adversaries: 0)
    agency.rulesOff = [.atp10]
    let result = agency.live()
    #expect(result.refusals("bookings")["unauthorized"] ?? 0 > 0)
  }

  @Test func `without a booking or a tour an adversary makes what it tries things on`() {
    let result = LivingAgencies(bookings: 0, tours: 0).live()
    #expect(result.refusals("changeStage")["forbidden"] ?? 0 > 0)
    #expect(result.replied("changeInvoice") > 0 && result.replied("changeTour") > 0)
    #expect(result.worlds[0].limits.allSatisfy { $0.violations == 0 })
  }

  @Test func `every entry of the matrix that says no is tried and refused`() {
    let result = LivingAgencies().live()
    for row in AsiaTravelPlan.rights {
      for operation in row.operations {
        let refusals = result.refusals(operation)
        let entries = AsiaTravelPlan.Standing.allCases.map { row.entry($0) }
        let refused = entries.contains { !$0.isAllowed }
        #expect(!refused || refusals["unauthorized"] ?? 0 > 0, "\(operation): \(refusals)")
        let isForbidden = AsiaTravelPlan.Standing.allCases.contains {
          row.statuses($0) == [403]
        }
        #expect(!isForbidden || refusals["forbidden"] ?? 0 > 0, "\(operation): \(refusals)")
        #expect(result.replied(operation) > 0, "\(operation)")
      }
    }
  }

  @Test func `what the website brings is assigned, and stages change within a day`() throws {
    let result = LivingAgencies(adversaries: 0).live()
    let assigned = try #require(result.milestones("assigned"))
    #expect(assigned.finished.count > 5)
    #expect(try #require(result.milestones("in-new")).finished.count > 0)
    #expect(result.worlds[0].flow != nil)
  }
}
