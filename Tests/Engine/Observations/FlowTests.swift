import Contracts
import Observations
import Testing

@Suite struct `How far things come` {
  private static let course = Course(
    of: "orders", steps: ["created", "accepted", "delivered"],
    reasons: [Course.Reason("cancelled", .population), Course.Reason("lost", .backend)])

  private func tally(_ moves: [(key: String, step: Int?, reason: Int?)]) -> FlowTally {
    var tally = FlowTally(Self.course)
    for move in moves {
      if let step = move.step { tally.reach(move.key, step: step) }
      if let reason = move.reason { tally.leave(move.key, reason: reason) }
    }
    return tally
  }

  @Test func `each thing is counted once, where it came to`() {
    var tally = tally([
      ("a", 0, nil), ("a", 1, nil), ("a", 2, nil), ("b", 0, nil), ("b", 1, 0), ("c", 0, 1),
      ("d", 0, nil), ("e", 2, nil),
    ])
    tally.close()
    #expect(tally.stayed == [1, 0, 2])
    #expect(tally.left == [[0, 1], [1, 0], [0, 0]])
  }

  @Test func `what goes back to a former step has come as far as it had`() {
    var tally = tally([("a", 1, nil), ("a", 0, nil)])
    tally.close()
    #expect(tally.stayed == [0, 1, 0])
  }

  @Test func `what left does not come back, and what arrived does not leave`() {
    var tally = tally([("a", 0, 0), ("a", 2, nil), ("b", 2, 1), ("never began", nil, 0)])
    tally.close()
    #expect(tally.stayed == [0, 0, 1])
    #expect(tally.left == [[1, 0], [0, 0], [0, 0]])
  }

  @Test func `tallies of two regions merge to that of both`() {
    var (one, other) = (tally([("a", 0, 0), ("b", 2, nil)]), tally([("a", 1, 1), ("b", 0, nil)]))
    one.close()
    other.close()
    one.merge(other)
    #expect(one.stayed == [1, 0, 1])
    #expect(one.left == [[1, 0], [0, 1], [0, 0]])
  }
}
