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
  /// A manager's right, a member's right, and one whose token expired with a former season.
  public let entries: [Fixture.EnrollmentEntry]

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

    let recently = Instant(unixSeconds: (plan.starts - .days(2)).unixSeconds)
    let formerSeason = Season.start(before: plan.starts) - .days(100)
    entries = [
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
  }
}
