import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// Volunteer entry (§5.6): a manager adds names to a dienst of the team that still needs some, and now and then
  /// takes one off again. After each change the app refreshes all diensten (KK-62).
  func enterNames(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard me.draw(.naming, { $0.chance(habits.namesEntered) }) else { return }
    let now = clock(me)
    for enrollment in enrollments
    where enrollment.role == .manager && !enrollment.isUitgelogd && !enrollment.seasonEnded {
      let needy = enrollment.diensten.filter {
        $0.startTijd > now && $0.status != .geannuleerd
          && $0.aanmeldingen.count < $0.minimumBemanning
          && enrollment.codes.contains($0.team?.code ?? "")
      }
      guard !needy.isEmpty else { continue }
      // The soonest first: seven in ten diensten reach the minimum a day ahead.
      let dienst = needy[me.draw(.naming) { $0.pick(0..<min(2, needy.count)) }]
      for _ in dienst.aanmeldingen.count..<dienst.minimumBemanning {
        try await me.think(.lognormal(median: .seconds(5), p95: .seconds(20)))
        try await add(
          me.draw(.naming) { $0.pick(FirstNames.all) }, to: dienst, with: enrollment, as: me)
      }
    }
  }

  private func add(
    _ name: String, to dienst: Dienst, with enrollment: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let full = me.draw(.naming) { $0.chance(habits.longNames) } ? name + " van der Velden" : name
    let change = VolunteerChange(dienstID: dienst.id, tenant: enrollment.tenant, naam: full)
    var answer = try await me.ask(.addVolunteer(change), with: enrollment.credential)
    if answer.refusal?.kind == .nameTooLong {
      try await me.think(.lognormal(median: .seconds(4), p95: .seconds(12)))
      let short = VolunteerChange(dienstID: dienst.id, tenant: enrollment.tenant, naam: name)
      answer = try await me.ask(.addVolunteer(short), with: enrollment.credential)
    }
    guard case .replied(.dienst(let changed)) = answer else { return }
    try await refresh(as: me)
    guard me.draw(.naming, { $0.chance(habits.nameRemoved) }), let last = changed.aanmeldingen.last
    else { return }
    try await me.think(.lognormal(median: .seconds(30), p95: .minutes(3)))
    let removal = VolunteerChange(dienstID: dienst.id, tenant: enrollment.tenant, naam: last)
    let removed = try await me.ask(.removeVolunteer(removal), with: enrollment.credential)
    if case .replied = removed { try await refresh(as: me) }
  }
}
