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
    let shared = Dictionary(grouping: held, by: \.self).filter { $0.value.count > 1 }
    remarks = shared.keys.sorted().map {
      Texts.english.ofHeld(shared[$0]?.count ?? 0, reason: $0.excerpt)
    }
    rows = run.orderedObjectives.map { objective in
      let isSaid = objective.verdict == .pass && objective.reason.map { shared[$0] != nil } == true
      return Row(
        objective, reason: isSaid ? nil : objective.reason,
        errors: run.errorParts(of: objective))
    }
    isEmpty = rows.isEmpty
    isUrgent = run.objectives.contains { $0.verdict == .fail || $0.verdict == .inconclusive }
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
