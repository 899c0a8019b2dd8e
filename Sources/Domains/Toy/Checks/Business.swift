import Contracts
import Observations
import Timekeeping
import ToyContract

/// Times between two things of the workshop.
public enum ToyBusiness {
  public static let all: [BusinessLatency<Toy>] = [
    // A tool was reserved → its member is told that it is back.
    BusinessLatency(
      "reservation", "Tool reserved → told that it is back",
      notes: BusinessNotes(weight: .first), concerns: [.signals, .asks(Toy.reserve)]
    ) { record in
      guard let person = record.person.map({ Int($0.index) }) else { return [] }
      switch record.event {
      case .request(let call):
        guard let tool = call.request.reserve, call.isReplied else { return [] }
        return [.begins(.numbers(person, tool), call.answered)]
      case .signal(.ready(let tool, _, _)): return [.ends(.numbers(person, tool), record.time)]
      default: return []
      }
    }
  ]
}
