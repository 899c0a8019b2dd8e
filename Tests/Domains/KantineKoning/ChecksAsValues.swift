import KantineKoningContract
import Observations
import Testing

@testable import KantineKoningValues

@Suite struct `The dearest checks of Kantine Koning and the same as values` {
  /// A Saturday with many who break rules.
  private static func compare(
    without rule: KantineKoning.Rule?, quirks: Set<String> = [], seed: UInt64,
    endingSeasonAfter hour: Int64? = nil
  ) -> [Judge] {
    let records = RecordedSaturday.records(
      hours: 3, adversaries: 0.1, without: rule, quirks: quirks, seed: seed, endingSeasonAfter: hour
    )
    var (listed, values) = (
      ListedChecks.router(CanteenChecks.rules), CellCheckRuntime<CanteenChecks>()
    )
    for record in records {
      listed.see(record)
      values.see(record)
    }
    listed.end(at: records.last!.time)
    values.end(at: records.last!.time)
    #expect(listed.limits == values.limits)
    for (id, (listed, own)) in zip(values.limits, zip(listed.judges, values.judges)) {
      let what: Comment =
        "\(id) with seed \(seed), without \(rule?.rawValue ?? "none") and with \(quirks.sorted())"
      #expect(listed.exercised == own.exercised, what)
      #expect(listed.violations == own.violations, what)
      #expect(listed.undecided == own.undecided, what)
      #expect(listed.evidence == own.evidence, what)
    }
    return values.judges
  }

  @Test(arguments: [1, 42] as [UInt64])
  func `decide the same on the same records`(seed: UInt64) {
    _ = Self.compare(without: nil, seed: seed)
  }

  @Test func `decide the same where the app has quirks`() {
    _ = Self.compare(without: nil, quirks: ["Q2", "Q5", "Q11"], seed: 7)
  }

  @Test func `decide the same where a club's season ends`() {
    let judges = Self.compare(without: nil, seed: 7, endingSeasonAfter: 1)
    #expect(judges[CanteenChecks.rules.firstIndex(of: .kk113)!].exercised > 0)
  }

  @Test(arguments: CanteenChecks.rules)
  func `accuse the same, with the same evidence, where a rule is off`(rule: KantineKoning.Rule) {
    let judges = Self.compare(
      without: rule, seed: 7, endingSeasonAfter: rule == .kk113 ? 1 : nil)
    let place = CanteenChecks.rules.firstIndex(of: rule)!
    // In three hours no banners are asked for with another club's token.
    guard rule != .kk122 else { return }
    #expect(judges[place].violations > 0, "\(rule.rawValue) is off, and nothing was found")
  }
}
