import AsiaTravelPlanContract
import AsiaTravelPlanDomain
import AsiaTravelPlanJourneys
import AsiaTravelPlanTwin
import Backends
import BenchWork
import Contracts
import Foundation
import Scenarios
import Simulation
import Timekeeping
import Tokens

/// A large agency from end to end over some weeks, and what its twin takes for a list among many bookings.
enum AgencyYear {
  private static let days: Int64 = 28
  private static let provider = "http://127.0.0.1:8788"
  private static let tokens = TokenSignatures(secret: "rehearsal signs for simulated backends only")

  static func figure() -> String {
    var requests = 0
    let measured = Measurement.interleaved([
      { Measurement.processorSeconds { _ = live(scenario(large, lasts: .hours(1))) } },
      { Measurement.processorSeconds { requests = live(scenario(large, lasts: .days(days))) } },
    ])
    let (loaded, whole) = (measured[0].median, measured[1].median)
    let year = loaded + (whole - loaded) * 365 / Double(days)
    return String(
      format: """
        AsiaTravelPlan, %d days of an agency with 50 staff and 200,000 bookings, %d requests, one worker
          \(measured[1].text("s")), of which \(measured[0].text("s")) to begin
          a year at this rate %.0f s   goal 60
        """, days, requests, year)
  }

  static func lists() -> String {
    let (first, times) = listTimes()
    return String(
      format: """
        AsiaTravelPlan, a list of 20 of one of the staff among 100,000 bookings
          p50 %.1f µs   p99 %.1f µs   goal 30
          the first in its order   p50 %.1f µs
        """, times[times.count / 2], times[times.count * 99 / 100], first[first.count / 2])
  }

  /// A working week of a small agency, for the count of instructions.
  static func live(replications: Int) -> Int {
    var scenario = scenario([:], lasts: .days(5))
    scenario.replications = replications
    return live(scenario)
  }

  private static func live(_ scenario: Scenario) -> Int {
    VirtualRun(scenario, domains: [AnyDomain(AsiaTravelPlanBackend())], tokens: tokens)
      .run(workers: 1).reduce(0) { $0 + $1.worlds.reduce(0) { $0 + $1.requests } }
  }

  private static let large: [String: Setting.Value] = [
    "staff": .count(50), "bookings": .count(200_000),
  ]

  private static func scenario(_ population: [String: Setting.Value], lasts: Span) -> Scenario {
    let declaration = AsiaTravelPlanBackend().declaration
    let world = World(
      domain: declaration.domain, regions: 1,
      population: Settings(declaration.population, overridden: population),
      parameters: Settings(declaration.parameters), adversaries: 0)
    return Scenario(
      name: "bench", title: "Bench", starts: Instant("2026-03-01T23:00:00Z")!, zone: .utc,
      lasts: lasts, worlds: [world], barrierInterval: .hours(12))
  }

  // MARK: Lists

  /// Microseconds of each, sorted: of the first of each of the staff by each order, and of ten thousand by any of them after that.
  private static func listTimes() -> (first: [Double], others: [Double]) {
    let now = Instant("2026-03-01T23:00:00Z")!
    let declaration = AsiaTravelPlanBackend().declaration
    var stream = RandomStream(seed: 1, owner: 2, purpose: 3)
    let agency = Agency(
      population: Settings(
        declaration.population,
        overridden: ["staff": .count(50), "bookings": .count(100_000), "activities": .count(1)]),
      parameters: Settings(declaration.parameters), quirks: [], rules: Rules(), adversaries: 0,
      tokens: tokens, starts: now, ends: now, drawing: &stream)
    var twin = AgencyTwin(identifiers: stream, rules: Rules(), tokens: tokens)
    // Without it the provider's tokens are those of the issuers that it has signed for.
    let issuer = AsiaTravelPlan.Request.configure(Adjustment { $0.base = provider })
    for command in agency.commands + [issuer] {
      _ = twin.handle(command, from: .administration, at: now)
    }
    let first = twin.handle(.me, from: .client(credential("staff-1", "?")), at: now)
    guard case .keySetFetch(let realm, let keys)? = first.effects.signals.first?.signal,
      let key = keys.keys.first?.kid
    else { programFault("the keys are not fetched: \(first.answer)") }
    _ = twin.handle(.keySetArrived(realm: realm, keys), from: .environment, at: now)
    let callers = (1...50).map { Caller<AsiaTravelPlan>.client(credential("staff-\($0)", key)) }
    func time(_ caller: Caller<AsiaTravelPlan>, _ order: BookingOrder) -> Double {
      let query = BookingQuery(page: 1, pageSize: 20, sort: order.rawValue)
      let began = DispatchTime.now().uptimeNanoseconds
      let answer = twin.handle(.bookings(query), from: caller, at: now).answer
      let took = DispatchTime.now().uptimeNanoseconds - began
      guard case .now(.success(.bookings(let list))) = answer, list.page.items.count == 20 else {
        programFault("no list of 20: \(answer)")
      }
      return Double(took) / 1_000
    }
    let firsts = callers.flatMap { caller in BookingOrder.allCases.map { time(caller, $0) } }
    let others = (0..<10_000).map { _ in
      time(stream.pick(callers), stream.pick(BookingOrder.allCases))
    }
    return (firsts.sorted(), others.sorted())
  }

  private static func credential(_ user: String, _ key: String) -> AsiaTravelPlan.Credential {
    .bearer(
      .issued(
        Claims(
          .bearer, iss: provider + "/realms/master", sub: user,
          azp: ClientRegistration.app.clientID, exp: .max, iat: 0, jti: "jti", sid: "sid",
          preferredUsername: user, realmRoles: [Role.staff.rawValue]), key: key))
  }
}
