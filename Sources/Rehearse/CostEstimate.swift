import Backends
import Contracts
import Foundation
import Observations
import Reports
import Scenarios
import Simulation
import Timekeeping

/// What a run will cost: persons counted, everything else measured in a probe and scaled up.
struct CostEstimate {
  let replications: Int
  /// What open questions may cost.
  let mostReplications: Int
  let workers: Int
  /// Of one replication.
  let persons: Int
  let isCounted: Bool
  let probe: Probe?
  /// What one replication takes in real time; `nil` in virtual time.
  let realSeconds: Double?

  /// One replication with a part of the population, as far as it came.
  struct Probe {
    /// Of all persons, in 0...1.
    let share: Double
    /// Of the virtual time, in 0...1.
    let lived: Double
    let requests: Int
    let seconds: Double
    /// What the process grew by.
    let bytes: Int
    /// What stays of it until the report is written.
    let keptBytes: Int
    let persons: Int
  }

  private static let probedMost = 3_000
  private static let patience: UInt64 = 4_000_000_000

  init(of work: ScenarioRun, workers: Int, probing: Bool) {
    replications = work.scenario.replications
    mostReplications = work.scenario.mostReplications
    realSeconds = work.scenario.realSeconds
    self.workers = workers
    let census = Census(of: work)
    (persons, isCounted) = (census.count, census.isCounted)
    probe = probing && persons > 0 ? Self.probe(work, of: persons) : nil
  }

  // MARK: - The probe

  private static func probe(_ work: ScenarioRun, of persons: Int) -> Probe? {
    var small = work
    small.decide(replications: 1, maximum: nil, stopEarly: nil)
    // What happens beside people names things that a smaller population does not have.
    small.scenario.events = []
    shrink(&small, by: Double(probedMost) / Double(persons))
    // It can be stopped at barriers only, and some scenarios have one in a month.
    let shortest = small.scenario.workload == nil ? Span.minutes(15) : .seconds(10)
    small.scenario.barrierInterval = min(
      small.scenario.barrierInterval, max(shortest, small.scenario.lasts / 1_000))
    small.scenario.timeline = .virtual
    ProgressLine.write(
      "Probing with some thousand people at most, for some seconds …",
      rewriting: Console.canRewrite)
    returnUnused()
    let before = residentBytes
    let began = DispatchTime.now().uptimeNanoseconds
    let results = small.virtualRun().run(
      workers: 1,
      isStopped: { DispatchTime.now().uptimeNanoseconds - began > patience })
    if Console.canRewrite { ProgressLine.write("", rewriting: true) }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
    guard let result = results.first else { return nil }
    let peak = peakBytes
    returnUnused()
    let kept = residentBytes - before
    let lived = (result.ended - small.scenario.starts).seconds / small.scenario.lasts.seconds
    let here = result.worlds.reduce(0) { $0 + $1.persons }
    return Probe(
      share: Double(here) / Double(persons), lived: min(1, lived),
      requests: result.worlds.reduce(0) { $0 + $1.requests }, seconds: seconds,
      bytes: max(0, peak - before), keptBytes: max(0, kept),
      persons: here)
  }

  /// Lowers each world's first count, which is what its population is measured by, and the regions with it.
  private static func shrink(_ work: inout ScenarioRun, by share: Double) {
    guard share < 1 else { return }
    for (place, backend) in work.backends.enumerated() {
      let declared = backend.declaration.population
      for setting in declared {
        guard case .count(let range) = setting.kind,
          case .count(let count)? = work.scenario.worlds[place].population[setting.name]
        else { continue }
        let less = max(range.lowerBound, Int(Double(count) * share))
        var values: [String: Setting.Value] = [:]
        for other in declared {
          values[other.name] = work.scenario.worlds[place].population[other.name]
        }
        values[setting.name] = .count(less)
        work.scenario.worlds[place].population = Settings(declared, overridden: values)
        work.scenario.worlds[place].regions = min(work.scenario.worlds[place].regions, less)
        break
      }
    }
  }

  /// Gives the system back what is free, so that what is left is in use (glibc).
  private static func returnUnused() {
    guard let address = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  private static var residentBytes: Int { status("VmRSS:") }
  private static var peakBytes: Int { max(status("VmHWM:"), status("VmRSS:")) }

  private static func status(_ key: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
  }

  // MARK: - What follows from it

  private var alive: Int { min(workers, replications) }

  var requests: Int? {
    probe.map { Int(Double($0.requests) / max($0.share * $0.lived, 1e-9)) * replications }
  }

  /// Perfectly shared among threads, which is the best that can be; in real time one replication follows the other.
  var seconds: Double? {
    if let realSeconds { return realSeconds * Double(replications) }
    return probe.map {
      $0.seconds / max($0.share * $0.lived, 1e-9) * Double(replications) / Double(alive)
    }
  }

  var bytes: Int? {
    probe.map {
      Int(Double($0.bytes) / max($0.share, 1e-9)) * alive + $0.keptBytes * replications
    }
  }

  var json: JSON {
    [
      "personsPerReplication": .number(persons), "personsAreCounted": .bool(isCounted),
      "replications": .number(replications), "mostReplications": .number(mostReplications),
      "workers": .number(workers),
      "persons": .number(persons * replications),
      "requests": requests.map(JSON.number) ?? .null,
      "seconds": seconds.map(JSON.double) ?? .null, "memoryBytes": bytes.map(JSON.number) ?? .null,
      "probe": probe.map {
        [
          "persons": .number($0.persons), "shareOfPersons": .double($0.share),
          "shareOfTime": .double($0.lived), "requests": .number($0.requests),
          "seconds": .double($0.seconds), "memoryBytes": .number($0.bytes),
          "keptBytes": .number($0.keptBytes),
        ]
      } ?? .null,
    ]
  }

  var text: String {
    let about = isCounted ? "" : "about "
    var lines = [
      "estimate of a run with \(Figures.count(replications, "replication")) on \(Figures.count(workers, "worker"))",
      "  people     \(about)\(Figures.count(persons)) in each replication\(isCounted ? ", counted" : "")",
    ]
    let time = seconds.map {
      realSeconds == nil
        ? "about \(Figures.duration($0)) at best, with every worker busy"
        : "\(Figures.duration($0)) in real time"
    }
    guard let probe, let requests, let time, let bytes else {
      lines += time.map { ["  time       \($0)"] } ?? []
      let rest = time == nil ? "requests, time and memory" : "requests and memory"
      return (lines + ["  \(rest): not probed"]).joined(separator: "\n")
    }
    lines += [
      "  requests   about \(Figures.count(Self.rounded(requests))) in all",
      "  time       \(time)",
      "  memory     about \(Figures.count(max(1, bytes >> 20))) MB beside the program's own",
      "  from a probe of \(Figures.count(probe.persons)) people (\(Figures.share(min(1, probe.share)))), \(Figures.share(probe.lived)) of the time: \(Figures.count(probe.requests)) requests in \(Figures.duration(probe.seconds))",
    ]
    if mostReplications > replications {
      lines.append(
        "  undecided objectives may take it to \(mostReplications) replications, at a cost in proportion"
      )
    }
    if probe.lived < 1 {
      lines.append("  the probe was cut short, and load varies over a day: these figures are rough")
    }
    return lines.joined(separator: "\n")
  }

  /// Two digits: a probe knows no more.
  private static func rounded(_ number: Int) -> Int {
    var unit = 1
    while number / unit >= 100 { unit *= 10 }
    return (number + unit / 2) / unit * unit
  }
}
