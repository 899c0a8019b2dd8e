import Contracts
import Timekeeping

/// What one replication of one world came to: counts and histograms without a type of the domain. Tallies of
/// regions merge, in region order.
public struct WorldTally: Sendable {
  public var domain: String
  public var persons = 0
  public var requests = 0
  public var operations: [OperationTally]
  public var business: [BusinessTally]
  /// How far things came that the backend is used for; `nil` where the domain declares no flow.
  public var flow: FlowTally?
  /// How requests were answered against the documents' table of rights; `nil` where the domain declares none.
  public var access: AccessTally?
  public var limits: [LimitTally]
  /// Why nobody judged limits that are judged elsewhere: what their checks go by could not be seen.
  public var unseen: [LimitID: String] = [:]
  /// Parts of the run that objectives ask for.
  public var windows: [WindowTally]
  public var load: LoadTally
  public var arrivals = ArrivalTally()
  public var searching = SearchTally()
  public var funnel = FunnelTally()
  public var sessionsBegun = 0
  public var sessionsCompleted = 0
  public var digest = Digest()

  public init(
    domain: String, operations: [OperationTally], business: [BusinessTally],
    limits: [LimitTally], windows: [WindowTally] = [], load: LoadTally
  ) {
    self.domain = domain
    self.operations = operations
    self.business = business
    self.limits = limits
    self.windows = windows
    self.load = load
  }

  public mutating func merge(_ other: WorldTally) {
    precondition(domain == other.domain, "tallies of two domains do not merge")
    persons += other.persons
    requests += other.requests
    for index in operations.indices { operations[index].merge(other.operations[index]) }
    for index in business.indices { business[index].merge(other.business[index]) }
    if let other = other.flow { flow?.merge(other) }
    if let other = other.access { access?.merge(other) }
    for index in limits.indices { limits[index].merge(other.limits[index]) }
    unseen.merge(other.unseen) { mine, _ in mine }
    for index in windows.indices { windows[index].merge(other.windows[index]) }
    load.merge(other.load)
    arrivals.merge(other.arrivals)
    searching.merge(other.searching)
    funnel.merge(other.funnel)
    sessionsBegun += other.sessionsBegun
    sessionsCompleted += other.sessionsCompleted
    digest.mix(other.digest)
  }

  /// Takes no more memory than what was counted: to be called once nothing more is.
  mutating func compact() {
    for index in operations.indices { operations[index].compact() }
    for index in business.indices { business[index].compact() }
    for index in windows.indices { windows[index].compact() }
    load.compact()
  }

  /// Moves into another tally what is told of all replications together and of none by itself: where the time of requests went, how
  /// punctual they were, and what calls took in process. The sum of both is as before.
  mutating func give(to other: inout WorldTally) {
    for index in operations.indices { operations[index].give(to: &other.operations[index]) }
    for index in windows.indices { windows[index].give(to: &other.windows[index]) }
    other.searching.merge(searching)
    searching = SearchTally()
  }
}

public struct OperationTally: Sendable {
  public let name: String
  public let title: String
  public let kind: Operation.Kind
  /// Answers of a long poll are meant to be long in coming: they have no response times.
  public let isLongPoll: Bool
  /// Response times after the warm-up, of requests that were answered: with yes or with no.
  public var latencies = LatencyHistogram()
  /// Where the time of the answered went, where a model says so.
  public var passages = PassageTally()
  /// In real time: how late requests left, and how long they took from then on.
  public var punctuality: PunctualityTally?
  /// Requests after the warm-up that got no usable answer: timed out, reset, answered with a server error or with what nobody can
  /// read, or refused a connection. A person who was offline asked nobody.
  public var unanswered: UInt64 = 0
  /// How long those after the warm-up had waited that were under way when the run ended.
  public var cutOff = LatencyHistogram()
  public var replied = 0
  public var refusals: [String: Int] = [:]
  public var unsents: [String: Int] = [:]
  public var unknowns: [String: Int] = [:]
  /// What calls of the twin took on this machine.
  public var inProcess = LatencyHistogram(unit: .nanoseconds(1))
  /// The response times of the run's beginning by themselves, where it is not known yet how much of it is left out.
  private var heads: Heads<ResponseCounts>?

  public init(_ operation: Operation) {
    name = operation.name
    title = operation.title
    kind = operation.kind
    isLongPoll = operation.isLongPoll
  }

  /// What its quantiles are over.
  public var sample: LatencySample {
    LatencySample(ended: latencies, endless: unanswered, cutOff: cutOff)
  }
  public var refused: Int { refusals.values.reduce(0, +) }
  public var unsent: Int { unsents.values.reduce(0, +) }
  public var unknown: Int { unknowns.values.reduce(0, +) }
  public var requests: Int { replied + unsent + refused + unknown }
  /// How many were under way when the run ended, those of the warm-up among them.
  public var cutOffInAll: Int { unknowns[UnknownCause.runEnded.rawValue] ?? 0 }

  /// Counts one request; its response time counts when it was meant for the time after the warm-up.
  mutating func count<Contract: ServiceContract>(_ call: Call<Contract>, isWarm: Bool) {
    switch call.outcome {
    case .replied: replied += 1
    case .refused(let refusal): refusals[refusal.code, default: 0] += 1
    case .unsent(let cause): unsents[cause.rawValue, default: 0] += 1
    case .unknown(let cause): unknowns[cause.rawValue, default: 0] += 1
    }
    guard isWarm, !isLongPoll else { return }
    punctuality?.count(call)
    let (ending, took) = (call.outcome.ending, call.responseTime)
    switch ending {
    case .answered: latencies.record(took)
    case .unanswered: unanswered += 1
    case .cutOff: cutOff.record(took)
    case .notAsked: return
    }
    heads?.count(call.intended) {
      switch ending {
      case .answered: $0.latencies.record(took)
      case .unanswered: $0.unanswered += 1
      case .cutOff: $0.cutOff.record(took)
      case .notAsked: break
      }
    }
  }

  mutating func note(_ passage: Passage, intended: Instant, took: Span) {
    passages.record(passage, took: took)
    heads?.count(intended) { $0.passages.record(passage, took: took) }
  }

  mutating func divide(_ beginning: Beginning) { heads = Heads(beginning) }

  mutating func leaveOut(parts: Int) {
    guard let left = heads?.first(parts) else { return }
    latencies.remove(left.latencies)
    passages.remove(left.passages)
    unanswered -= left.unanswered
    cutOff.remove(left.cutOff)
    heads = nil
  }

  public mutating func merge(_ other: OperationTally) {
    latencies.merge(other.latencies)
    passages.merge(other.passages)
    if let other = other.punctuality { punctuality?.merge(other) }
    unanswered += other.unanswered
    cutOff.merge(other.cutOff)
    replied += other.replied
    unsents.merge(other.unsents, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
    unknowns.merge(other.unknowns, uniquingKeysWith: +)
    inProcess.merge(other.inProcess)
    if let other = other.heads { heads?.merge(other) }
  }

  mutating func compact() {
    latencies.compact()
    cutOff.compact()
    inProcess.compact()
    heads?.compact()
  }

  mutating func give(to other: inout OperationTally) {
    passages.give(to: &other.passages)
    other.inProcess.merge(inProcess)
    inProcess = LatencyHistogram(unit: inProcess.unit)
    if let own = punctuality {
      other.punctuality?.merge(own)
      punctuality = PunctualityTally()
    }
    if other.heads != nil { heads?.give(to: &other.heads!) }
  }
}

/// Times between two things of the domain, of those that began after the warm-up.
public struct BusinessTally: Sendable {
  public let name: String
  public let title: String
  public let bound: Span?
  public let limit: LimitID?
  public let notes: BusinessNotes
  public var finished = LatencyHistogram()
  /// How long those had lasted that were still open when the run ended.
  public var unfinished = LatencyHistogram()
  public var abandoned = 0
  /// How many ended in all, those of the warm-up among them: what rates and counts are over, as those of requests are.
  public private(set) var ends = 0
  /// When the warm-up ends. What begins in it is followed, so that it cannot seem to begin later, and left out.
  private let warmedUp: Instant
  /// Begun and neither ended nor abandoned yet.
  private var open: [MilestoneKey: Instant] = [:]
  /// What began in the run's beginning by itself, where it is not known yet how much of that is left out.
  private var heads: Heads<BusinessCounts>?

  public init(
    name: String, title: String, bound: Span?, limit: LimitID?,
    notes: BusinessNotes = BusinessNotes(), warmedUp: Instant = .distantPast
  ) {
    self.name = name
    self.title = title
    self.bound = bound
    self.limit = limit
    self.notes = notes
    self.warmedUp = warmedUp
  }

  /// What its quantiles are over.
  public var sample: LatencySample { LatencySample(ended: finished, cutOff: unfinished) }

  public mutating func begin(_ key: MilestoneKey, at instant: Instant) {
    if open[key] == nil { open[key] = instant }
  }

  public mutating func end(_ key: MilestoneKey, at instant: Instant) {
    guard let began = open.removeValue(forKey: key) else { return }
    ends += 1
    guard began >= warmedUp else { return }
    let took = max(.zero, instant - began)
    finished.record(took)
    heads?.count(began) { $0.finished.record(took) }
  }

  public mutating func abandon(_ key: MilestoneKey) {
    guard let began = open.removeValue(forKey: key), began >= warmedUp else { return }
    abandoned += 1
    heads?.count(began) { $0.abandoned += 1 }
  }

  /// Closes the books: what is still open is censored, never dropped.
  public mutating func close(at instant: Instant) {
    // A histogram does not depend on the order in which its samples come.
    for began in open.values where began >= warmedUp {
      let lasted = max(.zero, instant - began)
      unfinished.record(lasted)
      heads?.count(began) { $0.unfinished.record(lasted) }
    }
    open = [:]
  }

  mutating func divide(_ beginning: Beginning) { heads = Heads(beginning) }

  mutating func leaveOut(parts: Int) {
    guard let left = heads?.first(parts) else { return }
    finished.remove(left.finished)
    unfinished.remove(left.unfinished)
    abandoned -= left.abandoned
    heads = nil
  }

  public mutating func merge(_ other: BusinessTally) {
    precondition(open.isEmpty && other.open.isEmpty, "only closed books merge")
    finished.merge(other.finished)
    unfinished.merge(other.unfinished)
    abandoned += other.abandoned
    ends += other.ends
    if let other = other.heads { heads?.merge(other) }
  }

  mutating func compact() {
    finished.compact()
    unfinished.compact()
    heads?.compact()
  }
}

/// The decisions of one check, with names in place of a region's numbers.
public struct LimitTally: Sendable {
  public struct Evidence: Hashable, Sendable {
    public var what: String
    public var time: Instant
    /// The path of the person, or of the region when nobody saw it.
    public var who: String
  }

  public private(set) var id: LimitID
  public private(set) var exercised: Int
  public private(set) var violations: Int
  public private(set) var undecided: Int
  public private(set) var undecidedReason: String?
  public private(set) var evidence: [Evidence]

  /// Without any decision.
  public init(_ id: LimitID) { self.init(id, Judge(), naming: { _ in "" }) }

  public init(_ id: LimitID, _ judge: Judge, naming: (Finding.Location) -> String) {
    self.id = id
    exercised = judge.exercised
    violations = judge.violations
    undecided = judge.undecided
    undecidedReason = judge.undecidedReason
    evidence = judge.evidence.map {
      Evidence(what: $0.what, time: $0.location.time, who: naming($0.location))
    }
  }

  public mutating func merge(_ other: LimitTally) {
    exercised += other.exercised
    violations += other.violations
    undecided += other.undecided
    undecidedReason = undecidedReason ?? other.undecidedReason
    evidence.append(contentsOf: other.evidence.prefix(max(0, Judge.evidenceMax - evidence.count)))
  }
}

/// Requests in equal slices of virtual time, by when they were sent.
public struct LoadTally: Sendable {
  public let starts: Instant
  public let slice: Span
  private var slices: ContiguousArray<Slice>
  public private(set) var latencies: SliceLatencies

  private struct Slice {
    var requests = 0
    var refused = 0
    var lost = 0
    var waited = 0.0
    var waits = 0
  }

  public var requests: [Int] { slices.map(\.requests) }
  public var refused: [Int] { slices.map(\.refused) }
  public var lost: [Int] { slices.map(\.lost) }
  /// How long requests took together, in seconds, answered or given up, and how many of them: how a run settles.
  public var waited: [Double] { slices.map(\.waited) }
  public var waits: [Int] { slices.map(\.waits) }

  /// At most 144 slices of a round length.
  public init(starts: Instant, lasts: Span) {
    let lengths: [Span] = [
      .seconds(1), .seconds(5), .seconds(10), .seconds(30), .minutes(1), .minutes(5), .minutes(10),
      .minutes(15), .minutes(30), .hours(1), .hours(3), .hours(6), .hours(12), .days(1), .days(7),
    ]
    slice = lengths.first { $0 * 144 >= lasts } ?? .days(30)
    self.starts = starts
    let count = max(1, Int((lasts.nanoseconds + slice.nanoseconds - 1) / slice.nanoseconds))
    slices = ContiguousArray(repeating: Slice(), count: count)
    latencies = SliceLatencies(slices: count)
  }

  /// - Parameters:
  ///   - wait: What it adds to the slice's response times; `nil` where it has none.
  ///   - took: How long it took, where it has a response time.
  public mutating func count(
    sent: Instant, refused wasRefused: Bool, lost wasLost: Bool,
    wait: SliceLatencies.Wait? = nil, took: Span = .zero
  ) {
    let index = Int((sent - starts).nanoseconds / slice.nanoseconds)
    guard slices.indices.contains(index) else { return }
    slices[index].requests += 1
    if wasRefused { slices[index].refused += 1 }
    if wasLost { slices[index].lost += 1 }
    guard let wait else { return }
    latencies.record(wait, slice: index)
    slices[index].waited += took.seconds
    slices[index].waits += 1
  }

  public mutating func merge(_ other: LoadTally) {
    precondition(slice == other.slice && starts == other.starts, "slices differ")
    for (index, more) in other.slices.enumerated() where index < slices.count {
      slices[index].requests += more.requests
      slices[index].refused += more.refused
      slices[index].lost += more.lost
      slices[index].waited += more.waited
      slices[index].waits += more.waits
    }
    latencies.merge(other.latencies)
  }

  mutating func compact() { latencies.compact() }
}

// MARK: - As bytes

/// What was counted; read into an empty tally of the same scenario, which knows the names.
extension WorldTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&persons)
    try packing.count(&requests)
    try packing.each(&operations)
    try packing.each(&business)
    try flow?.pack(&packing)
    try access?.pack(&packing)
    try packing.pack(&limits, empty: LimitTally(""))
    try pack(unseen: &packing)
    try packing.each(&windows)
    try load.pack(&packing)
    try arrivals.pack(&packing)
    try searching.pack(&packing)
    try funnel.pack(&packing)
    guard funnel.rows.allSatisfy({ $0.cells.count == operations.count }) else {
      throw PackingProblem()
    }
    try packing.count(&sessionsBegun)
    try packing.count(&sessionsCompleted)
    try packing.pack(&digest)
  }

  private mutating func pack(unseen packing: inout Packing) throws(PackingProblem) {
    let known = unseen.sorted { $0.key < $1.key }
    for place in 0..<(try packing.length(known.count)) {
      var (id, why) = packing.isReading ? ("", "") : (known[place].key.text, known[place].value)
      try packing.pack(&id)
      try packing.pack(&why)
      unseen[LimitID(id)] = why
    }
  }
}

extension OperationTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try latencies.pack(&packing)
    try passages.pack(&packing)
    try punctuality?.pack(&packing)
    try packing.count(&unanswered)
    try cutOff.pack(&packing)
    try packing.count(&replied)
    try packing.pack(&refusals)
    try packing.pack(&unsents)
    try packing.pack(&unknowns)
    try inProcess.pack(&packing)
    try heads?.pack(&packing)
  }
}

extension BusinessTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    precondition(open.isEmpty, "only closed books are written")
    try finished.pack(&packing)
    try unfinished.pack(&packing)
    try packing.count(&abandoned)
    try packing.count(&ends)
    try heads?.pack(&packing)
  }
}

extension LimitTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    var text = id.text
    try packing.pack(&text)
    id = LimitID(text)
    try packing.count(&exercised)
    try packing.count(&violations)
    try packing.count(&undecided)
    guard violations <= exercised, undecided <= exercised - violations else {
      throw PackingProblem()
    }
    try packing.pack(&undecidedReason, empty: "")
    try packing.pack(&evidence, empty: Evidence(what: "", time: .distantPast, who: ""))
  }
}

extension LimitTally.Evidence: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&what)
    try packing.pack(&time)
    try packing.pack(&who)
  }
}

extension LoadTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    for index in slices.indices {
      try packing.count(&slices[index].requests)
      try packing.count(&slices[index].refused)
      try packing.count(&slices[index].lost)
      try packing.pack(&slices[index].waited)
      try packing.count(&slices[index].waits)
    }
    try latencies.pack(&packing)
  }
}
