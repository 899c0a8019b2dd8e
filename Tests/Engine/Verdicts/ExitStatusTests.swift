import Testing
import Verdicts

@Suite struct `Exit codes` {
  @Test(arguments: [
    (ChangeVerdict.regression, true, Verdicts.ExitStatus.regression),
    (.regression, false, .regression), (.inconclusive, true, .inconclusive),
    (.inconclusive, false, .allHeld), (.equivalent, true, .allHeld), (.identical, true, .allHeld),
    (.improved, true, .allHeld),
  ])
  func `a comparison that cannot tell stops where the scenario says that doubt does`(
    comparison: ChangeVerdict, stops: Bool, status: Verdicts.ExitStatus
  ) {
    #expect(
      Verdicts.ExitStatus.of(
        interrupted: false, limits: [.pass], objectives: [.pass], inconclusiveStops: stops,
        comparison: comparison) == status)
  }

  @Test func `a broken limit counts before any comparison`() {
    #expect(
      Verdicts.ExitStatus.of(
        interrupted: false, limits: [.fail], objectives: [], inconclusiveStops: true,
        comparison: .regression) == .failed)
  }
}
