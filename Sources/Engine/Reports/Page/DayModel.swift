import Contracts
import Runs
import Scenarios
import Timekeeping

/// The run over its clock: one picture of all backends, and what the scenario did to them.
struct DayModel: Sendable {
  let isEmpty: Bool
  let caption: String
  let wide: String
  let narrow: String
  let hasIntervals: Bool
  let hasRefused: Bool
  let lostLegend: String
  /// Where somewhere more got no answer than a quantile leaves.
  let beyondLegend: [String]
  let happenings: [Happening]
  let hasHappenings: Bool
  let more: [Happening]
  let hasMore: Bool
  let moreSummary: String

  /// Numbers that still fit on a picture; further happenings are listed without one.
  private static let numberedMax = 24
  /// Happenings in sight; those that come later are folded away.
  private static let shown = 4

  init(_ run: Run) {
    let scenario = run.scenario
    let series = Self.series(of: run)
    let all = Happening.all(in: scenario, naming: series.count > 1)
    isEmpty = series.isEmpty
    let chart = Self.chart(of: run)
    wide = isEmpty ? "" : chart.draw(id: "ribbon-wide", narrow: false)
    narrow = isEmpty ? "" : chart.draw(id: "ribbon-narrow", narrow: true)
    caption = Texts.english.ribbonCaption(
      slice: Figures.duration(series.first?.slice.seconds ?? 0),
      replications: run.repetitions, zone: scenario.zone.name)
    hasIntervals = series.contains { $0.p50Intervals.contains { $0 != nil } }
    hasRefused = series.contains { $0.refused.contains { $0 > 0 } }
    lostLegend = Texts.english.screen.lostLegend(
      unsent: chart.bands.contains { $0.hasUnsent },
      cutOff: run.unknowns.filter { $0.code == UnknownCause.runEnded.rawValue }
        .reduce(0) { $0 + $1.count })
    let beyond = chart.bands.filter { $0.series.p95.contains { $0 == .infinity } }
    beyondLegend =
      beyond.isEmpty
      ? [] : [Texts.english.beyondLegend(unsent: beyond.contains { $0.hasUnsent })]
    happenings = Array(all.prefix(Self.shown))
    more = Array(all.dropFirst(Self.shown))
    (hasHappenings, hasMore) = (!happenings.isEmpty, !more.isEmpty)
    moreSummary = Texts.english.moreHappenings(more.count)
  }

  private static func series(of run: Run) -> [LoadSeries] {
    run.load.filter { !$0.requests.isEmpty && $0.slice > .zero }
  }

  static func chart(of run: Run) -> RibbonChart {
    let (scenario, series) = (run.scenario, series(of: run))
    let all = Happening.all(in: scenario, naming: series.count > 1)
    return RibbonChart(
      bands: series.map { series in
        RibbonChart.Band(
          series: series.drawable,
          happenings: all.prefix(numberedMax).filter { $0.world == series.world }.map {
            RibbonChart.Happening(number: $0.number, from: $0.from, to: $0.to)
          },
          hasUnsent: run.unsents.contains { $0.world == series.world && $0.isNotAsked })
      }, starts: scenario.starts, zone: scenario.zone, replications: run.repetitions)
  }

  /// An event or a fault of the scenario, numbered in the order of time.
  struct Happening: Sendable {
    let number: Int
    let world: String
    let from: Instant
    let to: Instant?
    let tone: String
    let when: String
    let what: String

    /// - Parameter naming: Whether each says which backend it happened to.
    static func all(in scenario: ScenarioSummary, naming: Bool) -> [Happening] {
      let texts = Texts.english
      let events = scenario.events.map {
        (world: $0.domain, from: $0.at, to: Instant?.none, what: describe($0))
      }
      let faults = scenario.faults.map {
        (
          world: $0.domain, from: $0.from, to: Optional($0.to),
          what: texts.fault(
            texts.name($0.kind), share: Figures.share($0.share), of: $0.operation, most: $0.count)
        )
      }
      let ordered = (events + faults).enumerated().sorted {
        ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
      }
      return ordered.enumerated().map { index, item in
        let (world, from, to, what) = item.element
        let days = scenario.lasts > .days(1)
        let start = Figures.appointment(from, in: scenario.zone, day: days)
        let end = to.map {
          " – " + Figures.appointment($0, in: scenario.zone, day: days && $0 - from >= .hours(12))
        }
        return Happening(
          number: index + 1, world: world, from: from, to: to,
          tone: to == nil ? "event" : "fault", when: start + (end ?? ""),
          what: naming ? world.excerpt + ": " + what : what)
      }
    }

    private static func describe(_ event: ScheduledEvent) -> String {
      if let note = event.note { return note.excerpt }
      let parameters = event.parameters.object?.members ?? []
      let list = parameters.map { $0.name.inWords + " " + value($0.value) }
      return ([event.command.inWords.capitalizedFirst] + list).joined(separator: ", ").excerpt
    }

    /// A value that fits in a line: of what has parts only their number, of a path its last name.
    private static func value(_ value: JSON) -> String {
      if let text = value.string { return text.split(separator: "/").last.map(String.init) ?? text }
      if let items = value.array { return "(\(Figures.count(items.count)))" }
      if let members = value.object?.members {
        return members.map(\.name.inWords).joined(separator: " and ")
      }
      if let flag = value.bool { return flag ? "yes" : "no" }
      return value.description
    }
  }
}

extension Texts {
  func name(_ kind: Fault.Kind) -> String {
    switch kind {
    case .requestLost: requestLost
    case .answerLost: answerLost
    case .status: serverError
    case .connectionRefused: connectionRefused
    case .connectionReset: connectionReset
    case .truncated: truncated
    case .duplicate: duplicate
    case .delay(let span): delay(Figures.duration(span.seconds))
    }
  }
}
