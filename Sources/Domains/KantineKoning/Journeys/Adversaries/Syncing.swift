import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Lists that are empty, broken, too short or somebody else's, and the same list twice.
  func sync(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard home.codes.count >= 3 else { return }
    var burner = Burner(hardware: identifier(me))
    let other = away ?? home
    try await join(home, Array(home.codes.prefix(2)), on: &burner, as: me)
    try await join(other, [other.codes[other.codes.count - 1]], on: &burner, as: me)
    guard burner.held.count == 2 else { return }
    try await syncBrokenLists(burner, as: me)
    try await syncWithForeignItems(burner, as: me)
    try await shrink(&burner, as: me)
    try await revive(burner, as: me)
    try await join(home, Array(home.codes.suffix(1)), on: &burner, as: me)  // KK-16
  }

  /// None of these may change anything: the second enrollment, which they leave out, goes on (KK-78, KK-81).
  private func syncBrokenLists(
    _ burner: Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let first = burner.held[0]
    let second = burner.held[1]
    let hardware = burner.hardware
    try await sync([], with: first, as: me)
    func item(
      tenant: Slug? = first.tenant, role: String? = "member", codes: [TeamName]? = first.codes
    ) -> SyncItem {
      SyncItem(tenantSlug: tenant, role: role, teamCodes: codes, hardwareIdentifier: hardware)
    }
    let broken = [
      item(codes: first.codes + ["ZZ-99"]), item(codes: first.teams.map(\.id)),
      item(tenant: nil), item(tenant: ""), item(tenant: " \(first.tenant)"),
      item(tenant: Slug(first.tenant.text.uppercased())), item(role: nil), item(codes: nil),
      item(role: "trainer"), item(codes: []),
    ]
    for item in broken { try await sync([item], with: first, as: me) }
    _ = try await me.ask(.status, with: second.credential)
  }

  /// Somebody else's identifier in the list reaches nobody else, and enlarges nothing (KK-69, KK-77).
  private func syncWithForeignItems(
    _ burner: Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let honest = items(burner.held, hardware: burner.hardware)
    let foreign = SyncItem(
      tenantSlug: home.slug, role: "manager", teamCodes: Array(managerRight.codes.prefix(1)),
      hardwareIdentifier: seed.entries[0].hardwareIdentifier)
    try await sync(honest + [foreign], with: burner.held[0], as: me)
    _ = try await me.ask(.status, with: managerRight.credential)
    _ = try await me.ask(.status, with: memberRight.credential)
    // An item that names no identifier is the phone's own all the same (KK-67).
    var larger = items(burner.held, hardware: nil)
    larger[0].teamCodes?.append(home.codes[2])
    try await sync(larger, with: burner.held[0], as: me)
    _ = try await me.ask(.status, with: burner.held[0].credential)
    _ = try await me.ask(.tenants, with: burner.held[0].credential)
  }

  /// Leaves a team out, then an enrollment, of which it lists the team in another role (KK-67, KK-68), and repeats each list
  /// (KK-79).
  private func shrink(
    _ burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    _ = burner.held[0].teams.popLast()
    let withoutTeam = items(burner.held, hardware: burner.hardware)
    try await sync(withoutTeam, with: burner.held[0], as: me)
    try await sync(withoutTeam, with: burner.held[0], as: me)
    try await list(burner.held[0], tenant: home.slug, as: me)  // KK-40
    var withoutSecond = items(burner.held, hardware: burner.hardware)
    withoutSecond[1].role = Role.manager.rawValue
    try await sync(withoutSecond, with: burner.held[0], as: me)
    try await sync(withoutSecond, with: burner.held[0], as: me)
    try await list(burner.held[1], tenant: burner.held[1].tenant, as: me)
    try await list(burner.held[0], tenant: home.slug, as: me)  // KK-42
    _ = try await me.ask(.tenants, with: burner.held[0].credential)
  }

  /// Lists the revoked enrollment again: it stays revoked (KK-77).
  private func revive(
    _ burner: Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await sync(items(burner.held, hardware: burner.hardware), with: burner.held[0], as: me)
    try await list(burner.held[1], tenant: burner.held[1].tenant, as: me)
    _ = try await me.ask(.tenants, with: burner.held[0].credential)
  }

  /// Visits every club: joins the open ones, and leaves the closed ones out of a sync, which must not touch them
  /// (KK-23, KK-70, KK-71).
  func tour(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    var burner = sleeper ?? Burner(hardware: identifier(me))
    var closed: [Slug] = []
    for club in seed.neighbourhood.clubs.prefix(5) {
      let question = EnrollmentRequest(email: seed.email, tenantSlug: club.slug, teamCodes: [])
      try await pause(me)
      let answer = try await me.ask(.requestEnrollment(question))
      if answer.refusal?.kind == .enrollmentClosed { closed.append(club.slug) }
      let isHeld = burner.held.contains { $0.tenant == club.slug }
      if !isHeld || answer.refusal?.kind == .enrollmentClosed {
        let code = club.codes[club.codes.count - 1]
        try await join(club, [code], on: &burner, as: me)
      }
    }
    burner.held = try await living(burner.held, as: me)
    sleeper = burner
    guard let speaker = burner.held.first(where: { !closed.contains($0.tenant) }) else { return }
    let info = try await me.ask(.tenants, with: speaker.credential)
    if case .replied(.tenants(let clubs)) = info {
      closed += clubs.filter(\.seasonEnded).map(\.slug)
    }
    let listed = burner.held.filter { !closed.contains($0.tenant) }
    try await sync(items(listed, hardware: burner.hardware), with: speaker, as: me)
    _ = try await me.ask(.tenants, with: speaker.credential)
    for enrollment in burner.held where closed.contains(enrollment.tenant) {
      try await list(enrollment, tenant: enrollment.tenant, as: me)
    }
  }

  /// What still works; an enrollment that ended is forgotten, so that the next tour joins anew.
  private func living(
    _ held: [HeldEnrollment], as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> [HeldEnrollment] {
    var living: [HeldEnrollment] = []
    for enrollment in held {
      let answer = try await list(enrollment, tenant: enrollment.tenant, as: me)
      if answer.refusal?.status != 401 { living.append(enrollment) }
    }
    return living
  }
}
