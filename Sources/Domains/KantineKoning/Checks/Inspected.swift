import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What inspections have shown of a cell up to the last one, and what that one brought.
public final class Inspected {
  /// The enrollments that were not there, or otherwise, when somebody looked the last time.
  private(set) var changed: [Inspection.Enrollment] = []
  /// The pushes of which something is known that was not, in order of sending.
  private(set) var deliveries: [PushDelivery] = []
  /// Those that the last look came to judge: by now APNs has answered if it ever will.
  private(set) var settled: [PushDelivery] = []
  private var active: [EnrollmentID: Inspection.Enrollment] = [:]
  /// The active enrollments of each phone that has an identifier, in order of their coming.
  private var onPhone: [HardwareID: [EnrollmentID]] = [:]
  private var unsettled: [Int: PushDelivery] = [:]
  /// The number of the first push that was not judged yet.
  private var next = 0

  func isActive(_ device: EnrollmentID) -> Bool { active[device] != nil }

  /// The active enrollments of each phone of which one is new or otherwise.
  private(set) var phones: [[Inspection.Enrollment]] = []

  func take(_ inspection: Inspection, at instant: Instant) {
    if inspection.extent.isWhole { (active, onPhone) = ([:], [:]) }
    changed = inspection.enrollments
    deliveries = inspection.deliveries
    for device in inspection.gone { leave(device) }
    for enrollment in changed {
      leave(enrollment.deviceID)
      guard enrollment.isActive else { continue }
      active[enrollment.deviceID] = enrollment
      let phone = enrollment.hardwareIdentifier
      if !phone.isEmpty { onPhone[phone, default: []].append(enrollment.deviceID) }
    }
    phones = changedPhones
    settle(at: instant)
  }

  private func leave(_ device: EnrollmentID) {
    guard let phone = active.removeValue(forKey: device)?.hardwareIdentifier else { return }
    onPhone[phone]?.removeAll { $0 == device }
    if onPhone[phone]?.isEmpty == true { onPhone[phone] = nil }
  }

  private var changedPhones: [[Inspection.Enrollment]] {
    Set(changed.lazy.filter(\.isActive).map(\.hardwareIdentifier)).sorted()
      .compactMap { onPhone[$0]?.compactMap { active[$0] } }
  }

  /// The newest may still be under way, and the next look shows what became of them.
  private func settle(at instant: Instant) {
    for delivery in deliveries where delivery.number >= next {
      unsettled[delivery.number] = delivery
    }
    settled = unsettled.values.filter { $0.sentAt < instant - .minutes(1) }
      .sorted { $0.number < $1.number }
    for delivery in settled { unsettled[delivery.number] = nil }
    if let last = settled.last { next = last.number + 1 }
  }
}
