import Runs
import Timekeeping
import Verdicts

/// The documented rules: what was tried in a table, failed ones first; many that held, and what was not tried, in folded
/// lists, so that a reader reaches what comes behind.
struct LimitsModel: Sendable {
  let shown: [Row]
  let hasShown: Bool
  let held: [Row]
  let hasHeld: Bool
  let heldSummary: String
  let untried: [Untried]
  let hasUntried: Bool
  let untriedSummary: String
  /// What “few” beside a number of tries means, where one has it: of those shown, and of those in the appendix.
  let remarks: [String]
  let heldRemarks: [String]
  /// What the appendix lists.
  let later: String
  let hasLater: Bool
  let isEmpty: Bool
  /// Whether one of them was broken or cannot be told.
  let isUrgent: Bool

  private static let evidenceMax = 3
  /// More rules that held than these are folded.
  private static let openMost = 12

  init(_ run: Run) {
    let severalWorlds = Set(run.limits.map(\.domain)).count > 1
    func rows(_ places: [Int]) -> [Row] {
      places.map { Row(run.limits[$0], at: $0, zone: run.scenario.zone, naming: severalWorlds) }
    }
    let ordered = run.limits.indices.sorted {
      (run.limits[$0].verdict.urgency, $0) < (run.limits[$1].verdict.urgency, $1)
    }
    let tried = ordered.filter { run.limits[$0].verdict != .notExercised }
    let kept = tried.filter { run.limits[$0].verdict == .pass }
    let folds = kept.count > Self.openMost
    shown = rows(folds ? tried.filter { run.limits[$0].verdict != .pass } : tried)
    held = rows(folds ? kept : [])
    (hasShown, hasHeld) = (!shown.isEmpty, !held.isEmpty)
    heldSummary = Texts.english.heldSummary(held.count)
    let left = ordered.filter { run.limits[$0].verdict == .notExercised }
    untried = Untried.all(rows(left))
    hasUntried = !untried.isEmpty
    untriedSummary = Texts.english.untriedSummary(left.count)
    later = Texts.english.rulesInAppendix(held: held.count, untried: left.count)
    hasLater = hasHeld || hasUntried
    let few =
      kept.contains { run.limits[$0].openShare != nil }
      ? [Texts.english.fewTriesMeaning] : []
    (remarks, heldRemarks) = folds ? ([], few) : (few, [])
    isEmpty = run.limits.isEmpty
    isUrgent = shown.contains(where: \.isUrgent)
  }

  /// Rules that were not tried for the same reason, most of them first.
  struct Untried: Sendable {
    let reason: String
    let count: String
    let rows: [Row]

    static func all(_ rows: [Row]) -> [Untried] {
      var reasons: [String] = []
      for row in rows where !reasons.contains(row.reason.joined()) {
        reasons.append(row.reason.joined())
      }
      let groups = reasons.map { reason in rows.filter { $0.reason.joined() == reason } }
      return zip(reasons, groups).enumerated().sorted {
        ($1.element.1.count, $0.offset) < ($0.element.1.count, $1.offset)
      }.map { _, group in
        Untried(
          reason: group.0.isEmpty
            ? Texts.english.noReason : group.0.capitalizedFirst.withoutStop,
          count: Figures.count(group.1.count), rows: group.1)
      }
    }
  }

  struct Row: Sendable {
    let badge: Badge
    /// In the run's list, as the map of rules counts them.
    let place: Int
    let id: String
    let statement: String
    let isUrgent: Bool
    let source: String
    let reason: [String]
    let tried: Cell
    let broken: Cell
    let evidence: [Proof]
    let hasEvidence: Bool
    let moreEvidence: [String]

    init(_ limit: LimitResult, at place: Int, zone: CivilZone, naming: Bool) {
      self.place = place
      badge = Badge(limit.verdict)
      id = limit.id
      statement = Markup.prose(limit.statement)
      isUrgent = limit.verdict.urgency < Verdict.pass.urgency
      source = naming ? limit.domain + " · " + limit.source : limit.source
      reason = limit.reason.map { [$0] } ?? []
      tried = Cell(
        Figures.count(limit.exercised), key: Double(limit.exercised),
        small: Self.remarks(on: limit))
      broken = Cell(count: limit.violations)
      evidence = limit.evidence.prefix(LimitsModel.evidenceMax).map { Proof($0, zone: zone) }
      hasEvidence = !evidence.isEmpty
      let hidden = limit.violations - evidence.count
      moreEvidence =
        hasEvidence && hidden > 0 ? [Texts.english.moreEvidence(hidden)] : []
    }

    /// What the number of tries does not tell.
    private static func remarks(on limit: LimitResult) -> String? {
      let texts = Texts.english
      let remarks = [
        limit.undecided > 0 ? texts.notDecided(Figures.count(limit.undecided)) : nil,
        limit.openShare.map { _ in texts.fewTries },
      ].compactMap(\.self)
      return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }
  }

  /// What somebody saw, and how to see it again.
  struct Proof: Sendable {
    let what: String
    let seen: String
    let command: String

    init(_ evidence: LimitResult.Evidence, zone: CivilZone) {
      what = Markup.prose(evidence.what)
      seen = Texts.english.seenBy(
        evidence.who, at: Figures.moment(evidence.time, in: zone), replication: evidence.replication
      )
      command = Markup.command(evidence.command)
    }
  }
}
