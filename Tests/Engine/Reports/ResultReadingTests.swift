import Contracts
import Reports
import Runs
import Testing
import Verdicts

@Suite struct `Reading results back` {
  private static var run: Run {
    var run = SampleRun.failing
    let names = ["enroll", "sync"].map {
      LatencySeries.Name(world: "kantine-koning", operation: $0, basis: .modelled)
    }
    for index in run.replications.indices {
      run.replications[index].latencies = names.map {
        ReplicationLatency(
          name: $0,
          figures: LatencyFigures(
            count: 80 + index % 10, mean: 0.1 + Double(index) / 3_000, p50: 0.08, p95: 0.3,
            p99: nil, unanswered: index % 3))
      }
    }
    return run
  }

  private func problem(_ bytes: [UInt8]) throws -> ReadingProblem {
    do throws(ReadingProblem) {
      _ = try ResultReading.figures(of: bytes, file: "out/result.json")
    } catch { return error }
    throw Unread()
  }
  private struct Unread: Error {}

  @Test
  func `a load comes back with its pace and its phases, and a run with what was open since when`()
    throws
  {
    let load = SampleLoad.climbing
    let again = try RunReading.run(of: ResultDocument.bytes(for: load), file: "result.json")
    #expect(load.load[0].pace != nil && again.load[0].pace == load.load[0].pace)
    #expect(again.generator?.phases == load.generator?.phases)
    #expect(Page.bytes(for: again) == Page.bytes(for: load))
    let run = SampleRun.readable(SampleRun.failing)
    let read = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
    #expect(read.business.map(\.openSince) == run.business.map(\.openSince))
    var torn = load
    torn.load[0].pace?.answered.removeLast()
    #expect(throws: ReadingProblem.self) {
      try RunReading.run(of: ResultDocument.bytes(for: torn), file: "result.json")
    }
  }

  @Test func `what was written comes back as it was`() throws {
    let figures = try ResultReading.figures(of: ResultDocument.bytes(for: Self.run), file: "f")
    #expect(figures == Self.run.figures)
    #expect(figures.series.count == 2)
    #expect(figures.series[0].figures.count == Self.run.replications.count)
  }

  @Test func `a run without figures for each replication can be read`() throws {
    let figures = try ResultReading.figures(
      of: ResultDocument.bytes(for: SampleRun.failing), file: "f")
    #expect(figures.series.isEmpty && figures == SampleRun.failing.figures)
  }

  @Test func `a baseline keeps six digits of every figure`() throws {
    let bytes = BaselineDocument.bytes(for: Self.run.figures)
    let baseline = try ResultReading.figures(of: bytes, file: "b")
    #expect(baseline.replications == Self.run.figures.replications)
    #expect(
      Set(baseline.limits.map(\.id)) == Set(Self.run.figures.limits.map(\.id)))
    for (old, new) in zip(Self.run.figures.series, baseline.series) {
      #expect(old.name == new.name)
      for (before, after) in zip(old.figures, new.figures) {
        let (before, after) = (try #require(before), try #require(after))
        let (old, new) = (try #require(before.mean), try #require(after.mean))
        #expect(abs(old / new - 1) < 5e-6 && before.count == after.count)
        #expect(before.p99 == nil && after.p99 == nil && after.unanswered == before.unanswered)
      }
    }
    #expect(BaselineDocument.bytes(for: baseline) == bytes)
    #expect(RunComparison(of: Self.run.figures, with: baseline).verdict == .identical)
  }

  @Test func `a file cut off anywhere is called cut off, never read and never fatal`() throws {
    let whole = ResultDocument.bytes(for: Self.run)
    for length in stride(from: 1, to: whole.count - 2, by: 997) {
      let found = try problem(Array(whole[..<length]))
      #expect(found.wrong.hasPrefix("the file is cut off"), "\(length): \(found)")
      #expect(found.description.hasPrefix("out/result.json: line "))
    }
    #expect(try problem([]).wrong == "the file is empty")
  }

  @Test(arguments: [
    ("[]", "neither the result of a run nor a baseline"), ("{}", "neither the result"),
    ("<html>", "not JSON: a value was expected"), ("{\"a\":1}x", "something follows"),
    ("{\"version\":2,\"scenario\":{},\"replications\":[]}", "version 2, this one reads 1"),
    ("{\"version\":\"1\",\"scenario\":{},\"replications\":[]}", "expected a version"),
    ("{\"version\":0,\"scenario\":{},\"replications\":[]}", "expected a version"),
    ("{\"version\":1,\"scenario\":{},\"replications\":7}", "'name' is missing"),
    ("{\"rehearsalBaseline\":5}", "version 5"), ("{\"rehearsalBaseline\":1}", "'seeds' is missing"),
  ])
  func `foreign files and other versions are refused with what would be right`(
    text: String, expected: String
  ) throws {
    let found = try problem(Array(text.utf8))
    #expect(found.description.contains(expected), "\(found)")
    #expect(found.description.contains("; "))
  }

  @Test(arguments: [
    ("\"seed\": \"1", "\"seed\": \"-", "seed"), ("\"count\": 80", "\"count\": -1", "count"),
    ("\"count\": 80", "\"count\": 1000000000000100", "count"),
    ("\"p50\": 0.08", "\"p50\": -0.08", "p50"),
    ("\"unanswered\": 1", "\"unanswered\": 0.5", "unanswered"),
    ("\"verdict\": \"fail\"", "\"verdict\": \"red\"", "verdict"),
    ("\"basis\": \"modelled\"", "\"basis\": 3", "basis"),
  ])
  func `a wrong value is named with its place`(old: String, new: String, place: String) throws {
    let text = String(decoding: ResultDocument.bytes(for: Self.run), as: UTF8.self)
    let range = try #require(text.firstRange(of: old))
    let found = try problem(Array(text.replacingCharacters(in: range, with: new).utf8))
    #expect(found.location.hasSuffix(place) && found.right.hasPrefix("expected"), "\(found)")
  }

  @Test func `names from outside come back and do no harm in messages`() throws {
    let hostile = "a\u{1B}[31m\"\\\n😀"
    var run = Self.run
    run.scenario.name = hostile
    let figures = try ResultReading.figures(of: ResultDocument.bytes(for: run), file: hostile)
    #expect(figures.scenario.name == hostile)
    let text = ReadingProblem(file: hostile, wrong: "w", right: "r").description
    #expect(!text.contains("\u{1B}") && !text.contains("\n"))
  }
}
