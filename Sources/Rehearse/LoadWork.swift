import Contracts
import HTTPLoad
import Observations
import Timekeeping

/// What a load in parts is asked to do, as far as its result tells of it; no secret is in it.
struct LoadWork: Packable {
  struct Route: Packable {
    var name: String
    var title: String

    mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
      try packing.pack(&name)
      try packing.pack(&title)
    }
  }

  /// What `rehearse load` was told, with `…` in place of secrets.
  var arguments: [String]
  var command: String
  /// Of what is asked of the server: loads with equal digests are comparable.
  var digest: String
  /// What its folder is called, and its title.
  var name: String
  var title: String
  var routes: [Route]
  var starts: Instant

  init(_ plan: LoadPlan, _ options: LoadOptions, name: String, starts: Instant) {
    let words = LoadWords(options, plan.routes)
    arguments = words.arguments
    command = words.command
    digest = LoadStep.digest(of: words.workload)
    (self.name, title, self.starts) = (name, plan.title, starts)
    routes = CallTally.operations(plan).map { Route(name: $0.name, title: $0.title) }
  }

  /// - Throws: Where the bytes are no work.
  init(_ bytes: [UInt8]) throws(PackingProblem) {
    (arguments, command, digest, name, title) = ([], "", "", "", "")
    (routes, starts) = ([], .distantPast)
    try unpack(bytes)
    guard !routes.isEmpty else { throw PackingProblem() }
  }

  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&arguments, empty: "")
    try packing.pack(&command)
    try packing.pack(&digest)
    try packing.pack(&name)
    try packing.pack(&title)
    try packing.pack(&routes, empty: Route(name: "", title: ""))
    try packing.pack(&starts)
  }

  var operations: [Contracts.Operation] {
    routes.map { Operation($0.name, $0.title, source: "command line") }
  }

  /// What tells this work from that of another part.
  func difference(from other: LoadWork) -> String {
    if command != other.command { return "another load, \(printable(command, limit: 400))" }
    if starts != other.starts { return "it starts at \(starts), and not at \(other.starts)" }
    return "other options"
  }
}

/// What one generator of a load in parts measured.
struct LoadOutcome: Packable {
  var tally: CallTally
  var watch = GeneratorWatch()
  /// From the beginning to the last answer.
  var took = Span.zero
  var outages = OutageTally()
  var pauses = 0

  init(tally: CallTally) { self.tally = tally }

  init(_ outcome: LoadRun.Outcome) {
    (tally, watch, took) = (outcome.tally, outcome.watch, outcome.took)
    (outages, pauses) = (outcome.outages, outcome.pauses)
  }

  mutating func merge(_ other: LoadOutcome) {
    tally.merge(other.tally)
    watch.merge(other.watch)
    took = max(took, other.took)
    outages.merge(other.outages)
    pauses += other.pauses
  }

  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try tally.pack(&packing)
    try watch.pack(&packing)
    try packing.pack(&took)
    try outages.pack(&packing)
    try packing.count(&pauses)
    guard took >= .zero else { throw PackingProblem() }
  }
}
