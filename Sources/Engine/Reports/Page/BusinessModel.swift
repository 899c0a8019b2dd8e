import Runs
import Verdicts

/// Times between two things of the domain.
struct BusinessModel: Sendable {
  let quantiles: [String]
  let rows: [Row]
  let isEmpty: Bool
  let curves: [Curve]
  let hasCurves: Bool

  init(_ run: Run) {
    let shown = shownQuantiles(run.business.map(\.quantiles))
    quantiles = shown.map(Figures.quantile)
    rows = run.business.map { Row($0, quantiles: shown) }
    isEmpty = rows.isEmpty
    curves = run.business.filter { !$0.survival.isEmpty }.enumerated().map { index, business in
      Curve(business, index: index)
    }
    hasCurves = !curves.isEmpty
  }

  struct Row: Sendable {
    let name: String
    let path: String
    let badge: [Badge]
    let stated: [String]
    let finished: Cell
    let unfinished: Cell
    let abandoned: Cell
    let quantiles: [Cell]

    init(_ business: BusinessResult, quantiles shown: [Double]) {
      name = business.title
      path = business.world + "." + business.name
      badge = business.verdict.map { [Badge($0)] } ?? []
      stated =
        business.boundSeconds.map { bound in
          let figure = Figures.duration(bound)
          return [business.limit.map { Texts.english.statedBy($0, bound: figure) } ?? figure]
        } ?? []
      finished = Cell(count: business.count)
      unfinished = Cell(count: business.unfinished)
      abandoned = Cell(count: business.abandoned)
      let known = business.count + business.unfinished
      quantiles = shown.map { Cell($0, of: business.quantiles, count: known) }
    }
  }

  struct Curve: Sendable {
    let name: String
    let caption: String
    let picture: String

    init(_ business: BusinessResult, index: Int) {
      let texts = Texts.english
      name = business.title
      caption =
        [
          Figures.count(business.count) + " " + texts.finished.lowercased(),
          Figures.count(business.unfinished) + " " + texts.unfinished.lowercased(),
          Figures.count(business.abandoned) + " " + texts.abandoned.lowercased(),
        ].joined(separator: " · ")
      picture = SurvivalChart.draw(business, id: "survival-\(index)")
    }
  }
}
