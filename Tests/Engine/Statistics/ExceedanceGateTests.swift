import Statistics
import Testing
import Timekeeping

@Suite struct `The exceedance gate` {
  private func counts(_ late: [UInt64], of requests: UInt64 = 1_000) -> [LateCount] {
    late.map { LateCount(late: $0, requests: requests) }
  }
  private let quiet = (0..<20).map { LateCount(late: $0 % 2 == 0 ? 1 : 2, requests: 1_000) }

  @Test func `passes far below the allowed share and fails far above it`() {
    #expect(ExceedanceGate.judge(quiet, allowed: 0.01).decision == .pass)
    #expect(ExceedanceGate.judge(quiet, allowed: 0.0005).decision == .fail)
    let judgement = ExceedanceGate.judge(quiet, allowed: 0.0015)
    #expect(judgement.decision == .inconclusive(.undecided))
    #expect(judgement.share.map { abs($0 - 0.0015) < 1e-15 } == true)
    #expect(judgement.interval?.contains(0.0015) == true)
    #expect(judgement.interval.map { abs($0.confidence - 0.95) < 1e-15 } == true)
  }

  /// - Source: SciPy 1.17: d = late − v·requests; `stats.sem`, `stats.skew(d, bias=False)`, `stats.t.ppf` at (Σn)²/Σn² − 1 degrees,
  ///   and the roots of the weakest of the three statistics by `scipy.optimize.brentq`.
  @Test func `judges the share of all requests, whatever the sizes of replications`() throws {
    let late: [UInt64] = [3, 0, 11, 2, 7, 1, 0, 4, 25, 3, 2, 6, 0, 9, 1, 5, 2, 14, 3, 8]
    let requests: [UInt64] = [
      100, 40, 220, 80, 150, 60, 30, 90, 300, 110, 70, 130, 50, 160, 20, 120, 60, 240, 90, 140,
    ]
    let counts = zip(late, requests).map { LateCount(late: $0, requests: $1) }
    let judgement = ExceedanceGate.judge(counts, allowed: 0.05)
    let interval = try #require(judgement.interval)
    #expect(try #require(judgement.share).distance(to: 106.0 / 2_260).magnitude < 1e-15)
    #expect(relative(interval.low, 0.02990816364865904) < 1e-9)
    #expect(relative(interval.high, 0.07634187726830444) < 1e-9)
    #expect(judgement.decision == .inconclusive(.undecided))
    for (allowed, decision) in [
      (0.0299, ExceedanceGate.Decision.fail), (0.02995, .inconclusive(.undecided)),
      (0.0763, .inconclusive(.undecided)), (0.0764, .pass),
    ] { #expect(ExceedanceGate.judge(counts, allowed: allowed).decision == decision) }
  }

  @Test func `a decision and its interval lie on the same side, and the estimate lies within`()
    throws
  {
    var stream = RandomStream(seed: 82, owner: stableHash("agreement of the gate"), purpose: 0)
    for _ in 0..<300 {
      let spread = stream.unit() * 2
      let typical = stream.unit() * 0.2
      let counts = (0..<Int(20 + stream.unit() * 30)).map { _ in
        let requests = Int(10 + stream.unit() * 200)
        let share = min(1, typical * Elementary.exp(spread * stream.normal()))
        let late = (0..<requests).count { _ in stream.chance(share) }
        let open = stream.chance(0.1) ? (requests - late) / 10 : 0
        return LateCount(late: UInt64(late), open: UInt64(open), requests: UInt64(requests))
      }
      let allowed = max(0.001, min(0.9, typical * (0.5 + 2 * stream.unit())))
      let judgement = ExceedanceGate.judge(counts, allowed: allowed)
      let interval = try #require(judgement.interval)
      #expect(interval.contains(try #require(judgement.share)))
      switch judgement.decision {
      case .pass: #expect(interval.high <= allowed && judgement.chance.ofLess <= 0.025 + 1e-9)
      case .fail: #expect(interval.low >= allowed && judgement.chance.ofMore <= 0.025 + 1e-9)
      case .inconclusive: #expect(interval.contains(allowed))
      }
    }
  }

  @Test func `what was left open is late for a pass and in time for a fail`() throws {
    let closed = (0..<20).map { LateCount(late: UInt64(40 + $0 % 5), requests: 1_000) }
    let open = (0..<20).map { LateCount(late: UInt64(40 + $0 % 5), open: 30, requests: 1_000) }
    #expect(ExceedanceGate.judge(closed, allowed: 0.05).decision == .pass)
    #expect(ExceedanceGate.judge(open, allowed: 0.05).decision == .inconclusive(.undecided))
    #expect(ExceedanceGate.judge(open, allowed: 0.03).decision == .fail)
    #expect(ExceedanceGate.judge(open, allowed: 0.08).decision == .pass)
    let interval = try #require(ExceedanceGate.judge(open, allowed: 0.05).interval)
    #expect(interval.low < 0.042 && interval.high > 0.072)
  }

  @Test func `decides nothing with fewer replications than its minimum`() {
    let few = Array(quiet.prefix(19))
    let tooFew = ExceedanceGate.Decision.inconclusive(.tooFew(TooFew(have: 19, need: 20)))
    #expect(ExceedanceGate.judge(few, allowed: 0.5).decision == tooFew)
    let idle = [LateCount(late: 0, requests: 0)]
    #expect(ExceedanceGate.judge(few + idle, allowed: 0.5).decision == tooFew)
    #expect(ExceedanceGate.judge(few, allowed: 0.5, minimum: 10).decision == .pass)
    #expect(ExceedanceGate.judge([], allowed: 0.5).share == nil)
  }

  @Test func `decides nothing where a few replications hold most of the requests`() {
    let counts = (0..<20).map { place in
      LateCount(late: UInt64(place % 3), requests: place == 0 ? 5_000 : 500)
    }
    guard
      case .inconclusive(.unequalSizes(let have, 10)) = ExceedanceGate.judge(
        counts, allowed: 0.05
      ).decision
    else {
      Issue.record("decided by one replication")
      return
    }
    // (14,500)²/(5,000² + 19·500²)
    #expect(relative(have, 7.0672268907563025) < 1e-12)
  }

  @Test func `passes without any exceedance only with enough effective samples`() {
    let none = counts(Array(repeating: 0, count: 20))
    // 368 samples without an event exclude 1 % with 97.5 %.
    let need = ExceedanceGate.effectiveSamplesNeeded(allowed: 0.01)
    #expect(need > 367 && need < 368)
    #expect(ExceedanceGate.judge(none, allowed: 0.01, effectiveSamples: 368).decision == .pass)
    #expect(
      ExceedanceGate.judge(none, allowed: 0.01, effectiveSamples: 367).decision
        == .inconclusive(.tooFewEffectiveSamples(have: 367, need: need)))
    #expect(
      ExceedanceGate.judge(none, allowed: 0.01).decision
        == .inconclusive(.tooFewEffectiveSamples(have: 20, need: need)))
    #expect(ExceedanceGate.judge(none, allowed: 0.2).decision == .pass)
  }

  @Test func `equal shares decide only where their repetition does`() {
    func judge(_ late: UInt64) -> ExceedanceGate.Decision {
      ExceedanceGate.judge(counts(Array(repeating: late, count: 20)), allowed: 0.05).decision
    }
    #expect(judge(1_000) == .fail)
    #expect(judge(500) == .fail)
    #expect(judge(55) == .inconclusive(.noVariation))
    #expect(judge(1) == .inconclusive(.noVariation))
  }

  @Test func `does not turn a clear pass undecided because the shares are skewed`() {
    // One burst among twenty: skewness 4.47. Johnson's parabola alone would give t = +170 here.
    let burst = counts([2] + Array(repeating: 0, count: 19))
    #expect(ExceedanceGate.judge(burst, allowed: 0.01).decision == .pass)
  }

  @Test func `asks for more where only the plain test is content`() throws {
    let skewed = counts([50, 20] + Array(repeating: 0, count: 18))
    // The plain test alone would end at 0.0035 + 2.093·0.00264 = 0.00903.
    let judgement = ExceedanceGate.judge(skewed, allowed: 0.0095)
    #expect(judgement.decision == .inconclusive(.undecided))
    #expect(try #require(judgement.interval).high > 0.0095)
  }

  @Test func `says how frequent bad replications could be that none of those seen was`() {
    // 0.05^(1/20) = 0.861: replications of which 13.9 % are bad show none in twenty with 5 %.
    #expect(abs(ExceedanceGate.missable(replications: 20) - 0.13910834) < 1e-7)
    #expect(ExceedanceGate.missable(replications: 58) > 0.05)
    #expect(ExceedanceGate.missable(replications: 59) < 0.05)
    let pass = ExceedanceGate.judge(quiet, allowed: 0.01)
    #expect(pass.missable == ExceedanceGate.missable(replications: 20))
    #expect(ExceedanceGate.judge(quiet, allowed: 0.0015).missable == nil)
  }

  @Test func `several looks share the error`() {
    #expect(abs(ExceedanceGate.confidence(0.95, looks: 5) - 0.99) < 1e-15)
    #expect(ExceedanceGate.confidence(0.95, looks: 1) == 0.95)
  }

  /// - Source: SciPy 1.17, `stats.beta.ppf(0.95, k + 1, n - k)`.
  @Test func `what was never seen in n tries has an upper bound`() {
    #expect(abs(Ratio.upperBound(of: 0, in: 1) - 0.95) < 1e-12)
    #expect(abs(Ratio.upperBound(of: 0, in: 59) - 0.04950761) < 1e-8)
    #expect(abs(Ratio.upperBound(of: 2, in: 50) - 0.12061416) < 1e-8)
    #expect(Ratio.upperBound(of: 0, in: 0) == 1 && Ratio.upperBound(of: 3, in: 3) == 1)
  }
}
