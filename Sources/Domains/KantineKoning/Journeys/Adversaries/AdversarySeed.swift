import Contracts
import KantineKoningContract
import Timekeeping

/// Somebody who breaks rules on purpose, before the first act: a manager of one club, known to a second, with
/// rights that some acts start from.
public struct AdversarySeed: Sendable {
  public let name: String
  /// Which act comes first; neighbours start with different ones.
  public let turn: Int
  public let neighbourhood: Neighbourhood
  public let email: String
  public let begins: Instant
  /// What the clubs know about this address.
  public let managers: [Fixture.Manager]
  /// A manager's right, a member's right, one whose token expired with a former season, and, with edges, one whose token
  /// ends during the run.
  public let entries: [Fixture.EnrollmentEntry]

  /// What lies at the bounds of the rules in the home club; `nil` where somebody else looks at it.
  let edges: Edges?
  let home: Club
  /// Another club of the cell; `nil` when there is none.
  let away: Club?
  /// Teams of the home club that the address manages, those with most to do first.
  let managed: [TeamName]

  init(name: String, turn: Int, neighbourhood: Neighbourhood, plan: CanteenPlan) {
    self.name = name
    self.turn = turn
    self.neighbourhood = neighbourhood
    var stream = plan.stream(name, Shaping.adversary)
    let clubs = neighbourhood.clubs
    home = clubs[turn % clubs.count]
    away = clubs.count > 1 ? clubs[(turn + 1) % clubs.count] : nil
    email = "\(name)@\(home.slug).example"
    begins = plan.starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(40)))

    var upcoming: [TeamName: Int] = [:]
    for dienst in home.diensten where dienst.startTijd > plan.starts {
      if let team = dienst.team { upcoming[team, default: 0] += 1 }
    }
    let ranked = home.codes.enumerated().sorted { a, b in
      (-(upcoming[a.element] ?? 0), a.offset) < (-(upcoming[b.element] ?? 0), b.offset)
    }.map(\.element)
    managed = Array(ranked.prefix(7))
    var managers = [Fixture.Manager(tenantSlug: home.slug, email: email, teamCodes: managed)]
    if let away {
      managers.append(
        .init(tenantSlug: away.slug, email: email, teamCodes: Array(away.codes.prefix(3))))
    }
    self.managers = managers

    edges =
      turn < clubs.count && managed.count > 1
      ? Edges(
        home: home.slug, own: managed[0], moved: managed[1], plan: plan,
        plan.stream(name, Shaping.edges)) : nil
    let recently = Instant(unixSeconds: (plan.starts - .days(2)).unixSeconds)
    let formerSeason = Season.start(before: plan.starts) - .days(100)
    var entries = [
      Fixture.EnrollmentEntry(
        deviceID: stream.uuid(), tenantSlug: home.slug, role: .manager,
        teamCodes: Array(managed.prefix(3)), teamManagerEmail: email,
        hardwareIdentifier: stream.uuid(), enrolledAt: recently),
      Fixture.EnrollmentEntry(
        deviceID: stream.uuid(), tenantSlug: home.slug, role: .member,
        teamCodes: Array(managed.prefix(2)), hardwareIdentifier: stream.uuid(),
        enrolledAt: recently),
      Fixture.EnrollmentEntry(
        deviceID: stream.uuid(), tenantSlug: home.slug, role: .member,
        teamCodes: Array(managed.suffix(1)), hardwareIdentifier: stream.uuid(),
        enrolledAt: Instant(unixSeconds: formerSeason.unixSeconds)),
    ]
    if edges != nil {
      entries.append(
        Fixture.EnrollmentEntry(
          deviceID: stream.uuid(), tenantSlug: home.slug, role: .manager,
          teamCodes: Array(managed.prefix(2)), teamManagerEmail: email,
          hardwareIdentifier: stream.uuid(), enrolledAt: recently))
    }
    self.entries = entries
  }
}
