import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Phone {
  /// What may have happened to the app while nobody looked (§5.9), at the rates of §5.12.
  func ageInstallation(by elapsed: Span, as me: Person<KantineKoning>) {
    guard process > 0 || !enrollments.isEmpty else { return }
    let days = elapsed.seconds / 86_400
    let drawn = me.draw(.installation) { $0.unit() }
    let switches =
      habits.identifierChangesPerDay + (seed.isTester ? habits.testerSwitchesPerDay : 0)
    let bounds = [switches, habits.reinstallsPerDay, habits.appUpdatesPerDay].map { $0 * days }
    if drawn < bounds[0] {
      changeIdentifier(as: me)
    } else if drawn < bounds[0] + bounds[1] {
      reinstall(as: me)
    } else if drawn < bounds[0] + bounds[1] + bounds[2] {
      update(as: me)
    }
  }

  /// An update of the app: data and identifier stay (KK-04), and so does every enrollment (KK-08).
  private func update(as me: Person<KantineKoning>) {
    me.note(.appUpdated(hardwareIdentifier: hardwareIdentifier))
    if !rules.binds(.kk04) { hardwareIdentifier = newIdentifier(me) }
    process = 0
  }

  /// TestFlight ↔ App Store, or a new phone from a backup: data stay, the identifier is new (KK-05).
  private func changeIdentifier(as me: Person<KantineKoning>) {
    let old = hardwareIdentifier
    if rules.binds(.kk05) { hardwareIdentifier = newIdentifier(me) }
    me.note(
      .identifierChanged(from: old, to: hardwareIdentifier, heldEnrollments: enrollments.count))
    process = 0
    // The hour of the throttle belongs to the device that the backend knew; the new one has never synced (KK-06).
    lastSync = nil
    // A phone that holds nothing has nothing under its old identifier that it could name.
    replacedIdentifier = enrollments.isEmpty ? nil : old
    heldBefore = Set(enrollments.map(\.deviceID))
    hasShownReplacement = false
    // Who tests goes from one kind of build to the other; for anybody else it is a new phone.
    if seed.isTester, seed.scheme == .releaseTesting {
      scheme = scheme == .release ? .releaseTesting : .release
    }
    pushToken.installAnew()
    me.note(.installed(scheme))
  }

  /// Delete and reinstall: the data are gone, and so is the identifier unless another app of the vendor keeps it.
  private func reinstall(as me: Person<KantineKoning>) {
    let old = hardwareIdentifier
    let keeps = me.draw(.installation) { $0.chance(habits.reinstallKeepsIdentifier) }
    if !keeps { hardwareIdentifier = newIdentifier(me) }
    me.note(
      .reinstalled(
        from: old, to: hardwareIdentifier, lostDeviceIDs: enrollments.map(\.deviceID)))
    enrollments = []
    process = 0
    lastSync = nil
    replacedIdentifier = nil
    pushToken.installAnew()
    me.note(.installed(scheme))
  }

  private func newIdentifier(_ me: Person<KantineKoning>) -> HardwareID {
    me.draw(.installation) { $0.uuid() }
  }
}
