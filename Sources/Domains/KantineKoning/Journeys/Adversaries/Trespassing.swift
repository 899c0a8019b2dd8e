import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Other clubs' diensten, guessed identifiers, teams that the enrollment does not cover.
  func trespass(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await list(managerRight, tenant: nil, as: me)  // KK-37
    try await list(managerRight, tenant: "no-such-club", as: me)
    if let away { try await trespass(on: away, as: me) }
    let future = diensten(of: home, future: true, as: me)
    let own = managerRight.codes
    if let foreign = pick(future.filter { $0.team.map { !own.contains($0) } ?? false }, as: me) {
      try await addAndRemove(foreign.id, tenant: home.slug, as: me)  // KK-61
    }
    if let open = pick(future.filter { $0.team == nil }, as: me) {
      try await addAndRemove(open.id, tenant: home.slug, as: me)  // KK-61
    }
    try await addAndRemove(identifier(me), tenant: home.slug, as: me)
    try await keepATokenOfARemovedTeam(as: me)
  }

  private func trespass(
    on club: Club, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await list(managerRight, tenant: club.slug, as: me)  // KK-36
    let future = diensten(of: club, future: true, as: me)
    let own = managerRight.codes
    // Codes are unique within a club only: a dienst of the other club's team of the same code is the best guess.
    let namesakes = future.filter { $0.team.map(own.contains) ?? false }
    guard let dienst = pick(namesakes.isEmpty ? future : namesakes, as: me) else { return }
    try await addAndRemove(dienst.id, tenant: home.slug, as: me)  // KK-53
    try await addAndRemove(dienst.id, tenant: nil, as: me)
    try await addAndRemove(dienst.id, tenant: club.slug, as: me)
  }

  private func addAndRemove(
    _ dienst: DienstID, tenant: Slug?, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    let change = VolunteerChange(dienstID: dienst, tenant: tenant, naam: "Indringer")
    _ = try await me.ask(.addVolunteer(change), with: managerRight.credential)
    _ = try await me.ask(.removeVolunteer(change), with: managerRight.credential)
  }

  /// A second enrollment takes a team over; the first token still names it (KK-40).
  private func keepATokenOfARemovedTeam(
    as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    guard seed.managed.count >= 2 else { return }
    var burner = Burner(hardware: identifier(me))
    try await join(home, Array(seed.managed.prefix(2)), on: &burner, as: me)
    try await join(home, [seed.managed[0]], on: &burner, as: me)
    for enrollment in burner.held {
      try await list(enrollment, tenant: home.slug, as: me)
      try await list(enrollment, tenant: nil, as: me)  // KK-37
    }
    let replaced = burner.held
    try await join(home, Array(seed.managed.prefix(2)), on: &burner, as: me)
    for enrollment in replaced { try await list(enrollment, tenant: nil, as: me) }  // KK-22
  }

  /// A member who writes (KK-54, KK-55), elsewhere too, where the tenant is the reason (KK-36).
  func writeAsMember(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    if let away {
      let change = VolunteerChange(dienstID: identifier(me), tenant: away.slug, naam: "Lid")
      _ = try await me.ask(.addVolunteer(change), with: memberRight.credential)
    }
    let own = memberRight.codes
    let future = diensten(of: home, future: true, as: me)
    let covered = future.filter { $0.team.map(own.contains) ?? false }
    for _ in 0..<3 {
      guard let dienst = pick(covered.isEmpty ? future : covered, as: me) else { return }
      for name in ["Lid"] + dienst.aanmeldingen.prefix(1) {
        try await pause(me)
        let change = VolunteerChange(dienstID: dienst.id, tenant: home.slug, naam: name)
        _ = try await me.ask(.addVolunteer(change), with: memberRight.credential)
        _ = try await me.ask(.removeVolunteer(change), with: memberRight.credential)
      }
    }
  }
}
