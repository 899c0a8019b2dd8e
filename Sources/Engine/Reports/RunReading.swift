import Contracts
import Observations
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// Reads a whole run back from its `result.json`, so that it can be rendered again.
///
/// What no report shows (the histograms themselves) is not in the file and does not come back.
public struct RunReading {
  let document: ReadingNode

  /// - Parameter file: Its name, for messages.
  public static func run(of bytes: [UInt8], file: String) throws(ReadingProblem) -> Run {
    // The figures' reader says what is wrong with a foreign, newer or truncated file.
    _ = try ResultReading.figures(of: bytes, file: file)
    let document = try ReadingNode.document(bytes, file: file)
    guard document.member(BaselineDocument.mark) == nil else {
      throw document.problem(
        "this is a baseline, which holds too little for a report", "name the run itself")
    }
    return try RunReading(document: document).run()
  }

  func run() throws(ReadingProblem) -> Run {
    let journeys = try document.required("journeys")
    let machine = try document.required("machine")
    return Run(
      scenario: try scenario(document.required("scenario"), machine),
      seed: try document.required("seed").seed(), digest: try document.required("digest").string(),
      verdict: try verdict(document.required("verdict")),
      exitCode: try document.required("exitCode").count(),
      method: try each("method") { node throws(ReadingProblem) in try node.string() },
      interrupted: try document.member("interrupted")?.bool() ?? false,
      persons: try document.required("persons").count(),
      requests: try document.required("requests").count(),
      virtualSeconds: try document.required("virtualSeconds").seconds(),
      replications: try each("replications", replication), limits: try each("limits", limit),
      objectives: try each("objectives", objective), latencies: try latencies(machine),
      business: try each("business", business), refusals: try each("refusals", tally),
      unknowns: try each("unknowns", tally),
      journeys: JourneyCounts(
        begun: try journeys.required("begun").count(),
        completed: try journeys.required("completed").count(),
        ended: try journeys.required("ended").count()), load: try each("load", load),
      machine: try self.machine(machine),
      looks: try document.member("looks").map { node throws(ReadingProblem) in try looks(node) },
      funnel: document.member("reach") == nil ? [] : try each("reach", funnel),
      searches: document.member("searches") == nil ? [] : try each("searches", search),
      unsents: document.member("unsent") == nil ? [] : try each("unsent", tally),
      settling: try document.member("warmUp").map { node throws(ReadingProblem) in
        try settling(node)
      },
      generator: try document.member("generator").map { node throws(ReadingProblem) in
        try GeneratorDocument.read(node)
      }, flows: document.member("flows") == nil ? [] : try each("flows", flow),
      access: document.member("access") == nil ? [] : try each("access", access))
  }

  private func settling(_ node: ReadingNode) throws(ReadingProblem) -> Settling {
    Settling(
      isAutomatic: try node.required("automatic").bool(),
      leftOut: try node.required("leftOutSeconds").seconds(),
      advised: try node.required("advisedSeconds").optionalSeconds(),
      reason: try node.member("reason")?.string(), bias: try node.member("bias")?.number(),
      steadyStates: document.member("steadyStates") == nil
        ? [] : try each("steadyStates", steadyState))
  }

  private func steadyState(_ node: ReadingNode) throws(ReadingProblem) -> SteadyState {
    SteadyState(
      world: try node.required("world").string(),
      seconds: try node.required("meanSeconds").seconds(),
      interval: try node.required("interval").bounds() ?? Bounds(low: 0, high: .infinity),
      batches: try node.required("batches").count(),
      correlation: try node.required("correlation").number(),
      isCorrelated: try node.required("correlated").bool())
  }

  // MARK: - Helpers

  private func each<Item>(
    _ name: String, _ read: (ReadingNode) throws(ReadingProblem) -> Item
  ) throws(ReadingProblem) -> [Item] {
    try Self.list(document.required(name), read)
  }

  private static func list<Item>(
    _ node: ReadingNode, _ read: (ReadingNode) throws(ReadingProblem) -> Item
  ) throws(ReadingProblem) -> [Item] {
    var items: [Item] = []
    for item in try node.items() { items.append(try read(item)) }
    return items
  }

  private func verdict(_ node: ReadingNode) throws(ReadingProblem) -> Verdict {
    try node.one(of: Verdict.self, ResultReading.verdicts)
  }

  private func quantile(_ node: ReadingNode) throws(ReadingProblem) -> Quantile {
    Quantile(
      q: try node.required("q").seconds(), seconds: try node.member("seconds")?.optionalSeconds(),
      interval: try node.member("interval")?.bounds(),
      longerThan: try node.member("longerThan")?.optionalSeconds())
  }

  private func point(_ node: ReadingNode) throws(ReadingProblem) -> CurvePoint {
    let pair = try node.items()
    guard pair.count == 2 else { throw node.expected("a pair of a share and seconds") }
    return CurvePoint(share: try pair[0].seconds(), seconds: try pair[1].seconds())
  }

  private func points(_ node: ReadingNode?) throws(ReadingProblem) -> [CurvePoint] {
    guard let node else { return [] }
    return try Self.list(node, point)
  }

  // MARK: - Scenario

  private func scenario(
    _ node: ReadingNode, _ machine: ReadingNode
  ) throws(ReadingProblem) -> ScenarioSummary {
    let names = try ResultReading.scenario(node)
    let zone = try node.required("zone")
    guard let civil = CivilZone(try zone.string()) else {
      throw zone.expected("a time zone by its IANA name")
    }
    return ScenarioSummary(
      name: names.name, title: names.title, digest: names.digest,
      file: try machine.member("scenarioFile")?.string() ?? "",
      options: try machine.member("options")?.string() ?? "",
      starts: try node.required("starts").instant(), zone: civil,
      lasts: try node.required("lastsSeconds").span(),
      worlds: try Self.list(node.required("worlds"), world),
      events: try Self.list(node.required("events"), event),
      faults: try Self.list(node.required("faults"), fault),
      documented: try node.required("documented").one(of: Scenario.Documented.self, "judged, all"),
      inconclusive: try node.required("inconclusive").one(
        of: Scenario.Inconclusive.self, "fail, warn"))
  }

  private func world(_ node: ReadingNode) throws(ReadingProblem) -> World {
    let differing = try Self.list(node.required("differing")) { item throws(ReadingProblem) in
      World.Difference(
        name: try item.required("name").string(), value: try item.required("value").string(),
        standard: try item.required("default").string())
    }
    return World(
      domain: try node.required("domain").string(), regions: try node.required("regions").count(),
      population: Settings([]), parameters: Settings([]),
      profile: try node.required("profile").string(), differing: differing)
  }

  private func event(_ node: ReadingNode) throws(ReadingProblem) -> ScheduledEvent {
    ScheduledEvent(
      at: try node.required("at").instant(), domain: try node.required("domain").string(),
      command: try node.required("command").string(),
      parameters: try node.required("parameters").value,
      note: try node.member("note")?.string(), line: 0)
  }

  private func fault(_ node: ReadingNode) throws(ReadingProblem) -> Fault {
    let kind = try node.required("kind")
    let name = try kind.string()
    var found = FaultWord.plain.first { $0.name == name }?.kind
    if name == FaultWord.delay.name {
      found = .delay(try node.required("delaySeconds").span())
    }
    guard let found else {
      let known = (FaultWord.plain + [.delay]).map(\.name)
      throw kind.expected("one of \(known.joined(separator: ", "))")
    }
    return Fault(
      from: try node.required("from").instant(), to: try node.required("to").instant(),
      domain: try node.required("domain").string(), kind: found,
      share: try node.required("share").seconds(),
      operation: try node.member("operation")?.string(),
      count: try node.member("count")?.count())
  }

  // MARK: - Results

  private func replication(_ node: ReadingNode) throws(ReadingProblem) -> Replication {
    Replication(
      index: try node.required("index").count(), seed: try node.required("seed").seed(),
      digest: try node.required("digest").string(), requests: try node.required("requests").count(),
      persons: try node.required("persons").count(),
      latencies: try ResultReading.latenciesOf(node))
  }

  private func limit(_ node: ReadingNode) throws(ReadingProblem) -> LimitResult {
    let evidence = node.member("evidence")
    return LimitResult(
      id: try node.required("id").string(), domain: try node.required("domain").string(),
      statement: try node.required("statement").string(),
      source: try node.required("source").string(),
      exercised: try node.required("exercised").count(),
      // Results of former versions do not have it.
      undecided: try node.member("undecided")?.count() ?? 0,
      violations: try node.required("violations").count(),
      verdict: try verdict(node.required("verdict")), reason: try node.member("reason")?.string(),
      theme: try node.member("theme")?.string() ?? "",
      evidence: evidence == nil ? [] : try Self.list(evidence!, self.evidence),
      upperBound: try node.member("upperBound")?.seconds())
  }

  private func evidence(_ node: ReadingNode) throws(ReadingProblem) -> LimitResult.Evidence {
    LimitResult.Evidence(
      what: try node.required("what").string(),
      replication: try node.required("replication").count(),
      seed: try node.required("seed").seed(), time: try node.required("time").instant(),
      who: try node.required("who").string(), command: try node.required("command").string())
  }

  private func objective(_ node: ReadingNode) throws(ReadingProblem) -> ObjectiveResult {
    ObjectiveResult(
      text: try node.required("text").string(), verdict: try verdict(node.required("verdict")),
      reason: try node.member("reason")?.string(),
      estimate: try node.member("estimate")?.optionalSeconds(),
      interval: try node.member("interval")?.bounds(),
      bound: try node.required("bound").seconds(),
      unit: try node.required("unit").one(
        of: Objective.Unit.self, "seconds, share, perSecond, count"),
      moreReplications: try node.member("moreReplications")?.count(),
      longerThan: try node.member("longerThan")?.optionalSeconds(),
      parts: try node.member("parts").map(parts))
  }

  private func looks(_ node: ReadingNode) throws(ReadingProblem) -> Looks {
    Looks(
      made: try Self.list(node.required("replications")) { item throws(ReadingProblem) in
        try item.count()
      }, planned: try node.required("planned").count(),
      ended: try node.required("ended").one(
        of: Looks.End.self, "decided, cannotPass, maximum, interrupted"))
  }

  /// Those outside `machine`, and those inside that are whole results.
  private func latencies(_ machine: ReadingNode) throws(ReadingProblem) -> [LatencyResult] {
    var found = try each("latencies", latency)
    for node in try machine.required("inProcess").items() where node.member("title") != nil {
      found.append(try latency(node))
    }
    return found
  }

  private func latency(_ node: ReadingNode) throws(ReadingProblem) -> LatencyResult {
    let answered = try node.member("answered")?.required("quantiles")
    return LatencyResult(
      world: try node.required("world").string(),
      operation: try node.required("operation").string(),
      title: try node.required("title").string(),
      basis: try node.required("basis").one(of: Basis.self, ResultReading.bases),
      count: try node.required("count").count(),
      unanswered: try node.member("unanswered")?.count() ?? 0,
      cutOff: try node.member("cutOff")?.count() ?? 0,
      quantiles: try Self.list(node.required("quantiles"), quantile),
      answeredQuantiles: answered == nil ? nil : try Self.list(answered!, quantile),
      parts: try node.member("parts").map(quantileParts) ?? [],
      curve: try points(node.member("curve")), hgrm: "")
  }

  private func quantileParts(_ node: ReadingNode) throws(ReadingProblem) -> [QuantileParts] {
    try Self.list(node) { item throws(ReadingProblem) in
      QuantileParts(q: try item.required("q").seconds(), parts: try parts(item))
    }
  }

  private func parts(_ node: ReadingNode) throws(ReadingProblem) -> LatencyParts {
    LatencyParts(
      network: try node.required("network").seconds(),
      waiting: try node.required("waiting").seconds(),
      service: try node.required("service").seconds(), other: try node.required("other").seconds())
  }

  private func business(_ node: ReadingNode) throws(ReadingProblem) -> BusinessResult {
    let said = node.member("verdict")
    return BusinessResult(
      world: try node.required("world").string(), name: try node.required("name").string(),
      title: try node.required("title").string(), count: try node.required("count").count(),
      unfinished: try node.required("unfinished").count(),
      abandoned: try node.required("abandoned").count(),
      minimumSeconds: try node.member("minimumSeconds")?.optionalSeconds(),
      meanSeconds: try node.member("meanSeconds")?.optionalSeconds(),
      maximumSeconds: try node.member("maximumSeconds")?.optionalSeconds(),
      quantiles: try Self.list(node.required("quantiles"), quantile),
      survival: try points(node.member("survival")),
      boundSeconds: try node.member("boundSeconds")?.seconds(),
      limit: try node.member("limit")?.string(), verdict: said == nil ? nil : try verdict(said!),
      late: try node.member("late")?.count(), notes: try notes(node),
      openSince: try node.member("openSince").map { list throws(ReadingProblem) in
        try Self.list(list, openSince)
      } ?? [])
  }

  private func openSince(_ node: ReadingNode) throws(ReadingProblem) -> OpenSince {
    let pair = try node.items()
    guard pair.count == 2 else { throw node.expected("a pair of seconds and a count") }
    return OpenSince(seconds: try pair[0].seconds(), count: try pair[1].count())
  }

  private func notes(_ node: ReadingNode) throws(ReadingProblem) -> BusinessNotes {
    BusinessNotes(
      weight: try node.member("weight")?.one(of: BusinessNotes.Weight.self, "first, usual, last")
        ?? .usual, abandoned: try node.member("whatIsAbandoned")?.string(),
      excuse: try node.member("excuse")?.string())
  }

  private func tally(_ node: ReadingNode) throws(ReadingProblem) -> Tally {
    Tally(
      world: try node.required("world").string(),
      operation: try node.required("operation").string(),
      code: try node.required("code").string(), count: try node.required("count").count())
  }

  private func load(_ node: ReadingNode) throws(ReadingProblem) -> LoadSeries {
    func counts(_ name: String) throws(ReadingProblem) -> [Int] {
      try Self.list(node.required(name)) { item throws(ReadingProblem) in try item.count() }
    }
    func times(_ name: String) throws(ReadingProblem) -> [Double?] {
      guard let list = node.member(name) else { return [] }
      return try Self.list(list) { item throws(ReadingProblem) in try item.optionalSeconds() }
    }
    func intervals(_ name: String) throws(ReadingProblem) -> [Bounds?] {
      guard let list = node.member(name) else { return [] }
      return try Self.list(list) { item throws(ReadingProblem) in try item.bounds() }
    }
    let slice = try node.required("sliceSeconds").span()
    guard slice > .zero else { throw try node.required("sliceSeconds").expected("seconds above 0") }
    let series = LoadSeries(
      world: try node.required("world").string(), slice: slice,
      requests: try counts("requests"), refused: try counts("refused"), lost: try counts("lost"),
      p50: try times("p50Seconds"), p95: try times("p95Seconds"), p99: try times("p99Seconds"),
      p50Intervals: try intervals("p50Intervals"), p95Intervals: try intervals("p95Intervals"),
      pace: try node.member("pace").map(PaceDocument.read))
    let count = series.requests.count
    guard series.refused.count == count, series.lost.count == count,
      [series.p50, series.p95, series.p99].allSatisfy({ [0, count].contains($0.count) }),
      [series.p50Intervals, series.p95Intervals].allSatisfy({ [0, count].contains($0.count) }),
      series.pace?.hasSlices(count) != false
    else {
      throw node.problem(
        "its lists have different numbers of slices", "use a file as Rehearsal wrote it")
    }
    return series
  }

  private func flow(_ node: ReadingNode) throws(ReadingProblem) -> FlowResult {
    FlowResult(
      world: try node.required("world").string(), things: try node.required("things").string(),
      steps: try Self.list(node.required("steps")) { step throws(ReadingProblem) in
        FlowResult.Step(
          title: try step.required("title").string(), reached: try step.required("reached").count(),
          losses: try Self.list(step.required("losses")) { loss throws(ReadingProblem) in
            FlowResult.Loss(
              reason: try loss.required("reason").string(),
              cause: try loss.required("cause").one(
                of: Course.Cause.self, "backend, population, model"),
              count: try loss.required("count").count())
          }, open: try step.required("open").count())
      })
  }

  private func search(_ node: ReadingNode) throws(ReadingProblem) -> SearchResult {
    SearchResult(
      world: try node.required("world").string(), name: try node.required("name").string(),
      title: try node.required("title").string(), calls: try node.required("calls").count(),
      attempts: try node.required("attempts").count(),
      examined: try node.required("examined").count())
  }

  private func access(_ node: ReadingNode) throws(ReadingProblem) -> AccessResult {
    AccessResult(
      world: try node.required("world").string(), column: try node.required("column").string(),
      isOutside: try node.member("outside")?.bool() ?? false,
      entries: try Self.list(node.required("entries")) { entry throws(ReadingProblem) in
        AccessResult.Entry(
          operation: try entry.required("operation").string(),
          title: try entry.required("title").string(),
          granted: try entry.required("granted").count(),
          refused: try entry.required("refused").count(),
          wrong: try entry.required("wrong").count())
      })
  }

  private func funnel(_ node: ReadingNode) throws(ReadingProblem) -> FunnelResult {
    FunnelResult(
      world: try node.required("world").string(), role: try node.required("role").string(),
      persons: try node.required("persons").count(),
      steps: try Self.list(node.required("steps")) { step throws(ReadingProblem) in
        FunnelResult.Step(
          operation: try step.required("operation").string(),
          title: try step.required("title").string(), asked: try step.required("asked").count(),
          got: try step.required("got").count(), requests: try step.required("requests").count(),
          replied: try step.required("replied").count(),
          refused: try step.required("refused").count())
      })
  }

  private func machine(_ node: ReadingNode) throws(ReadingProblem) -> Machine {
    var measured: [InProcessLatency] = []
    for item in try node.required("inProcess").items() where item.member("title") == nil {
      let quantiles = try Self.list(item.required("quantiles"), quantile)
      measured.append(
        InProcessLatency(
          world: try item.required("world").string(),
          operation: try item.required("operation").string(),
          count: try item.required("count").count(),
          quantiles: quantiles.compactMap { found in found.seconds.map { (found.q, $0) } }))
    }
    return Machine(
      wallSeconds: try node.required("wallSeconds").seconds(),
      workers: try node.required("workers").count(), cpu: try node.required("cpu").string(),
      version: try node.required("version").string(), commit: try node.required("commit").string(),
      inProcess: measured,
      punctuality: try node.member("punctuality").map { node throws(ReadingProblem) in
        try PunctualityDocument.read(node)
      })
  }
}

extension ReadingNode {
  /// A length of time that the clock of a run can hold: up to a hundred years.
  func span() throws(ReadingProblem) -> Span {
    let seconds = try seconds()
    guard seconds <= 100 * 366 * 86_400 else { throw expected("seconds of at most 100 years") }
    return Span(seconds: seconds)
  }

  /// Seconds, or `nil` for what is infinitely late or was not measured.
  func optionalSeconds() throws(ReadingProblem) -> Double? { value.isNull ? nil : try seconds() }

  func optionalCount() throws(ReadingProblem) -> Int? { value.isNull ? nil : try count() }

  func bounds() throws(ReadingProblem) -> Bounds? {
    if value.isNull { return nil }
    let ends = try items()
    guard ends.count == 2 else { throw expected("two ends of an interval") }
    return Bounds(low: try ends[0].seconds(), high: try ends[1].optionalSeconds() ?? .infinity)
  }

  func instant() throws(ReadingProblem) -> Instant {
    guard let instant = Instant(try string()) else {
      throw expected("an instant such as 2026-03-21T05:00:00Z")
    }
    return instant
  }
}
