import Contracts
import Synchronization
import Timekeeping

/// Faults between client and twin that a tester switches on: what a network and an overloaded server do.
final class Faults: Sendable {
  private struct Switch {
    let kind: FaultKind
    let selection: FaultSelection
    var met = 0
  }

  private struct State {
    var switches: [Switch] = []
    var stream = RandomStream(seed: 1, owner: stableHash("faults"), purpose: 0)
  }

  private let operations: [String]
  private let state = Mutex(State())

  /// - Parameter operations: Their names, by which faults select requests.
  init(operations: [String]) { self.operations = operations }

  /// Draws what a request meets at an instant. The draws follow a fixed stream: the same requests in the same order meet the same.
  func meet(operation: () -> Int, at now: () -> Instant) -> FaultsMet {
    state.withLock { state in
      var met = FaultsMet()
      guard !state.switches.isEmpty else { return met }
      let (now, operation) = (now(), operations[operation()])
      for index in state.switches.indices {
        let fault = state.switches[index]
        guard fault.selection.fits(operation: operation, at: now, met: fault.met),
          state.stream.chance(fault.selection.share)
        else { continue }
        state.switches[index].met += 1
        met.add(fault.kind)
      }
      return met
    }
  }

  // MARK: - Commands

  /// Those that can happen to a connection that was accepted.
  private static let words = FaultWord.all.filter { $0.kind != .connectionRefused }

  static let controls = [
    ControlDeclaration(
      "setFault", "Lets a share of the requests fail between client and twin.",
      FaultKind.parameters(among: words) + [FaultSelection.shareParameter]
        + FaultSelection.parameters),
    ControlDeclaration("clearFaults", "Ends all faults."),
  ]

  /// Carries out a command; `nil` when it is none of these.
  func control(
    _ name: String, _ parameters: JSON, at now: () -> Instant
  ) throws(ControlProblem) -> WireResponse? {
    switch name {
    case "setFault": try set(parameters, at: now())
    case "clearFaults": state.withLock { $0.switches = [] }
    default: return nil
    }
    return WireResponse(200, body: [:])
  }

  /// One of the same name for the same operation takes the place of the one before.
  private func set(_ parameters: JSON, at now: Instant) throws(ControlProblem) {
    let known = Self.controls[0].parameters.map(\.name)
    let given = try ControlParameters(parameters, known: known, at: "setFault")
    let kind = try FaultKind(given, among: Self.words)
    let selection = try FaultSelection(given, operations: operations)
    if let problem = selection.emptiness(at: now) {
      throw ControlProblem("setFault: \(problem)")
    }
    state.withLock { state in
      state.switches.removeAll {
        $0.kind.name == kind.name && $0.selection.operation == selection.operation
      }
      state.switches.append(Switch(kind: kind, selection: selection))
    }
  }
}
