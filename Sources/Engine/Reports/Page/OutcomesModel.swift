import Runs

/// What was refused, stayed unknown or never left.
struct OutcomesModel: Sendable {
  let refusals: [Row]
  let hasRefusals: Bool
  let unknowns: [Row]
  let hasUnknowns: Bool
  let unsents: [Row]
  let hasUnsents: Bool

  init(_ run: Run) {
    refusals = Row.all(run.refusals)
    hasRefusals = !refusals.isEmpty
    unknowns = Row.all(run.unknowns)
    hasUnknowns = !unknowns.isEmpty
    unsents = Row.all(run.unsents)
    hasUnsents = !unsents.isEmpty
  }

  struct Row: Sendable {
    let path: String
    let code: String
    let count: Cell
    let share: Cell

    static func all(_ tallies: [Tally]) -> [Row] {
      let sum = tallies.reduce(0) { $0 + $1.count }
      let ordered = tallies.enumerated().sorted {
        ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
      }
      return ordered.map { _, tally in
        let share = sum > 0 ? Double(tally.count) / Double(sum) : 0
        return Row(
          path: tally.world + "." + tally.operation, code: tally.code,
          count: Cell(count: tally.count),
          share: Cell(Figures.share(share), key: share))
      }
    }
  }
}
