import Foundation
import Observations
import Reports
import Runs
import Scenarios
import Testing
import Timekeeping
import Verdicts

/// A picture of the page, with what it takes to read values back from it.
struct Picture {
  let text: String

  /// - Parameter id: That of its title, without `-t`.
  init(_ id: String, of run: Run) throws {
    try self.init(id, in: String(decoding: Page.bytes(for: run), as: UTF8.self))
  }

  init(_ id: String, in page: String) throws {
    let title = try #require(page.range(of: "aria-labelledby=\"\(id)-t "))
    let start = try #require(page[..<title.lowerBound].range(of: "<svg", options: .backwards))
    let end = try #require(page[title.upperBound...].range(of: "</svg>"))
    text = String(page[start.lowerBound..<end.upperBound])
  }

  struct Element {
    let attributes: [String: String]
    let text: String

    func number(_ name: String) throws -> Double {
      try #require(attributes[name].flatMap(Double.init))
    }
  }

  /// Elements of a kind and a class, in the order of the file.
  func elements(_ kind: String, _ style: String) -> [Element] {
    text.matches(of: /<([a-z]+) ([^>]*?)\/?>([^<]*)/).filter { $0.output.1 == kind }.map { match in
      let pairs = match.output.2.matches(of: /([a-z0-9-]+)="([^"]*)"/).map {
        (String($0.output.1), String($0.output.2))
      }
      return Element(
        attributes: Dictionary(pairs, uniquingKeysWith: { first, _ in first }),
        text: String(match.output.3))
    }.filter { $0.attributes["class"] == style }
  }

  /// The corners of a path.
  func corners(_ style: String, path: Int = 0) throws -> [(x: Double, y: Double)] {
    let paths = elements("path", style)
    try #require(paths.indices.contains(path))
    var corners: [(x: Double, y: Double)] = []
    for step in (paths[path].attributes["d"] ?? "").matches(
      of: /([MLHV])([0-9.-]+)(?: ([0-9.-]+))?/)
    {
      let first = try #require(Double(step.output.2))
      switch step.output.1 {
      case "H": corners.append((first, corners[corners.count - 1].y))
      case "V": corners.append((corners[corners.count - 1].x, first))
      default: corners.append((first, try #require(step.output.3.flatMap { Double($0) })))
      }
    }
    return corners
  }

  /// The lowest corner of a line at a place.
  static func lowest(of corners: [(x: Double, y: Double)], at x: Double) -> Double {
    corners.filter { $0.x == x }.map(\.y).max() ?? 0
  }

  /// The height of a line at a place.
  static func height(of corners: [(x: Double, y: Double)], at x: Double) -> Double? {
    zip(corners, corners.dropFirst()).first { $0.0.x <= x && x <= $0.1.x && $0.0.x < $0.1.x }?.0.y
  }
}

@Suite struct `Pictures of the report` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/Pictures")

  private static func run(with id: String) -> Run {
    if id.hasPrefix("pairs") || id.hasPrefix("change") { return SampleRun.slower }
    let ofLoad = ["load", "phases", "failures", "health"].contains { id.hasPrefix($0) }
    return ofLoad ? SampleLoad.climbing : SampleRun.failing
  }

  static func compare(_ picture: Picture, with id: String) throws {
    let drawn = picture.text.replacing("><", with: ">\n<") + "\n"
    let file = folder.appendingPathComponent(id + ".svg")
    if ProcessInfo.processInfo.environment["REHEARSAL_GOLDEN"] == "write" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(drawn.utf8).write(to: file)
    }
    #expect(drawn == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  /// `REHEARSAL_GOLDEN=write` accepts what the code draws now.
  @Test(arguments: [
    "ribbon-wide", "ribbon-narrow", "objective-0", "spectrum-0", "survival-0", "flow-0-0",
    "dots-wide", "dots-narrow", "outcomes-wide", "steps-0", "pairs-wide", "change-0",
    "load-wide", "load-narrow", "phases-wide", "failures-wide", "health-0",
  ])
  func `each is drawn as its committed file shows it`(id: String) throws {
    try Self.compare(Picture(id, of: Self.run(with: id)), with: id)
  }

  /// The seconds that a height stands for, by the two labelled marks of the axis.
  private func seconds(_ picture: Picture) throws -> (Double) -> Double {
    let units = ["ms": 0.001, "s": 1, "min": 60]
    var marks: [(seconds: Double, y: Double)] = []
    for label in picture.elements("text", "tick") {
      let parts = label.text.split(separator: " ")
      guard parts.count == 2, let number = Double(parts[0]), let unit = units[String(parts[1])]
      else { continue }
      marks.append((number * unit, try label.number("y")))
    }
    let (low, high) = (try #require(marks.first), try #require(marks.last))
    // The highest mark's label hangs below its line.
    let top = high.y - 8
    return { y in
      low.seconds * pow(high.seconds / low.seconds, (low.y - y) / (low.y - top))
    }
  }

  @Test func `the ribbon's response times are those of the result`() throws {
    let run = SampleRun.failing
    let picture = try Picture("ribbon-wide", of: run)
    let seconds = try seconds(picture)
    let series = run.load[0]
    let (left, right) = (106.0, 692.0)
    let width = (right - left) / Double(series.requests.count)
    for (values, style) in [(series.p50, "curve half"), (series.p95, "curve tail")] {
      // The sample is silent in one slice, which parts the line in two.
      let lines = [try picture.corners(style, path: 0), try picture.corners(style, path: 1)]
      for (index, value) in values.enumerated() {
        let x = left + width * (Double(index) + 0.5)
        let found = lines.lazy.compactMap { Picture.height(of: $0, at: x) }.first
        #expect((found == nil) == (value == nil), "\(style) \(index)")
        guard let found, let value else { continue }
        #expect(abs(seconds(found) / value - 1) < 0.01, "\(style) \(index)")
      }
    }
    let half = try #require(series.p50Intervals[0])
    let outline = try picture.corners("between half")
    #expect(abs(seconds(outline[0].y) / half.high - 1) < 0.01)
    #expect(abs(seconds(outline[outline.count - 1].y) / half.low - 1) < 0.01)
  }

  @Test func `a slice in which more than 1 in 20 got no answer is the slowest, not a gap`() throws {
    var run = SampleRun.failing
    run.unsents = []
    let count = run.load[0].requests.count
    run.load[0].p95 = Array(repeating: 0.3, count: count)
    run.load[0].p95[72] = nil
    run.load[0].lost[72] = run.load[0].requests[72] / 5
    run.load[0].lost[90] = run.load[0].requests[90] / 25
    // Too few tell it here, and nearly all were answered: that is a gap.
    run.load[0].p95[90] = nil
    let picture = try Picture("ribbon-wide", of: run)
    let width = (692.0 - 106) / Double(count)
    let corners = try picture.corners("curve tail")
    let (usual, worst) = (
      try #require(Picture.height(of: corners, at: 106 + width * 71.5)),
      try #require(Picture.height(of: corners, at: 106 + width * 72.5))
    )
    #expect(worst == 17 && usual > worst + 10)
    let heads = picture.elements("path", "beyond")
    #expect(heads.count == 1)
    #expect(abs(try picture.corners("beyond")[1].x - (106 + width * 72.5)) < 0.06)
    let gap = try picture.corners("curve tail", path: 1)
    #expect(abs(gap[0].x - (106 + width * 91)) < 0.06)
    #expect(picture.text.contains("; slowest at 12:00, when more than 1 in 20 got no answer;"))
    #expect(picture.text.contains(", p95 more than 1 in 20 got no answer</title>"))
    let legend = "more than 1 in 20 got no answer: there is no p95"
    #expect(String(decoding: Page.bytes(for: run), as: UTF8.self).contains(legend))
  }

  @Test func `what no device sent is named beside what got no answer, and only where it happened`()
    throws
  {
    var run = SampleRun.failing
    run.unsents = [Tally(world: "kantine-koning", operation: "sync", code: "offline", count: 31)]
    run.load[0].p95[72] = nil
    run.load[0].lost[72] = run.load[0].requests[72] / 5
    for id in ["ribbon-wide", "ribbon-narrow"] {
      #expect(try Picture(id, of: run).text.contains("or never sent</text>"), "\(id)")
      #expect(
        try Picture(id, of: run).text.contains(" of requests without an answer or never sent, at "))
    }
    let page = String(decoding: Page.bytes(for: run), as: UTF8.self)
    let words = [
      "without an answer or never sent · p50", "got no answer or were never sent: there is no p95",
      "no answer or never sent, below their share",
    ]
    for word in words { #expect(page.contains(word), "\(word)") }
    run.unknowns = [Tally(world: "kantine-koning", operation: "sync", code: "runEnded", count: 7)]
    #expect(
      String(decoding: Page.bytes(for: run), as: UTF8.self).contains(
        "below their share (7 cut off by the end)</li>"))
    for tally in [
      Tally(world: "kantine-koning", operation: "sync", code: "unreachable", count: 31),
      Tally(world: "mimi-supply", operation: "menu", code: "offline", count: 31),
    ] {
      run.unsents = [tally]
      #expect(try !Picture("ribbon-wide", of: run).text.contains("never sent"))
      let page = String(decoding: Page.bytes(for: run), as: UTF8.self)
      for word in words { #expect(!page.contains(word), "\(word)") }
    }
  }

  @Test func `a phone's ribbon names its parts once, above those of the first backend`() throws {
    let picture = try Picture("ribbon-narrow", of: SampleRun.city)
    let words = ["response time", "requests", "no answer"]
    let texts = picture.elements("text", "tick") + picture.elements("text", "name")
    var above = -Double.infinity
    for word in words {
      let found = texts.filter { $0.text.hasPrefix(word) }
      #expect(found.count == 1, "\(word)")
      let name = try #require(found.first)
      #expect(try name.number("x") == 48)
      #expect(try name.number("y") > above)
      above = try name.number("y")
    }
    let second = try #require(picture.elements("text", "name").dropFirst().first)
    #expect(try second.number("y") > above)
  }

  @Test func `response times that are alike all day name no time of day`() throws {
    var run = SampleRun.failing
    run.load[0].p95 = Array(repeating: 0.3, count: run.load[0].requests.count)
    let picture = try Picture("ribbon-wide", of: run)
    #expect(picture.text.contains("; all the time, 1 in 20 took longer than 300 ms;"))
  }

  @Test func `the ribbon's requests and errors are those of the result`() throws {
    let run = SampleRun.failing
    let picture = try Picture("ribbon-wide", of: run)
    let series = run.load[0]
    let (left, right) = (106.0, 692.0)
    let width = (right - left) / Double(series.requests.count)
    let peak = Double(series.requests.max() ?? 0)
    let shares = zip(series.lost, series.requests).map { Double($0) / Double($1) }
    // In one outline of the requests those that were lost, in the other their share, up to the quarter that the axis reaches.
    for (style, path, values, most) in [
      ("replied", 0, series.requests.map(Double.init), peak),
      ("lost", 0, series.lost.map(Double.init), peak), ("lost", 1, shares, 0.25),
    ] {
      let corners = try picture.corners(style, path: path)
      let bottom = corners[0].y
      let height = style == "lost" && path == 1 ? 30.0 : 56.0
      for (index, value) in values.enumerated() {
        let y = try #require(
          Picture.height(of: corners, at: left + width * (Double(index) + 0.5)))
        #expect(abs((bottom - y) / height - value / most) < 0.003, "\(style) \(index)")
      }
    }
  }

  @Test func `faults and events stand where they acted`() throws {
    let run = SampleRun.failing
    let picture = try Picture("ribbon-wide", of: run)
    let scenario = run.scenario
    func x(_ seconds: Double) -> Double { 106 + (692 - 106) * seconds / 64_800 }
    let faults = picture.elements("rect", "fault")
    #expect(faults.count == scenario.faults.count)
    for (fault, drawn) in zip(scenario.faults, faults) {
      #expect(abs(try drawn.number("x") - x((fault.from - scenario.starts).seconds)) < 0.06)
      let end = try drawn.number("x") + drawn.number("width")
      #expect(abs(end - x((fault.to - scenario.starts).seconds)) < 0.11)
    }
    let events = picture.elements("line", "event")
    #expect(events.count == scenario.events.count)
    for (event, drawn) in zip(scenario.events, events) {
      #expect(abs(try drawn.number("x1") - x((event.at - scenario.starts).seconds)) < 0.06)
    }
  }

  @Test(arguments: ["ribbon-wide", "ribbon-narrow"])
  func `the number of what happens at once leaves the backend's name in sight`(id: String) throws {
    var run = SampleRun.failing
    run.scenario.events[0].at = run.scenario.starts
    let picture = try Picture(id, of: run)
    let name = picture.elements("text", "name")[0]
    // A letter of this size is some seven wide.
    let end = try name.number("x") + Double(name.text.count) * 7
    #expect(try picture.elements("circle", "badge")[0].number("cx") - 7 > end)
  }

  @Test func `an objective's dot and bar are its estimate and interval, in units of its bound`()
    throws
  {
    let run = SampleRun.failing
    for (place, objective) in run.objectives.enumerated() {
      guard let estimate = objective.estimate, let interval = objective.interval else { continue }
      let picture = try Picture("objective-\(place)", of: run)
      let bound = try picture.elements("line", "bound")[0].number("x1") - 5
      func share(_ x: Double) -> Double { (x - 5) / bound }
      let tone = objective.verdict.rawValue
      guard estimate / objective.bound < 1.4, interval.high / objective.bound < 1.4 else {
        continue
      }
      let dot = try picture.elements("circle", "dot \(tone)")[0].number("cx")
      #expect(abs(share(dot) - estimate / objective.bound) < 0.002)
      // Its ends stand out above and below the dot, however narrow it is.
      let ends = picture.elements("line", "range-end \(tone)")
      try #require(ends.count == 2)
      #expect(abs(share(try ends[0].number("x1")) - interval.low / objective.bound) < 0.002)
      #expect(abs(share(try ends[1].number("x1")) - interval.high / objective.bound) < 0.002)
      #expect(try ends[0].number("y2") - ends[0].number("y1") > 10)
      let range = picture.elements("rect", "range \(tone)")[0]
      #expect(abs(share(try range.number("x")) - interval.low / objective.bound) < 0.002)
    }
  }

  @Test func `a step's bar is parted by what became of those who reached it`() throws {
    let run = SampleRun.failing
    let flow = run.flows[0]
    let all = Double(flow.steps[0].reached)
    for (place, step) in flow.steps.enumerated() {
      let picture = try Picture("flow-0-\(place)", of: run)
      let next =
        flow.steps.indices.contains(place + 1) ? flow.steps[place + 1].reached : step.reached
      #expect(
        abs(try picture.elements("rect", "on")[0].number("width") - 400 * Double(next) / all) < 0.06
      )
      for cause in Course.Cause.allCases {
        let count = step.losses.filter { $0.cause == cause }.reduce(0) { $0 + $1.count }
        let drawn = picture.elements("rect", "loss \(cause.rawValue)")
        #expect(drawn.count == (count > 0 ? 1 : 0))
        guard let drawn = drawn.first else { continue }
        #expect(abs(try drawn.number("width") - 400 * Double(count) / all) < 0.06)
      }
    }
  }

  /// The seconds that a place on a logarithmic axis stands for, by its first and its last label.
  private func seconds(_ picture: Picture, along: String) throws -> (Double) -> Double {
    let units = ["µs": 1e-6, "ms": 0.001, "s": 1, "min": 60, "h": 3_600, "d": 86_400]
    var marks: [Double: Double] = [:]
    for label in picture.elements("text", "tick") {
      let parts = label.text.split(separator: " ")
      // Those of a level stand left of the picture.
      let isBeside = try label.number("x") < 132
      guard along == "x" || isBeside, parts.count == 2, let number = Double(parts[0]),
        let unit = units[String(parts[1])]
      else { continue }
      // Labels beside a level stand a little below it.
      marks[number * unit] = try label.number(along) - (along == "y" ? 3.5 : 0)
    }
    let (low, high) = (try #require(marks.keys.min()), try #require(marks.keys.max()))
    let (start, end) = (marks[low]!, marks[high]!)
    return { low * pow(high / low, ($0 - start) / (end - start)) }
  }

  @Test func `dots and lines are the percentiles of operations with their intervals`() throws {
    let run = SampleRun.failing
    let picture = try Picture("dots-wide", of: run)
    let seconds = try seconds(picture, along: "x")
    let ordered = run.latencies.sorted { a, b in
      (a.quantiles[3].seconds ?? .infinity) > (b.quantiles[3].seconds ?? .infinity)
    }
    let (half, tail) = (
      picture.elements("circle", "mark half"), picture.elements("circle", "mark tail")
    )
    #expect(half.count == ordered.count && tail.count == ordered.count)
    for (place, latency) in ordered.enumerated() {
      for (drawn, q) in [(half[place], 0.5), (tail[place], 0.95)] {
        let value = try #require(latency.quantiles.first { $0.q == q }?.seconds)
        #expect(abs(seconds(try drawn.number("cx")) / value - 1) < 0.005, "\(latency.title) \(q)")
      }
      let interval = try #require(latency.quantiles.first { $0.q == 0.5 }?.interval)
      let line = picture.elements("line", "between-line half")[place]
      #expect(abs(seconds(try line.number("x1")) / interval.low - 1) < 0.005)
      #expect(abs(seconds(try line.number("x2")) / interval.high - 1) < 0.005)
    }
  }

  @Test func `a percentile curve goes on to the last request that the data reach`() throws {
    var run = SampleRun.failing
    run.latencies = [run.latencies[7]]
    let latency = run.latencies[0]
    let picture = try Picture("spectrum-0", of: run)
    let seconds = try seconds(picture, along: "y")
    let (left, right) = (50.0, 282.0)
    let decades = 6.0
    let corners = try picture.corners("curve")
    func share(_ x: Double) -> Double { 1 - pow(10, -(x - left) / (right - left) * decades) }
    let last = try #require(latency.curve.last)
    #expect(abs(log10(1 - share(corners[corners.count - 1].x)) - log10(1 - last.share)) < 0.01)
    #expect(abs(seconds(corners[corners.count - 1].y) / last.seconds - 1) < 0.02)
    for quantile in latency.quantiles where quantile.seconds != nil {
      let x = left - log10(1 - quantile.q) / decades * (right - left)
      let point = try #require(
        picture.elements("circle", "point").first { abs(((try? $0.number("cx")) ?? 0) - x) < 0.06 })
      #expect(abs(seconds(try point.number("cy")) / (quantile.seconds ?? 0) - 1) < 0.02)
    }
  }

  @Test func `a percentile curve ends with the slowest answer, where no answer begins`() throws {
    var run = SampleRun.failing
    var latency = run.latencies[0]
    latency.count = 100_000
    latency.unanswered = 1_700
    latency.cutOff = 0
    latency.curve = [0, 0.5, 0.9375, 0.9765625].map {
      CurvePoint(share: $0, seconds: 0.1 + 0.4 * $0)
    }
    latency.quantiles = [
      Quantile(q: 0.5, seconds: 0.3, interval: nil),
      Quantile(q: 0.99, seconds: nil, interval: nil, longerThan: 1.5),
    ]
    latency.answeredQuantiles = [Quantile(q: 0.999, seconds: 0.9, interval: nil)]
    run.latencies = [latency]
    let picture = try Picture("spectrum-0", of: run)
    let seconds = try seconds(picture, along: "y")
    let corners = try picture.corners("curve")
    let last = corners[corners.count - 1]
    let silence = picture.elements("rect", "forbidden")[0]
    #expect(abs(try silence.number("x") - last.x) < 0.11)
    #expect(abs(seconds(last.y) / 1.5 - 1) < 0.02)
    #expect(abs(seconds(corners[corners.count - 2].y) / 0.9 - 1) < 0.02)
  }

  @Test
  func `a survival curve is the share still open, with the unfinished where they were seen last`()
    throws
  {
    let run = SampleRun.failing
    // What matters most comes first.
    let business = run.business[1]
    let picture = try Picture("survival-0", of: run)
    let corners = try picture.corners("curve")
    let seconds = try seconds(picture, along: "x")
    for point in business.survival where point.share > 0.02 && point.share < 0.98 {
      let corner = try #require(
        corners.min {
          abs(seconds($0.x) / point.seconds - 1) < abs(seconds($1.x) / point.seconds - 1)
        })
      let share = (168 - Picture.lowest(of: corners, at: corner.x)) / 150
      #expect(abs(share - point.share) < 0.004, "\(point.seconds)")
    }
    let marks = try #require(picture.elements("path", "whisker").first?.attributes["d"])
      .matches(of: /M([0-9.]+)\s/).compactMap { Double($0.output.1) }
    // Strokes that would touch are one.
    #expect(!marks.isEmpty && marks.count <= business.openSince.count)
    for mark in marks {
      #expect(business.openSince.contains { abs(seconds(mark) / $0.seconds - 1) < 0.03 })
    }
    #expect(zip(marks, marks.dropFirst()).allSatisfy { $1 - $0 > 2.4 })
    let base = "402,332 of 411,452; 9,120 abandoned are left out"
    #expect(picture.text.contains(base + "."))
    #expect(String(decoding: Page.bytes(for: run), as: UTF8.self).contains(" · " + base))
    #expect(picture.text.contains("214 were still open when the run ended"))
  }

  @Test func `a pair is what a figure was and what it is`() throws {
    let run = SampleRun.slower
    let times = try #require(run.comparison).metrics.filter { $0.measure != .withoutAnswer }
    let picture = try Picture("pairs-wide", of: run)
    let seconds = try seconds(picture, along: "x")
    let before = picture.elements("circle", "mark before")
    #expect(before.count == min(16, times.count))
    for (drawn, metric) in zip(before, times) {
      #expect(abs(seconds(try drawn.number("cx")) / metric.before - 1) < 0.005)
    }
    let slower = picture.elements("circle", "mark after fail")
    let grown = times.filter { $0.change.verdict == .regression }
    #expect(!grown.isEmpty && slower.count == grown.count)
    for (drawn, metric) in zip(slower, grown) {
      #expect(abs(seconds(try drawn.number("cx")) / metric.after - 1) < 0.005)
    }
    #expect(picture.text.contains("▲ +"))
  }

  @Test func `bars are as long as what they count`() throws {
    let run = SampleRun.failing
    let picture = try Picture("outcomes-wide", of: run)
    let all = (run.refusals + run.unknowns + run.unsents).map(\.count).sorted(by: >).prefix(12)
    let drawn =
      try picture.elements("rect", "bar refused").map { try $0.number("width") }
      + picture.elements("rect", "bar lost").map { try $0.number("width") }
    #expect(drawn.count == all.count)
    for (width, count) in zip(drawn.sorted(by: >), all) {
      #expect(abs(width / 586 - Double(count) / Double(all[0])) < 0.001)
    }
  }

  @Test func `a role's bars are those who asked, filled by those who got it`() throws {
    let role = SampleRun.failing.funnel[0]
    let picture = try Picture("steps-0", of: SampleRun.failing)
    let steps = role.steps.sorted { $0.asked > $1.asked }
    for (style, count) in [("bar replied", \FunnelResult.Step.asked), ("replied", \.got)] {
      let drawn = try picture.elements("rect", style).map { try $0.number("width") }
      #expect(drawn.count == steps.count)
      for (width, step) in zip(drawn, steps) {
        let share = Double(step[keyPath: count]) / Double(role.persons)
        #expect(abs(width / 224 - share) < 0.001, "\(step.title)")
      }
    }
  }

  @Test func `a change's dot is its ratio, on the scale of what nobody minds`() throws {
    let comparison = try #require(SampleRun.slower.comparison)
    var read = 0
    for place in 0..<6 {
      let picture = try Picture("change-\(place)", of: SampleRun.slower)
      let allowed = picture.elements("rect", "allowed")[0]
      let (start, width) = (try allowed.number("x"), try allowed.number("width"))
      let metric = comparison.metrics.first {
        picture.text.contains(">\($0.name.operation) \($0.measure.rawValue)</title>")
      }
      let dot = picture.text.firstMatch(of: /<circle class="dot [a-zA-Z]+" cx="([0-9.]+)"/)
      guard let ratio = metric?.change.ratio, let x = dot.flatMap({ Double($0.output.1) }) else {
        continue
      }
      let drawn = exp((x - start - width / 2) / (width / 2) * log(1 + comparison.margin))
      #expect(abs(drawn / ratio - 1) < 0.005)
      read += 1
    }
    #expect(read > 2)
  }

  @Test func `a load's picture has the rates, times and failures of its series`() throws {
    let run = SampleLoad.climbing
    let series = run.load[0]
    let pace = try #require(series.pace)
    let picture = try Picture("load-wide", of: run)
    let (left, right) = (132.0, 1_208.0)
    let width = (right - left) / Double(series.requests.count)
    let errors = zip(series.lost, series.requests).map { Double($0) / Double($1) }
    for (style, values, most, height) in [
      ("curve wanted", pace.wanted, 400, 76.0),
      ("replied", pace.answered.map(Double.init), 400, 76), ("lost", errors, 0.15, 36),
    ] {
      let corners = try picture.corners(style)
      let bottom = style == "lost" ? 16 + 76 + 10 + 170 + 10 + 36.0 : 16 + 76.0
      for (slice, value) in values.enumerated() {
        let y = try #require(
          Picture.height(of: corners, at: left + width * (Double(slice) + 0.5)))
        #expect(abs((bottom - y) / height - value / most) < 0.003, "\(style) \(slice)")
      }
    }
    let seconds = try seconds(picture, along: "y")
    for (style, values) in [("curve half", series.p50), ("curve tail", series.p99)] {
      let corners = try picture.corners(style)
      #expect(corners.count > 5)
      for corner in corners {
        let value = try #require(values[Int((corner.x - left) / width)])
        #expect(abs(seconds(corner.y) / value - 1) < 0.02, "\(style)")
      }
    }
    // A cell of the map for each slice and each pair of classes in which anything was.
    let cells = picture.text.matches(of: /M([0-9.]+) ([0-9.]+)H[0-9.]+V([0-9.]+)H[0-9.]+Z/).map {
      (x: Double($0.output.1) ?? 0, top: Double($0.output.2) ?? 0, low: Double($0.output.3) ?? 0)
    }
    let expected = pace.times.map { counts in
      stride(from: 0, to: counts.count, by: 2).filter { counts[$0] + counts[$0 + 1] > 0 }
    }
    #expect(cells.count == expected.joined().count)
    for (slice, rows) in expected.enumerated() {
      let drawn = cells.filter { Int(($0.x - left + 0.1) / width) == slice }
        .sorted { $0.top > $1.top }
      #expect(drawn.count == rows.count)
      for (cell, row) in zip(drawn, rows) {
        #expect(abs(seconds(cell.low) / pace.edges[row] - 1) < 0.02)
        #expect(abs(seconds(cell.top) / pace.edges[row + 2] - 1) < 0.02)
      }
    }
  }

  @Test func `the generator's health is its figures against their limits`() throws {
    let generator = try #require(SampleLoad.climbing.generator)
    let shares = [
      generator.lateness[1].seconds / generator.latenessLimit, 0.21, 0,
      generator.threadShare / generator.threadShareLimit,
    ]
    for (place, share) in shares.enumerated() {
      let picture = try Picture("health-\(place)", of: SampleLoad.climbing)
      let bound = try picture.elements("line", "bound")[0].number("x1") - 5
      let dot = try picture.elements("circle", "dot pass")[0].number("cx") - 5
      #expect(abs(dot / bound - share) < 0.002)
    }
  }

  @Test func `phases are dots of their percentiles, in the order of time`() throws {
    let picture = try Picture("phases-wide", of: SampleLoad.climbing)
    let seconds = try seconds(picture, along: "x")
    let half = try picture.elements("circle", "mark half").map { seconds(try $0.number("cx")) }
    #expect(abs(half[0] / 0.0068 - 1) < 0.005 && abs(half[1] / 0.043 - 1) < 0.005)
    #expect(picture.elements("text", "label").first?.text.hasPrefix("1. 1min at 100/s") == true)
  }

  @Test func `objectives stand in the order of their room`() throws {
    let page = String(decoding: Page.bytes(for: SampleRun.failing), as: UTF8.self)
    let order = page.matches(of: /aria-labelledby="objective-([0-9]+)-t/).compactMap {
      Int($0.output.1)
    }
    #expect(order.count == SampleRun.failing.objectives.count)
    #expect(SampleRun.failing.objectives[order[0]].verdict == .fail)
    let rooms = order.map { place -> Double in
      let objective = SampleRun.failing.objectives[place]
      let (end, bound) = (objective.interval, objective.bound)
      return objective.text.contains(">")
        ? (end?.low ?? objective.estimate ?? -.infinity) / bound - 1
        : 1 - (end?.high ?? objective.estimate ?? .infinity) / bound
    }
    #expect(rooms == rooms.sorted())
  }

  @Test func `the map has one square a rule, which names it and leads to it`() throws {
    var run = SampleRun.failing
    run.limits[0].theme = "Identity"
    run.limits[1].theme = "Diensten"
    run.limits[2].theme = "Identity"
    let page = String(decoding: Page.bytes(for: run), as: UTF8.self)
    let squares = page.matches(
      of: /<a class="q ([A-Za-z]+)( [a-z0-9]+)?" href="#rule-([0-9]+)" title="([^"]+)"><\/a>/)
    #expect(squares.count == run.limits.count)
    for square in squares {
      let place = try #require(Int(square.output.3))
      let limit = run.limits[place]
      #expect(square.output.1 == limit.verdict.rawValue)
      #expect(square.output.4.hasPrefix(limit.id + ": "))
      let isThin = limit.verdict == .pass && (limit.upperBound ?? 0) > 0.05
      let level = [1_000, 10_000, 100_000].count { limit.exercised >= $0 } + 1
      let filled = limit.verdict == .pass ? (isThin ? " thin" : " l\(level)") : nil
      #expect(square.output.2.map(String.init) == filled)
      #expect(page.contains("id=\"rule-\(place)\""))
    }
    #expect(Set(squares.compactMap(\.output.2)).count > 3)
    // Rules of one theme stand together.
    #expect(squares.map(\.output.3).firstIndex(of: "2") == 1)
    #expect(page.contains("<li>Identity <span>"))
  }

  @Test func `a square of the matrix is filled by the share that was granted`() throws {
    let page = String(decoding: Page.bytes(for: SampleRun.failing), as: UTF8.self)
    let begin = try #require(page.range(of: "<section id=\"matrix\">"))
    let fills = page[begin.upperBound...].matches(
      of: /<td title="([^"]+)"><span class="grant [a-z ]+" style="--f:([0-9]+)%"/)
    let shares = SampleRun.failing.funnel[0].steps.flatMap { step in
      SampleRun.failing.funnel.map { role in
        role.steps.first { $0.operation == step.operation }.map {
          Double($0.replied) / Double($0.replied + $0.refused)
        }
      }
    }
    #expect(fills.count == shares.count)
    for (fill, share) in zip(fills, shares) {
      #expect(abs((Double(fill.output.2) ?? -1) - (share ?? 0) * 100) <= 0.5, "\(fill.output.1)")
    }
  }
}
