import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// "Alles resetten" (§5.8): O8 when a token is at hand; whatever comes of it, the phone is empty, and its user
  /// enrolls again. What the backend did not hear of is an orphan until the next sync (KK-76).
  func resetEverything(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard !enrollments.isEmpty, me.draw(.removing, { $0.chance(habits.reset) }) else { return }
    try await me.think(.lognormal(median: .seconds(6), p95: .seconds(20)))
    let token = anyUsable(as: me)
    // Client 2.4.2 has its token at hand only in the process that registered (Q3).
    let isToCall =
      token != nil
      && (!neighbourhood.quirks.contains("Q3") || registeredInProcess == process)
    me.note(.resetConfirmed(isToCall: isToCall))
    if let token, isToCall, rules.binds(.kk84) {
      _ = try await me.ask(.removeAll, with: token.credential)
    }
    me.note(.resetLocally(lostDeviceIDs: enrollments.map(\.deviceID)))
    enrollments = []
    replacedIdentifier = nil
    returnToScanning(as: me)
    try await me.think(.lognormal(median: .seconds(20), p95: .minutes(2)))
    try await onboard(wishesAfterReset(as: me), as: me)
  }

  /// Everything again; or a part of it; or first a different team, which the orphans may leave no room for.
  private func wishesAfterReset(as me: Person<KantineKoning>) -> [Following] {
    guard let first = wishes.first, let club = neighbourhood.club(first.club) else { return wishes }
    let drawn = me.draw(.removing) { $0.unit() }
    if drawn < habits.followsElsewhere {
      let known = wishes.filter { $0.club == club.slug }.flatMap(\.codes)
      let others = club.codes.filter { !known.contains($0) }
      guard !others.isEmpty else { return wishes }
      let other = me.draw(.removing) { $0.pick(others) }
      return [Following(club: club.slug, codes: [other], role: .member), first]
    }
    guard drawn < habits.followsElsewhere + habits.followsLess else { return wishes }
    return [Following(club: first.club, codes: Array(first.codes.prefix(1)), role: first.role)]
  }
}
