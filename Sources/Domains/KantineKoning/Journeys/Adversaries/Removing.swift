import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Takes teams, a club and everything away, and tries what is gone (KK-86); nobody else may lose anything (KK-02,
  /// KK-10).
  func remove(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard home.codes.count >= 3 else { return }
    var burner = Burner(hardware: identifier(me))
    var witness = Burner(hardware: identifier(me))
    try await join(home, Array(home.codes.prefix(3)), on: &burner, as: me)
    try await join(away ?? home, [(away ?? home).codes.last ?? ""], on: &burner, as: me)
    try await join(home, Array(home.codes.prefix(1)), on: &witness, as: me)
    // A club's code is another's code, too.
    if let away, away.codes.contains(home.codes[0]) {
      try await join(away, [home.codes[0]], on: &burner, as: me)
    }
    guard burner.held.count >= 2, let bystander = witness.held.first else { return }
    try await removeTeams(burner, as: me)
    try await removeClub(burner, as: me)
    try await removeAll(&burner, as: me)
    _ = try await me.ask(.status, with: bystander.credential)
    try await removeWithoutIdentifier(as: me)
  }

  /// O6: a code, an id, what is no team, and what the enrollment never had.
  private func removeTeams(_ burner: Burner, as me: Person<KantineKoning>)
    async throws(JourneyEnded)
  {
    let held = burner.held[0]
    let (code, id) = (home.teams[0].code, home.teams[1].id)
    for names in [[code], [id], ["ZZ-99"], [code], []] {
      try await pause(me)
      _ = try await me.ask(.removeTeams(names), with: held.credential)
      try await list(held, tenant: held.tenant, as: me)
    }
    _ = try await me.ask(.tenants, with: held.credential)
    for right in burner.held { _ = try await me.ask(.status, with: right.credential) }
  }

  /// O7: another club first, which a token of this one does not reach; then the own one.
  private func removeClub(_ burner: Burner, as me: Person<KantineKoning>) async throws(JourneyEnded)
  {
    let held = burner.held[1]
    if let away {
      let foreign = held.tenant == away.slug ? home.slug : away.slug
      _ = try await me.ask(.removeTenant(slug: foreign), with: held.credential)
      _ = try await me.ask(.status, with: burner.held[0].credential)
    }
    try await pause(me)
    _ = try await me.ask(.removeTenant(slug: held.tenant), with: held.credential)
    try await list(held, tenant: held.tenant, as: me)
    try await list(burner.held[0], tenant: home.slug, as: me)
    _ = try await me.ask(.tenants, with: burner.held[0].credential)
  }

  /// O8, twice; then the list of a sync names what is gone, which does not bring it back (KK-77).
  private func removeAll(
    _ burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let former = burner.held
    try await join(home, [home.codes[2]], on: &burner, as: me)
    guard let newest = burner.held.last else { return }
    _ = try await me.ask(.removeAll, with: newest.credential)
    for held in former + [newest] { try await list(held, tenant: held.tenant, as: me) }
    _ = try await me.ask(.removeAll, with: newest.credential)
    try await join(home, [home.codes[1]], on: &burner, as: me)
    guard let again = burner.held.last else { return }
    try await sync(items(former + [again], hardware: burner.hardware), with: again, as: me)
    _ = try await me.ask(.tenants, with: again.credential)
    try await list(newest, tenant: newest.tenant, as: me)
  }

  /// Without an identifier a reset is the caller's alone (KK-10).
  private func removeWithoutIdentifier(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    var first = Burner(hardware: "")
    var second = Burner(hardware: "")
    try await join(home, [home.codes[0]], on: &first, as: me)
    try await join(home, [home.codes[1]], on: &second, as: me)
    guard let one = first.held.first, let other = second.held.first else { return }
    _ = try await me.ask(.removeAll, with: one.credential)
    try await list(one, tenant: home.slug, as: me)
    try await list(other, tenant: home.slug, as: me)
  }
}
