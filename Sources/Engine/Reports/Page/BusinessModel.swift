import Runs
import Verdicts

/// Times between two things of the domain, a table for each world: what people use the product for first.
struct BusinessModel: Sendable {
  let worlds: [World]
  let isEmpty: Bool
  let curves: [Curve]
  let hasCurves: Bool
  let moreCurves: [Curve]
  let hasMoreCurves: Bool

  /// Curves in sight, those of what matters most.
  private static let curvesShown = 6

  init(_ run: Run) {
    let shown = shownQuantiles(run.business.map(\.quantiles), of: [0.5, 0.9, 0.99])
    let ordered = run.businessByWeight
    var names: [String] = []
    for business in run.business where !names.contains(business.world) {
      names.append(business.world)
    }
    worlds = names.map { name in
      World(name, ordered.filter { $0.world == name }, quantiles: shown)
    }
    isEmpty = worlds.isEmpty
    let pictures = ordered.filter { $0.survival.count > 1 }.enumerated().map { index, business in
      Curve(business, index: index)
    }
    curves = Array(pictures.prefix(Self.curvesShown))
    moreCurves = Array(pictures.dropFirst(Self.curvesShown))
    (hasCurves, hasMoreCurves) = (!curves.isEmpty, !moreCurves.isEmpty)
  }

  struct World: Sendable {
    let heading: String
    let caption: String
    let quantiles: [String]
    let rows: [Row]

    init(_ name: String, _ business: [BusinessResult], quantiles shown: [Double]) {
      let texts = Texts.english
      heading = texts.inWorld(name.excerpt)
      caption = texts.businessCaption + ": " + name.excerpt
      quantiles = shown.map(Figures.quantile)
      var said: Set<String> = []
      rows = business.map { business in
        // What is abandoned is said once for all to which it applies.
        let words = business.abandoned > 0 ? business.notes.abandoned : nil
        let isNew = words.map { said.insert($0).inserted } ?? false
        return Row(business, quantiles: shown, isExplained: !isNew)
      }
    }
  }

  struct Row: Sendable {
    let name: String
    let path: String
    /// What a reader must know beside the figures: who is abandoned, why a rule held although some were late.
    let remarks: [String]
    let badge: [Badge]
    let stated: [String]
    let finished: Cell
    let unfinished: Cell
    let abandoned: Cell
    let quantiles: [Cell]

    init(_ business: BusinessResult, quantiles shown: [Double], isExplained: Bool) {
      let texts = Texts.english
      name = business.title
      path = business.world + "." + business.name
      let abandonedRemark =
        business.abandoned > 0 && !isExplained
        ? business.notes.abandoned.map { [texts.abandonedAre($0)] } ?? [] : []
      remarks = (business.latenessInWords.map { [$0] } ?? []) + abandonedRemark
      badge =
        business.verdict.map {
          [Badge($0)]
        } ?? []
      stated =
        business.boundSeconds.map { bound in
          let figure = Figures.duration(bound)
          return [business.limit.map { texts.statedBy($0, bound: figure) } ?? figure]
        } ?? (business.limit.map { [$0] } ?? [])
      finished = Cell(count: business.count)
      unfinished = Self.cell(business.unfinished, of: business.begun)
      abandoned = Self.cell(business.abandoned, of: business.begun)
      let known = business.count + business.unfinished
      quantiles = shown.map { Cell($0, of: business.quantiles, count: known) }
    }

    private static func cell(_ count: Int, of begun: Int) -> Cell {
      Cell(
        Figures.count(count), key: Double(count),
        small: count > 0 && begun > 0 ? Figures.smallShare(Double(count) / Double(begun)) : nil)
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
        ([
          business.world,
          Figures.count(business.count) + " " + texts.finished.lowercased(),
          Figures.count(business.unfinished) + " " + texts.unfinished.lowercased(),
        ]
        + (business.abandoned > 0 ? [texts.leftOut(business.abandoned, of: business.begun)] : []))
        .joined(separator: " · ")
      picture = SurvivalChart.draw(business, id: "survival-\(index)")
    }
  }
}
