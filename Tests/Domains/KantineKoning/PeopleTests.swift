import Backends
import Contracts
import KantineKoningContract
import KantineKoningDomain
import KantineKoningJourneys
import Testing
import Timekeeping
import Tokens

@Suite struct `People of Kantine Koning` {
  private static let starts = Instant("2026-03-21T05:00:00Z")!

  private static func plan(
    clubs: Int = 12, region: Int = 1, regions: Int = 1, seed: UInt64 = 5,
    adversaries: Double = 0.01,
    population: [String: Setting.Value] = [:]
  ) -> RegionPlan {
    var overridden = population
    overridden["clubs"] = .count(clubs)
    return RegionPlan(
      seed: seed, region: region, regions: regions,
      population: Settings(CanteenSettings.population, overridden: overridden),
      parameters: Settings(CanteenSettings.parameters), quirks: [], adversaries: adversaries,
      rulesOff: [], starts: starts, ends: starts + .hours(18),
      path: "kantine-koning/\(region)",
      tokens: TokenSignatures(secret: "a secret of at least 32 bytes, for tests"))
  }

  private static func settled(_ plan: RegionPlan) -> PopulationPlan<KantineKoning> {
    KantineKoningBackend().populate(plan)
  }

  private static func fixtures(_ populationPlan: PopulationPlan<KantineKoning>) -> [(
    cell: Int, Fixture
  )] {
    populationPlan.controls.compactMap { assigned in
      if case .control(.load(let fixture)) = assigned.request {
        (assigned.cell, fixture)
      } else {
        nil
      }
    }
  }

  @Test func `the same seed settles the same people, another seed others`() {
    let one = Self.settled(Self.plan())
    let two = Self.settled(Self.plan())
    #expect(one.persons.map(\.name) == two.persons.map(\.name))
    #expect(one.controls.map(\.request) == two.controls.map(\.request))
    #expect(one.controls.map(\.request) != Self.settled(Self.plan(seed: 6)).controls.map(\.request))
  }

  @Test func `where diensten are moved phones that do nothing follow their team`() {
    let loaded = Self.fixtures(Self.settled(Self.plan(adversaries: 0.05))).map(\.1)
    let edges = loaded.filter { $0.teams.contains { $0.code == "Z1" } }
    #expect(!edges.isEmpty)
    for fixture in edges {
      let followed = fixture.enrollments.compactMap(\.teamCodes.first)
      let moved = fixture.diensten.filter { $0.minimumBemanning == 3 && $0.aanmeldingen.isEmpty }
      #expect(Set(followed).count == 1 && moved.contains { $0.team == followed.first })
      #expect(fixture.enrollments.map(\.role) == [.manager, .manager, .member])
      #expect(fixture.enrollments.map { $0.apnsDeviceToken != nil } == [false, true, false])
    }
  }

  @Test func `one club more leaves the people of the others as they were`() {
    let few = Self.settled(Self.plan(clubs: 7, adversaries: 0))
    let more = Self.settled(Self.plan(clubs: 8, adversaries: 0))
    let before = few.persons.map(\.name)
    #expect(Array(more.persons.map(\.name).prefix(before.count)) == before)
    let clubs = Self.fixtures(few).filter { !$0.1.tenants.isEmpty }.map(\.1)
    #expect(Array(Self.fixtures(more).map(\.1).prefix(clubs.count)) == clubs)
    let rights = Self.fixtures(few).flatMap(\.1.enrollments)
    #expect(Array(Self.fixtures(more).flatMap(\.1.enrollments).prefix(rights.count)) == rights)
  }

  @Test func `clubs have 3 to 110 teams, about 17 in the median, each with one to three managers`()
  {
    let plan = Self.plan(clubs: 300, adversaries: 0, population: ["membersPerTeam": .number(0)])
    let clubs = Self.fixtures(Self.settled(plan)).map(\.1).filter { !$0.tenants.isEmpty }
    let counts = clubs.map(\.teams.count).sorted()
    #expect(counts.first! >= 3 && counts.last! <= 110)
    // The standard error of the median of 300 draws at sigma 0.75 is 5.4 %: three of them either way.
    #expect((14...20).contains(counts[150]), "median \(counts[150])")
    for club in clubs {
      for team in club.teams {
        let managers = club.managers.filter { $0.teamCodes.first == team.code }
        #expect((1...3).contains(managers.count))
      }
      #expect(Set(club.teams.map(\.code)).count == club.teams.count)
      #expect(Set(club.diensten.map(\.id)).count == club.diensten.count)
    }
  }

  @Test
  func
    `a phone stays in one neighbourhood, follows at most five teams, and holds what the fixture says`()
  {
    let populationPlan = Self.settled(Self.plan(adversaries: 0))
    var cellOfClub: [Slug: Int] = [:]
    for (cell, fixture) in Self.fixtures(populationPlan) {
      for tenant in fixture.tenants { cellOfClub[tenant.slug] = cell }
    }
    #expect(populationPlan.cells == 3)
    var teams: [HardwareID: Set<String>] = [:]
    for (cell, fixture) in Self.fixtures(populationPlan) {
      for entry in fixture.enrollments {
        #expect(cellOfClub[entry.tenantSlug] == cell)
        #expect((entry.role == .manager) == (entry.teamManagerEmail != nil))
        for code in entry.teamCodes {
          let isNew = teams[entry.hardwareIdentifier, default: []].insert(
            "\(entry.tenantSlug)/\(code)"
          ).inserted
          #expect(isNew, "KK-19: a team in two enrollments of one phone")
        }
      }
    }
    #expect(teams.values.allSatisfy { $0.count <= 5 }, "KK-14")
  }

  @Test func `a held token names what the backend would have signed: it ends with the season`()
    throws
  {
    let since = try #require(Instant("2025-09-10T10:00:00Z"))
    let entry = Fixture.EnrollmentEntry(
      deviceID: "d", tenantSlug: "a", role: .member, teamCodes: ["1"], hardwareIdentifier: "h",
      enrolledAt: since)
    let held = HeldEnrollment(entry, teams: [])
    // 31 July, 23:59:59 in Amsterdam's summer.
    let end = try #require(Instant("2026-07-31T21:59:59Z")).unixSeconds
    #expect(
      held.token
        == .issued(
          DeviceClaims(
            deviceID: "d", tenantSlug: "a", role: .member, teamCodes: ["1"],
            iat: since.unixSeconds, exp: end)))
  }

  @Test func `some phones enroll during the run, and every cell has its adversaries`() {
    let plan = Self.plan(adversaries: 0.0001, population: ["onboardingShare": .share(0.5)])
    let populationPlan = Self.settled(plan)
    let enrolled = Set(
      Self.fixtures(populationPlan).flatMap(\.1.enrollments).map(\.hardwareIdentifier))
    let phones = populationPlan.persons.filter { $0.name.contains("phone") }
    let share = Double(enrolled.count) / Double(phones.count)
    #expect((0.4...0.6).contains(share))
    for cell in 0..<populationPlan.cells {
      #expect(populationPlan.persons.contains { $0.cell == cell && $0.name.hasPrefix("adversary") })
    }
    #expect(
      Self.settled(Self.plan(adversaries: 0)).persons.allSatisfy { $0.name.contains("phone") })
  }

  @Test func `push tokens are valid where the build is entitled, and one user in five has none`() {
    let plan = Self.plan(clubs: 40, adversaries: 0, population: ["testerShare": .share(0.5)])
    let entries = Self.fixtures(Self.settled(plan)).flatMap(\.1.enrollments)
    let phones = Dictionary(grouping: entries, by: \.hardwareIdentifier)
    var refused = 0
    for rights in phones.values {
      // KK-90: one token for all enrollments of a phone.
      #expect(Set(rights.map(\.apnsDeviceToken)).count == 1)
      guard let token = rights[0].apnsDeviceToken else {
        refused += 1
        continue
      }
      let scheme = BuildScheme.allCases.first { $0.buildEnvironment == rights[0].buildEnvironment }
      #expect(ApnsToken.environment(of: token) == scheme?.entitlement, "KK-134")
    }
    #expect(Set(entries.map(\.buildEnvironment)) == ["development", "production"])
    // KK-137: a fifth of a few thousand phones, within five standard errors.
    let share = Double(refused) / Double(phones.count)
    let error = (0.2 * 0.8 / Double(phones.count)).squareRoot()
    #expect(abs(share - 0.2) < 5 * error, "\(refused) of \(phones.count)")
  }

  @Test func `clubs change and cancel coming diensten alone, each cancelled one once`() {
    let plan = Self.plan(
      clubs: 20, adversaries: 0, population: ["dienstenChangedPerDay": .number(20)])
    let populationPlan = Self.settled(plan)
    var starts: [DienstID: Instant] = [:]
    for dienst in Self.fixtures(populationPlan).flatMap(\.1.diensten) {
      starts[dienst.id] = dienst.startTijd
    }
    let still = Self.plan(
      clubs: 20, adversaries: 0, population: ["dienstenChangedPerDay": .number(0)])
    let others = Set(Self.settled(still).controls.map(\.request))
    var cancelled: Set<DienstID> = []
    var changes = 0
    for assigned in populationPlan.controls where !others.contains(assigned.request) {
      switch assigned.request {
      case .control(.cancelDienst(let id)):
        #expect(cancelled.insert(id).inserted)
        #expect(starts[id]! >= assigned.at + .hours(25))
      case .control(.changeDienst(let change)):
        #expect(!cancelled.contains(change.id))
        #expect(starts[change.id]! >= assigned.at + .hours(25))
      default: continue
      }
      changes += 1
    }
    // 20 clubs × 20 a day × 18 h = 300, Poisson: within five standard deviations.
    #expect(abs(changes - 300) < 87, "\(changes)")
  }

  @Test
  func `the client as shipped has every quirk that the documents forbid, and those alone more`() {
    let profiles = KantineKoningBackend().declaration.profiles
    let documented = profiles.first { $0.name == "documented" }?.quirks ?? []
    let shipped = profiles.first { $0.name == "as-shipped" }?.quirks ?? []
    #expect(Set(shipped).subtracting(documented) == ["Q1", "Q2", "Q3"])
    #expect(Set(shipped) == Set(CanteenSettings.quirks.map(\.id)))
  }

  @Test func `a command of a scenario finds its club by path, in its own region alone`() throws {
    let backend = KantineKoningBackend()
    let plan = Self.plan(clubs: 24, region: 2, regions: 2)
    let parameters: JSON = ["club": "kantine-koning/2/club-7", "open": false]
    let assigned = try backend.assign("setEnrollmentOpen", parameters, in: plan)
    #expect(assigned.map(\.cell) == [1])
    #expect(
      assigned.map(\.request)
        == [.control(.setEnrollmentOpen(tenant: "club-2-7", open: false, message: nil))])
    let slugs = Self.fixtures(Self.settled(plan)).flatMap(\.1.tenants).map(\.slug)
    #expect(slugs.contains("club-2-7"))
    let elsewhere: JSON = ["club": "kantine-koning/1/club-7", "open": false]
    #expect(try backend.assign("setEnrollmentOpen", elsewhere, in: plan).isEmpty)
    #expect(throws: ControlProblem.self) {
      try backend.assign("setEnrollmentOpen", ["club": "club-7", "open": false], in: plan)
    }
    #expect(throws: ControlProblem.self) {
      try backend.assign(
        "setEnrollmentOpen", ["club": "kantine-koning/2/club-99", "open": false], in: plan)
    }
    #expect(try backend.assign("cleanUp", .object([:]), in: plan).count == 3)
  }
}
