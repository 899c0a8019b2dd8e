import Contracts
import Observations
import ScenarioFiles
import Scenarios
import Simulation
import Timekeeping

/// What a run is asked to do, whole and without the machine: from it the same run begins elsewhere.
struct ScenarioWork: Packable {
  /// As the user named it, for commands that repeat the run.
  var file: String
  var text: [UInt8]
  /// The variables that the text names, with the values that took effect.
  var variables: [Variable]
  var seed: UInt64
  var replications: Int
  var mostReplications: Int
  var stopEarly: Bool
  /// In real time; `nil` in virtual time.
  var speed: Double?
  /// Of a run against servers that several generators live at once: whose servers, and when all begin.
  var servers: [String]
  var startsAt: Instant?
  var options: String

  struct Variable: Packable {
    var name: String
    var value: String

    mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
      try packing.pack(&name)
      try packing.pack(&value)
    }
  }

  init(_ work: ScenarioRun) {
    let scenario = work.scenario
    file = work.file
    text = work.source.bytes
    variables = work.source.variables.sorted { $0.key < $1.key }
      .map { Variable(name: $0.key, value: $0.value) }
    seed = scenario.seed
    replications = scenario.replications
    mostReplications = scenario.mostReplications
    stopEarly = scenario.stopEarly
    speed = if case .wall(let speed) = scenario.timeline { speed } else { nil }
    servers = work.overHTTP.sorted()
    startsAt = work.division?.starts
    options = work.options
  }

  /// - Throws: Where the bytes are no work.
  init(_ bytes: [UInt8]) throws(PackingProblem) {
    (file, text, variables, seed, replications, mostReplications) = ("", [], [], 0, 1, 1)
    (stopEarly, speed, servers, options) = (false, nil, [], "")
    try unpack(bytes)
    guard replications > 0, mostReplications >= replications else { throw PackingProblem() }
    if let speed, !(speed > 0) { throw PackingProblem() }
  }

  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&file)
    try packing.pack(&text)
    try packing.pack(&variables, empty: Variable(name: "", value: ""))
    try packing.pack(&seed)
    try packing.count(&replications)
    try packing.count(&mostReplications)
    try packing.pack(&stopEarly)
    try packing.pack(&speed, empty: 1)
    try packing.pack(&servers, empty: "")
    try packing.pack(&startsAt, empty: .distantPast)
    try packing.pack(&options)
  }

  /// The run that this is the work of.
  func run() throws(ScenarioErrors) -> ScenarioRun {
    let source = ScenarioFile.Source(
      bytes: text,
      variables: Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first })
    var work = try ScenarioRun(file: file, source: source, isQuiet: true)
    work.scenario.seed = seed
    work.scenario.replications = replications
    work.scenario.maximumReplications = mostReplications
    work.scenario.stopEarly = stopEarly
    work.scenario.timeline = speed.map { .wall(speed: $0) } ?? .virtual
    work.overHTTP = Set(servers)
    work.division = startsAt.map { WireTargets.Division(.whole, starts: $0) }
    work.options = options
    return work
  }

  /// What tells this work from that of another part.
  func difference(from other: ScenarioWork) -> String {
    if text != other.text { return "another scenario, \(printable(file))" }
    if seed != other.seed { return "another seed, \(seed) in place of \(other.seed)" }
    if (replications, mostReplications) != (other.replications, other.mostReplications) {
      return
        "\(replications) replications of at most \(mostReplications), in place of \(other.replications) of \(other.mostReplications)"
    }
    if startsAt != other.startsAt { return "its generators begin at another moment" }
    if file != other.file {
      return
        "the scenario was called \(printable(file)), and \(printable(other.file)) there: the report says how to repeat what it shows"
    }
    return "other options or variables"
  }
}

/// What a part of a run of a scenario came to. What is told of all replications together is kept once, with its first one.
struct ScenarioOutcome: Packable {
  private(set) var results: [ReplicationResult] = []
  private let empty: ReplicationResult
  private let isGathered: Bool

  init(_ results: [ReplicationResult] = [], of work: ScenarioRun) {
    empty = ReplicationResult(
      index: 0, seed: 0, worlds: work.emptyTallies, lines: [], ended: work.scenario.starts,
      digest: Digest())
    // Some replications of a run that is to stop early may be left out of it.
    isGathered = !work.scenario.stopEarly
    for result in results { add(result) }
  }

  private mutating func add(_ result: ReplicationResult) {
    var result = result
    if isGathered, !results.isEmpty { result.give(to: &results[0]) }
    results.append(result)
  }

  /// Adds those of another part of the same run.
  mutating func merge(_ other: ScenarioOutcome) {
    for result in other.results { add(result) }
  }

  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&results, empty: empty)
  }
}
