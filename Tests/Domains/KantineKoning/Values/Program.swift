import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations

/// Replays the records of a Saturday into checks, to count instructions with callgrind: what a second replay takes beyond the first is
/// theirs.
///
///     valgrind --tool=callgrind … KantineKoningValues values|listed TIMES [RULE…|all]
@main
enum Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let form = arguments.first, ["listed", "values"].contains(form), arguments.count > 1,
      let times = Int(arguments.dropFirst().first ?? "")
    else { return print("KantineKoningValues values|listed TIMES [RULE…|all]") }
    let wanted = Set(arguments.dropFirst(2))
    let rules = (wanted == ["all"] ? KantineKoningChecks.all.map(\.rule) : CanteenChecks.rules)
      .filter { wanted.isEmpty || wanted == ["all"] || wanted.contains($0.id.text) }
    let records = RecordedSaturday.records()
    for _ in 0..<times {
      if form == "listed" { replay(records, ListedChecks.router(rules)) }
      if form == "values" { replay(records, CellCheckRuntime<CanteenChecks>()) }
    }
    print(records.count { if case .request = $0.event { true } else { false } }, "requests")
  }

  @inline(never)
  static func replay(_ records: [Record<KantineKoning>], _ checks: some CheckRuntime<KantineKoning>)
  {
    var checks = checks
    for record in records { checks.see(record) }
    checks.end(at: records.last!.time)
    print(zip(checks.limits, checks.judges).map { "\($0) \($1.exercised)" }.joined(separator: ", "))
  }
}

enum ListedChecks {
  static func router(_ rules: [KantineKoning.Rule]) -> CheckRouter<KantineKoning> {
    CheckRouter(KantineKoningChecks.all.filter { rules.contains($0.rule) })
  }
}
