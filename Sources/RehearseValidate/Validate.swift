import Dispatch
import Foundation
import Synchronization

/// Measures how often the project's statistics err, and prints the result as Markdown: `make validate`.
///
/// With the name of a section as its argument it measures that one alone.
///
/// Every draw comes from named streams of a fixed seed, so that the tables repeat on every machine up to the last digits of the mathematical
/// library.
@main
enum Validate {
  private static let head = """
    # How often the statistics err

    Measured by `make validate`, with fixed seeds; nothing here was edited by hand. A rate that is measured over 2,000 repetitions
    has a standard error of at most 1.1 percentage points, and of 0.5 near 5 % or 95 %.

    """

  static func main() {
    let wanted = CommandLine.arguments.dropFirst().first
    let coverage = CoverageExperiment(repetitions: 2_000)
    let gate = GateExperiment(repetitions: 2_000)
    let doubling = GateExperiment(repetitions: 1_000)
    let weather = WeatherExperiment(repetitions: 2_000)
    let visible = CompareExperiment(repetitions: 200)
    let compare = CompareExperiment(repetitions: 1_000)
    let duel = DuelExperiment(repetitions: 1_000)
    let loadDuel = LoadDuelExperiment(repetitions: 1_000)
    let history = HistoryExperiment(repetitions: 4_000)
    let discoveries = HistoryExperiment(repetitions: 300)
    let settling = SettlingExperiment(repetitions: 1_000)
    let batches = SettlingExperiment(repetitions: 2_000)
    let peer = PeerExperiment(workshops: 200)
    let all: [(name: String, make: @Sendable () -> String)] = [
      ("coverage", { coverage.section() }), ("gate", { gate.section() }),
      ("doubling", { doubling.doublingSection() }), ("weather", { weather.section() }),
      ("family", { weather.familySection() }),
      ("visible", { visible.visibleSection() }), ("compare", { compare.section() }),
      ("duel", { duel.section() }), ("load-duel", { loadDuel.section() }),
      ("history", { history.section() }),
      ("discoveries", { discoveries.discoveriesSection() }),
      ("settling", { settling.section() }), ("batches", { batches.batchSection() }),
      ("peer", { peer.section() }),
    ]
    let sections = all.filter { wanted == nil || $0.name == wanted }
    guard !sections.isEmpty else {
      print("there is no '\(wanted ?? "")'; choose from \(all.map(\.name).joined(separator: ", "))")
      exit(64)
    }
    if wanted == nil { print(head) }
    let texts = Mutex(Array(repeating: "", count: sections.count))
    DispatchQueue.concurrentPerform(iterations: sections.count) { place in
      let text = sections[place].make()
      texts.withLock { $0[place] = text }
    }
    for text in texts.withLock({ $0 }) { print(text) }
  }
}
