import Runs

/// How the figures came about, and everything needed to get them again.
struct MethodModel: Sendable {
  let sentences: [String]
  let settings: [Setting]
  let hasSettings: Bool
  let facts: [Fact]
  let replications: [Replication]
  let hasReplications: Bool
  let replicationsSummary: String
  let quantiles: [String]
  let inProcess: [LatenciesModel.Row]
  let hasInProcess: Bool
  let searches: [String]

  init(_ run: Run) {
    let texts = Texts.english
    sentences = run.method
    settings = run.scenario.worlds.flatMap { world in
      world.differing.map {
        Setting(world: world.domain, name: $0.name, value: $0.value, standard: $0.standard)
      }
    }
    hasSettings = !settings.isEmpty
    facts = Self.facts(of: run)
    // A load's parts have one seed, and their digests repeat nothing.
    replications = (run.generator == nil ? run.replications : []).map {
      Replication(
        index: Cell(count: $0.index + 1), seed: String($0.seed), digest: $0.digest,
        persons: Cell(count: $0.persons), requests: Cell(count: $0.requests))
    }
    hasReplications = !replications.isEmpty
    replicationsSummary = texts.repeated(run.replications.count)

    let measured = run.machine.inProcess
    let shown = shownQuantiles(
      measured.map { $0.quantiles.map { Quantile(q: $0.q, seconds: $0.seconds, interval: nil) } })
    quantiles = shown.map(Figures.quantile)
    inProcess = measured.map { latency in
      LatenciesModel.Row(
        name: latency.operation, path: latency.world + "." + latency.operation,
        count: Cell(count: latency.count),
        withoutAnswer: Cell(texts.none, key: -1),
        quantiles: shown.map { q in
          Cell(
            q, of: latency.quantiles.map { Quantile(q: $0.q, seconds: $0.seconds, interval: nil) })
        })
    }
    hasInProcess = !inProcess.isEmpty
    searches = run.searches.filter { $0.calls > 0 }.map(texts.searched)
  }

  private static func facts(of run: Run) -> [Fact] {
    let texts = Texts.english
    let machine = run.machine
    let version =
      machine.commit.isEmpty ? machine.version : "\(machine.version) (\(machine.commit))"
    return [
      Fact(name: texts.scenario, value: run.scenario.file.orElse(run.scenario.name)),
      Fact(name: texts.scenarioDigest, value: run.scenario.digest),
      Fact(name: texts.seed, value: String(run.seed)),
      Fact(name: texts.runDigest, value: run.digest),
      Fact(name: texts.version, value: version),
      Fact(name: texts.processor, value: machine.cpu),
      Fact(name: texts.workers, value: Figures.count(machine.workers)),
      Fact(name: texts.wallTime, value: Figures.duration(machine.wallSeconds)),
    ]
  }

  struct Setting: Sendable {
    let world: String
    let name: String
    let value: String
    let standard: String
  }

  struct Fact: Sendable {
    let name: String
    let value: String
  }

  struct Replication: Sendable {
    let index: Cell
    let seed: String
    let digest: String
    let persons: Cell
    let requests: Cell
  }
}
