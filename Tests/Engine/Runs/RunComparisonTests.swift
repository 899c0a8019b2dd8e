import Runs
import Testing
import Verdicts

@Suite struct `Comparing a run with a baseline` {
  @Test func `equal digests are identical, and no statistics are needed`() {
    let comparison = RunComparison(of: MadeUp.run(), with: MadeUp.run())
    #expect(comparison.verdict == .identical && comparison.method == .identical(20))
    let part = RunComparison(of: MadeUp.run(seeds: 0..<5), with: MadeUp.run())
    #expect(part.method == .identical(5))
  }

  @Test
  func
    `one operation that is 10 % slower is a regression in all its figures, and the others are not`()
  {
    let comparison = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 1.1], own: 0.005),
      with: MadeUp.run(digest: "old", own: 0.005))
    #expect(comparison.verdict == .regression && comparison.method == .paired(20))
    let slower = comparison.metrics.filter { $0.change.verdict == .regression }
    #expect(slower.count == Measure.times.count)
    #expect(slower.allSatisfy { $0.name.operation == "sync" })
    #expect(comparison.metrics.prefix(4).allSatisfy { $0.name.operation == "sync" })
    #expect(slower.allSatisfy { $0.change.interval!.contains(1.1) })
    #expect(comparison.metrics.dropFirst(4).allSatisfy { $0.change.verdict == .equivalent })
  }

  @Test func `faster is improved, and within the margin is equivalent`() {
    let old = MadeUp.run(digest: "old", own: 0.005)
    let faster = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 0.85], own: 0.005), with: old)
    #expect(faster.verdict == .improved)
    let within = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 1.02], own: 0.005), with: old)
    #expect(within.verdict == .equivalent)
    let strict = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 1.02], own: 0.005), with: old, margin: 0.001)
    #expect(strict.verdict == .regression)
  }

  @Test func `the smallest visible change grows with the noise`() throws {
    func visible(_ own: Double) throws -> Double {
      let comparison = RunComparison(
        of: MadeUp.run(digest: "new", own: own), with: MadeUp.run(digest: "old", own: own))
      return try #require(comparison.leastVisible?.change.smallestVisible)
    }
    let (quiet, loud) = (try visible(0.001), try visible(0.1))
    #expect(quiet > 0.05 && quiet < 0.06 && loud > 0.15)
  }

  @Test func `other seeds make two independent samples, compared with less power`() {
    let comparison = RunComparison(
      of: MadeUp.run(seeds: 100..<120, digest: "new", factors: ["sync": 1.4]),
      with: MadeUp.run(seeds: 0..<15, digest: "old"))
    #expect(comparison.method == .independent(15, 20))
    #expect(
      comparison.metrics.filter { $0.change.verdict == .regression }
        .allSatisfy { $0.name.operation == "sync" })
    #expect(comparison.verdict == .regression)
  }

  @Test func `the figures shown beside a change are those that it is one of`() throws {
    let old = MadeUp.run(digest: "old", own: 0.02)
    let paired = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 1.1], own: 0.02), with: old)
    for metric in paired.metrics {
      let ratio = try #require(metric.change.ratio)
      #expect(abs(metric.after / metric.before / ratio - 1) < 1e-9, "\(metric)")
    }
    let independent = RunComparison(
      of: MadeUp.run(seeds: 100..<120, digest: "new", factors: ["sync": 1.4]), with: old)
    for metric in independent.metrics {
      #expect(try #require(metric.change.interval).contains(metric.after / metric.before))
    }
  }

  @Test func `fewer than five replications decide nothing but say what is missing`() {
    let comparison = RunComparison(
      of: MadeUp.run(seeds: 0..<4, digest: "new", factors: ["sync": 3]),
      with: MadeUp.run(seeds: 0..<4, digest: "old"))
    #expect(comparison.verdict == .inconclusive)
    #expect(
      comparison.metrics.allSatisfy {
        $0.change.reason == "too few replications in common: 4, and a comparison needs 5"
      })
  }

  @Test
  func `quantiles without enough requests, and operations of one side, are left out with a reason`()
  {
    let comparison = RunComparison(
      of: MadeUp.run(digest: "new", operations: ["sync", "fresh"], requests: 100),
      with: MadeUp.run(digest: "old", operations: ["sync", "gone"], requests: 100))
    #expect(
      comparison.metrics.map(\.measure).sorted { $0.rawValue < $1.rawValue } == [.mean, .p50])
    let reasons = comparison.leftOut.map { "\($0.name.operation) \($0.measure?.rawValue ?? "")" }
    #expect(reasons == ["fresh ", "gone ", "sync p95", "sync p99"])
    #expect(comparison.verdict == .equivalent)
  }

  @Test func `requests lost on both sides do not hide a slower tail of those that were answered`() {
    let losses = ["enroll": 0.015, "sync": 0.015, "list": 0.015]
    let comparison = RunComparison(
      of: MadeUp.run(digest: "new", factors: ["sync": 1.1], own: 0.005, losses: losses),
      with: MadeUp.run(digest: "old", own: 0.005, losses: losses))
    let slower = comparison.metrics.filter { $0.change.verdict == .regression }
    #expect(slower.map(\.name.operation) == ["sync", "sync", "sync", "sync"])
    #expect(slower.contains { $0.measure == .p99 })
    let shares = comparison.metrics.filter { $0.measure == .withoutAnswer }
    #expect(shares.count == 3 && shares.allSatisfy { $0.change.verdict == .equivalent })
    #expect(shares.allSatisfy { abs($0.before - 0.015) < 0.001 && $0.differenceInterval != nil })
  }

  @Test func `a backend that answers less often regressed, however fast its answers are`() throws {
    let old = MadeUp.run(digest: "old", own: 0.005)
    let lossy = RunComparison(
      of: MadeUp.run(digest: "new", own: 0.005, losses: ["sync": 0.015]), with: old)
    let found = lossy.metrics.filter { $0.change.verdict == .regression }
    #expect(found.map(\.measure) == [.withoutAnswer] && lossy.verdict == .regression)
    #expect(abs(try #require(found[0].difference) - 0.015) < 0.001 && found[0].before == 0)
    let within = RunComparison(
      of: MadeUp.run(digest: "new", own: 0.005, losses: ["sync": 0.004]), with: old)
    #expect(within.verdict == .equivalent)
    let dead = RunComparison(
      of: MadeUp.run(digest: "new", requests: 40, own: 0.005, losses: ["sync": 1]), with: old)
    #expect(dead.verdict == .regression)
  }

  @Test
  func `shares of few requests that tell nothing are left out, and so are those nobody wrote down`()
  {
    let few = RunComparison(
      of: MadeUp.run(digest: "new", requests: 40, own: 0.005, losses: ["sync": 0.05]),
      with: MadeUp.run(digest: "old", requests: 40, own: 0.005, losses: ["sync": 0.048]))
    #expect(!few.leftOut.contains { $0.measure == .withoutAnswer } || few.verdict != .inconclusive)
    var old = MadeUp.run(digest: "old", own: 0.005)
    for series in old.series.indices {
      for place in old.series[series].figures.indices {
        old.series[series].figures[place]?.unanswered = nil
      }
    }
    let unknown = RunComparison(
      of: MadeUp.run(digest: "new", own: 0.005, losses: ["sync": 0.02]), with: old)
    #expect(unknown.verdict == .equivalent)
    #expect(unknown.leftOut.map(\.measure) == [.withoutAnswer])
  }

  @Test func `a limit that fails now and did not before is a regression, whatever the times`() {
    let broken = RunComparison(
      of: MadeUp.run(digest: "new", limits: [.init(id: "L-1", verdict: .fail)]),
      with: MadeUp.run(digest: "old"))
    #expect(broken.verdict == .regression)
    let mended = RunComparison(
      of: MadeUp.run(digest: "new"),
      with: MadeUp.run(digest: "old", limits: [.init(id: "L-1", verdict: .fail)]))
    #expect(mended.verdict == .equivalent && mended.limits.count == 1)
  }

  @Test func `runs without figures in common cannot be told`() {
    let comparison = RunComparison(
      of: MadeUp.run(digest: "new", operations: ["a"]),
      with: MadeUp.run(digest: "old", operations: ["b"]))
    #expect(comparison.verdict == .inconclusive && comparison.metrics.isEmpty)
  }

  @Test func `the exit code of a regression stands between failures and what cannot be told`() {
    func status(_ limits: [Verdict], _ change: ChangeVerdict?) -> Verdicts.ExitStatus {
      .of(
        interrupted: false, limits: limits, objectives: [], inconclusiveStops: true,
        comparison: change)
    }
    #expect(status([.pass], .regression) == .regression)
    #expect(status([.fail], .regression) == .failed)
    #expect(status([.inconclusive], .regression) == .regression)
    #expect(status([.inconclusive], .equivalent) == .inconclusive)
    #expect(status([.pass], .inconclusive) == .inconclusive)
  }

  @Test func `a run in which nothing was judged is never green`() {
    func status(_ limits: [Verdict], _ objectives: [Verdict], stops: Bool) -> Verdicts.ExitStatus {
      .of(
        interrupted: false, limits: limits, objectives: objectives, inconclusiveStops: stops)
    }
    #expect(status([.notExercised], [.inconclusive], stops: false) == .inconclusive)
    #expect(status([.notExercised], [], stops: false) == .inconclusive)
    #expect(status([], [], stops: true) == .inconclusive)
    #expect(status([.pass, .notExercised], [.inconclusive], stops: false) == .allHeld)
    #expect(status([.notExercised], [.pass], stops: true) == .allHeld)
  }
}
