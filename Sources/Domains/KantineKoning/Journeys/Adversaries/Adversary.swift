import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

/// Somebody who tries what the rules forbid, one act at a time and all of them in turn, inside one cell.
///
/// Every act starts with fresh identifiers, so that what it may expect does not depend on the acts before it.
public final class Adversary: Behaviour {
  public typealias Contract = KantineKoning

  let seed: AdversarySeed
  let home: Club
  let away: Club?
  let managerRight: HeldEnrollment
  let memberRight: HeldEnrollment
  let expiredRight: HeldEnrollment
  /// A phone with one team in every club of the cell, for syncs while a club is closed.
  var sleeper: Burner?
  /// What the last mail about a dienst lets its reader do.
  var mailed: CallToActionToken?
  /// What has to be tried at an instant, the soonest first.
  var appointments: [(at: Instant, what: Appointment)]
  /// When the next ordinary act is due.
  private var nextAct = Instant.distantPast
  private var turn: Int
  private var isListening = false

  public init(_ seed: AdversarySeed) {
    self.seed = seed
    home = seed.home
    away = seed.away
    turn = seed.turn
    let rights = seed.entries.map { entry in
      HeldEnrollment(
        entry, teams: seed.home.teams, by: seed.neighbourhood.habits.deployment)
    }
    (managerRight, memberRight, expiredRight) = (rights[0], rights[1], rights[2])
    appointments = Self.appointments(seed, rights[0])
  }

  public var begins: Instant? { seed.begins }

  public func session(as me: Person<KantineKoning>) async throws(JourneyEnded) -> Instant? {
    if !isListening {
      me.listen(at: .mailbox(seed.email))
      isListening = true
    }
    if let due = appointments.first, due.at <= me.now + Self.head {
      appointments.removeFirst()
      try await keep(due, as: me)
    } else {
      try await act(as: me)
      let pause = seed.neighbourhood.habits.mischiefEvery
      nextAct = me.now + me.draw(.mischief) { $0.sample(.exponential(mean: pause)) }
    }
    return max(me.now, appointments.first.map { min(nextAct, $0.at - Self.head) } ?? nextAct)
  }

  /// How long before an appointment somebody gets ready for it.
  private static let head = Span.seconds(5)

  /// The next act in turn.
  private func act(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    defer { turn += 1 }
    try await readMails(wishing: turn % 2 == 0, as: me)
    switch turn % 15 {
    case 0: try await forge(as: me)
    case 1: try await trespass(as: me)
    case 2: try await writeAsMember(as: me)
    case 3:
      try await answerOldMail(as: me)
      try await breakNames(as: me)
    case 4:
      try await collect(as: me)
      try await overlap(as: me)
    case 5: try await sync(as: me)
    case 6: try await probeWindows(as: me)
    case 7: try await probeBoards(as: me)
    case 8: try await grab(as: me)
    case 9:
      try await answerOldMail(as: me)
      try await readPublicly(as: me)
    case 10: try await remove(as: me)
    case 11: try await misleadPushes(as: me)
    case 12: try await knock(as: me)
    case 13: try await lose(as: me)
    default: try await tour(as: me)
    }
  }

  /// A pause between two requests.
  func pause(_ me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await me.think(.uniform(from: .milliseconds(300), to: .seconds(3)))
  }

  func identifier<Kind>(_ me: Person<KantineKoning>) -> Name<Kind> {
    me.draw(.mischief) { $0.uuid() }
  }

  func pick<Element>(_ choices: [Element], as me: Person<KantineKoning>) -> Element? {
    choices.isEmpty ? nil : me.draw(.mischief) { $0.pick(choices) }
  }

  /// Diensten of a club that begin well after now or ended well before it.
  func diensten(
    of club: Club, future: Bool, as me: Person<KantineKoning>
  ) -> [Fixture.DienstEntry] {
    club.diensten.filter {
      future ? $0.startTijd > me.now + .hours(2) : $0.startTijd < me.now - .hours(2)
    }
  }
}

/// A phone of an adversary: an identifier of its own and what it holds.
struct Burner {
  let hardware: HardwareID
  var held: [HeldEnrollment] = []
}

extension Adversary {
  /// A member token as the app would build it.
  func memberClaims(
    _ club: Club, _ codes: [TeamName], role: String = Role.member.rawValue, lifetime: Span? = nil,
    purpose: String = "device-enroll", as me: Person<KantineKoning>
  ) -> EnrollmentClaims {
    let stated = seed.neighbourhood.habits.deployment.memberTokenLifetime
    return EnrollmentClaims(
      tenantSlug: club.slug, tenantName: club.name, teamCodes: codes, role: role, email: nil,
      purpose: purpose, exp: (me.now + (lifetime ?? stated)).unixSeconds, jti: identifier(me))
  }

  /// Registers as a member; what the burner holds grows when it succeeds.
  @discardableResult
  func join(
    _ club: Club, _ codes: [TeamName], on burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Outcome<KantineKoning> {
    try await register(.member(memberClaims(club, codes, as: me)), on: &burner, as: me)
  }

  @discardableResult
  func register(
    _ token: EnrollmentToken, on burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Outcome<KantineKoning> {
    try await pause(me)
    let answer = try await me.ask(
      .register(Registration(token: token, hardwareIdentifier: burner.hardware)))
    if case .replied(.registered(let registered)) = answer {
      burner.held.append(HeldEnrollment(registered, at: me.now))
    }
    return answer
  }

  /// Asks for a magic link and waits for the mail; `nil` when none comes.
  func link(
    _ club: Club, _ codes: [TeamName], as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> EnrollmentToken? {
    try await pause(me)
    let request = EnrollmentRequest(email: seed.email, tenantSlug: club.slug, teamCodes: codes)
    let asked = me.now
    guard case .replied = try await me.ask(.requestEnrollment(request)) else { return nil }
    let mail = try await me.wait(until: me.now + .minutes(5)) { signal in
      switch signal {
      case .mail(let mail):
        mail.tenantSlug == club.slug && mail.sentAt >= asked && mail.teamCodes == codes
      case .push, .notice: false
      }
    }
    guard case .mail(let found)? = mail?.signal else { return nil }
    return found.token
  }

  /// One item for each enrollment, as an honest phone would list them.
  func items(_ held: [HeldEnrollment], hardware: HardwareID?) -> [SyncItem] {
    held.map { enrollment in
      SyncItem(
        tenantSlug: enrollment.tenant, role: enrollment.role.rawValue,
        teamCodes: enrollment.codes, hardwareIdentifier: hardware)
    }
  }

  @discardableResult
  func sync(
    _ items: [SyncItem], with enrollment: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Outcome<KantineKoning> {
    try await pause(me)
    return try await me.ask(.sync(SyncRequest(items: items)), with: enrollment.credential)
  }

  @discardableResult
  func list(
    _ enrollment: HeldEnrollment, tenant: Slug?, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Outcome<KantineKoning> {
    try await pause(me)
    return try await me.ask(
      .diensten(DienstenQuery(tenant: tenant)), with: enrollment.credential)
  }
}
