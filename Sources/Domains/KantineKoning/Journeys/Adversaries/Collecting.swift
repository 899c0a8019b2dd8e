import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// More teams than one phone may have, roles that clash, teams followed twice, links used twice.
  ///
  /// Several enrollments of one phone (KK-12), each with an identifier, a role and a token of its own (KK-03, KK-13,
  /// KK-28, KK-35), and each team in one of them (KK-19); whoever asks with one of them hears of all (KK-02).
  func collect(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let managed = seed.managed
    guard managed.count >= 3 else { return }
    var burner = Burner(hardware: identifier(me))
    try await join(home, Array(managed.prefix(3)), on: &burner, as: me)
    try await fillUp(&burner, as: me)
    try await tryTheSixth(&burner, as: me)
    try await join(home, [managed[0]], on: &burner, as: me)  // KK-22: the same again
    try await upgrade(&burner, as: me)
    for enrollment in burner.held {
      try await list(enrollment, tenant: enrollment.tenant, as: me)  // KK-38, KK-48
      try await list(enrollment, tenant: nil, as: me)  // KK-37
    }
    try await withoutIdentifier(as: me)
    try await tooManyAtOnce(as: me)
  }

  /// Up to five teams, over several clubs where there are some.
  private func fillUp(
    _ burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    if let away, away.codes.count >= 2 {
      try await join(away, Array(away.codes.prefix(2)), on: &burner, as: me)
    } else {
      try await join(
        home, Array(home.codes.filter { !seed.managed.prefix(3).contains($0) }.prefix(2)),
        on: &burner, as: me)
    }
  }

  /// The sixth as a member and by link; a refused link stays unused (KK-14, KK-15, KK-31).
  private func tryTheSixth(
    _ burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let followed = burner.held.filter { $0.tenant == home.slug }.flatMap(\.codes)
    if let further = home.codes.last(where: { !followed.contains($0) }) {
      try await join(home, [further], on: &burner, as: me)
    }
    guard let managed = seed.managed.last(where: { !followed.contains($0) }),
      let link = try await link(home, [managed], as: me)
    else { return }
    try await register(link, on: &burner, as: me)
    try await register(link, on: &burner, as: me)
  }

  /// A link is asked for (KK-26, KK-27) and used: member to manager (KK-20), then member again, which is a conflict
  /// (KK-21); the link used twice at once (KK-31).
  private func upgrade(
    _ burner: inout Burner, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let code = seed.managed[1]
    guard let token = try await link(home, [code], as: me) else { return }
    let registration = Registration(token: token, hardwareIdentifier: burner.hardware)
    let answers = try await me.ask(
      all: [Ask(.register(registration)), Ask(.register(registration))])
    for answer in answers {
      if case .replied(.registered(let answer)) = answer {
        burner.held.append(HeldEnrollment(answer, at: me.now))
      }
    }
    if let newest = burner.held.last {
      _ = try await me.ask(.tenants, with: newest.credential)
    }
    try await join(home, [code], on: &burner, as: me)
  }

  /// Phones without an identifier share nothing, not even the limit (KK-10).
  private func withoutIdentifier(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    var first = Burner(hardware: "")
    var second = Burner(hardware: "")
    try await join(home, Array(home.codes.prefix(3)), on: &first, as: me)
    try await join(home, Array(home.codes.suffix(3)), on: &second, as: me)
    try await join(home, Array(home.codes.prefix(1)), on: &second, as: me)
    for enrollment in first.held + second.held {
      try await pause(me)
      _ = try await me.ask(.tenants, with: enrollment.credential)
    }
    if let own = second.held.first {
      try await sync(items([own], hardware: ""), with: own, as: me)
    }
  }

  private func tooManyAtOnce(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard home.codes.count >= 6 else { return }
    var burner = Burner(hardware: identifier(me))
    try await join(home, Array(home.codes.prefix(6)), on: &burner, as: me)
    guard seed.managed.count >= 6 else { return }
    let six = Array(seed.managed.prefix(6))
    _ = try await me.ask(
      .requestEnrollment(
        EnrollmentRequest(email: seed.email, tenantSlug: home.slug, teamCodes: six)))
  }
}
