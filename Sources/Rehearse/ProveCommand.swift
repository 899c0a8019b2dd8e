import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Observations
import ScenarioFiles
import Scenarios
import Simulation
import Synchronization
import Verdicts

struct ProveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove", abstract: "Prove that every check can fail.",
    discussion: """
      Runs the domain's proving scenario once as it is, which must be green, and then once for each limit with its \
      rule switched off, which must turn that limit red; the run ends there. A check that cannot fail proves nothing.

      Examples:
        rehearse prove
        rehearse prove --domain kantine-koning --limit KK-58
      """)

  @Option(help: "Only this domain.", completion: Domains.completion)
  var domain: String?

  @Option(help: "Only this limit, e.g. KK-58.")
  var limit: String?

  func run() throws {
    if let domain { _ = try Domains.orUsage(domain) }
    Domains.mustBeSound()
    var isProven = true
    for backend in Domains.all where domain == nil || backend.domain == domain {
      if try !prove(backend) { isProven = false }
    }
    if !isProven { throw ExitStatus.failed.thrown }
  }

  private func prove<Domain: Backend>(_ backend: Domain) throws -> Bool {
    let name = "\(backend.declaration.domain) proving scenario"
    let scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try ScenarioFile.read(
        Array(backend.provingScenario.utf8), file: name, declarations: Domains.declarations
      ).scenario
    } catch {
      programFault("the proving scenario cannot be read\n\(error.description)")
    }
    let judged = Set(backend.judged.map(\.rule.id)).sorted()
    let chosen = judged.filter { limit == nil || $0.text == limit }
    if judged.isEmpty, limit == nil {
      Console.out("0 limits of \(backend.declaration.domain): no check judges its records yet")
      return true
    }
    guard !chosen.isEmpty else {
      throw ValidationError(
        "no check judges '\(limit ?? "")'; 'rehearse limits' lists what is judged")
    }
    let untouched = red(scenario, without: nil)
    if !untouched.isEmpty { Console.out("RED   with every rule on: \(list(untouched))") }
    let proven = proofs(of: chosen, in: scenario)
    let isProven = untouched.isEmpty && proven == chosen.count
    Console.out(
      "\(chosen.count) limit\(chosen.count == 1 ? "" : "s") of \(backend.declaration.domain), "
        + (isProven ? "each check can fail" : "\(proven) proven"))
    return isProven
  }

  /// One run for each limit, as many at once as there are cores; told in the order of the limits.
  private func proofs(of limits: [LimitID], in scenario: Scenario) -> Int {
    let told = Mutex((lines: [Int: String](), next: 0, proven: 0))
    DispatchQueue.concurrentPerform(iterations: limits.count) { index in
      let failed = red(scenario, without: limits[index])
      let isRed = failed.contains(limits[index])
      let line = line(for: limits[index], isRed: isRed, others: failed.subtracting([limits[index]]))
      told.withLock { state in
        state.lines[index] = line
        if isRed { state.proven += 1 }
        while let ready = state.lines.removeValue(forKey: state.next) {
          Console.out(ready)
          state.next += 1
        }
      }
    }
    return told.withLock(\.proven)
  }

  private func line(for limit: LimitID, isRed: Bool, others: Set<LimitID>) -> String {
    let also = others.isEmpty ? "" : "   with it \(list(others))"
    return isRed
      ? "red   \(limit)\(also)"
      : "GREEN \(limit)   its check cannot see that its rule is off\(also)"
  }

  private func list(_ limits: Set<LimitID>) -> String {
    limits.sorted().map(\.text).joined(separator: ", ")
  }

  /// The limits that fail when a rule is off, up to the moment when its own has failed.
  private func red(_ scenario: Scenario, without rule: LimitID?) -> Set<LimitID> {
    var scenario = scenario
    for index in scenario.worlds.indices {
      scenario.worlds[index].rulesOff = rule.map { [$0] } ?? []
    }
    let results = ScenarioRun(scenario: scenario, file: scenario.name).virtualRun(
      lastsUntilViolated: rule
    )
    .run(workers: 1)
    var failed: Set<LimitID> = []
    for limit in results.flatMap({ $0.worlds.flatMap(\.limits) }) where limit.violations > 0 {
      failed.insert(limit.id)
    }
    return failed
  }
}
