import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// The app comes to the foreground: tenant info, the safeguards in the order of §5.4, the sync, then the refresh.
  func foreground(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    me.note(.foreground(process: process, hardwareIdentifier: hardwareIdentifier))
    showReplacement(as: me)
    try await showBanners(as: me)
    // With KK-65 off the app keeps its state to itself.
    guard rules.binds(.kk65) else {
      if !enrollments.isEmpty { try await refresh(as: me) }
      return
    }
    guard !enrollments.isEmpty else { return me.note(.syncSkipped(.notEnrolled)) }
    guard let any = anyUsable(as: me) else {
      me.note(.syncSkipped(.noUsableToken))  // KK-80
      try await refresh(as: me)
      return
    }
    let tries = neighbourhood.quirks.contains("Q6") ? 2 : 1
    let answers = try await me.ask(
      all: Array(repeating: Ask(.tenants, with: any.credential), count: tries))
    if case .replied(.tenants(let clubs)) = answers[0] {
      apply(clubs, as: me)
    } else if rules.binds(.kk72) {
      me.note(.syncSkipped(.tenantInfoFailed))
      try await refresh(as: me)
      return
    }
    try await syncIfDue(as: me)
    try await refresh(as: me)
  }

  private func syncIfDue(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard let newest = usable.last else { return me.note(.syncSkipped(.noUsableToken)) }
    if let lastSync, me.now - lastSync < .hours(1), rules.binds(.kk74) {
      return me.note(.syncSkipped(.throttled))
    }
    let isUnmapped = me.draw(.habit) { $0.chance(habits.teamWithoutCode) }
    if isUnmapped, rules.binds(.kk73) { return me.note(.syncSkipped(.teamWithoutCode)) }
    try await sync(with: newest, unmapped: isUnmapped, as: me)
  }

  /// O4 with the newest usable token (KK-66); only success starts the hour of the throttle (KK-75).
  private func sync(
    with newest: HeldEnrollment, unmapped: Bool, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    // Season-ended tenants are left out (KK-80).
    let listed = enrollments.filter { !$0.seasonEnded || !rules.binds(.kk80) }
    let items = listed.map { enrollment in
      SyncItem(
        tenantSlug: enrollment.tenant, role: enrollment.role.rawValue,
        teamCodes: unmapped ? enrollment.teams.map(\.id) : enrollment.codes,
        hardwareIdentifier: identifierSent,
        teamManagerEmail: enrollment.role == .manager ? seed.email : nil, appVersion: "2.4.2",
        buildNumber: "1")
    }
    let sent = me.now
    let answer = try await me.ask(.sync(SyncRequest(items: items)), with: newest.credential)
    if case .replied = answer {
      lastSync = sent
      replacedIdentifier = nil
    } else if !rules.binds(.kk75) {
      lastSync = sent
    }
  }

  /// The first foreground under a new identifier starts the hour of KK-07.
  private func showReplacement(as me: Person<KantineKoning>) {
    guard let replacedIdentifier, !hasShownReplacement else { return }
    hasShownReplacement = true
    me.note(
      .firstForeground(
        hardwareIdentifier: hardwareIdentifier, replacing: replacedIdentifier,
        heldDeviceIDs: enrollments.filter { enrollment in
          !enrollment.seasonEnded && !enrollment.isUitgelogd
            && heldBefore.contains(enrollment.deviceID)
        }.map(\.deviceID)))
  }
}
