import Contracts
import Observations
import Timekeeping

/// What became of the calls of a load, in constant memory however many they are.
///
/// The time after the warm-up is cut into equal parts, by when calls were due: intervals come from how the parts differ.
public struct CallTally: Sendable {
  /// As many as a verdict on a quantile takes at least.
  public static let parts = 20
  /// How many classes of failures are kept by themselves for each route.
  private static let codesMost = 40

  /// One for each part; `domain` is `name` in all of them.
  public private(set) var worlds: [WorldTally]
  /// From being given to a connection to the last byte, by route.
  public private(set) var service: [LatencyHistogram]
  /// The first explanation of each class of failure, as libcurl gave it.
  public private(set) var explanations: [String: String] = [:]
  public private(set) var begun = 0
  /// Calls of which a request was sent and that ended: due after the warm-up, and due in it.
  public private(set) var counted = 0
  public private(set) var ofWarmUp = 0
  /// Calls of which a request was sent, and whose end nobody waited for any more.
  public private(set) var abandoned = 0
  /// Calls of which no request was sent: they got no connection.
  public private(set) var unsent = 0
  /// Requests beyond the first of a call: sent again because a kept connection had ended, and those that redirects led to.
  public private(set) var repeated = 0
  public private(set) var redirected = 0
  public private(set) var answered = 0
  public private(set) var failed = 0
  public private(set) var bytes = 0
  /// Of all routes since the beginning, the warm-up included: for the live view.
  public private(set) var whole = LatencySample()
  /// One for each phase of the plan, the warm-up left out.
  public private(set) var phases: [LatencySample]

  /// What an objective's subject may begin with, and what reports call the target.
  public static let domain = "http"

  /// Calls that the plan asks for after the warm-up in each slice of the series; empty of a closed workload.
  public let wanted: [Double]
  /// Usable answers to those calls in each slice, by when they came; what came after the end is in none.
  public private(set) var answersInSlices: [Int]

  /// When the first call is due, the warm-up included, and how long slices are.
  private let begins: Instant
  private let slice: Span
  private let starts: Instant
  private let part: Span
  /// When each phase ends.
  private let phaseEnds: [Instant]
  /// Statuses that count as answers.
  private let expected: [ClosedRange<Int>]

  /// - Parameter starts: When the first call is due.
  init(_ plan: LoadPlan, starts: Instant) {
    self.init(
      Self.operations(plan), starts: starts, lasts: plan.lasts, warmUp: plan.warmUp,
      phases: plan.phases, rate: plan.rate, expected: plan.expected)
  }

  /// - Parameters:
  ///   - operations: The routes, as `operations(_:)` names them.
  ///   - starts: When the first call is due.
  ///   - lasts: How long calls are due, the warm-up included.
  ///   - phases: How long each phase lasts whose response times are kept by themselves.
  ///   - rate: How many calls are due a second, of all generators together; `nil` of a closed workload.
  ///   - expected: Statuses that count as answers.
  public init(
    _ operations: [Operation], starts: Instant, lasts: Span, warmUp: Span, phases: [Span],
    rate: ArrivalRate?, expected: [ClosedRange<Int>]
  ) {
    self.starts = starts + warmUp
    part = max(Span(nanoseconds: 1), (lasts - warmUp) / Int64(Self.parts))
    self.expected = expected
    self.phases = phases.map { _ in LatencySample() }
    var end = starts
    phaseEnds = phases.map {
      end += $0
      return end
    }
    let load = LoadTally(starts: starts, lasts: lasts)
    let empty = WorldTally(
      domain: Self.domain, operations: operations.map(OperationTally.init), business: [],
      limits: [], load: load)
    (begins, slice) = (starts, load.slice)
    answersInSlices = load.requests.map { _ in 0 }
    wanted =
      rate.map { rate in
        load.requests.indices.map { place in
          let (from, to) = (load.slice * Int64(place), load.slice * Int64(place + 1))
          return rate.expected(by: max(warmUp, to)) - rate.expected(by: max(warmUp, from))
        }
      } ?? []
    worlds = Array(repeating: empty, count: Self.parts)
    service = operations.map { _ in LatencyHistogram() }
  }

  /// What the routes are called: by their paths, and by a number behind the path where several share one.
  public static func operations(_ plan: LoadPlan) -> [Operation] {
    var taken: [String: Int] = [:]
    return plan.routes.map { route in
      let count = (taken[route.name] ?? 0) + 1
      taken[route.name] = count
      let name = count == 1 ? route.name : "\(route.name)#\(count)"
      return Operation(name, route.title, source: "command line")
    }
  }

  /// How long one part lasts.
  public var partLasts: Span { part }

  mutating func begin() { begun += 1 }

  /// A call ended. Its response time counts from when it was due.
  mutating func end(route: Int, due: Instant, _ answer: HTTPAnswer) {
    let failure =
      answer.failure
      ?? (expected.contains { $0.contains(answer.status) }
        ? nil : HTTPFailure.unexpectedStatus(answer.status))
    let took = max(.zero, answer.ended - due)
    bytes += answer.bytes
    note(answer.requests, isCounted: place(of: due) != nil, hasEnded: true)
    if failure == nil {
      answered += 1
      whole.ended.record(took)
    } else {
      failed += 1
      whole.endless += 1
    }
    guard let place = place(of: due) else { return }
    if let phase = phase(of: due) {
      if failure == nil { phases[phase].ended.record(took) } else { phases[phase].endless += 1 }
    }
    service[route].record(max(.zero, answer.ended - answer.sent))
    worlds[place].requests += 1
    guard let failure else {
      worlds[place].operations[route].replied += 1
      worlds[place].operations[route].latencies.record(took)
      worlds[place].load.count(
        sent: due, refused: false, lost: false, wait: .ended(took), took: took)
      let slice = Int((answer.ended - begins).nanoseconds / self.slice.nanoseconds)
      if answersInSlices.indices.contains(slice) { answersInSlices[slice] += 1 }
      return
    }
    note(failure, answer.explanation)
    let code = failure.code
    if failure.isUnreached {
      worlds[place].operations[route].unsents[code, default: 0] += 1
    } else if worlds[place].operations[route].unknowns.count < Self.codesMost {
      worlds[place].operations[route].unknowns[code, default: 0] += 1
    } else {
      worlds[place].operations[route].unknowns["other", default: 0] += 1
    }
    worlds[place].operations[route].unanswered += 1
    worlds[place].load.count(sent: due, refused: false, lost: true, wait: .endless, took: took)
  }

  /// A call that was under way, or still waited for a connection, when nobody waited for it any more.
  mutating func cutOff(
    route: Int, due: Instant, _ requests: HTTPAnswer.Requests, at now: Instant
  ) {
    note(requests, isCounted: place(of: due) != nil, hasEnded: false)
    let lasted = max(.zero, now - due)
    whole.cutOff.record(lasted)
    guard let place = place(of: due) else { return }
    if let phase = phase(of: due) { phases[phase].cutOff.record(lasted) }
    worlds[place].requests += 1
    worlds[place].operations[route].unknowns["runEnded", default: 0] += 1
    worlds[place].operations[route].cutOff.record(lasted)
    worlds[place].load.count(sent: due, refused: false, lost: true)
  }

  private mutating func note(
    _ requests: HTTPAnswer.Requests, isCounted: Bool, hasEnded: Bool
  ) {
    repeated += requests.repeated
    redirected += requests.redirected
    switch (requests.first, hasEnded) {
    case (0, _): unsent += 1
    case (_, false): abandoned += 1
    default: if isCounted { counted += 1 } else { ofWarmUp += 1 }
    }
  }

  private mutating func note(_ failure: HTTPFailure, _ explanation: String) {
    guard !explanation.isEmpty, explanations.count < Self.codesMost else { return }
    if explanations[failure.code] == nil {
      explanations[failure.code] = printable(explanation, limit: 200)
    }
  }

  private func phase(of due: Instant) -> Int? { phaseEnds.firstIndex { due < $0 } }

  /// Which part a call belongs to; `nil` in the warm-up.
  private func place(of due: Instant) -> Int? {
    guard due >= starts else { return nil }
    return min(worlds.count - 1, Int((due - starts).nanoseconds / part.nanoseconds))
  }
}

extension CallTally {
  /// Adds what another generator counted of the same load, bucket by bucket.
  public mutating func merge(_ other: CallTally) {
    for index in worlds.indices { worlds[index].merge(other.worlds[index]) }
    for index in service.indices { service[index].merge(other.service[index]) }
    explanations.merge(other.explanations) { mine, _ in mine }
    begun += other.begun
    counted += other.counted
    ofWarmUp += other.ofWarmUp
    abandoned += other.abandoned
    unsent += other.unsent
    repeated += other.repeated
    redirected += other.redirected
    answered += other.answered
    failed += other.failed
    bytes += other.bytes
    whole.merge(other.whole)
    for index in phases.indices { phases[index].merge(other.phases[index]) }
    for index in answersInSlices.indices { answersInSlices[index] += other.answersInSlices[index] }
  }
}

/// Read into an empty tally of the same load.
extension CallTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.each(&worlds)
    try packing.each(&service)
    let known = explanations.sorted { $0.key < $1.key }
    for place in 0..<(try packing.length(known.count)) {
      var (code, words) = packing.isReading ? ("", "") : known[place]
      try packing.pack(&code)
      try packing.pack(&words)
      explanations[code] = words
    }
    try packing.count(&begun)
    try packing.count(&counted)
    try packing.count(&ofWarmUp)
    try packing.count(&abandoned)
    try packing.count(&unsent)
    try packing.count(&repeated)
    try packing.count(&redirected)
    try packing.count(&answered)
    try packing.count(&failed)
    try packing.count(&bytes)
    try whole.pack(&packing)
    try packing.each(&phases)
    for index in answersInSlices.indices { try packing.count(&answersInSlices[index]) }
  }
}
