import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// Enrolls for what the person follows, club by club, in the role it has there (§5.2, §5.3).
  func onboard(_ wishes: [Following], as me: Person<KantineKoning>) async throws(JourneyEnded) {
    for wish in wishes {
      enter(.onboarding, as: me)  // also from "add team" (§5.1)
      try await searchClub(wish.club, as: me)
      try await me.think(.lognormal(median: .seconds(8), p95: .seconds(40)))  // scan, choose a role
      switch wish.role {
      case .manager: try await onboardAsManager(wish, as: me)
      case .member: try await onboardAsMember(wish, as: me)
      }
    }
    if enrollments.isEmpty {
      me.note(.gaveUpEnrolling)
    } else {
      enter(.registered, as: me)
      try await handOverPushToken(as: me)
      try await refresh(as: me)
    }
  }

  /// What an Uitgelogd label leads to: the user enrolls for those teams again (§5.9).
  func enrollAgainWhatIsUitgelogd(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let dead = enrollments.filter { $0.isUitgelogd && !$0.seasonEnded }
    guard !dead.isEmpty, me.draw(.enrolling, { $0.chance(habits.enrollsAgain) }) else { return }
    try await onboard(
      dead.map { Following(club: $0.tenant, codes: $0.codes, role: $0.role) }, as: me)
  }

  // MARK: Manager (§5.2)

  /// E-mail, allowed teams, choice, request, magic link, register.
  private func onboardAsManager(
    _ wish: Following, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard let email = seed.email else { return }
    me.listen(at: .mailbox(email))
    try await typeWrongEmailPerhaps(email, wish, as: me)
    try await me.think(.lognormal(median: .seconds(10), p95: .seconds(30)))
    guard rules.binds(.kk24) else {
      // With KK-24 off the app asks for a link without having asked which teams there are.
      _ = try await enrollByMail(email, club: wish.club, codes: wish.codes, as: me)
      return
    }
    for attempt in 1...3 {
      let answer = try await me.ask(
        .requestEnrollment(EnrollmentRequest(email: email, tenantSlug: wish.club, teamCodes: [])),
        attempt: attempt)
      switch answer {
      case .replied(.allowedTeams(let teams)):
        let allowed = teams.map(\.code)
        let chosen = wish.codes.filter(allowed.contains)
        guard !chosen.isEmpty else { return }
        if try await enrollByMail(email, club: wish.club, codes: chosen, as: me) { return }
      case .refused, .unsent: return  // the error is shown; another day
      case .replied, .unknown: break
      }
      try await me.think(.lognormal(median: .seconds(15), p95: .minutes(1)))
    }
  }

  private func typeWrongEmailPerhaps(
    _ email: String, _ wish: Following, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard me.draw(.enrolling, { $0.chance(habits.wrongEmail) }) else { return }
    let wrong = EnrollmentRequest(email: "x" + email, tenantSlug: wish.club, teamCodes: [])
    _ = try await me.ask(.requestEnrollment(wrong))
    try await me.think(.lognormal(median: .seconds(10), p95: .seconds(30)))
  }

  /// O2, then the mail, then O3 with the link's token; `false` when the link is to be asked for again.
  private func enrollByMail(
    _ email: String, club: Slug, codes: [TeamName], as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Bool {
    try await me.think(.lognormal(median: .seconds(6), p95: .seconds(20)))
    let request = EnrollmentRequest(email: email, tenantSlug: club, teamCodes: codes)
    let answer = try await me.ask(.requestEnrollment(request))
    switch answer {
    case .replied: enter(.enrollmentPending, as: me)
    case .refused, .unsent: return true
    case .unknown: break  // the mail may come all the same
    }
    guard let mail = try await readMail(to: email, about: club, as: me) else { return true }
    let isRegistered = try await register(with: mail.token, as: me)
    if isRegistered, me.draw(.enrolling, { $0.chance(habits.linkTappedTwice) }) {
      try await me.think(.lognormal(median: .minutes(2), p95: .minutes(20)))
      _ = try await register(with: mail.token, as: me)
    }
    if !isRegistered { enter(.onboarding, as: me) }  // "try again" (§5.1)
    return isRegistered
  }

  private func readMail(
    to email: String, about club: Slug, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Mail? {
    let mail = try await me.wait(until: me.now + .hours(1)) { signal in
      if case .mail(let mail) = signal {
        mail.to == email && mail.tenantSlug == club
      } else {
        false
      }
    }
    guard case .mail(let mail)? = mail?.signal else { return nil }
    guard !me.draw(.enrolling, { $0.chance(habits.mailNeverRead) }) else { return nil }
    try await me.think(habits.mailReading)
    return mail
  }

  // MARK: Member (§5.3)

  /// Search teams key by key, choose, build a token, register at once.
  private func onboardAsMember(
    _ wish: Following, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    // With KK-25 off the app registers for teams that nobody looked for.
    if rules.binds(.kk25) {
      for code in wish.codes { try await search(code, in: wish.club, as: me) }
    }
    try await me.think(.lognormal(median: .seconds(5), p95: .seconds(20)))
    for _ in 1...3 {
      if try await register(with: memberToken(wish, as: me), as: me) { return }
      try await me.think(.lognormal(median: .seconds(20), p95: .minutes(2)))
    }
  }

  private func search(
    _ code: TeamName, in club: Slug, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let characters = Array(code.text.lowercased())
    let stops =
      neighbourhood.quirks.contains("Q5")
      ? 1...characters.count : characters.count...characters.count
    for end in stops {
      try await me.think(habits.keystroke)
      let query = String(characters[..<end])
      _ = try await me.ask(.searchTeams(tenant: club, query: query))
    }
  }

  /// The token that the app builds itself: unsigned, ten minutes of the phone's own clock (§7.2, KK-29).
  private func memberToken(_ wish: Following, as me: Person<KantineKoning>) -> EnrollmentToken {
    let stated = habits.deployment.memberTokenLifetime
    let lifetime = rules.binds(.kk29) ? stated : stated + .hours(24) - .minutes(10)
    return .member(
      EnrollmentClaims(
        tenantSlug: wish.club, tenantName: neighbourhood.club(wish.club)?.name ?? wish.club.text,
        teamCodes: wish.codes, role: Role.member.rawValue, email: nil,
        exp: (clock(me) + lifetime).unixSeconds, jti: me.draw(.enrolling) { $0.uuid() }))
  }

  // MARK: O3

  /// Registers for one club's teams in one role (KK-11); `false` when a fresh token is worth a try: the answer was
  /// lost, or the token was used up by one that was.
  private func register(
    with token: EnrollmentToken, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Bool {
    let registration = Registration(
      token: token, apnsDeviceToken: pushToken.current ?? "",
      buildEnvironment: buildEnvironmentSent, hardwareIdentifier: identifierSent)
    let answer = try await me.ask(.register(registration))
    switch answer {
    case .replied(.registered(let enrollment)):
      hold(HeldEnrollment(enrollment, at: me.now))
      registeredInProcess = process
      enter(.registered, as: me)
      return true
    case .refused(let refusal):
      return ![.invalidOrExpiredToken, .enrollmentExpired].contains(refusal.kind)
    case .replied, .unsent, .unknown: return false
    }
  }
}
