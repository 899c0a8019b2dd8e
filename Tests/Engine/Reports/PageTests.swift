import Foundation
import Observations
import Reports
import Runs
import Testing
import Verdicts

@Suite struct `The HTML report` {
  static let runs: [(name: String, run: Run)] = [
    ("failing", SampleRun.failing), ("passing", SampleRun.passing), ("empty", SampleRun.empty),
    ("slower", SampleRun.slower), ("load", SampleLoad.climbing),
  ]

  private func page(_ run: Run) -> String {
    String(decoding: Page.bytes(for: run), as: UTF8.self)
  }

  @Test(arguments: runs.indices)
  func `a report refers to nothing outside itself`(index: Int) throws {
    let page = self.page(Self.runs[index].run)
    #expect(page.utf8.count < 2_000_000)
    for match in page.matches(of: /\b(?:href|src|srcset|action|data)="([^"]*)"/) {
      #expect(match.output.1.hasPrefix("#") || match.output.1 == "data:,")
    }
    #expect(!page.contains("@import"))
    #expect(!page.contains("url("))
    #expect(!page.contains("http://"))
    #expect(!page.contains("https://"))
  }

  @Test(arguments: runs.indices)
  func `ids are unique and every reference to one has its target`(index: Int) throws {
    let page = self.page(Self.runs[index].run)
    let ids = page.matches(of: /\bid="([^"]*)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    var wanted = page.matches(of: /href="#([^"]*)"/).map { String($0.output.1) }
    for match in page.matches(of: /aria-labelledby="([^"]*)"/) {
      wanted += match.output.1.split(separator: " ").map(String.init)
    }
    #expect(Set(wanted).subtracting(ids).isEmpty)
  }

  @Test(arguments: runs.indices)
  func `headings begin with one h1 and skip no level`(index: Int) throws {
    let levels = page(Self.runs[index].run).matches(of: /<h([1-6])/).compactMap {
      Int($0.output.1)
    }
    #expect(levels.first == 1)
    #expect(levels.count { $0 == 1 } == 1)
    for (before, after) in zip(levels, levels.dropFirst()) { #expect(after <= before + 1) }
  }

  @Test(arguments: runs.indices)
  func `every table has a caption and scopes, every picture a text`(index: Int) throws {
    let page = self.page(Self.runs[index].run)
    let tables = page.matches(of: /<table[^>]*>\s*<caption>[^<]+<\/caption>/)
    #expect(tables.count == page.matches(of: /<table/).count)
    #expect(page.matches(of: /<th[ >]/).count == page.matches(of: /<th scope="(?:col|row)"/).count)
    let pictures = page.matches(
      of: /<svg [^>]*role="img"[^>]*><title [^>]*>[^<]+<\/title><desc [^>]*>[^<]+</)
    #expect(pictures.count == page.matches(of: /<svg/).count)
  }

  @Test(arguments: runs.indices)
  func `elements are closed in the order they were opened`(index: Int) throws {
    let page = self.page(Self.runs[index].run)
    let void: Set<Substring> = ["meta", "link", "br", "img"]
    var open: [Substring] = []
    let body = page.replacing(
      /<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>|<!doctype html>/, with: "")
    for match in body.matches(of: /<(\/?)([a-z0-9]+)[^>]*?(\/?)>/) {
      let (_, closing, name, selfClosing) = match.output
      if !closing.isEmpty {
        #expect(open.popLast() == name)
      } else if selfClosing.isEmpty, !void.contains(name) {
        open.append(name)
      }
    }
    #expect(open.isEmpty)
  }

  @Test func `every file that a template inserts is there, and every file is used`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Engine/Reports/Files").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var inserted: Set<String> = [
      "page.html", "load.html", "history.html", "junit.xml", "summary.md", "page.css", "chart.css",
      "colours.css", "page.js",
    ]
    for file in files {
      let text = try String(
        contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      inserted.formUnion(text.matches(of: /\{\{> *([^} ]+) *\}\}/).map { String($0.output.1) })
    }
    #expect(inserted == Set(files))
  }

  @Test func `the verdict comes before every figure`() throws {
    let page = self.page(SampleRun.failing)
    let headline = try #require(
      page.range(of: "2 of 16 tried rules failed, 1 of 4 objectives failed; latencies modelled"))
    let firstTable = try #require(page.range(of: "<table"))
    #expect(headline.lowerBound < firstTable.lowerBound)
  }

  @Test func `the first line is the verdict with its counts, the second what it leaves open`()
    throws
  {
    func screen(_ run: Run) throws -> String {
      let page = self.page(run)
      let begin = try #require(page.range(of: "id=\"verdict\""))
      let end = try #require(page[begin.upperBound...].range(of: "</section>"))
      return String(page[begin.upperBound..<end.lowerBound]).replacing(/<[^>]+>/, with: "")
    }
    let passing = try screen(SampleRun.passing)
    #expect(passing.contains("Held: 13 of 13 tried rules, 2 of 2 objectives; latencies modelled"))
    #expect(passing.contains("What stays open: "))
    #expect(passing.contains("no real server has confirmed the response times"))
    var sure = SampleRun.passing
    for index in sure.limits.indices { sure.limits[index].upperBound = 0.001 }
    #expect(!(try screen(sure)).contains("too seldom"))
    sure.limits[0].upperBound = 0.4
    #expect(try screen(sure).contains("1 rule tried too seldom to be sure"))
    sure.interrupted = true
    #expect(try screen(sure).contains("Interrupted: The run was interrupted"))
  }

  @Test func `a run that is worse than its baseline says so first and shows by how much`() throws {
    let page = self.page(SampleRun.slower)
    #expect(page.contains("the run is worse than its baseline: "))
    let section = try #require(page.range(of: "<section id=\"comparison\">"))
    let next = try #require(page.range(of: "<section id=\"objectives\">"))
    let comparison = page[section.upperBound..<next.lowerBound]
    #expect(comparison.contains("sync p50"))
    #expect(comparison.contains("L-1"))
    #expect(comparison.contains("Slower"))
    #expect(
      comparison.firstMatch(
        of: /growth of [0-9.]+% in half of the figures, and growth of [0-9.]+% in all/) != nil)
  }

  @Test func `the first screen says how the run compares, and which rules changed`() throws {
    var run = SampleRun.slower
    run.exitCode = 0
    let sentence = TerminalComparison.sentence(try #require(run.comparison))
    let line = "<p class=\"doubt\">Against the baseline: \(sentence) Rules: L-1 "
    let page = self.page(run)
    let found = try #require(page.range(of: line))
    #expect(found.lowerBound < (try #require(page.range(of: "<section id=\"day\""))).lowerBound)
    run.comparison = nil
    #expect(!self.page(run).contains("Against the baseline:"))
  }

  @Test(arguments: runs.indices)
  func `no heading, caption or cell's name is empty`(index: Int) {
    let page = self.page(Self.runs[index].run)
    #expect(page.firstMatch(of: /<(?:h[1-6]|caption|th|title|label|p)(?: [^>]*)?>\s*<\//) == nil)
  }

  @Test func `sections stand in the order in which people ask`() {
    let ids = page(SampleRun.failing).matches(of: /<section [^>]*id="([a-z]+)"/).map {
      String($0.output.1)
    }
    #expect(
      ids == [
        "verdict", "failures", "day", "key", "room", "stories", "map", "meaning", "objectives",
        "limits", "business", "latencies", "journeys", "outcomes", "matrix", "generator", "method",
        "appendix",
      ])
  }

  @Test func `limits that nobody tried are folded away with their reasons`() throws {
    let page = self.page(SampleRun.failing)
    let folded = try #require(page.range(of: "<details class=\"unfold\">"))
    let reason = try #require(page.range(of: "No update falls into the simulated day"))
    #expect(folded.upperBound < reason.lowerBound)
  }

  @Test func `a run as large as they come stays a page that opens at once`() throws {
    var run = SampleRun.failing
    let long = String(repeating: "a long word of evidence ", count: 100)
    run.limits = (0..<120).map { index in
      var limit = SampleRun.failing.limits[0]
      limit.id = "KK-\(index)"
      limit.evidence = Array(repeating: limit.evidence[0], count: 9)
      for proof in limit.evidence.indices { limit.evidence[proof].what = long }
      return limit
    }
    run.latencies = (0..<60).map { index in
      var latency = SampleRun.failing.latencies[index % 10]
      latency.curve = (0..<1_000).map {
        CurvePoint(share: Double($0) / 1_000, seconds: 0.001 * Double($0 + 1))
      }
      return latency
    }
    run.load[0].requests = Array(repeating: 9, count: 20_000)
    run.replications = (0..<400).map { index in
      var replication = SampleRun.failing.replications[0]
      replication.index = index
      return replication
    }
    #expect(page(run).utf8.count < 2_000_000)
  }

  @Test func `figures that do not exist are said, not drawn`() throws {
    var run = SampleRun.failing
    run.objectives[0].estimate = nil
    run.objectives[0].interval = nil
    run.objectives[1].interval = Bounds(low: 0.2, high: .infinity)
    run.latencies[0].curve = []
    run.latencies[1].curve = [CurvePoint(share: .nan, seconds: .infinity)]
    run.business[0].survival = []
    run.load[0].requests = []
    let page = self.page(run)
    #expect(page.firstMatch(of: /\b(?:nan|inf)\b/) == nil)
  }

  @Test func `what holds for several objectives that held is said once`() throws {
    var run = SampleRun.passing
    run.objectives = (0..<3).map { place in
      var objective = SampleRun.passing.objectives[0]
      objective.text = "p5\(place) of kantine-koning.sync < 250ms"
      objective.reason =
        "with 20 replications, up to 1 replication in \(place < 2 ? 7 : 6) could still miss it"
      return objective
    }
    let section = try section("objectives", of: run)
    #expect(section.matches(of: /could still miss it/).count == 1)
    #expect(
      section.contains(
        "All 3 objectives held; with 20 replications, up to 1 replication in 6 could still miss it."
      ))
    run.objectives[0].verdict = .inconclusive
    let open = try self.section("objectives", of: run)
    #expect(open.contains("2 objectives held; with 20 replications, up to 1 replication in 6"))
    #expect(open.matches(of: /<small>with 20 replications, up to 1 replication in 7/).count == 1)
  }

  @Test func `rules that were not tried for one reason stand below it, most of them first`() throws
  {
    var run = SampleRun.city
    let places = run.limits.indices.filter { run.limits[$0].verdict == .notExercised }
    try #require(places.count > 3)
    for (place, index) in places.enumerated() {
      run.limits[index].reason = place == 0 ? "only here" : "nobody tried it in this run"
    }
    let appendix = try section("appendix", of: run)
    let reasons = appendix.matches(of: /<p><strong>([^<]+)<\/strong> \(([0-9]+)\)<\/p>/)
    #expect(reasons.map { String($0.output.1) } == ["Nobody tried it in this run", "Only here"])
    #expect(reasons.map { String($0.output.2) } == ["\(places.count - 1)", "1"])
    for index in places { #expect(appendix.contains("<li id=\"rule-\(index)\">")) }
  }

  @Test func `one thing has one name on the page`() throws {
    for (name, run) in Self.runs where run.generator == nil {
      let page = page(run)
      for other in [
        "usable answer", "nfinished", "under way", "rehearsals of", "Not judged", "timedOut",
        "nknown outcome", "never left",
      ] { #expect(!page.contains(other), "\(name): \(other)") }
    }
  }

  @Test func `after a green run the first steps are what deserves a look`() throws {
    var run = SampleRun.city
    run.verdict = .pass
    run.exitCode = 0
    for index in run.limits.indices where run.limits[index].verdict != .notExercised {
      run.limits[index].verdict = .pass
    }
    run.objectives = run.objectives.filter { $0.verdict == .pass && !$0.text.contains(">") }
    for index in run.objectives.indices {
      let bound = run.objectives[index].bound
      run.objectives[index].estimate = bound / 2
      run.objectives[index].interval = Bounds(low: bound * 0.4, high: bound * 0.6)
    }
    let tight = try #require(run.objectives.indices.last)
    run.objectives[tight].estimate = run.objectives[tight].bound * 0.95
    run.objectives[tight].interval = Bounds(
      low: run.objectives[tight].bound * 0.9, high: run.objectives[tight].bound * 0.99)
    let steps = try section("meaning", of: run).matches(of: /<li>([^<]+)/).map {
      String($0.output.1)
    }
    #expect(
      steps[0].hasPrefix(
        "“\(run.objectives[tight].text.replacing("<", with: "&lt;"))” has the least room: "))
    let ended = steps.filter { $0.contains(" ended by the backend: ") }
    #expect(ended.count == 2)
    // What it ended for one reason at several steps is one count.
    #expect(Set(ended.map { $0.replacing(/[0-9,]+/, with: "") }).count == 2, "\(ended)")
    #expect(steps.contains { $0.contains(" not tried; “Documented rules” gives the reasons.") })
  }

  @Test func `what “few” means stands where the word does`() throws {
    let meaning = "a rule that fails 1 time in 20 may not fail once"
    #expect(try section("limits", of: SampleRun.city).contains(meaning) == false)
    #expect(try section("appendix", of: SampleRun.city).contains(meaning))
    var run = SampleRun.passing
    run.limits = Array(run.limits.filter { $0.upperBound ?? 0 > 0.05 }.prefix(1))
    #expect(try section("limits", of: run).contains(meaning))
  }

  @Test func `no quantile is given that so few requests do not tell`() throws {
    var run = SampleRun.passing
    run.latencies[0].count = 99
    run.latencies[0].title = "Seldom asked"
    run.latencies[0].quantiles = [0.5, 0.95, 0.99].map {
      Quantile(q: $0, seconds: 4_321, interval: nil)
    }
    let page = self.page(run)
    let row = try #require(page.firstMatch(of: /Seldom asked<small>.*?<\/tr>/)).output
    #expect(row.contains("too few") && row.matches(of: /1 h 12 min/).count == 2)
    run.latencies[0].count = 100
    let told = try #require(self.page(run).firstMatch(of: /Seldom asked<small>.*?<\/tr>/)).output
    #expect(told.matches(of: /1 h 12 min/).count == 3)
    run.latencies[0].count = 1
    #expect(!Story(of: run).context.joined().contains("Seldom asked"))
  }

  @Test func `every outcome says what to do next`() throws {
    func next(_ run: Run) throws -> Substring {
      let page = self.page(run)
      let begin = try #require(page.range(of: "<h2>What next</h2>"))
      return page[begin.upperBound...].prefix(2_000)
    }
    #expect(try next(SampleRun.failing).contains("<span>trace</span>"))
    #expect(try next(SampleRun.slower).contains("make this run the new baseline"))
    #expect(try next(SampleRun.passing).contains("<span>accept</span>"))
    var run = SampleRun.passing
    run.verdict = .inconclusive
    run.exitCode = 98
    run.objectives[0].verdict = .inconclusive
    run.objectives[0].reason = "the interval lies across the bound"
    run.objectives[0].moreReplications = 17
    #expect(try next(run).contains("<span>--replications</span> <span>37</span>"))
    let findings = Story(of: run).findings
    #expect(findings.count == 1 && findings[0].hasSuffix("the interval lies across the bound."))
    run.objectives[0].moreReplications = nil
    #expect(try next(run).contains("choose a bound that leaves room"))
  }

  @Test
  func `a run of too few replications for a baseline is not called one, wherever steps are named`()
    throws
  {
    var run = SampleRun.passing
    run.replications = Array(run.replications.prefix(ChangeJudgement.fewest - 1))
    let words = "A baseline that later runs are held against takes at least 5 replications:"
    let meaning = try section("meaning", of: run)
    #expect(
      meaning.contains(words) && meaning.contains("<span>--replications</span> <span>5</span>"))
    #expect(!meaning.contains("<span>accept</span>"))
    let terminal = TerminalSummary.text(
      run, width: 200, colour: false, reportAt: "reports/saturday/1/index.html")
    #expect(terminal.contains("--replications 5") && !terminal.contains("baseline accept"))
  }

  // MARK: - What an owner reads

  private func section(_ id: String, of run: Run) throws -> Substring {
    let page = self.page(run)
    let begin = try #require(page.range(of: "<section id=\"\(id)\">"))
    let end = try #require(page[begin.upperBound...].range(of: "</section>"))
    return page[begin.upperBound..<end.lowerBound]
  }

  @Test func `a rule that held although some took longer says beside it how many and why`() throws {
    let row = try #require(
      try section("business", of: SampleRun.failing).firstMatch(
        of: /Dienst ended → on the leaderboard<small>.*?<\/tr>/)
    ).output
    #expect(row.contains("331 of 8,214 (4.03%) took longer than the 15 min that KK-104 states"))
    #expect(row.contains("That is allowed, and the rule held: it allows an hour to clubs"))
    #expect(row.contains("Held"))
    var run = SampleRun.failing
    run.business[2].late = 0
    #expect(!page(run).contains("That is allowed"))
    run.business[2].late = 1
    run.business[2].notes = BusinessNotes()
    #expect(page(run).contains("its check found a permitted reason in each case"))
  }

  @Test func `what people use the product for comes before operations, with what was abandoned`()
    throws
  {
    let context = Story(of: SampleRun.failing).context
    let business = try #require(context.firstIndex { $0.contains("Change of a dienst") })
    #expect(
      context[business].contains(
        "402,118 of 411,452 finished (97.7%), 9,120 were abandoned (changes that a later one replaced), 214 were still open at the end."
      ))
    let operations = try #require(context.firstIndex { $0.contains("slowest answers") })
    #expect(business < operations)
    let summary = String(decoding: SummaryDocument.bytes(for: SampleRun.failing), as: UTF8.self)
    let times = try #require(summary.range(of: "### Time until things are done"))
    let slowest = try #require(summary.range(of: "### Slowest operations"))
    #expect(times.lowerBound < slowest.lowerBound)
  }

  @Test func `an operation that hardly anybody meets is no headline, unless it is far slower`() {
    var run = SampleRun.failing
    run.latencies[0].count = 200
    run.latencies[0].title = "Seldom asked"
    run.latencies[0].quantiles = [Quantile(q: 0.99, seconds: 0.4, interval: nil)]
    #expect(!Story(of: run).context.joined().contains("Seldom asked"))
    run.latencies[0].quantiles = [Quantile(q: 0.99, seconds: 40, interval: nil)]
    #expect(Story(of: run).context.joined().contains("Seldom asked"))
  }

  @Test func `errors say how many requests were never sent, where they are judged and counted`()
    throws
  {
    var run = SampleRun.failing
    run.unknowns = [Tally(world: "kantine-koning", operation: "sync", code: "timedOut", count: 69)]
    run.unsents = [
      Tally(world: "kantine-koning", operation: "sync", code: "offline", count: 31),
      Tally(world: "mimi-supply", operation: "menu", code: "offline", count: 900),
    ]
    let place = try #require(run.objectives.firstIndex { $0.text.hasPrefix("errors") })
    run.objectives[place].text = "errors of kantine-koning < 3%"
    run.objectives[place].estimate = 0.02
    let parts = "1.38% no answer, 0.62% never sent: the device was offline"
    #expect(try section("room", of: run).contains("<small>" + parts))
    #expect(try section("objectives", of: run).contains("<small>" + parts))
    #expect(
      page(run).contains("requests without an answer (offline aside)"))
    // A part of the day has no counts of its own.
    run.objectives[place].text = "errors of kantine-koning in phase peak < 3%"
    #expect(!page(run).contains(parts))
    run.objectives[place].text = "errors of kantine-koning < 3%"
    run.unsents = [run.unsents[1]]
    #expect(try !section("room", of: run).contains("never sent"))
  }

  @Test func `a call that no server was asked counts as no request without an answer`() {
    var run = SampleRun.failing
    run.unknowns = []
    for (code, isHeldAgainstIt) in [("offline", false), ("noRow", false), ("unreachable", true)] {
      run.unsents = [Tally(world: "kantine-koning", operation: "sync", code: code, count: 900)]
      #expect(page(run).contains(/[0-9] requests without an answer/) == isHeldAgainstIt, "\(code)")
    }
  }

  @Test func `of tails without an answer the one that most often got none comes first`() throws {
    var run = SampleRun.failing
    for place in run.latencies.indices {
      run.latencies[place].quantiles = [
        Quantile(q: 0.99, seconds: nil, interval: nil, longerThan: 1)
      ]
      run.latencies[place].cutOff = 0
      run.latencies[place].unanswered = run.latencies[place].count / (60 - place)
    }
    let last = try #require(run.latencies.last)
    let context = Story(of: run).context.joined(separator: " ")
    let sentence = try #require(
      context.firstMatch(of: /In kantine-koning, at least 1 in 100 [^.]+(?:\.[0-9][^.]*)*\./))
    #expect(sentence.output.hasSuffix("; most often those for “\(last.title)”."))
    #expect(!context.contains("The slowest requests are those of"))
    // With one alone there is nothing to compare it with.
    for place in run.latencies.indices.dropLast() {
      run.latencies[place].quantiles = [Quantile(q: 0.99, seconds: 1, interval: nil)]
    }
    #expect(
      Story(of: run).context.joined().contains(
        "The slowest requests are those of “\(last.title)”"))
  }

  @Test func `a modelled time says what it is made of wherever it is read`() throws {
    #expect(
      try section("objectives", of: SampleRun.failing).contains(
        "Of the estimate: network 251\u{A0}ms, waiting 85\u{A0}ms, service 6\u{A0}ms"))
    #expect(try section("latencies", of: SampleRun.failing).contains("What is in the p95"))
    var run = SampleRun.failing
    let parts = LatencyParts(network: 0.25, waiting: 0, service: 0.001, other: 0)
    for index in run.latencies.indices {
      run.latencies[index].quantiles = [Quantile(q: 0.95, seconds: 0.251, interval: nil)]
      run.latencies[index].parts = [QuantileParts(q: 0.95, parts: parts)]
    }
    let context = Story(of: run).context.joined(separator: " ")
    #expect(
      context.contains(
        "1 in 20 took longer than 251 ms, of which network 250 ms, waiting 0, service 1 ms."))
    #expect(context.contains("it says next to nothing about the backend"))
    for index in run.latencies.indices { run.latencies[index].parts = [] }
    #expect(!page(run).contains("What is in the p95"))
  }

  @Test func `an adversary that was refused is no failure, and what it was granted is explained`()
    throws
  {
    let matrix = try section("matrix", of: SampleRun.failing)
    #expect(matrix.contains("Those requests are granted rightly"))
    #expect(!matrix.contains("fail-text") && !matrix.contains("✗"))
    let refused = try #require(
      matrix.firstMatch(of: /<td title="all 1,098 refused, rightly"><span class="grant [a-z]+"/))
    #expect(refused.output.contains("grant pass"))
    // What was refused every time and what was granted every time differ in their signs, not in colour alone.
    #expect(matrix.contains("grant pass\" style=\"--f:0%\" aria-hidden=\"true\">⊘<"))
    #expect(!matrix.contains("grant pass\" style=\"--f:0%\" aria-hidden=\"true\">✓<"))
    var run = SampleRun.failing
    for index in run.funnel.indices { run.funnel[index].role = "role\(index)" }
    let unnamed = try section("matrix", of: run)
    #expect(!unnamed.contains("Adversaries"))
  }

  @Test func `what was granted at times says how often, and a backend with one role is named`()
    throws
  {
    var run = SampleRun.failing
    run.funnel[0].steps[0].replied = 44_125
    run.funnel[0].steps[0].refused = 1
    var alone = run.funnel[0]
    alone.world = "kilwinning"
    run.funnel.append(alone)
    let matrix = try section("matrix", of: run)
    #expect(matrix.contains("44,125 granted, 1 refused"))
    #expect(matrix.contains(">&gt;99</span>") || matrix.contains(">>99</span>"))
    #expect(!matrix.contains("◐"))
    #expect(matrix.contains("kilwinning has one role only"))
  }

  @Test func `a table of rights stands in place of roles, and says what was answered otherwise`()
    throws
  {
    var run = SampleRun.failing
    run.access = [
      AccessResult(
        world: "kantine-koning", column: "staff, own",
        entries: [
          .init(operation: "sync", title: "Sync", granted: 700, refused: 0, wrong: 0),
          .init(operation: "assign", title: "Assign", granted: 1, refused: 299, wrong: 1),
        ]),
      AccessResult(
        world: "kantine-koning", column: "no token",
        entries: [.init(operation: "sync", title: "Sync", granted: 0, refused: 500, wrong: 0)]),
      AccessResult(
        world: "kantine-koning", column: "not certain", isOutside: true,
        entries: [.init(operation: "assign", title: "Assign", granted: 3, refused: 1, wrong: 0)]),
      AccessResult(
        world: "kantine-koning", column: "another reason", isOutside: true,
        entries: [.init(operation: "sync", title: "Sync", granted: 0, refused: 7, wrong: 0)]),
    ]
    let matrix = try section("matrix", of: run)
    #expect(matrix.contains("<span>staff, own</span>") && !matrix.contains("<span>phone</span>"))
    let cells = matrix.matches(
      of: /<td title="([^"]+)"><span class="grant ([a-z ]+)"[^>]*>([^<]+)<\/span>/)
    #expect(
      cells.map { String($0.output.1) } == [
        "700 granted, 0 refused, 0 wrong", "0 granted, 500 refused, 0 wrong", "never asked",
        "0 granted, 7 refused, not judged", "1 granted, 299 refused, 1 wrong", "never asked",
        "3 granted, 1 refused, not judged", "never asked",
      ])
    let tones = ["pass", "pass", "idle", "idle", "fail", "idle", "idle part", "idle"]
    #expect(cells.map { String($0.output.2) } == tones)
    #expect(cells.map { String($0.output.3) } == ["✓", "⊘", "·", "⊘", "✗", "·", "75", "·"])
    #expect(
      matrix.contains(
        "1 of 1,500 requests that the documents’ table of rights is about were answered otherwise than it says, in 1 square."
      ))
    #expect(
      matrix.contains(
        "11 more answers are not judged by it and stand in the last columns (not certain: 4; another reason: 7)."
      ))
    let legend = try #require(matrix.firstMatch(of: /<ul class="legend".*<\/ul>/)).output
    #expect(legend.matches(of: /answered against the documents/).count == 1)
    let again = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
    #expect(again.access == run.access)
    run.access[0].entries[1].wrong = 0
    #expect(
      try section("matrix", of: run).contains(
        "All 1,500 requests that the documents’ table of rights is about were answered as it says.")
    )
  }

  @Test func `whether anything was allowed wrongly stands above the table of roles`() throws {
    let broken = SampleRun.failing.limits.count { $0.verdict == .fail }
    #expect(
      try section("matrix", of: SampleRun.failing).contains(
        "<p><strong>\(broken) documented rules failed ("))
    var run = SampleRun.failing
    run.limits = run.limits.filter { $0.verdict == .pass }
    #expect(
      try section("matrix", of: run).contains(
        "adversaries among them, what a documented rule forbids: \(run.limits.count) rules were tried, and none failed."
      ))
  }

  @Test func `events are told in words, with the number of what would not fit in a line`() throws {
    var run = SampleRun.failing
    run.scenario.events[1].command = "load"
    run.scenario.events[1].parameters = [
      "tornate": [["discussione": "Luce e ombra", "cena": true]]
    ]
    let key = try section("key", of: run)
    #expect(key.contains("Set enrollment open, club club-3, open no<"))
    #expect(key.contains("Load, tornate (1)<"))
    #expect(!key.contains("{") && !key.contains("["))
    // What the scenario calls it says more than its command.
    run.scenario.events[0].note = "club-3 closes its enrollment"
    let noted = try section("key", of: run)
    #expect(noted.contains("club-3 closes its enrollment</li>"))
    #expect(!noted.contains("Set enrollment open, club club-3, open no"))
    let again = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
    #expect(again.scenario.events.map(\.note) == run.scenario.events.map(\.note))
  }

  @Test func `percentile curves are those of every backend, not of the slowest alone`() throws {
    var run = SampleRun.failing
    run.latencies += run.latencies.prefix(3).map { latency in
      var latency = latency
      latency.world = "mimi-supply"
      latency.quantiles = latency.quantiles.map {
        Quantile(q: $0.q, seconds: $0.seconds.map { $0 / 100 }, interval: nil)
      }
      return latency
    }
    let curves = try section("latencies", of: run).matches(
      of: /<\/strong>([a-z-]+)\.[A-Za-z]+ · modelled/)
    let drawn = curves.map { String($0.output.1) }
    #expect(drawn.count == 6)
    #expect(drawn.count { $0 == "mimi-supply" } == 3)
  }

  @Test func `commands name the run's own folder where it is known`() throws {
    var run = SampleRun.passing
    #expect(page(run).contains("<span>FOLDER</span>"))
    run.folder = "reports/my runs/1"
    let page = self.page(run)
    #expect(!page.contains("FOLDER"))
    #expect(page.contains("<span>&#39;reports/my</span> <span>runs/1&#39;</span>"))
  }

  @Test func `with two worlds every heading and picture names its own`() throws {
    var run = SampleRun.failing
    var load = run.load[0]
    load.world = "mimi-supply"
    run.load.append(load)
    var business = run.business[1]
    business.world = "mimi-supply"
    run.business.append(business)
    var funnel = run.funnel
    for index in funnel.indices { funnel[index].world = "mimi-supply" }
    run.funnel += funnel
    let page = self.page(run)
    for heading in ["In kantine-koning", "In mimi-supply"] {
      #expect(page.contains("<h3>\(heading)</h3>"), "\(heading)")
    }
    #expect(page.contains("<strong>mimi-supply: phone</strong>"))
    #expect(page.matches(of: /<text class="name"[^>]*>mimi-supply</).count == 2)
  }

  @Test func `what stays open for one reason stands in one sentence`() {
    var run = SampleRun.passing
    run.verdict = .inconclusive
    run.exitCode = 98
    run.objectives = (0..<5).map { index in
      var objective = SampleRun.failing.objectives[0]
      objective.text = "p\(index) of x < 1s"
      objective.verdict = .inconclusive
      objective.reason = index == 4 ? "nothing was measured" : "too few replications"
      return objective
    }
    #expect(
      Story(of: run).findings == [
        "“p0 of x < 1s”, “p1 of x < 1s”, “p2 of x < 1s” and 1 more stay open: too few replications.",
        "“p4 of x < 1s” stays open: nothing was measured.",
      ])
  }
}
