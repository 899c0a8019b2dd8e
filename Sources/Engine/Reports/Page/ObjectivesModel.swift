import Runs

/// The scenario's objectives with their intervals.
struct ObjectivesModel: Sendable {
  let rows: [Row]
  /// What is said once for several that held.
  let remarks: [String]
  let isEmpty: Bool
  /// Whether one of them was missed or cannot be told.
  let isUrgent: Bool

  init(_ run: Run) {
    let held = run.objectives.filter { $0.verdict == .pass }.compactMap(\.reason)
    // Reasons that differ in their figure alone are one, with the figure that leaves most open.
    let shared = Dictionary(grouping: held, by: Self.withoutShare).filter { $0.value.count > 1 }
    remarks = shared.keys.sorted().map { kind in
      let alike = shared[kind] ?? []
      let widest = alike.min { (Self.share(in: $0) ?? 0) < (Self.share(in: $1) ?? 0) } ?? kind
      return Texts.english.ofHeld(alike.count, of: run.objectives.count, reason: widest.excerpt)
    }
    rows = run.orderedObjectives.map { objective in
      let isSaid =
        objective.verdict == .pass
        && objective.reason.map { shared[Self.withoutShare($0)] != nil } == true
      return Row(
        objective, reason: isSaid ? nil : objective.reason,
        errors: run.errorParts(of: objective))
    }
    isEmpty = rows.isEmpty
    isUrgent = run.objectives.contains { $0.verdict == .fail || $0.verdict == .inconclusive }
  }

  /// The 6 of `1 replication in 6`.
  private static func share(in reason: String) -> Int? {
    reason.firstMatch(of: /\b1 [a-z]+ in ([0-9]+)/).flatMap { Int($0.output.1) }
  }

  private static func withoutShare(_ reason: String) -> String {
    reason.replacing(/\b(1 [a-z]+) in [0-9]+/) { "\($0.output.1) in" }
  }

  struct Row: Sendable {
    let badge: Badge
    let text: String
    let reason: [String]
    /// What the estimate is made of, where a model says so.
    let parts: [String]
    let estimate: Cell
    let interval: Cell
    let bound: Cell

    init(
      _ objective: ObjectiveResult, reason: String?, errors: (lost: Double, offline: Double)?
    ) {
      let none = Texts.english.none
      badge = Badge(objective.verdict)
      text = objective.text
      self.reason = reason.map { [$0] } ?? []
      parts =
        (objective.parts.map { [PageModel.holdingTogether(Texts.english.partsOfEstimate($0))] }
          ?? []) + (errors.map { [Texts.english.errorParts($0)] } ?? [])
      estimate = Cell(
        objective.estimateInWords ?? none,
        key: objective.estimate ?? (objective.longerThan == nil ? -1 : .infinity))
      interval = Cell(objective.range ?? none, key: objective.interval?.high ?? -1)
      bound = Cell(objective.figure(objective.bound), key: objective.bound)
    }
  }
}
