import Statistics
import Testing
import Timekeeping

@Suite struct `The exceedance gate` {
  private let quiet = (0..<20).map { $0 % 2 == 0 ? 0.001 : 0.002 }

  @Test func `passes far below the allowed share and fails far above it`() {
    #expect(ExceedanceGate.judge(shares: quiet, allowed: 0.01).decision == .pass)
    #expect(ExceedanceGate.judge(shares: quiet, allowed: 0.0005).decision == .fail)
    let judgement = ExceedanceGate.judge(shares: quiet, allowed: 0.0015)
    #expect(judgement.decision == .inconclusive(.undecided))
    #expect(judgement.share.map { abs($0 - 0.0015) < 1e-15 } == true)
    #expect(judgement.interval?.contains(0.0015) == true)
    #expect(judgement.interval.map { abs($0.confidence - 0.9) < 1e-15 } == true)
  }

  @Test func `decides nothing with fewer replications than its minimum`() {
    let few = Array(quiet.prefix(19))
    #expect(
      ExceedanceGate.judge(shares: few, allowed: 0.5).decision
        == .inconclusive(.tooFew(TooFew(have: 19, need: 20))))
    #expect(ExceedanceGate.judge(shares: few, allowed: 0.5, minimum: 10).decision == .pass)
    #expect(ExceedanceGate.judge(shares: [], allowed: 0.5).share == nil)
  }

  @Test func `passes without any exceedance only with enough effective samples`() {
    let none = [Double](repeating: 0, count: 20)
    // The rule of three: 299 samples without an event exclude 1 % with 95 %.
    let need = ExceedanceGate.effectiveSamplesNeeded(allowed: 0.01)
    #expect(need > 298 && need < 299)
    #expect(
      ExceedanceGate.judge(shares: none, allowed: 0.01, effectiveSamples: 299).decision == .pass)
    #expect(
      ExceedanceGate.judge(shares: none, allowed: 0.01, effectiveSamples: 298).decision
        == .inconclusive(.tooFewEffectiveSamples(have: 298, need: need)))
    #expect(
      ExceedanceGate.judge(shares: none, allowed: 0.01).decision
        == .inconclusive(.tooFewEffectiveSamples(have: 20, need: need)))
    #expect(ExceedanceGate.judge(shares: none, allowed: 0.2).decision == .pass)
  }

  @Test func `equal shares decide only where their repetition does`() {
    func judge(_ share: Double) -> ExceedanceGate.Decision {
      ExceedanceGate.judge(shares: [Double](repeating: share, count: 20), allowed: 0.05).decision
    }
    #expect(judge(1) == .fail)
    #expect(judge(0.5) == .fail)
    #expect(judge(0.055) == .inconclusive(.noVariation))
    #expect(judge(0.001) == .inconclusive(.noVariation))
  }

  @Test func `does not turn a clear pass undecided because the shares are skewed`() {
    // One burst among twenty: skewness 4.47. Johnson's parabola alone would give t = +170 here.
    let burst = [0.002] + [Double](repeating: 0, count: 19)
    let judgement = ExceedanceGate.judge(shares: burst, allowed: 0.01)
    #expect(judgement.decision == .pass)
    #expect((judgement.adjustedT ?? 0) < (judgement.plainT ?? 0))
  }

  @Test func `asks for more where only the plain test is content`() {
    let skewed = [0.05, 0.02] + [Double](repeating: 0, count: 18)
    let judgement = ExceedanceGate.judge(shares: skewed, allowed: 0.0087)
    #expect(judgement.decision == .inconclusive(.testsDisagree))
    #expect((judgement.plainT ?? 0) < -1.73)
    #expect((judgement.adjustedT ?? 0) > -1.73)
  }

  @Test func `several looks share the error`() {
    #expect(abs(ExceedanceGate.confidence(0.95, looks: 5) - 0.99) < 1e-15)
    #expect(ExceedanceGate.confidence(0.95, looks: 1) == 0.95)
  }

  private struct Rates {
    var pass = 0.0
    var plainPass = 0.0
    var fail = 0.0
  }

  /// Decisions on shares that come in bursts: log-normal with σ = 1, skewness 6.2.
  private func rates(of trueShare: Double, replications: Int, seed: UInt64) -> Rates {
    var stream = RandomStream(
      seed: seed, owner: stableHash("gate \(trueShare)"), purpose: UInt32(replications))
    let median = trueShare * Elementary.exp(-0.5)
    let critical = Quantiles.studentT(0.95, degrees: Double(replications - 1))
    var rates = Rates()
    for _ in 0..<2_000 {
      let shares = (0..<replications).map { _ in
        min(1, stream.lognormal(median: median, sigma: 1))
      }
      let judgement = ExceedanceGate.judge(shares: shares, allowed: 0.01)
      if judgement.decision == .pass { rates.pass += 1 / 2_000 }
      if judgement.decision == .fail { rates.fail += 1 / 2_000 }
      if let t = judgement.plainT, t <= -critical { rates.plainPass += 1 / 2_000 }
    }
    return rates
  }

  /// The expected rates are those of 100,000 repetitions in NumPy 2.4 and SciPy 1.17; four standard errors of 2,000 are at most
  /// 0.045.
  @Test(arguments: [
    (replications: 20, falsePass: 0.102, plain: 0.170, halfPasses: 0.639, twiceFails: 0.658),
    (40, 0.087, 0.142, 0.800, 0.952), (80, 0.077, 0.120, 0.916, 0.999),
  ])
  func `errs less often than the plain test and has the power that NumPy finds`(
    replications: Int, falsePass: Double, plain: Double, halfPasses: Double, twiceFails: Double
  ) {
    let seed: UInt64 = 79
    let border = rates(of: 0.01, replications: replications, seed: seed)
    let half = rates(of: 0.005, replications: replications, seed: seed)
    let twice = rates(of: 0.02, replications: replications, seed: seed)
    print(
      "seed \(seed), \(replications) replications: false pass \(border.pass),",
      "plain \(border.plainPass), false fail \(border.fail), power \(half.pass), \(twice.fail)")
    #expect(abs(border.pass - falsePass) < 0.03 && abs(border.plainPass - plain) < 0.035)
    #expect(border.fail < 0.03)
    #expect(abs(half.pass - halfPasses) < 0.045 && abs(twice.fail - twiceFails) < 0.045)
    #expect(half.fail == 0 && twice.pass < 0.002)
  }
}
