import Contracts
import Foundation
import Reports
import Runs
import SchemaChecker
import Testing

@Suite struct `Formats for machines` {
  private static let runs = [
    SampleRun.failing, SampleRun.passing, SampleRun.empty, SampleRun.slower,
    SampleRun.readable(SampleRun.naming("<&\"'\u{202E}\n]]>")),
  ]

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: - result.json

  @Test(arguments: runs.indices)
  func `every result fits the published schema`(index: Int) throws {
    let checker = SchemaChecker(ResultSchema.json)
    #expect(checker.strangers == [])
    let written = ResultDocument.bytes(for: Self.runs[index])
    #expect(checker.problems(of: try #require(JSON(parsing: written))) == [])
  }

  @Test func `the schema refuses what is no result`() throws {
    let checker = SchemaChecker(ResultSchema.json)
    let whole = ResultDocument.json(for: SampleRun.failing)
    for name in ["scenario", "digest", "verdict", "limits", "machine", "persons"] {
      var object = try #require(whole.object)
      object[name] = nil
      #expect(checker.problems(of: .object(object)).count == 1, "without \(name)")
    }
    var object = try #require(whole.object)
    object["verdict"] = "green"
    object["persons"] = -1
    object["exitCode"] = 1
    #expect(checker.problems(of: .object(object)).count == 3)
  }

  @Test(arguments: runs.indices)
  func `a run read back from its result is rendered alike`(index: Int) throws {
    var run = Self.runs[index]
    run.comparison = nil
    let again = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
    for (old, new) in zip(Rendering.views(of: run), Rendering.views(of: again)) {
      #expect(old.path == new.path)
      #expect(text(old.bytes) == text(new.bytes), "\(old.path) differs")
    }
    #expect(ResultDocument.bytes(for: run) == ResultDocument.bytes(for: again))
  }

  @Test func `a result without what a report needs is named as such`() throws {
    var object = try #require(ResultDocument.json(for: SampleRun.failing).object)
    object["scenario"] = ["name": "saturday", "title": "Saturday", "digest": "abc"]
    let old = JSON.object(object).bytes
    let problem = #expect(throws: ReadingProblem.self) {
      try RunReading.run(of: old, file: "result.json")
    }
    #expect(problem?.description.contains("an older Rehearsal") == true)
    #expect(throws: ReadingProblem.self) { try RunReading.run(of: [], file: "r") }
    #expect(throws: ReadingProblem.self) { try RunReading.run(of: Array("{}".utf8), file: "r") }
  }

  // MARK: - CSV

  /// Splits as RFC 4180 says.
  private func rows(_ csv: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var scalars = Array(csv.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where scalars.first == "\"":
        cell += "\""
        scalars.removeFirst()
      case ("\"", _): isQuoted.toggle()
      case (",", false):
        row.append(cell)
        cell = ""
      case ("\n", false):
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  @Test(arguments: `Text from outside in reports`.names)
  func `CSV keeps its columns and holds no formula whatever a name says`(name: String) {
    let rows = rows(text(LatencyTable.bytes(for: SampleRun.naming(name))))
    // Ten operations with five quantiles each, and the heading.
    #expect(rows.count == 51)
    #expect(rows.allSatisfy { $0.count == 12 })
    for cell in rows.dropFirst().flatMap({ $0.prefix(3) }) {
      #expect(cell.first.map { !"=+-@".contains($0) } ?? true)
    }
  }

  @Test func `CSV says what was never answered and what has no interval`() {
    let rows = rows(text(LatencyTable.bytes(for: SampleRun.failing)))
    let never = rows.filter { $0[6] == "inf" }
    #expect(!never.isEmpty)
    #expect(never.allSatisfy { $0[7].isEmpty && $0[8].isEmpty && $0[9] == "59.9" })
    #expect(never.allSatisfy { Double($0[10]).map { $0 < 5 } == true })
    #expect(never.allSatisfy { Double($0[11]).map { abs($0 - 122.0 / 61_020) < 1e-5 } == true })
  }

  @Test func `what so few requests do not tell is a number nowhere`() throws {
    var run = SampleRun.passing
    run.latencies = [run.latencies[0]]
    run.latencies[0].count = 99
    run.latencies[0].quantiles = [
      Quantile(q: 0.5, seconds: 1, interval: nil),
      Quantile(q: 0.99, seconds: 4_321, interval: Bounds(low: 4_321, high: 4_321)),
    ]
    run.latencies[0].answeredQuantiles = run.latencies[0].quantiles
    run.business = []
    run.limits = []
    run.load = []
    for (path, bytes) in Rendering.files(for: run) {
      #expect(!text(bytes).contains("4321") && !text(bytes).contains("1 h 12 min"), "\(path)")
    }
    let terminal = TerminalSummary.text(run, colour: false)
    #expect(terminal.contains("too few") && !terminal.contains("1 h 12"))
    let quantile = ResultDocument.json(for: run)["latencies"]?[0]?["quantiles"]?[1]
    #expect(quantile?["seconds"] == .null && quantile?["tooFew"] == true)
    run.latencies[0].count = 100
    #expect(text(LatencyTable.bytes(for: run)).contains("4321"))
  }

  @Test func `a quantile beyond what was answered is longer than something in every file`() throws {
    var run = SampleRun.passing
    run.latencies = run.latencies.filter { $0.operation == "register" }
    let answered = try #require(run.latencies[0].answeredQuantiles.last?.seconds)
    let page = text(Page.bytes(for: run))
    #expect(page.contains("longer than 59.9 s"))
    #expect(page.contains("answered: \(Figures.duration(answered))"))
    #expect(page.contains("p99.9 longer than 59.9 s"), "the curve's description")
    let quantiles = try #require(ResultDocument.json(for: run)["latencies"]?[0])
    #expect(quantiles["quantiles"]?[4]?["seconds"] == .null)
    #expect(quantiles["quantiles"]?[4]?["longerThan"]?.double == 59.9)
    #expect(quantiles["answered"]?["quantiles"]?[4]?["seconds"]?.double == answered)
    #expect(quantiles["unanswered"]?.int == 122)
    let metrics = text(MetricsDocument.bytes(for: run))
    #expect(metrics.contains(/rehearsal_latency_seconds\{.*quantile="0.999"\} \+Inf/))
    #expect(metrics.contains(/rehearsal_latency_longer_than_seconds\{.*q="0.999"\} 59.9/))
    #expect(metrics.contains(/rehearsal_without_answer_ratio\{.*\} 0.00199/))
  }

  // MARK: - OpenMetrics

  @Test(arguments: `Text from outside in reports`.names + ["saturday", "a\\b\"c\nd"])
  func `OpenMetrics stays well-formed whatever a name says`(name: String) throws {
    let text = text(MetricsDocument.bytes(for: SampleRun.naming(name)))
    #expect(text.hasSuffix("\n# EOF\n"))
    var families: Set<String> = []
    var series: Set<Substring> = []
    var family = ""
    for line in text.split(separator: "\n").dropLast() {
      if let match = line.wholeMatch(of: /# (TYPE|UNIT|HELP) ([a-z_]+) (.+)/) {
        if match.output.1 == "TYPE" {
          family = String(match.output.2)
          #expect(families.insert(family).inserted, "each family stands once")
        }
        #expect(match.output.2 == family)
        if match.output.1 == "UNIT" { #expect(family.hasSuffix("_" + match.output.3)) }
        continue
      }
      let sample = try #require(
        line.wholeMatch(
          of: /(([a-z_]+)\{(?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)*\}) (-?[0-9.e+-]+|NaN|[+-]Inf)/),
        "\(line.prefix(200))")
      #expect(sample.output.2.hasPrefix(family))
      #expect(series.insert(sample.output.1).inserted, "each series stands once")
    }
    #expect(families.count >= 10)
  }

  // MARK: - Annotations

  @Test(arguments: `Text from outside in reports`.names + ["a%0Ab::error::c,d:e"])
  func `an annotation stays one command whatever a name says`(name: String) {
    let lines = Annotations.lines(for: SampleRun.naming(name))
    #expect(!lines.isEmpty && lines.count <= 20)
    for line in lines {
      #expect(!line.contains("\n") && !line.contains("\r"))
      let parts = line.dropFirst(2).split(separator: "::", maxSplits: 1)
      #expect(parts.count == 2)
      #expect(parts[0].wholeMatch(of: /(error|warning) (file=[^:,]*,line=1,)?title=[^:,]*/) != nil)
      #expect(line.matches(of: /%(?!25|0A|3A|2C)/).isEmpty)
    }
  }

  @Test func `of many failures ten are shown and the others counted`() {
    var run = SampleRun.failing
    run.limits = (0..<40).map { index in
      var limit = run.limits[0]
      limit.id = "KK-\(index)"
      return limit
    }
    let errors = Annotations.lines(for: run).filter { $0.hasPrefix("::error") }
    #expect(errors.count == 10)
    #expect(errors.last?.contains("32 more failures") == true)
  }
}
