import KantineKoningContract
import Timekeeping

/// Teams and diensten at the bounds of what the rules count, for one club of a cell: the operator loads them, and who
/// breaks rules looks at them just before and just after.
public struct Edges: Sendable {
  /// A dienst of the own team and an open one that begin at one instant of the run.
  struct Beginning: Sendable {
    let at: Instant
    let own: DienstID
    let open: DienstID

    /// When the own team's ends.
    var ends: Instant { at + .minutes(90) }
  }

  /// Who has earned its praise to the last minute, three teams that share a rank; who lacks a little of everything;
  /// and who works when periods begin.
  static let (praised, equal, lacking, early): (TeamName, [TeamName], TeamName, TeamName) = (
    "Z1", ["Z1", "Z2", "Z3"], "Z4", "Z5"
  )

  let beginnings: [Beginning]
  /// Managers of the moved team whose mails somebody reads (KK-120): one has no push token, so that mails are always on;
  /// the other has one and wants no mails of the moved team, but those of the own.
  let managers: [Fixture.EnrollmentEntry]
  /// When the token of a right ends that was given out for some hours.
  let tokenEnds: Instant
  /// When the operator cleans up, and one of the managers manages nothing any more.
  let cleansUp: Instant
  private let starts: Instant
  private let home: Slug
  /// The own team, and the one whose diensten are moved.
  private let (own, moved): (TeamName, TeamName)
  private let movedIDs: [DienstID]
  private let stream: RandomStream

  init(home: Slug, own: TeamName, moved: TeamName, plan: CanteenPlan, _ stream: RandomStream) {
    (self.home, self.own, self.moved) = (home, own, moved)
    starts = plan.starts
    tokenEnds = plan.starts + .minutes(191)
    cleansUp = plan.starts + (plan.ends - plan.starts) / 20 * 19
    var stream = stream
    movedIDs = (0..<8).map { _ in stream.uuid() }
    managers = [("stil", [moved]), ("wenst", [moved, own])].map { name, codes in
      let token = codes.count > 1 ? ApnsToken.issue(for: .production, drawing: &stream) : nil
      return Fixture.EnrollmentEntry(
        deviceID: stream.uuid(), tenantSlug: home, role: .manager, teamCodes: codes,
        teamManagerEmail: "\(name)-\(own.text.lowercased())@\(home).example",
        hardwareIdentifier: stream.uuid(), apnsDeviceToken: token, buildEnvironment: "production",
        enrolledAt: Instant(unixSeconds: (plan.starts - .days(2)).unixSeconds))
    }
    let step = max(.hours(3), (plan.ends - plan.starts) / Self.mostBeginnings)
    var beginnings: [Beginning] = []
    for number in 0..<Self.mostBeginnings {
      let at = plan.starts + .minutes(127) + step * number
      guard at < plan.ends - .minutes(10) else { break }
      beginnings.append(Beginning(at: at, own: stream.uuid(), open: stream.uuid()))
    }
    self.beginnings = beginnings
    self.stream = stream
  }

  private static let mostBeginnings: Int64 = 8

  /// What the operator loads.
  func fixture() -> Fixture {
    var (fixture, stream) = (Fixture(), stream)
    let names = ["0a", "0B", "0a", "0 bijna", "0 grens"]
    fixture.teams = zip(Self.equal + [Self.lacking, Self.early], names).map { code, naam in
      Fixture.Team(tenantSlug: home, id: stream.uuid(), code: code, naam: naam)
    }
    fixture.diensten = season(&stream) + comingAndGoing(&stream) + moving.map(\.entry)
    fixture.managers = managers.map { entry in
      Fixture.Manager(
        tenantSlug: home, email: entry.teamManagerEmail ?? "", teamCodes: entry.teamCodes)
    }
    // Phones that do nothing, so that it is certain who has to hear of what is moved and cancelled (KK-99).
    fixture.enrollments =
      managers + [
        Fixture.EnrollmentEntry(
          deviceID: stream.uuid(), tenantSlug: home, role: .member, teamCodes: [moved],
          hardwareIdentifier: stream.uuid())
      ]
    return fixture
  }

  private func dienst(
    _ id: DienstID, of team: TeamName?, at start: Instant, lasting: Span, minimum: Int = 1,
    names: [String] = []
  ) -> Fixture.DienstEntry {
    Fixture.DienstEntry(
      id: id, tenantSlug: home, team: team, startTijd: start, eindTijd: start + lasting,
      minimumBemanning: minimum, locatieNaam: "Kantine", aanmeldingen: names)
  }

  // MARK: What counted (KK-109, KK-116)

  /// A weekday from Monday, 0, and a time of day in minutes, in some of the three weeks before the run's.
  private typealias Slot = (day: Int64, minutes: Int64, weeks: ClosedRange<Int64>)

  /// Ten at weekends, five before ten o'clock, twenty, of two hours each; a Saturday's first minute and a Sunday's last
  /// hour count, a Friday's last and ten o'clock itself do not.
  private static let enough: [Slot] = [
    (5, 720, 1...3), (6, 720, 1...3), (6, 1_410, 1...3), (5, 0, 1...1), (1, 599, 1...3),
    (2, 480, 1...1), (4, 1_350, 1...3), (0, 600, 1...3),
  ]
  /// One fewer of each; a Monday's first half hour is no weekend.
  private static let tooFew: [Slot] = [
    (5, 720, 1...3), (6, 720, 1...3), (6, 1_200, 1...3), (4, 1_350, 1...2), (0, 600, 1...2),
    (0, 630, 1...1), (1, 599, 1...2), (2, 480, 1...1), (0, 30, 1...1), (3, 1_140, 1...1),
  ]

  private func season(_ stream: inout RandomStream) -> [Fixture.DienstEntry] {
    var entries = Self.equal.flatMap { team in
      instants(Self.enough).map { dienst(stream.uuid(), of: team, at: $0, lasting: .hours(2)) }
    }
    let short = instants(Self.tooFew)
    entries += short.map { start in
      // The last makes up for what eighteen times two hours lack of forty, but for a minute.
      dienst(
        stream.uuid(), of: Self.lacking, at: start,
        lasting: start == short.last ? .minutes(239) : .hours(2))
    }
    for period in LeaderboardPeriod.allCases {
      let begin = period.bounds(around: starts).starts
      for minutes: Int64 in [-30, 0, 30] where begin + .minutes(minutes + 60) < starts {
        entries.append(
          dienst(
            stream.uuid(), of: Self.early, at: begin + .minutes(minutes), lasting: .hours(1)))
      }
    }
    return entries
  }

  private func instants(_ slots: [Slot]) -> [Instant] {
    let today = CivilZone.amsterdam.civil(at: starts).date
    let monday = today.daysSinceEpoch - Int64(today.weekday - 1)
    return slots.flatMap { slot in
      slot.weeks.map { week in
        CivilZone.amsterdam.instant(
          CivilDate(daysSinceEpoch: monday - 7 * week + slot.day), .minutes(slot.minutes))
      }
    }
  }

  // MARK: What begins, ends and comes into view (KK-45, KK-46, KK-56, KK-117)

  private func comingAndGoing(_ stream: inout RandomStream) -> [Fixture.DienstEntry] {
    beginnings.flatMap { beginning -> [Fixture.DienstEntry] in
      let at = beginning.at
      var entries = [
        dienst(
          beginning.own, of: own, at: at, lasting: beginning.ends - at, minimum: 3, names: ["Ada"]),
        dienst(beginning.open, of: nil, at: at, lasting: .hours(2)),
        dienst(stream.uuid(), of: own, at: at - .days(365), lasting: .hours(2)),
      ]
      // Two at once have an order, too.
      for team in [own, own, nil, nil] {
        entries.append(dienst(stream.uuid(), of: team, at: at + .days(3), lasting: .hours(2)))
      }
      for team in [own, nil] {
        entries.append(dienst(stream.uuid(), of: team, at: at + .days(60), lasting: .hours(2)))
      }
      return entries
    }
  }

  // MARK: What two administrators change at once (KK-52), and reminders that move along (KK-99)

  /// A dienst, when it is changed, and how.
  private typealias Move = (
    entry: Fixture.DienstEntry, after: Span, commands: [KantineKoning.Control]
  )

  /// Shortly before a full hour: of what is told then the records are still there when somebody looks.
  private var soon: Instant { starts - .minutes(10) }

  private var moving: [Move] {
    func move(
      _ id: DienstID, from start: Span, by later: Span, after: Span, isAlone: Bool = false
    ) -> Move {
      let entry = dienst(id, of: moved, at: soon + start, lasting: .hours(2), minimum: 3)
      let (staffing, place, time) = (
        KantineKoning.DienstChange(id: entry.id, minimumBemanning: 4),
        KantineKoning.DienstChange(id: entry.id, locatieNaam: "Veld 3"),
        KantineKoning.DienstChange(
          id: entry.id, startTijd: entry.startTijd + later, eindTijd: entry.eindTijd + later)
      )
      return (entry, after, (isAlone ? [time] : [staffing, place, time]).map { .changeDienst($0) })
    }
    // Before the reminder, after it, to an earlier day, and in the week before.
    var moves = [
      move(movedIDs[0], from: .hours(29), by: .hours(2), after: .hours(3)),
      move(movedIDs[1], from: .hours(28), by: .hours(3), after: .hours(5), isAlone: true),
      move(movedIDs[2], from: .hours(72), by: .hours(-40), after: .hours(3)),
      move(movedIDs[3], from: .hours(173), by: .hours(2), after: .hours(3)),
    ]
    let cancelled = dienst(
      movedIDs[4], of: moved, at: soon + .hours(30), lasting: .hours(2), minimum: 3)
    moves.append(
      (
        cancelled, .hours(4),
        [
          .cancelDienst(id: cancelled.id),
          .changeDienst(KantineKoning.DienstChange(id: cancelled.id, minimumBemanning: 4)),
        ]
      ))
    let manned = dienst(
      movedIDs[5], of: moved, at: soon + .hours(31), lasting: .hours(2), names: ["Bea"])
    moves.append((manned, .hours(4), []))
    // Who is enough today is too few when more are wanted (§2.6).
    let short = dienst(
      movedIDs[7], of: moved, at: soon + .hours(34), lasting: .hours(2), names: ["Bea"])
    let more = KantineKoning.DienstChange(id: short.id, minimumBemanning: 2)
    moves.append((short, .hours(4), [.changeDienst(more)]))
    let given = dienst(
      movedIDs[6], of: nil, at: soon + .hours(33), lasting: .hours(2), minimum: 3)
    moves.append((given, .hours(4), [.assignDienst(id: given.id, team: moved)]))
    return moves
  }

  func changes() -> [(at: Instant, command: KantineKoning.Control)] {
    let former = Fixture.Manager(
      tenantSlug: home, email: managers[0].teamManagerEmail ?? "", teamCodes: [])
    return moving.flatMap { move in move.commands.map { (soon + move.after, $0) } }
      + [(cleansUp - .minutes(1), .setManager(former)), (cleansUp, .cleanUp)]
  }
}
