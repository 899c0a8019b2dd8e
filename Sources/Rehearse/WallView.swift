import Observations
import Reports
import Scenarios
import Simulation
import Timekeeping

extension LiveView {
  /// The view of a scenario in real time, in seconds of the scenario.
  convenience init?(_ scenario: Scenario, quiet: Bool) {
    guard case .wall(let speed) = scenario.timeline else { return nil }
    let workload = scenario.workload
    self.init(
      TerminalLoadProgress(
        title: scenario.title, rate: workload?.rate,
        wants: workload?.kind == .closed ? .people : .sessions,
        lastsSeconds: scenario.lasts.seconds, speed: speed), quiet: quiet)
  }

  /// How far a scenario's replication is that began at an instant.
  func show(_ progress: RunProgress, since starts: Instant) {
    guard let live = progress.live else { return }
    show(
      Reading(
        elapsed: progress.virtualTime - starts, whole: live.sample, answered: live.answered,
        ended: live.ended, inFlight: live.inFlight,
        arrived: live.arrivals.due > 0 ? live.arrivals.due - live.arrivals.missed : nil,
        failures: live.failures, lateness: live.lateness, violations: live.violations))
  }
}

extension Scenario {
  /// What one replication takes in real time; `nil` in virtual time.
  var realSeconds: Double? {
    if case .wall(let speed) = timeline { lasts.seconds / speed } else { nil }
  }

  /// How long a run in real time takes, said before it begins; `nil` in virtual time.
  var realTimeInWords: String? {
    guard let realSeconds else { return nil }
    func time(_ count: Int) -> String { Figures.duration(realSeconds * Double(count)) }
    let each =
      replications > 1
      ? ", \(time(1)) for each of \(replications) replications one after another" : ""
    let more =
      mostReplications > replications
      ? "; up to \(time(mostReplications)) where objectives stay open" : ""
    return
      "In real time this takes \(time(replications))\(each)\(more), and what loading and ending take."
  }
}
