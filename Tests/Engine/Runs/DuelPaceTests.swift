import Testing
import Timekeeping

@testable import Runs

/// Duels on a machine whose pace varies from run to run, with fixed seeds.
@Suite struct `A duel's pace` {
  /// Eight operations, each with 1 % of noise of its own.
  private static func bouts(
    _ side: String, factor: (_ operation: Int) -> Double, unrest: Double, operations: Int = 8
  ) -> [Duel.Bout] {
    var stream = RandomStream(seed: 11, owner: stableHash(side), purpose: 0)
    return (0..<Duel.standardPairs).map { _ in
      let pace = Elementary.exp(unrest * stream.normal())
      var medians: [String: Double] = [:]
      for operation in 0..<operations {
        medians["w.o\(operation)"] =
          Double(1 + operation) * 1e-6 * factor(operation) * pace
          * Elementary.exp(0.01 * stream.normal())
      }
      return Duel.Bout(digest: "d", wall: 2 * pace, medians: medians)
    }
  }

  private static func verdicts(_ duel: Duel) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: duel.metrics.map { ($0.name, $0.change.verdict.rawValue) })
  }

  @Test func `lets one slower operation show where the machine varies by more than it grew`() {
    let duel = Duel(
      baseline: Self.bouts("old", factor: { _ in 1 }, unrest: 0.2),
      challenger: Self.bouts("new", factor: { $0 == 3 ? 1.1 : 1 }, unrest: 0.2))
    let verdicts = Self.verdicts(duel)
    #expect(duel.isPaced)
    #expect(duel.verdict == .regression)
    #expect(duel.metrics.first?.name == "w.o3 p50")
    #expect(verdicts.values.count { $0 == "regression" } == 1, "\(verdicts)")
    #expect(verdicts[Duel.wallTime] == "inconclusive")
  }

  @Test func `is told as the typical call, and steps aside where that itself changed`() {
    let duel = Duel(
      baseline: Self.bouts("old", factor: { _ in 1 }, unrest: 0.01),
      challenger: Self.bouts("new", factor: { $0 < 6 ? 1.2 : 1 }, unrest: 0.01))
    let verdicts = Self.verdicts(duel)
    #expect(!duel.isPaced)
    #expect(verdicts[Duel.typicalCall] == "regression")
    #expect((0..<6).allSatisfy { verdicts["w.o\($0) p50"] == "regression" }, "\(verdicts)")
    // Held against a pace that grew, the two that did not would seem to have improved.
    #expect((6..<8).allSatisfy { verdicts["w.o\($0) p50"] == "equivalent" }, "\(verdicts)")
  }

  @Test func `does not matter to operations: they are judged alike however slow single runs were`()
  {
    let old = Self.bouts("old", factor: { _ in 1 }, unrest: 0)
    let new = Self.bouts("new", factor: { $0 == 0 ? 1.03 : 1 }, unrest: 0)
    func slowed(_ bouts: [Duel.Bout], by factors: [Double]) -> [Duel.Bout] {
      bouts.enumerated().map { place, bout in
        let factor = factors[place % factors.count]
        return Duel.Bout(
          digest: bout.digest, wall: bout.wall * factor,
          medians: bout.medians.mapValues { $0 * factor })
      }
    }
    let quiet = Duel(baseline: old, challenger: new)
    // What is left is that the middling run may be another one.
    let loud = Duel(
      baseline: slowed(old, by: [1, 2, 0.5, 1]), challenger: slowed(new, by: [2, 1, 1, 0.5]))
    for metric in quiet.metrics where metric.name.hasSuffix("p50") {
      let other = loud.metrics.first { $0.name == metric.name }
      #expect(other?.change.verdict == metric.change.verdict)
      let (ratio, otherRatio) = (metric.change.ratio ?? 0, other?.change.ratio ?? 0)
      #expect(abs(ratio - otherRatio) < 0.01, "\(metric.name): \(ratio) and \(otherRatio)")
    }
  }

  @Test func `needs five operations`() {
    func duel(_ operations: Int) -> Duel {
      Duel(
        baseline: Self.bouts("old", factor: { _ in 1 }, unrest: 0.01, operations: operations),
        challenger: Self.bouts("new", factor: { _ in 1 }, unrest: 0.01, operations: operations))
    }
    #expect(!duel(4).isPaced)
    #expect(!duel(4).metrics.contains { $0.name == Duel.typicalCall })
    #expect(duel(5).isPaced)
  }

  @Test func `is the median over operations of their ratios to their own medians`() throws {
    let pace = try #require(
      DuelPace(medians: [[1, 2, 4], [10, 20, 40], [3, 6, 12], [2, 4, 80], [5, 1, 20]]))
    #expect(pace.factors == [0.5, 1, 2])
    #expect(pace.typicalCall == 5)
  }
}
