import MimiSupplyContract
import Timekeeping

/// Faults that the operator injected (§11), in the order of their coming.
struct InjectedFaults: Sendable {
  private var faults: [(fault: InjectedFault, met: Int)] = []

  var isEmpty: Bool { faults.isEmpty }

  mutating func add(_ fault: InjectedFault, at now: Instant) {
    var fault = fault
    fault.from = fault.from ?? now
    faults.append((fault, 0))
  }

  mutating func clear() { faults = [] }

  /// What a request meets: the first fault that fits decides, and counts it.
  mutating func meet(
    user: String?, zone: String, operation: MimiSupply.MobileOperation, at now: Instant
  ) -> InjectedFault? {
    for index in faults.indices {
      let (fault, met) = faults[index]
      guard fault.from.map({ $0 <= now }) ?? true, fault.until.map({ now < $0 }) ?? true,
        fault.count.map({ met < $0 }) ?? true, fault.user.map({ $0 == user }) ?? true,
        fault.zone.map({ $0 == zone }) ?? true,
        fault.operation.map({ $0 == "\(operation)" }) ?? true,
        fault.kind != .quota || operation.writes
      else { continue }
      faults[index].met += 1
      return fault
    }
    return nil
  }
}

extension MimiSupply.MobileOperation {
  /// Whether it stores something.
  var writes: Bool {
    switch self {
    case .modify, .modifyZones, .modifySubscriptions, .requestUploads, .upload: true
    default: false
    }
  }
}
