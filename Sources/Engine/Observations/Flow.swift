import Contracts

/// What a backend is used for, as the steps that each thing goes through: an order is created, accepted, finds a driver, is delivered.
/// Some things leave on the way; the domain says for which reasons, and whose they are.
public struct Flow<Contract: ServiceContract>: Sendable {
  /// What becomes of a thing. Steps and reasons are given by their places.
  public enum Move: Sendable {
    /// It has come as far as this step, and so through those before it.
    case reached(String, step: Int)
    /// It gets no further.
    case left(String, reason: Int)
  }

  public let course: Course
  public let concerns: Set<Concern>
  /// Begins to watch one region, by what its checks know.
  public let watch: @Sendable (Library<Contract>) -> any FlowWatch<Contract>

  public init(
    _ course: Course, concerns: Set<Concern>,
    watching: @escaping @Sendable (Library<Contract>) -> any FlowWatch<Contract>
  ) {
    self.course = course
    self.concerns = concerns
    watch = watching
  }
}

/// The steps of a flow, and why things leave it.
public struct Course: Hashable, Sendable {
  /// Whose it is that a thing got no further.
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The backend's: its rules, its capacity, its mistakes.
    case backend
    /// People's, as the scenario lets them choose.
    case population
    /// The model's, which stands for something outside the backend: a payment service, a network.
    case model
  }

  public struct Reason: Hashable, Sendable {
    /// After a number: `cancelled by the customer`.
    public let words: String
    public let cause: Cause

    public init(_ words: String, _ cause: Cause) { (self.words, self.cause) = (words, cause) }
  }

  /// What goes through it, in the plural: `orders`.
  public let things: String
  /// In their order: `created`, `accepted`; two at least.
  public let steps: [String]
  public let reasons: [Reason]

  public init(of things: String, steps: [String], reasons: [Reason]) {
    precondition(steps.count > 1, "a flow has two steps at least")
    (self.things, self.steps, self.reasons) = (things, steps, reasons)
  }
}

/// Finds the moves of a flow in the records of one region, and remembers what it takes to find them.
public protocol FlowWatch<Contract> {
  associatedtype Contract: ServiceContract
  mutating func see(_ record: Record<Contract>) -> [Flow<Contract>.Move]
}

/// How far things came, and why they got no further; the warm-up's are among them.
public struct FlowTally: Sendable, Equatable {
  public let course: Course
  /// By the last step that they reached: how many left for each reason, and how many went on or were still there at the end.
  public private(set) var left: [[Int]]
  public private(set) var stayed: [Int]
  /// The step that each thing has reached; those that left stay away.
  private var steps: [String: Int] = [:]
  private var gone: Set<String> = []

  public init(_ course: Course) {
    self.course = course
    left = course.steps.map { _ in course.reasons.map { _ in 0 } }
    stayed = course.steps.map { _ in 0 }
  }

  public mutating func reach(_ key: String, step: Int) {
    guard !gone.contains(key), step > steps[key] ?? -1 else { return }
    steps[key] = step
  }

  /// What never began cannot leave.
  public mutating func leave(_ key: String, reason: Int) {
    guard let step = steps[key], step < stayed.count - 1 else { return }
    steps[key] = nil
    gone.insert(key)
    left[step][reason] += 1
  }

  public mutating func note<Contract: ServiceContract>(_ move: Flow<Contract>.Move) {
    switch move {
    case .reached(let key, let step): reach(key, step: step)
    case .left(let key, let reason): leave(key, reason: reason)
    }
  }

  /// Counts where everything is that has not left.
  public mutating func close() {
    for step in steps.values { stayed[step] += 1 }
    (steps, gone) = ([:], [])
  }

  public mutating func merge(_ other: FlowTally) {
    precondition(steps.isEmpty && other.steps.isEmpty, "only closed books merge")
    precondition(course == other.course, "tallies of two flows do not merge")
    for step in stayed.indices {
      stayed[step] += other.stayed[step]
      for reason in left[step].indices { left[step][reason] += other.left[step][reason] }
    }
  }
}

extension FlowTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    for step in stayed.indices {
      try packing.count(&stayed[step])
      for reason in left[step].indices { try packing.count(&left[step][reason]) }
    }
  }
}
