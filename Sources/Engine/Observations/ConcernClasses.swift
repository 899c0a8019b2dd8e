import Contracts

/// Classes of records as small numbers: the contract's operations, then the rest.
public struct ConcernClasses<Contract: ServiceContract>: Sendable {
  private let operations: Int

  public init() { operations = Contract.operations.count }

  public var count: Int { operations + 4 }

  public func number(of concern: Concern) -> Int {
    switch concern {
    case .operation(let index): index
    case .signals: operations
    case .controls: operations + 1
    case .notes: operations + 2
    case .inspections: operations + 3
    }
  }

  /// Ascending, so that nothing depends on the order of a set.
  func numbers(of concerns: Set<Concern>) -> [Int] { concerns.map { number(of: $0) }.sorted() }

  /// Which of several want to see each class, in their order.
  public func distributed(_ concerns: [Set<Concern>]) -> [[Int]] {
    var byClass: [[Int]] = Array(repeating: [], count: count)
    for (index, wanted) in concerns.enumerated() {
      for number in numbers(of: wanted) { byClass[number].append(index) }
    }
    return byClass
  }
}
