import Backends
import Contracts
import Journeys
import KantineKoningChecks
import KantineKoningContract
import KantineKoningJourneys
import KantineKoningTwin
import Observations
import Timekeeping

/// Kantine Koning as the engine sees it: its contract, its twin, its people and its checks.
public struct KantineKoningBackend: Backend {
  public typealias Contract = KantineKoning

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: KantineKoning.domain, title: "Kantine Koning",
      population: CanteenSettings.population, parameters: CanteenSettings.parameters,
      quirks: CanteenSettings.quirks, profiles: CanteenSettings.profiles,
      operations: KantineKoning.operations, business: business.map(\.name),
      limits: KantineKoning.limits, controls: KantineKoning.controls,
      longestBarrierInterval: KantineKoning.globalBoardMaxAge)
  }

  public var checks: [Check<KantineKoning>] { KantineKoningChecks.all }
  public var business: [BusinessLatency<KantineKoning>] { KantineKoningBusiness.all }
  public var flow: Flow<KantineKoning>? { EnrollingFlow.flow }

  public func inspection(after last: KantineKoning.Reply?) -> KantineKoning.Request? {
    .inspect(since: last?.inspection?.extent.look ?? 0)
  }

  public func twin(_ setup: TwinSetup) -> KantineKoningTwin {
    KantineKoningTwin(identifiers: setup.identifiers, rules: setup.rules(), tokens: setup.tokens)
  }

  /// A club has about a hundred phones: 22 teams with 1.45 managers and 3.8 member phones each, on average.
  public func persons(in population: Settings) -> Int {
    let teams = population.number("teamsPerClub") * 1.32
    let phones = teams * (1.45 + population.number("membersPerTeam") / 1.58)
    return Int(Double(population.count("clubs")) * phones)
  }

  /// Mails take 5 to 60 s (§5.12); a push is there within seconds, or APNs gives up (§6.1).
  public func transit(
    of signal: KantineKoning.Signal, in plan: RegionPlan
  ) -> Distribution {
    switch signal {
    case .mail, .notice:
      let shortest = plan.parameters.span("mailDeliveryShortest")
      return .uniform(
        from: shortest, to: max(shortest, plan.parameters.span("mailDeliveryLongest")))
    case .push(let push):
      // A push that nobody answers is given up after ten seconds.
      return push.dispatch.fate == .timeout
        ? .constant(.seconds(10)) : .lognormal(median: .milliseconds(300), p95: .seconds(2))
    }
  }

  public func populate(_ region: RegionPlan) -> PopulationPlan<KantineKoning> {
    let plan = CanteenPlan(region)
    let population = Population(plan)
    var persons = population.phones.map { phone in
      PersonPlan<KantineKoning>(name: phone.seed.name, cell: phone.cell) { Phone(phone.seed) }
    }
    persons += population.adversaries.map { adversary in
      PersonPlan<KantineKoning>(name: adversary.seed.name, cell: adversary.cell) {
        Adversary(adversary.seed)
      }
    }
    let fixtures = population.clubFixtures + population.enrollmentFixtures
    let loads = fixtures.map { cell, fixture in
      CellCommand<KantineKoning>(cell: cell, at: region.starts, .control(.load(fixture)))
    }
    let decided = KantineKoning.Deployment.adjustment(region.parameters)
    let settings = (0..<plan.cells).compactMap { cell in
      decided.map {
        CellCommand<KantineKoning>(cell: cell, at: region.starts, .control(.configure($0)))
      }
    }
    let calendar = ClubCalendar(plan)
    let affairs = ClubAffairs(plan, population, calendar)
    let commands = (calendar.commands + affairs.commands).map { cell, instant, command in
      CellCommand<KantineKoning>(cell: cell, at: instant, .control(command))
    }
    let rounds = OperatorRounds(plan, population).commands.map { cell, instant, command in
      CellCommand<KantineKoning>(cell: cell, at: instant, .control(command))
    }
    return PopulationPlan(
      cells: plan.cells, persons: persons, controls: settings + loads + commands + rounds)
  }

  public func environment(
    on signal: KantineKoning.Signal, at address: KantineKoning.Address
  ) -> [KantineKoning.Request] { KantineKoning.environment(on: signal) }
}

extension CanteenPlan {
  init(_ region: RegionPlan) {
    self.init(
      region: region.region, clubs: region.share(of: region.population.count("clubs")).count,
      population: region.population, parameters: region.parameters, quirks: region.quirks,
      adversaries: region.adversaries, rules: region.rules(), starts: region.starts,
      ends: region.ends, tokens: region.tokens,
      stream: { name, purpose in region.stream(name, purpose) })
  }
}
