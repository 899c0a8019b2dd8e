/// How urgent a request is (§7.6).
enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
  case low, normal, high, critical

  static func < (a: RequestPriority, b: RequestPriority) -> Bool { a.rawValue < b.rawValue }
}

/// The queue in front of the network (§7.6): three requests at once, fifty waiting, the urgent first.
struct RequestLine: Sendable {
  static let concurrent = 3
  static let mostWaiting = 50

  private var waiting = Array(repeating: 0, count: RequestPriority.allCases.count)
  private(set) var underWay = 0

  init() {}

  /// Queues up; `false` when there is no place left.
  mutating func enter(_ priority: RequestPriority) -> Bool {
    guard waiting.reduce(0, +) < Self.mostWaiting else { return false }
    waiting[priority.rawValue] += 1
    return true
  }

  /// Whether it is this one's turn: a place is free and nobody more urgent waits.
  func isTurn(of priority: RequestPriority) -> Bool {
    underWay < Self.concurrent && !waiting[(priority.rawValue + 1)...].contains { $0 > 0 }
  }

  mutating func give(up priority: RequestPriority) { waiting[priority.rawValue] -= 1 }

  mutating func begin(_ priority: RequestPriority) {
    waiting[priority.rawValue] -= 1
    underWay += 1
  }

  mutating func finish() { underWay -= 1 }
}
