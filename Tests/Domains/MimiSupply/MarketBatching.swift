import Contracts
import Testing

@testable import MimiSupplyTwin

@Suite struct `Batch matching at MimiSupply's market (6.4)` {
  private struct Value: Comparable {
    let matched: Int
    let metres: Int
    /// An order that stays alone counts as larger than every name.
    let drivers: [Int]

    static func < (a: Value, b: Value) -> Bool {
      if a.matched != b.matched { return a.matched > b.matched }
      if a.metres != b.metres { return a.metres < b.metres }
      return a.drivers.lexicographicallyPrecedes(b.drivers)
    }
  }

  private func value(_ match: [Int?], _ edges: [[BatchOptimum.Edge]]) -> Value {
    var metres = 0
    for (order, driver) in match.enumerated() {
      if let driver { metres += edges[order].first { $0.driver == driver }!.metres }
    }
    return Value(
      matched: match.count { $0 != nil }, metres: metres, drivers: match.map { $0 ?? .max })
  }

  /// All matchings, one after the other.
  private func best(_ edges: [[BatchOptimum.Edge]]) -> [Int?] {
    var best: [Int?] = []
    var bestValue: Value?
    var match = [Int?](repeating: nil, count: edges.count)
    func go(_ order: Int) {
      guard order < edges.count else {
        let value = value(match, edges)
        if bestValue.map({ value < $0 }) ?? true {
          bestValue = value
          best = match
        }
        return
      }
      for edge in edges[order] where !match[..<order].contains(edge.driver) {
        match[order] = edge.driver
        go(order + 1)
      }
      match[order] = nil
      go(order + 1)
    }
    go(0)
    return best
  }

  @Test(arguments: 0..<1_500)
  func `the optimum is that of an enumeration`(seed: Int) {
    var numbers = SystemOfNumbers(seed)
    let drivers = numbers.below(6) + 1
    let orders = numbers.below(6) + 1
    let spread = [1, 2, 3, 8, 1_000][numbers.below(5)]
    let density = numbers.below(100)
    let edges = (0..<orders).map { _ in
      (0..<drivers).compactMap { driver in
        numbers.below(100) > density
          ? BatchOptimum.Edge(driver: driver, metres: numbers.below(spread)) : nil
      }
    }
    #expect(BatchOptimum.match(edges, drivers: drivers) == best(edges), "seed \(seed)")
  }

  @Test func `one more order outweighs every distance`() {
    let edges: [[BatchOptimum.Edge]] = [
      [.init(driver: 0, metres: 1), .init(driver: 1, metres: 10_000)],
      [.init(driver: 0, metres: 10_000)],
    ]
    #expect(BatchOptimum.match(edges, drivers: 2) == [1, 0])
  }

  @Test func `components do not touch each other`() {
    let edges: [[BatchOptimum.Edge]] = [
      [.init(driver: 2, metres: 1)], [], [.init(driver: 0, metres: 1)],
      [.init(driver: 2, metres: 1)],
    ]
    let components = BatchOptimum.components(edges, drivers: 3)
    #expect(components.map(\.orders) == [[0, 3], [2]])
    #expect(components.map(\.drivers) == [[2], [0]])
    #expect(BatchOptimum.match(edges, drivers: 3) == [2, nil, 0, nil])
  }
}
