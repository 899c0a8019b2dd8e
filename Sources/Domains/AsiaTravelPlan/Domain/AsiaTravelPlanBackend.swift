import AsiaTravelPlanChecks
import AsiaTravelPlanContract
import AsiaTravelPlanJourneys
import AsiaTravelPlanTwin
import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// AsiaTravelPlan as the engine sees it: its contract, its twin, its people and its checks. An agency with its identity provider is a cell.
public struct AsiaTravelPlanBackend: Backend {
  public typealias Contract = AsiaTravelPlan

  public init() {}

  public var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: AsiaTravelPlan.domain, title: "AsiaTravelPlan: an agency with its identity provider",
      population: AgencySettings.population, parameters: AgencySettings.parameters,
      quirks: quirks,
      profiles: [
        Profile("documented", quirks: []), Profile("as-built", quirks: Set(quirks.map(\.id))),
      ], operations: AsiaTravelPlan.operations, business: business.map(\.name),
      limits: AsiaTravelPlan.limits, controls: AsiaTravelPlan.controls,
      twinServices: [AsiaTravelPlan.services[AsiaTravelPlan.provider]],
      callers: AgencyTwin.callerFacts)
  }

  /// 8.3: what the project's own backend and app do otherwise than documented.
  private var quirks: [Quirk] {
    AsiaTravelPlan.Difference.allCases.map { Quirk($0.rawValue, "\($0.meaning) (\($0.source))") }
      + AgencySettings.Deviation.allCases.map { Quirk($0.rawValue, $0.meaning) }
  }

  /// The identity provider listens at the next one.
  public var port: Int { 8_787 }
  public var isCellAServer: Bool { true }
  public var judged: [JudgedRule<AsiaTravelPlan>] { AgencyChecks.judged }
  public func checkRuntime(
    where isSeen: (JudgedRule<AsiaTravelPlan>) -> Bool
  ) -> CellCheckRuntime<AgencyChecks> { CellCheckRuntime(isSeen) }
  public var enforced: [RulesOfFile<AsiaTravelPlan.Rule>] {
    AgencyTwin.enforced + AppUser.enforced
  }
  public var tried: [RulesOfFile<AsiaTravelPlan.Rule>] {
    Adversary.tried + AppUser.tried + [Desk.tried, Visitor.tried]
  }
  public var business: [BusinessLatency<AsiaTravelPlan>] { AgencyBusiness.all }
  public var flow: Flow<AsiaTravelPlan>? { AgencyBusiness.flow }

  public var access: AccessMatrix? {
    AccessMatrix(columns: AsiaTravelPlan.Standing.allCases.map(\.title))
  }

  public func inspection(after last: AsiaTravelPlan.Reply?) -> AsiaTravelPlan.Request? {
    .inspect(since: last?.inspection?.extent.look ?? 0)
  }

  public func twin(_ setup: TwinSetup) -> AgencyTwin {
    AgencyTwin(identifiers: setup.identifiers, rules: setup.rules(), tokens: setup.tokens)
  }

  public func persons(in population: Settings) -> Int {
    population.count("agencies")
      * (population.count("staff") + population.count("outsiders") + 1
        + 2 * ["managers", "accountants", "administrators"].reduce(0) { $0 + population.count($1) })
  }

  /// A command of a scenario goes to every agency.
  public func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<AsiaTravelPlan>] {
    let command = try AsiaTravelPlan.control(control, parameters)
    return agencies(in: region).map { CellCommand(cell: $0, at: region.starts, command) }
  }

  /// To the provider and back.
  public func transit(of signal: AsiaTravelPlan.Signal, in plan: RegionPlan) -> Distribution {
    .lognormal(median: .milliseconds(20), p95: .milliseconds(60))
  }

  public func environment(
    on signal: AsiaTravelPlan.Signal, at address: AsiaTravelPlan.Address
  ) -> [AsiaTravelPlan.Request] {
    switch signal {
    case .keySetFetch(let realm, let keys): [.keySetArrived(realm: realm, keys)]
    }
  }

  public func populate(_ region: RegionPlan) -> PopulationPlan<AsiaTravelPlan> {
    var plan = PopulationPlan<AsiaTravelPlan>(
      cells: agencies(in: region).count, persons: [], controls: [])
    for cell in agencies(in: region) {
      let name = "agency-\(cell + 1)"
      let agency = agency(name, in: region)
      plan.controls += agency.commands.map {
        CellCommand(cell: cell, at: region.starts, $0)
      }
      for seed in agency.apps {
        plan.persons.append(
          PersonPlan(name: "\(name)-\(seed.account.username)", cell: cell) { AppUser(seed) })
      }
      func add(_ who: String, _ behaviour: @escaping @Sendable () -> any Behaviour<Contract>) {
        plan.persons.append(
          PersonPlan(name: "\(name)-\(who)", cell: cell, keepsHours: true, behaviour: behaviour))
      }
      for seed in agency.desks { add("desk-of-\(seed.account.username)") { Desk(seed) } }
      add("website") { [habits = agency.habits] in Visitor(habits, begins: region.starts) }
      if let corner = agency.corner {
        plan.controls += agency.calendar.map { CellCommand(cell: cell, at: $0.at, $0.command) }
        let begins = region.starts + min(.minutes(5), (region.ends - region.starts) / 20)
        add("adversary") { Adversary(corner, begins: begins) }
      }
    }
    return plan
  }

  private func agency(_ name: String, in region: RegionPlan) -> Agency {
    var stream = region.stream(name)
    return Agency(
      population: region.population, parameters: region.parameters, quirks: region.quirks,
      rules: region.rules(), adversaries: region.adversaries, tokens: region.tokens,
      starts: region.starts, ends: region.ends, drawing: &stream)
  }

  /// Accounts with the staff records that their user names belong to, then records that are nobody's.
  public func roster(of region: RegionPlan) -> Roster {
    var rows: [[String]] = []
    for cell in agencies(in: region) {
      let commands = agency("agency-\(cell + 1)", in: region).commands
      var records = commands.flatMap { command in
        if case .load(let fixture) = command { fixture.staff } else { [StaffRecord]() }
      }
      func fields(_ record: StaffRecord?) -> [String] {
        guard let record else { return ["", "", "", ""] }
        let names = record.usernames.joined(separator: ",")
        return [record.id, record.name, names, "\(record.isActive)"]
      }
      for case .setUser(let user) in commands {
        let place = records.firstIndex { record in
          record.usernames.contains { StaffRecord.normalised($0) == user.username }
        }
        let roles = (user.realmRoles ?? []).joined(separator: ",")
        rows.append(
          [user.username, user.email ?? "", user.password ?? "", roles]
            + fields(place.map { records.remove(at: $0) }))
      }
      rows += records.map { ["", "", "", ""] + fields($0) }
    }
    return Roster(
      [
        "username", "email", "password", "roles", "staffId", "staffName", "staffUsernames",
        "staffActive",
      ], rows)
  }

  private func agencies(in region: RegionPlan) -> Range<Int> {
    0..<region.share(of: region.population.count("agencies")).count
  }
}
