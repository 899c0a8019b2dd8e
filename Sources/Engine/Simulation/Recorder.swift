import Contracts
import Observations
import Scenarios
import Timekeeping

/// Takes what a region's people see, and tells everybody who listens: the tally with its digest, how far people get, the checks, the
/// business latencies, and the transcript. In virtual time it tells in the order in which things become known, in real time behind a
/// watermark.
struct Recorder<Checks: CheckRuntime> where Checks.Contract: WireContract {
  typealias Contract = Checks.Contract

  var tally: WorldTally
  private var funnel: FunnelRecorder
  private var checks: Checks
  private var business: [any MilestoneWatch<Contract>]
  /// By class of records: which business latencies want to see them.
  private let classes = ConcernClasses<Contract>()
  private let businessByClass: [[Int]]
  private var flow: (any FlowWatch<Contract>)?
  /// By class of records: whether the flow wants to see them.
  private let flowByClass: [Bool]
  /// Of some of the people it cannot be told what they may.
  private let countsRights: Bool
  private var transcript: Transcript<Contract>?
  /// What was meant for the time before counts in no latency.
  private let warmedUp: Instant
  /// In real time.
  private var watermark: Watermark<Contract>?

  /// - Parameters:
  ///   - region: Its path.
  ///   - people: Their names, in the order of their numbers.
  ///   - share: Of people who live in several generators: those that live in this one.
  init(
    _ region: String, people: [String], checks: Checks,
    business latencies: [BusinessLatency<Contract>], flow: Flow<Contract>? = nil,
    access: AccessMatrix? = nil, scenario: Scenario, recording: Recording,
    inRealTime: Bool = false, share: Share = .whole
  ) {
    watermark = inRealTime ? Watermark() : nil
    let warmedUp = scenario.starts + scenario.warmup
    self.warmedUp = warmedUp
    funnel = FunnelRecorder(names: people, operations: Contract.operations.count, share: share)
    self.checks = checks
    // What several people do together is seen by none of several generators.
    let watched = share == .whole ? latencies : []
    let followed = share == .whole ? flow : nil
    business = watched.map { [library = checks.library] in $0.watch(library) }
    businessByClass = classes.distributed(watched.map(\.concerns))
    self.flow = followed.map { [library = checks.library] in $0.watch(library) }
    flowByClass = classes.distributed([followed?.concerns ?? []]).map { !$0.isEmpty }
    countsRights = share == .whole && access != nil
    transcript = Transcript(region: region, recording)
    tally = Self.emptyTally(
      business: latencies, flow: flow, access: access, scenario: scenario, inRealTime: inRealTime)
    tally.persons = share.size(of: people.count)
  }

  /// What everything is counted in.
  static func emptyTally(
    business latencies: [BusinessLatency<Contract>], flow: Flow<Contract>?,
    access: AccessMatrix?, scenario: Scenario, inRealTime: Bool
  ) -> WorldTally {
    var operations = Contract.operations.map(OperationTally.init)
    if inRealTime {
      for index in operations.indices { operations[index].punctuality = PunctualityTally() }
    }
    let books = latencies.map {
      BusinessTally(
        name: $0.name, title: $0.title, bound: $0.bound, limit: $0.rule?.id, notes: $0.notes,
        warmedUp: scenario.starts + scenario.warmup)
    }
    var tally = WorldTally(
      domain: Contract.domain, operations: operations, business: books, limits: [],
      windows: scenario.windows(of: Contract.domain).map {
        WindowTally(from: $0.from, to: $0.to, operations: operations, business: books)
      },
      load: LoadTally(starts: scenario.starts, lasts: scenario.lasts))
    if scenario.isWarmUpAutomatic { tally.divideBeginning() }
    tally.flow = flow.map { FlowTally($0.course) }
    tally.access = access.map { AccessTally(columns: $0.columns, operations: operations.count) }
    return tally
  }

  // MARK: - Real time

  /// A call has been sent; `nil` in virtual time, where nobody has to wait for its outcome.
  mutating func opened(at instant: Instant) -> Int? { watermark?.opened(at: instant) }

  /// The outcome of a call is known, and its record has been added.
  mutating func closed(_ call: Int?) {
    if let call { watermark?.closed(call) }
  }

  /// Tells what was seen before an instant and before every call that is still open.
  mutating func release(before instant: Instant) {
    while let seen = watermark?.next(before: instant) { tell(seen.record, who: seen.who) }
  }

  /// How things stand, for whoever watches.
  var live: LiveFigures {
    var live = tally.live
    live.inFlight = watermark?.inFlight ?? 0
    live.violations = checks.violations
    return live
  }

  func isViolated(_ limit: LimitID) -> Bool { checks.isViolated(limit) }

  // MARK: - Records

  /// - Parameter who: The path of the person, or of the region when nobody saw it.
  mutating func add(_ record: Record<Contract>, who: String) {
    guard watermark == nil else {
      watermark?.keep(.init(record: record, who: who))
      return
    }
    tell(record, who: who)
  }

  private mutating func tell(_ record: Record<Contract>, who: String) {
    tally.note(record, warmedUp: warmedUp)
    if case .request(let call) = record.event, let person = record.person {
      funnel.note(
        person, operation: call.operation, isReplied: call.outcome.isReplied,
        isRefused: call.outcome.isAnswered && !call.outcome.isReplied)
    }
    checks.see(record)
    noteEntries()
    let number = classes.number(of: record.concern)
    for place in businessByClass[number].indices {
      let index = businessByClass[number][place]
      for milestone in business[index].see(record) {
        tally.note(milestone, of: index)
      }
    }
    if flowByClass[number] {
      for move in flow?.see(record) ?? [] { tally.flow?.note(move) }
    }
    transcript?.add(record, who: who)
  }

  private mutating func noteEntries() {
    guard countsRights else { return }
    for entry in checks.takeEntries() { tally.access?.note(entry) }
  }

  /// Where the time of an answered request went.
  mutating func add(_ passage: Passage, operation: Int, intended: Instant, took: Span) {
    tally.note(passage, operation: operation, intended: intended, took: took, warmedUp: warmedUp)
  }

  /// Ends all histories and closes the books.
  mutating func end(at instant: Instant, naming: (Finding.Location) -> String) {
    release(before: .distantFuture)
    checks.end(at: instant)
    noteEntries()
    tally.funnel = funnel.tally()
    tally.close(at: instant)
    tally.limits = zip(checks.limits, checks.judges).map { id, judge in
      LimitTally(id, judge, naming: naming)
    }
    for (id, judge) in zip(checks.limits, checks.judges) {
      tally.digest.mix(id.text)
      tally.digest.mix(judge.exercised)
      tally.digest.mix(judge.violations)
      tally.digest.mix(judge.undecided)
    }
  }

  /// The lines for `--events` since they were last asked for.
  mutating func takeLines() -> LineSpool { transcript?.take() ?? LineSpool() }
}
