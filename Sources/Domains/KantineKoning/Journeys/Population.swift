import Contracts
import KantineKoningContract
import Timekeeping

/// Everybody of one region, and what the operator loads before they live.
public struct Population: Sendable {
  public let neighbourhoods: [Neighbourhood]
  public private(set) var phones: [(cell: Int, seed: PhoneSeed)] = []
  public private(set) var adversaries: [(cell: Int, seed: AdversarySeed)] = []
  /// Per club: the club itself, then what its people hold. The first part comes before every second part.
  public private(set) var clubFixtures: [(cell: Int, fixture: Fixture)] = []
  public private(set) var enrollmentFixtures: [(cell: Int, fixture: Fixture)] = []

  public init(_ plan: CanteenPlan) {
    let clubs = (0..<plan.clubs).map { Club(number: $0 + 1, plan: plan) }
    neighbourhoods = (0..<plan.cells).map { cell in
      let first = cell * plan.clubsPerCell
      return Neighbourhood(
        clubs: Array(clubs[first..<min(clubs.count, first + plan.clubsPerCell)]), plan: plan)
    }
    for number in 1...max(1, plan.clubs) where number <= plan.clubs {
      let cell = plan.cell(ofClub: number)
      var household = Household(number: number, neighbourhood: neighbourhoods[cell], plan: plan)
      household.settle()
      let club = clubs[number - 1]
      phones += household.phones.map { (cell, $0) }
      clubFixtures.append(
        (
          cell,
          Fixture(
            tenants: [.init(slug: club.slug, name: club.name)], teams: club.teams,
            managers: household.managers, diensten: club.diensten)
        ))
      enrollmentFixtures.append((cell, Fixture(enrollments: household.enrollments)))
    }
    settleAdversaries(plan)
  }

  /// A share of extra persons, at least one in every cell, because a rule that nobody tries to break has not been
  /// checked.
  private mutating func settleAdversaries(_ plan: CanteenPlan) {
    guard plan.adversaries > 0 else { return }
    for (cell, neighbourhood) in neighbourhoods.enumerated() {
      let honest = phones.count(where: { $0.cell == cell })
      let count = max(1, Int((plan.adversaries * Double(honest)).rounded()))
      var fixture = Fixture()
      for number in 1...count {
        let seed = AdversarySeed(
          name: "adversary-\(cell + 1)-\(number)", turn: number - 1, neighbourhood: neighbourhood,
          plan: plan)
        fixture.managers += seed.managers
        fixture.enrollments += seed.entries
        adversaries.append((cell, seed))
      }
      enrollmentFixtures.append((cell, fixture))
    }
  }
}

/// The phones of one club's people.
private struct Household {
  let neighbourhood: Neighbourhood
  let number: Int
  let plan: CanteenPlan
  let club: Club
  /// Clubs of the neighbourhood that were there before: one club more changes nobody's life in the others.
  let elders: [Club]
  private(set) var phones: [PhoneSeed] = []
  private(set) var managers: [Fixture.Manager] = []
  private(set) var enrollments: [Fixture.EnrollmentEntry] = []

  init(number: Int, neighbourhood: Neighbourhood, plan: CanteenPlan) {
    self.neighbourhood = neighbourhood
    self.number = number
    self.plan = plan
    let place = (number - 1) % plan.clubsPerCell
    club = neighbourhood.clubs[place]
    elders = Array(neighbourhood.clubs[..<place])
  }

  mutating func settle() {
    var stream = plan.stream("club-\(number)/people", Shaping.club)
    for code in club.codes {
      // One manager 60 %, two 35 %, three 5 % (§5.12).
      for _ in 0...stream.pick(weights: [0.60, 0.35, 0.05]) { addPhone(managing: code) }
    }
    let follow = club.codes.reduce(0) { sum, _ in
      sum
        + stream.negativeBinomial(
          mean: plan.population.number("membersPerTeam"), dispersion: 2)
    }
    // A phone follows 1.58 teams on average.
    for _ in 0..<Int((Double(follow) / 1.58).rounded()) { addPhone(managing: nil) }
  }

  private mutating func addPhone(managing code: TeamName?) {
    let name = "club-\(number)-phone-\(phones.count + 1)"
    var stream = plan.stream(name, Shaping.phone)
    let email = code.map { _ in "\(name)@\(club.slug).example" }
    let follows = code.map { following(managing: $0, &stream) } ?? following(&stream)
    if let email {
      for following in follows where following.role == .manager {
        managers.append(
          .init(tenantSlug: following.club, email: email, teamCodes: following.codes))
      }
    }
    let hardware: HardwareID = stream.uuid()
    let isTester = stream.chance(plan.population.share("testerShare"))
    let scheme: BuildScheme =
      isTester && stream.chance(plan.population.share("releaseTesting"))
      ? .releaseTesting : .release
    let allowsNotifications = !stream.chance(plan.population.share("notificationsRefused"))
    let isEnrolled = !stream.chance(plan.population.share("onboardingShare"))
    let token = ApnsToken.issue(for: scheme.entitlement, drawing: &stream)
    let pushToken = isEnrolled && allowsNotifications ? token : nil
    var entries = isEnrolled ? follows.map { entry($0, hardware, email, &stream) } : []
    for index in entries.indices {
      entries[index].apnsDeviceToken = pushToken
      entries[index].buildEnvironment = scheme.buildEnvironment
    }
    enrollments += entries
    let offset = plan.parameters.span("clockOffset")
    let clockOffset =
      stream.chance(plan.parameters.share("slowClocks"))
      ? .minutes(-11) : stream.sample(.uniform(from: .zero, to: offset + offset)) - offset
    let openings = Openings(isManager: email != nil, habits: neighbourhood.habits)
    let begins =
      isEnrolled
      ? openings.next(after: plan.starts, until: plan.ends, &stream)
      : plan.starts + stream.sample(.uniform(from: .zero, to: (plan.ends - plan.starts) * 3 / 4))
    phones.append(
      PhoneSeed(
        name: name, neighbourhood: neighbourhood, hardwareIdentifier: hardware, email: email,
        follows: follows,
        enrollments: entries.map { entry in
          HeldEnrollment(
            entry, teams: neighbourhood.club(entry.tenantSlug)?.teams ?? [],
            by: neighbourhood.habits.deployment)
        },
        isTester: isTester, scheme: scheme, allowsNotifications: allowsNotifications,
        pushToken: pushToken, clockOffset: clockOffset, begins: begins))
  }

  private func entry(
    _ following: Following, _ hardware: HardwareID, _ email: String?, _ stream: inout RandomStream
  ) -> Fixture.EnrollmentEntry {
    let since = neighbourhood.habits.deployment.oldestLivingEnrollment(at: plan.starts)
    let enrolledAt =
      since + stream.sample(.uniform(from: .zero, to: max(.zero, plan.starts - since - .hours(1))))
    return Fixture.EnrollmentEntry(
      deviceID: stream.uuid(), tenantSlug: following.club, role: following.role,
      teamCodes: following.codes, teamManagerEmail: following.role == .manager ? email : nil,
      hardwareIdentifier: hardware,
      enrolledAt: Instant(unixSeconds: enrolledAt.unixSeconds))
  }

  /// A manager: one team, sometimes a second, and for some a further team as a member.
  private func following(managing code: TeamName, _ stream: inout RandomStream) -> [Following] {
    let others = club.codes.filter { $0 != code }
    let second = stream.chance(0.2) ? stream.sample(1, of: others) : []
    var follows = [Following(club: club.slug, codes: [code] + second, role: .manager)]
    if stream.chance(plan.population.share("bothRoles")) {
      let further = stream.sample(1, of: others.filter { !second.contains($0) })
      if !further.isEmpty {
        follows.append(Following(club: club.slug, codes: further, role: .member))
      }
    }
    return follows + secondClub(taken: 3, &stream)
  }

  /// A member: 1 to 5 teams (§5.12), all in one enrollment.
  private func following(_ stream: inout RandomStream) -> [Following] {
    let count = 1 + stream.pick(weights: [0.62, 0.25, 0.08, 0.03, 0.02])
    let codes = stream.sample(count, of: club.codes)
    return [Following(club: club.slug, codes: codes, role: .member)]
      + secondClub(taken: codes.count, &stream)
  }

  private func secondClub(taken: Int, _ stream: inout RandomStream) -> [Following] {
    guard stream.chance(plan.population.share("twoClubs")), taken < 5, !elders.isEmpty else {
      return []
    }
    let other = stream.pick(elders)
    return [Following(club: other.slug, codes: stream.sample(1, of: other.codes), role: .member)]
  }
}
