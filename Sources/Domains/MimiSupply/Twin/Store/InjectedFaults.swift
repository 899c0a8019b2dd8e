import MimiSupplyContract
import Timekeeping

/// Faults that the operator injected (§11), in the order of their coming.
struct InjectedFaults: Sendable {
  private var faults: [(fault: InjectedFault, met: Int)] = []
  /// Places of the faults that one user alone meets, and of those that everybody meets.
  private var ofUser: [UserName: [Int]] = [:]
  private var ofAll: [Int] = []

  var isEmpty: Bool { faults.isEmpty }

  mutating func add(_ fault: InjectedFault, at now: Instant) {
    var fault = fault
    fault.from = fault.from ?? now
    if let user = fault.user {
      ofUser[user, default: []].append(faults.count)
    } else {
      ofAll.append(faults.count)
    }
    faults.append((fault, 0))
  }

  mutating func clear() { self = InjectedFaults() }

  /// What a request meets: the first fault that fits decides, and counts it.
  mutating func meet(
    user: UserName?, zone: String, operation: MimiSupply.MobileOperation, at now: Instant
  ) -> InjectedFault? {
    let own = user.flatMap { ofUser[$0] } ?? []
    let places = own.isEmpty ? ofAll : ofAll.isEmpty ? own : (ofAll + own).sorted()
    for index in places {
      let (fault, met) = faults[index]
      guard fault.selection.fits(operation: "\(operation)", at: now, met: met),
        fault.zone.map({ $0 == zone }) ?? true, fault.kind != .quota || operation.writes
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
