import Statistics
import Timekeeping

/// How often a history without any change shows one, and how often it finds one that is there.
public struct HistoryExperiment: Sendable {
  public let repetitions: Int

  public init(repetitions: Int) { self.repetitions = repetitions }

  public enum Noise: String, CaseIterable, Sendable {
    case normal = "normal"
    case outliers = "normal, 5 % outliers of three deviations more"
    case rounded = "normal, rounded to half a deviation"
    case correlated03 = "correlated, 0.3 from run to run"
    case correlated06 = "correlated, 0.6 from run to run"
  }

  /// - Parameters:
  ///   - shift: In standard deviations of the noise.
  ///   - place: The share of runs before the shift.
  /// - Returns: The share of histories with at least one change.
  public func detected(
    _ noise: Noise, runs: Int, shift: Double = 0, place: Double = 0.5
  ) -> Double {
    var stream = RandomStream(
      seed: 4, owner: stableHash("history \(noise.rawValue) \(shift) \(place)"),
      purpose: UInt32(runs))
    var search = ChangePointSearch(level: 0.01)
    var found = 0
    for _ in 0..<repetitions {
      var series = Self.series(noise, runs, &stream)
      for run in Int(place * Double(runs))..<runs { series[run] += shift }
      if !search.find(in: series).isEmpty { found += 1 }
    }
    return Double(found) / Double(repetitions)
  }

  public struct Discoveries: Sendable {
    /// Of the figures shown as changed, the mean share that did not change.
    public var falsely = 0.0
    /// Histories with any such figure.
    public var anyFalse = 0.0
    /// Of those that changed, the share that is shown.
    public var found = 0.0
  }

  /// Many figures of one history, some of which move by two deviations in its middle.
  ///
  /// - Parameter together: By Benjamini's and Hochberg's procedure, else each at 1 %.
  public func discoveries(
    _ noise: Noise = .normal, figures: Int, changed: Int, runs: Int, together: Bool
  ) -> Discoveries {
    var stream = RandomStream(
      seed: 9, owner: stableHash("discoveries \(noise.rawValue) \(figures) \(changed)"),
      purpose: UInt32(runs))
    var search = ChangePointSearch(level: 0.01)
    var outcome = Discoveries()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let all = (0..<figures).map { figure in
        Self.series(noise, runs, &stream).enumerated().map { run, value in
          figure < changed && run >= runs / 2 ? value + 2 : value
        }
      }
      let shown = (together ? search.find(among: all) : all.map { search.find(in: $0) })
        .map { !$0.isEmpty }
      let wrong = shown.dropFirst(changed).count { $0 }
      let right = shown.prefix(changed).count { $0 }
      if wrong > 0 {
        outcome.falsely += Double(wrong) / Double(wrong + right) * weight
        outcome.anyFalse += weight
      }
      outcome.found += Double(right) / Double(max(1, changed)) * weight
    }
    return outcome
  }

  func discoveriesSection() -> String {
    var table = Table(
      "False discoveries in a history of many figures",
      "\(repetitions) histories of 60 figures over 50 runs, of which some move by two deviations in the middle: the mean share of those shown as changed that did not change, the share of histories with any such figure, and the share of the changed that is shown. Together by Benjamini and Hochberg at 10 %, as 'rehearse history' does; beside it each figure at 1 %.",
      columns: [
        "noise", "changed", "false among shown", "any false", "found", "each at 1 %: false",
        "any false", "found",
      ])
    for noise in [Noise.normal, .correlated06] {
      for changed in [0, 1, 4, 12, 30] {
        let together = discoveries(noise, figures: 60, changed: changed, runs: 50, together: true)
        let each = discoveries(noise, figures: 60, changed: changed, runs: 50, together: false)
        table.add(
          cells: [noise.rawValue, "\(changed)"]
            + [together, each].flatMap {
              [Table.percent($0.falsely), Table.percent($0.anyFalse), Table.percent($0.found)]
            })
      }
    }
    return table.text
  }

  private static func series(
    _ noise: Noise, _ runs: Int, _ stream: inout RandomStream
  ) -> [Double] {
    var last = stream.normal()
    func correlated(_ share: Double, _ stream: inout RandomStream) -> Double {
      last = share * last + (1 - share * share).squareRoot() * stream.normal()
      return last
    }
    return (0..<runs).map { _ in
      switch noise {
      case .normal: stream.normal()
      case .outliers: stream.normal() + (stream.chance(0.05) ? 3 : 0)
      case .rounded: (stream.normal() * 2).rounded() / 2
      case .correlated03: correlated(0.3, &stream)
      case .correlated06: correlated(0.6, &stream)
      }
    }
  }

  func section() -> String {
    var table = Table(
      "Change points in a history",
      "\(repetitions) histories each, searched at 1 %: how many show a change. Without a shift that is the rate of false alarms.",
      columns: ["noise", "shift in deviations", "12 runs", "25 runs", "50 runs", "100 runs"])
    for noise in Noise.allCases {
      table.add(
        cells: [noise.rawValue, "none"]
          + [12, 25, 50, 100].map { Table.percent(detected(noise, runs: $0)) })
    }
    for (shift, place, words) in [
      (1.0, 0.5, "1, in the middle"), (2.0, 0.5, "2, in the middle"),
      (2.0, 0.8, "2, after four fifths"), (3.0, 0.5, "3, in the middle"),
      (5.0, 0.5, "5, in the middle"),
    ] {
      table.add(
        cells: [Noise.normal.rawValue, words]
          + [12, 25, 50, 100].map {
            Table.percent(detected(.normal, runs: $0, shift: shift, place: place))
          })
    }
    return table.text
  }
}
