import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  public func reacts(to signal: KantineKoning.Signal) -> Bool {
    if case .push = signal { true } else { false }
  }

  /// A push (§5.5): the app refreshes its list by itself; some people open the app soon after, half of them by a tap.
  /// However many enrollments it has, the phone is to hear of one event once (KK-99).
  public func react(
    to received: Received<KantineKoning>, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard case .push(let push) = received.signal else { return }
    try await refresh(after: push, as: me)
    guard me.draw(.pushing, { $0.chance(habits.openedAfterPush) }) else { return }
    try await me.think(.uniform(from: .seconds(3), to: .minutes(10)))
    guard !isInUse, !enrollments.isEmpty else { return }
    isInUse = true
    defer { isInUse = false }
    if me.draw(.pushing, { $0.chance(habits.tappedPush) }) { try await tap(push, as: me) }
    try await open(as: me)
  }

  /// KK-91: whatever the push is about, all enrollments are asked.
  private func refresh(
    after push: Push, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard rules.binds(.kk91) else { return }
    me.note(.pushArrived(eventNumber: push.eventNumber))
    let isFresh = try await refresh(because: .push(push.eventNumber), as: me)
    me.note(.refreshedAfterPush(eventNumber: push.eventNumber, isFresh: isFresh))
  }

  /// Refresh, wait at most 2 s for it, then navigate when the phone is registered and follows the team (KK-96, KK-97).
  private func tap(_ push: Push, as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let tapped = me.now
    try await refresh(as: me)
    let took = me.now - tapped
    let follows = enrollments.contains { enrollment in
      enrollment.tenant == push.tenantSlug && enrollment.codes.contains(push.teamCode)
    }
    me.note(
      .pushOpened(
        PushOpening(
          eventNumber: push.eventNumber, tenant: push.tenantSlug, team: push.teamCode,
          follows: follows, hasNavigated: phase == .registered && follows,
          waited: rules.binds(.kk97) ? min(took, .seconds(2)) : took)))
  }
}
