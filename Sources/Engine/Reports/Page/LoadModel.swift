import Contracts
import Runs
import Scenarios
import Timekeeping

/// Requests over time, a picture for each world, with the events and faults that fell on it.
struct LoadModel: Sendable {
  let worlds: [World]
  let isEmpty: Bool
  let axis: String

  /// Numbers that still fit on a picture; further happenings are listed without one.
  private static let numberedMax = 24

  init(_ run: Run) {
    let scenario = run.scenario
    let series = run.load.filter { !$0.requests.isEmpty && $0.slice > .zero }
    worlds = series.enumerated().map { index, series in
      World(series, index: index, in: run, numbered: Self.numberedMax)
    }
    isEmpty = worlds.isEmpty
    axis = Texts.english.localTime(scenario.zone.name)
  }

  struct World: Sendable {
    let name: String
    let latencyName: String
    let wideCaption: String
    let narrowCaption: String
    let wide: String
    let narrow: String
    let hasLatency: Bool
    let latencyWide: String
    let latencyNarrow: String
    /// Half a sentence on what the scenario's slices are.
    let latencyCaption: String
    let happenings: [Happening]
    let hasHappenings: Bool
    let hasRefused: Bool
    let hasLost: Bool

    init(_ series: LoadSeries, index: Int, in run: Run, numbered: Int) {
      let all = Happening.all(in: run.scenario, of: series.world)
      let chart = LoadChart(
        series: series,
        happenings: all.prefix(numbered).map {
          LoadChart.Happening(number: $0.number, from: $0.from, to: $0.to)
        }, starts: run.scenario.starts, zone: run.scenario.zone,
        replications: run.repetitions)
      name = Texts.english.requestsOf(series.world.excerpt)
      latencyName = Texts.english.latenciesOf(series.world.excerpt)
      wideCaption = chart.caption(narrow: false)
      narrowCaption = chart.caption(narrow: true)
      wide = chart.draw(id: "load-\(index)-wide", narrow: false)
      narrow = chart.draw(id: "load-\(index)-narrow", narrow: true)
      let latency = LatencyTimeChart(chart)
      hasLatency = latency != nil
      latencyWide = latency?.draw(id: "pace-\(index)-wide", narrow: false) ?? ""
      latencyNarrow = latency?.draw(id: "pace-\(index)-narrow", narrow: true) ?? ""
      latencyCaption = Texts.english.latencyPerSlice(
        Figures.duration(series.slice.seconds), ofReplications: run.generator == nil)
      happenings = all
      hasHappenings = !all.isEmpty
      hasRefused = series.refused.contains { $0 > 0 }
      hasLost = series.lost.contains { $0 > 0 }
    }
  }

  /// An event or a fault of the scenario, numbered in the order of time.
  struct Happening: Sendable {
    let number: Int
    let from: Instant
    let to: Instant?
    let kind: String
    let tone: String
    let when: String
    let what: String

    static func all(in scenario: ScenarioSummary, of world: String) -> [Happening] {
      let texts = Texts.english
      let events = scenario.events.filter { $0.domain == world }.map {
        (from: $0.at, to: Instant?.none, what: describe($0))
      }
      let faults = scenario.faults.filter { $0.domain == world }.map {
        (
          from: $0.from, to: Optional($0.to),
          what: texts.fault(
            texts.name($0.kind), share: Figures.share($0.share), of: $0.operation, most: $0.count)
        )
      }
      let ordered = (events + faults).enumerated().sorted {
        ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
      }
      return ordered.enumerated().map { index, item in
        let (from, to, what) = item.element
        let days = scenario.lasts > .days(1)
        let start = Figures.appointment(from, in: scenario.zone, day: days)
        let end = to.map {
          " – " + Figures.appointment($0, in: scenario.zone, day: days && $0 - from >= .hours(12))
        }
        return Happening(
          number: index + 1, from: from, to: to,
          kind: to == nil ? texts.eventKind : texts.faultKind,
          tone: to == nil ? "event" : "fault", when: start + (end ?? ""), what: what)
      }
    }

    private static func describe(_ event: ScheduledEvent) -> String {
      let parameters = event.parameters.object?.members ?? []
      let list = parameters.map { $0.name + ": " + ($0.value.string ?? $0.value.description) }
      return event.command + (list.isEmpty ? "" : " (" + list.joined(separator: ", ") + ")")
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
