import Contracts
import Scenarios
import Testing

/// A mean is over what was answered, and a request without an answer leaves it open.
@Suite struct `Objectives about a mean` {
  private func warnings(
    _ objective: String, lost: String = "0%", _ more: (String, Tree)...
  ) throws -> [String] {
    var members: [(String, Tree)] = []
    if case .mapping(let valid) = scenario(
      ("replications", "20"),
      ("worlds", [["domain": "canteen", "parameters": ["requestLost": .plain(lost)]]]),
      ("objectives", .list([.quoted(objective)])))
    {
      members = valid + more
    }
    return try read(.mapping(members)).warnings.map(\.what)
  }

  @Test(arguments: ["mean of canteen.sync < 1s", "mean of canteen >= 1ms", "mean < 1s"])
  func `are warned about where requests may be lost, and only there`(objective: String) throws {
    #expect(
      try warnings(objective, lost: "1%") == [
        "objective '\(objective)' will stay inconclusive as soon as a request gets no answer, and 'requestLost' of canteen is 1%"
      ])
    #expect(try warnings(objective) == [])
    #expect(try warnings("p99 of canteen.sync < 1s", lost: "1%") == [])
    #expect(try warnings("mean of orphan-revoked < 1h", lost: "1%") == [])
  }

  @Test(
    arguments: [
      ("answerLost", nil, true), ("truncated", "sync", true), ("serverError", nil, true),
      ("answerLost", "diensten", false), ("duplicate", nil, false),
    ] as [(String, String?, Bool)])
  func `are warned about where a fault takes answers of that operation`(
    kind: String, operation: String?, isWarned: Bool
  ) throws {
    var fault: [(String, Tree)] = [
      ("from", "12:00"), ("to", "13:00"), ("on", "canteen"), ("kind", .plain(kind)),
    ]
    if let operation { fault.append(("operation", .plain(operation))) }
    let faults = ("faults", Tree.list([.mapping(fault)]))
    let found = try warnings("mean of canteen.sync < 1s", faults)
    #expect(found.contains { $0.hasSuffix("a fault of canteen is \(kind)") } == isWarned)
    let later = try warnings("mean of canteen.sync from 14:00 to 15:00 < 1s", faults)
    #expect(later == [], "the fault is over by then")
  }

  @Test func `are warned about where a service turns requests away`() throws {
    let found = try warnings("mean < 1s", ("service", ["capacity": "20"]))
    #expect(found.count == 1 && found[0].hasSuffix("'capacity' of 'service' turns some away"))
  }
}
