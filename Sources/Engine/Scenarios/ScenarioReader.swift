import Contracts
import Timekeeping

/// Turns the tree of a file into a scenario, or into everything that is wrong with it.
///
/// A key that nobody reads is an error: a misspelt objective would always hold. What domains declare (names, kinds,
/// ranges, units) is read from their declarations and nowhere else.
public struct ScenarioReader {
  /// The keys of a scenario, in the order in which documentation names them.
  public static let keys = [
    "rehearsal", "name", "title", "starts", "lasts", "seed", "replications",
    "maximumReplications", "precision", "stopEarly", "worlds", "timeline", "load", "phases",
    "target", "network", "service", "exchange", "warmup", "events", "faults", "objectives",
    "documented",
    "inconclusive",
  ]
  /// The keys of a world.
  public static let worldKeys = Reading.worldKeys

  /// The file of the store of runs beside the folders of scenarios; SQLite puts files of longer names beside it.
  public static let storeName = "runs.sqlite"

  static let required = ["rehearsal", "name", "starts", "lasts", "worlds"]

  private let declarations: [WorldDeclaration]

  public init(declarations: [WorldDeclaration]) { self.declarations = declarations }

  /// - Parameters:
  ///   - root: The file's outermost value.
  ///   - file: The file's name for messages.
  ///   - digest: The fingerprint of the file's text, taken over as it is.
  /// - Returns: The scenario, and what is allowed but probably not meant.
  /// - Throws: All problems at once, in the file's order.
  public func read(
    _ root: SourceNode, file: String, digest: String
  ) throws(ScenarioErrors) -> (scenario: Scenario, warnings: [ScenarioProblem]) {
    let reading = Reading(file: file, declarations: declarations)
    let scenario = scenario(root, reading, digest)
    guard let scenario, reading.problems.isEmpty else { throw ScenarioErrors(reading.problems) }
    return (scenario, inFileOrder(reading.warnings))
  }

  private func scenario(
    _ root: SourceNode, _ reading: Reading, _ digest: String
  ) -> Scenario? {
    guard let given = topLevel(root, reading) else { return nil }
    if let version = given["rehearsal"] { reading.version(version) }
    let name = given["name"].flatMap(reading.name)
    let start = given["starts"].flatMap(reading.start)
    let lasts = given["lasts"].flatMap(reading.lasts)
    let frame = start.flatMap { start in
      lasts.map { Timeframe(starts: start.instant, ends: start.instant + $0, zone: start.zone) }
    }
    let worlds = given["worlds"].map { reading.worlds($0, declarations) } ?? []
    // A misspelt domain is one problem, not one more for every event that names it rightly.
    let isComplete = worlds.count == given["worlds"]?.count
    let declared = isComplete ? worlds.map(\.declaration) : declarations

    let title = given["title"].flatMap(reading.title)
    let seed = given["seed"].flatMap { reading.seed($0, "seed") }
    let replications = given["replications"].flatMap(reading.replications) ?? 1
    let maximum = given["maximumReplications"].flatMap {
      reading.maximumReplications($0, replications: replications, at: given["replications"])
    }
    let precision = given["precision"].flatMap { reading.precision($0, maximum: maximum) }
    let stopEarly = given["stopEarly"].flatMap { reading.flag($0, "stopEarly") }
    let barrierInterval = reading.barrierInterval(given["exchange"], worlds.map(\.declaration))
    let warmup = given["warmup"].flatMap {
      reading.warmup($0, lasts: lasts, at: given["lasts"])
    }
    let isWarmUpAutomatic = given["warmup"]?.text == Reading.automatic
    let timeline = given["timeline"].flatMap(reading.timeline)
    var workload = reading.workload(
      load: given["load"], phases: given["phases"], worlds.map(\.world), lasts: lasts,
      warmup: given["warmup"])
    if let load = given["load"], let found = workload {
      workload?.capacity = reading.capacity(load, declared, found)
    }
    let servers = given["target"].map { reading.servers($0, worlds.map(\.world)) }
    let network = given["network"].map(reading.network)
    let service = given["service"].map { reading.service($0, declared) }
    let events = given["events"].map { reading.events($0, declared, frame) }
    let faults = given["faults"].map { reading.faults($0, declared, frame) }
    let objectives = given["objectives"].map { reading.objectives($0, declared, frame, workload) }
    let documented = given["documented"].flatMap {
      reading.choice($0, "documented", among: Scenario.Documented.allCases.map(\.rawValue))
    }
    let inconclusive = given["inconclusive"].flatMap {
      reading.choice($0, "inconclusive", among: Scenario.Inconclusive.allCases.map(\.rawValue))
    }
    guard let name, let start, let lasts else { return nil }
    let scenario = Scenario(
      name: name, title: title ?? name, starts: start.instant, zone: start.zone, lasts: lasts,
      seed: seed ?? 1, replications: replications, maximumReplications: maximum,
      precision: precision, stopEarly: stopEarly ?? false, worlds: worlds.map(\.world),
      network: network ?? Network(), service: service ?? Service(),
      barrierInterval: barrierInterval,
      warmup: warmup ?? workload?.warmUp ?? .zero, events: events ?? [], faults: faults ?? [],
      objectives: objectives ?? [],
      documented: documented.flatMap(Scenario.Documented.init) ?? .judged,
      inconclusive: inconclusive.flatMap(Scenario.Inconclusive.init) ?? .fail, digest: digest,
      isWarmUpAutomatic: isWarmUpAutomatic, timeline: timeline ?? .virtual, workload: workload,
      servers: servers ?? [])
    if isWarmUpAutomatic, let node = given["warmup"] {
      reading.checkAutomaticWarmUp(scenario, at: node)
    }
    reading.checkReplications(
      scenario.objectives, at: given["objectives"] ?? root, most: scenario.mostReplications)
    reading.checkWarmUp(scenario, at: given["objectives"] ?? root)
    reading.checkMeans(scenario, declared, at: given["objectives"] ?? root)
    return scenario
  }

  /// The outermost members.
  private func topLevel(_ root: SourceNode, _ reading: Reading) -> [String: SourceNode]? {
    guard case .mapping(let members) = root.content else {
      reading.wrong(
        root, "a scenario cannot be \(root.inWords)",
        "give a mapping that begins with 'rehearsal: 1'")
      return nil
    }
    let given = reading.members(
      of: root, "a scenario", keys: Self.keys, example: "name: saturday")
    for key in Self.required where !members.contains(where: { $0.key.text == key }) {
      reading.wrong(root, "'\(key)' is missing", "add it, e.g. \(Self.example(of: key))")
    }
    return given
  }

  private static func example(of key: String) -> String {
    switch key {
    case "rehearsal": "rehearsal: 1"
    case "name": "name: saturday"
    case "starts": "starts: 2026-03-21T06:00 Europe/Amsterdam"
    case "lasts": "lasts: 18h"
    default: "worlds: [{domain: DOMAIN}]"
    }
  }
}

/// The simple keys of a scenario.
extension Reading {
  /// Ten years, leap days included.
  static let longestRun = Span.days(3_653)
  static let replicationRange = 1...10_000
  /// Windows shorter than the least would be nothing but exchange.
  static let barrierIntervalRange = Span.seconds(1)...Span.days(30)

  func version(_ node: SourceNode) {
    guard node.text == "1" else {
      refuse(
        node, "rehearsal", "this program reads version 1 of the format", wanted: "rehearsal: 1")
      return
    }
  }

  /// A folder's name below `reports/`.
  func name(_ node: SourceNode) -> String? {
    let wanted =
      "up to 64 of the characters a-z 0-9 . _ -, a letter or digit first, e.g. match-saturday"
    guard let name = text(node, "name", wanted: wanted) else { return nil }
    let bytes = Array(name.utf8)
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      (97...122).contains(byte) || (48...57).contains(byte)
    }
    guard bytes.count <= 64, isAlphanumeric(bytes[0]),
      bytes.allSatisfy({ isAlphanumeric($0) || [45, 46, 95].contains($0) })
    else {
      refuse(node, "name", "it becomes the name of a folder", wanted: wanted)
      return nil
    }
    guard !name.hasPrefix(ScenarioReader.storeName) else {
      refuse(
        node, "name", "the store of runs lies under that name in the folder of reports",
        wanted: "another name, e.g. match-saturday")
      return nil
    }
    return name
  }

  func title(_ node: SourceNode) -> String? {
    oneLine(node, "title", example: "Match Saturday at forty clubs")
  }

  /// What reports print in a line.
  func oneLine(_ node: SourceNode, _ name: String, example: String) -> String? {
    let wanted = "one line of up to 200 characters, e.g. \(example)"
    guard let line = text(node, name, wanted: wanted) else { return nil }
    guard line.unicodeScalars.count <= 200, printable(line, limit: 200) == line else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return line
  }

  /// Requests are counted in slices of a second and longer: in less than one, nobody comes to ask anything, and whatever a scenario
  /// demands would be judged by nothing.
  static let shortestRun = Span.seconds(1)

  func lasts(_ node: SourceNode) -> Span? {
    span(node, "lasts", in: Self.shortestRun...Self.longestRun, example: "18h")
  }

  /// What leaves the choice of the warm-up to the run itself.
  static let automatic = "auto"

  func warmup(_ node: SourceNode, lasts: Span?, at location: SourceNode?) -> Span? {
    if node.text == Self.automatic { return .zero }
    guard
      let warmup = span(node, "warmup", in: .zero...Self.longestRun, example: "30min, or auto")
    else { return nil }
    guard let lasts else { return warmup }
    guard warmup < lasts else {
      refuse(
        node, "warmup", "nothing would be left to measure",
        wanted: "less than 'lasts'\(Self.behind(location)), \(lasts)")
      return nil
    }
    if warmup > lasts / 2 {
      warn(node, "the warm-up leaves less than half of the run to measure", "make 'lasts' longer")
    }
    return warmup
  }

  /// A beginning that is still settling can only be told where nothing else changes on purpose in the course of the run.
  func checkAutomaticWarmUp(_ scenario: Scenario, at node: SourceNode) {
    let why: String? =
      if scenario.lasts < Self.shortestForAutomatic {
        "the run is too short to see it settle"
      } else if let event = scenario.events.first(where: { $0.at > scenario.starts }) {
        "the event in line \(event.line) changes what the backend does in the course of the run"
      } else if scenario.faults.contains(where: {
        $0.from > scenario.starts || $0.to < scenario.ends || $0.count != nil
      }) {
        "a fault begins or ends in the course of the run, and what it slows is no warm-up"
      } else if let workload = scenario.workload, !workload.isSteady(for: scenario.lasts) {
        "the phases change the load in the course of the run; say 'warmup: on' in the first ones"
      } else {
        nil
      }
    if let why {
      refuse(node, "warmup", why, wanted: "a time, e.g. 30min")
    }
  }

  /// Fifty slices of a second (`WarmUp.mser5`).
  static let shortestForAutomatic = Span.seconds(50)

  /// The interval between barriers, never longer than a domain's own bound.
  func barrierInterval(_ node: SourceNode?, _ worlds: [WorldDeclaration]) -> Span {
    let bounds = worlds.compactMap { world in
      world.longestBarrierInterval.map { (domain: world.domain, longest: $0) }
    }
    let strictest = bounds.min { $0.longest < $1.longest }
    guard let node else { return min(.minutes(15), strictest?.longest ?? .longest) }
    guard
      let barrierInterval = span(node, "exchange", in: Self.barrierIntervalRange, example: "15min")
    else {
      return .minutes(15)
    }
    if let strictest, barrierInterval > strictest.longest {
      refuse(
        node, "exchange", "\(strictest.domain) promises fresher values than that",
        wanted: "at most \(strictest.longest)")
    }
    return barrierInterval
  }
}
