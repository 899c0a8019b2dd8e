extension Duel {
  /// One figure of a duel: its values on both sides, one for each run, in seconds.
  struct Figure {
    let name: String
    let before: [Double]
    let after: [Double]
  }

  /// What two sides have in common, as it was measured and at the pace of the runs.
  struct Figures {
    /// Wall time, and the typical call where there are operations enough to tell it.
    let whole: [Figure]
    /// Operations as they were measured.
    let raw: [Figure]
    /// Operations at the pace of the middling run; as measured where no pace is known.
    let paced: [Figure]

    init(baseline: [Bout], challenger: [Bout]) {
      let bouts = baseline + challenger
      func sides(_ name: String, _ values: [Double]) -> Figure {
        Figure(
          name: name, before: Array(values.prefix(baseline.count)),
          after: Array(values.dropFirst(baseline.count)))
      }
      let medians = Self.common(bouts.map(\.medians))
      let tails = Self.common(bouts.map(\.tails))
      let operations =
        medians.map { ("\($0.name) p50", $0.values) } + tails.map { ("\($0.name) p99", $0.values) }
      raw = operations.map(sides)
      let walls = Self.common(bouts.map { [Duel.wallTime: $0.wall] }).map {
        sides($0.name, $0.values)
      }
      guard let pace = DuelPace(medians: medians.map(\.values)) else {
        (whole, paced) = (walls, raw)
        return
      }
      whole = walls + [sides(Duel.typicalCall, pace.factors.map { $0 * pace.typicalCall })]
      paced = operations.map { name, values in
        sides(name, zip(values, pace.factors).map { $0 / $1 })
      }
    }

    /// Those that every run has, above zero, by name.
    private static func common(
      _ runs: [[String: Double]]
    ) -> [(name: String, values: [Double])] {
      (runs.first?.keys.sorted() ?? []).compactMap { name in
        let values = runs.compactMap { $0[name] }.filter { $0 > 0 }
        return values.count == runs.count ? (name, values) : nil
      }
    }
  }
}
