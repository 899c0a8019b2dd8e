import Contracts
import KantineKoningContract
import Timekeeping

/// What club administrators and the operator do during a run beside the calendar of seasons: diensten are changed and
/// cancelled, testers are marked and get test alerts.
public struct OperatorRounds: Sendable {
  public private(set) var commands: [(cell: Int, at: Instant, command: KantineKoning.Control)] = []
  private let plan: CanteenPlan

  public init(_ plan: CanteenPlan, _ population: Population) {
    self.plan = plan
    guard plan.clubs > 0 else { return }
    for number in 1...plan.clubs {
      let cell = plan.cell(ofClub: number)
      let slug = Club.slug(region: plan.region, number: number)
      if let club = population.neighbourhoods[cell].club(slug) {
        change(club, number: number, cell: cell)
      }
    }
    for phone in population.phones where phone.seed.isTester { attend(phone.seed, phone.cell) }
    for adversary in population.adversaries { attend(adversary.seed, adversary.cell) }
  }

  /// Changes and cancels diensten that are at least a day away, each cancelled one once.
  private mutating func change(_ club: Club, number: Int, cell: Int) {
    let perDay = plan.population.number("dienstenChangedPerDay")
    guard perDay > 0 else { return }
    var stream = plan.stream("club-\(number)", Shaping.rounds)
    var rest = club.diensten
    var now = plan.starts
    while true {
      now = now + stream.sample(.exponential(mean: Span(seconds: 86_400 / perDay)))
      guard now < plan.ends else { return }
      rest.removeAll { $0.startTijd < now + .hours(25) }
      guard !rest.isEmpty else { return }
      let place = stream.pick(0..<rest.count)
      let dienst = rest[place]
      if stream.chance(0.5) {
        rest.remove(at: place)
        commands.append((cell, now, .cancelDienst(id: dienst.id)))
      } else {
        commands.append((cell, now, .changeDienst(change(of: dienst, &stream))))
      }
    }
  }

  private func change(
    of dienst: Fixture.DienstEntry, _ stream: inout RandomStream
  ) -> KantineKoning.DienstChange {
    guard stream.chance(0.5) else {
      return KantineKoning.DienstChange(
        id: dienst.id, locatieNaam: stream.pick(["Kantine", "Kleedkamer", "Hoofdveld", "Veld 2"]))
    }
    let later = Span.minutes(Int64(stream.pick(1..<5) * 15))
    return KantineKoning.DienstChange(
      id: dienst.id, startTijd: dienst.startTijd + later, eindTijd: dienst.eindTijd + later)
  }

  /// A tester may be marked as a test user, and may get a test alert (KK-100).
  private mutating func attend(_ seed: PhoneSeed, _ cell: Int) {
    guard let entry = seed.enrollments.first else { return }
    var stream = plan.stream(seed.name, Shaping.rounds)
    let isMarked = stream.chance(plan.population.share("testUsers"))
    if isMarked, seed.scheme == .releaseTesting {
      commands.append(
        (
          cell, plan.starts + .seconds(1),
          .setTestUser(deviceID: entry.deviceID, isTestUser: true)
        ))
    }
    if stream.chance(plan.population.share("testAlerts")) {
      alert(entry.deviceID, cell, at: 0.1 + 0.8 * stream.unit())
    }
  }

  /// Who breaks rules holds tokens that no push reaches; alerts show what becomes of them (KK-94, KK-95).
  private mutating func attend(_ seed: AdversarySeed, _ cell: Int) {
    let testUser = seed.entries[1].deviceID
    commands.append(
      (cell, plan.starts + .seconds(1), .setTestUser(deviceID: testUser, isTestUser: true)))
    for entry in seed.entries.prefix(2) {
      for share in [0.6, 0.9] { alert(entry.deviceID, cell, at: share) }
    }
    command(cell, at: 0.75, .setPushEnabled(deviceID: seed.entries[0].deviceID, enabled: false))
    command(
      cell, at: 0.93,
      .revokeEnrollment(
        deviceID: testUser, reason: seed.turn % 2 == 0 ? .adminRevoked : .securityBreach))
    schedule(diensten(of: seed), cell)
    guard let edges = seed.edges else { return }
    commands.append((cell, plan.starts + .seconds(2), .load(edges.fixture())))
    for change in edges.changes() where change.at < plan.ends {
      commands.append((cell, change.at, change.command))
    }
  }

  /// Diensten that enter and leave the default window of O14 while the run lasts (KK-45, KK-46).
  private func diensten(of seed: AdversarySeed) -> [Fixture.DienstEntry] {
    guard let team = seed.managed.first else { return [] }
    var stream = plan.stream(seed.name, Shaping.rounds)
    return [Span.days(-365), .days(60)].flatMap { bound in
      stride(from: Int64(-5), to: 32, by: 4).map { hours in
        let start = plan.starts + bound + .hours(hours)
        return Fixture.DienstEntry(
          id: stream.uuid(), tenantSlug: seed.home.slug, team: team, startTijd: start,
          eindTijd: start + .hours(2), minimumBemanning: 1)
      }
    }
  }

  private mutating func schedule(_ diensten: [Fixture.DienstEntry], _ cell: Int) {
    var fixture = Fixture()
    fixture.diensten = diensten
    commands.append((cell, plan.starts + .seconds(2), .load(fixture)))
  }

  private mutating func command(
    _ cell: Int, at share: Double, _ command: KantineKoning.Control
  ) {
    let instant = plan.starts + Span(seconds: (plan.ends - plan.starts).seconds * share)
    commands.append((cell, instant, command))
  }

  private mutating func alert(_ deviceID: EnrollmentID, _ cell: Int, at share: Double) {
    command(cell, at: share, .sendTestPush(deviceID: deviceID, title: "Test", body: "Testbericht"))
  }
}
