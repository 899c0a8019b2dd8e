import Backends
import Contracts

/// The harness's looks at the cells of a region: each shows what has changed since the last one.
struct Looks<Domain: Backend> {
  typealias Contract = Domain.Contract

  private let backend: Domain
  /// By cell; `nil` where there is nothing to see.
  private var next: [Contract.Request?]
  /// Whether a server has not answered the last one yet, and whether another has to follow.
  private var isUnderWay = false
  private var isWanted = false

  init(_ backend: Domain, cells: Int) {
    self.backend = backend
    next = Array(repeating: backend.inspection(after: nil), count: cells)
  }

  /// The next look at a cell of this process.
  func next(at cell: Int) -> Contract.Request? { next[cell] }

  mutating func take(_ look: Contract.Reply, of cell: Int) {
    next[cell] = backend.inspection(after: look)
  }

  /// A server is to be looked at.
  /// - Returns: What to ask it; `nil` while it is being asked: then the next follows.
  mutating func begin() -> Contract.Request? {
    guard !isUnderWay else {
      isWanted = true
      return nil
    }
    (isUnderWay, isWanted) = (next[0] != nil, false)
    return next[0]
  }

  /// - Returns: Whether another one has to follow.
  mutating func end() -> Bool {
    isUnderWay = false
    return isWanted
  }
}
