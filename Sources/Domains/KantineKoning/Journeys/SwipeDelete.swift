import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// Swipe delete (§5.7): a team or a club goes from the phone at once; then the backend is told.
  func swipeSomethingAway(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard !enrollments.isEmpty, me.draw(.removing, { $0.chance(habits.swipeDelete) }) else {
      return
    }
    try await me.think(.lognormal(median: .seconds(4), p95: .seconds(15)))
    guard !enrollments.isEmpty else { return }
    let held = me.draw(.removing) { $0.pick(enrollments) }
    if me.draw(.removing, { $0.chance(habits.clubSwiped) }) {
      try await swipeClub(held.tenant, as: me)
    } else {
      try await swipeTeam(me.draw(.removing) { $0.pick(held.teams) }, of: held, as: me)
    }
    returnToScanning(as: me)
  }

  /// O6 with the team's token, as an id or as a code (Q4).
  private func swipeTeam(
    _ team: HeldEnrollment.Team, of held: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    for index in enrollments.indices where enrollments[index].deviceID == held.deviceID {
      enrollments[index].teams.removeAll { $0 == team }
    }
    enrollments.removeAll { $0.teams.isEmpty }
    giveUp(in: held.tenant) { $0 == team.code }
    let isToCall = noteSwipe(.team, held.tenant, team.code, [held.deviceID], as: me)
    guard isToCall, rules.binds(.kk82) else { return }
    let name = neighbourhood.quirks.contains("Q4") ? team.id : team.code
    _ = try await me.ask(.removeTeams([name]), with: held.credential)
  }

  /// O7 with the club's newest token.
  private func swipeClub(
    _ tenant: Slug, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let lost = enrollments.filter { $0.tenant == tenant }
    enrollments.removeAll { $0.tenant == tenant }
    giveUp(in: tenant) { _ in true }
    let isToCall = noteSwipe(.club, tenant, nil, lost.map(\.deviceID), as: me)
    guard isToCall, let newest = lost.last, rules.binds(.kk83) else { return }
    _ = try await me.ask(.removeTenant(slug: tenant), with: newest.credential)
  }

  private func noteSwipe(
    _ level: SwipedAway.Level, _ tenant: Slug, _ code: TeamName?, _ devices: [EnrollmentID],
    as me: Person<KantineKoning>
  ) -> Bool {
    // If nothing is left the client as built goes to onboarding without calling the backend (Q2).
    let isToCall = !enrollments.isEmpty || !neighbourhood.quirks.contains("Q2")
    me.note(
      .swipedAway(
        SwipedAway(
          level: level, tenant: tenant, code: code, deviceIDs: devices,
          leavesNothing: enrollments.isEmpty, isToCall: isToCall)))
    return isToCall
  }

  /// The user no longer wants these teams; who has nothing left may want everything again another day.
  private func giveUp(in tenant: Slug, _ isGone: (TeamName) -> Bool) {
    let rest = wishes.compactMap { wish -> Following? in
      guard wish.club == tenant else { return wish }
      let codes = wish.codes.filter { !isGone($0) }
      return codes.isEmpty ? nil : Following(club: wish.club, codes: codes, role: wish.role)
    }
    wishes = rest.isEmpty ? seed.follows : rest
  }

  /// After the last team or club has gone the app shows the QR screen again (KK-85).
  func returnToScanning(as me: Person<KantineKoning>) {
    if enrollments.isEmpty, rules.binds(.kk85) { enter(.onboarding, as: me) }
  }
}
