import Contracts
import KantineKoningContract

/// What inspection showed, as the checks look at it.
public final class Inspected {
  let enrollments: [Inspection.Enrollment]
  let deliveries: [PushDelivery]
  /// The active enrollments of each phone that has an identifier, by identifier.
  private(set) lazy var phones: [ArraySlice<Inspection.Enrollment>] = {
    let keys = enrollments.indices
      .filter { enrollments[$0].isActive && !enrollments[$0].hardwareIdentifier.isEmpty }
      .map { (phone: enrollments[$0].hardwareIdentifier, row: $0) }
      .sorted { ($0.phone, $0.row) < ($1.phone, $1.row) }
    let sorted = keys.map { enrollments[$0.row] }
    var phones: [ArraySlice<Inspection.Enrollment>] = []
    var first = 0
    for next in 1..<max(1, keys.count + 1)
    where next == keys.count || keys[next].phone != keys[first].phone {
      phones.append(sorted[first..<next])
      first = next
    }
    return phones
  }()

  init(_ inspection: Inspection) {
    enrollments = inspection.enrollments
    deliveries = inspection.deliveries
  }
}
