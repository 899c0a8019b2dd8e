import Runs

/// Counts as bars on one axis, a line each, the largest first.
struct BarChart {
  struct Bar {
    let name: String
    let count: Int
    /// The part of it that is drawn full, where only some of it is.
    var part: Int?
    /// `replied`, `refused` or `lost`.
    let style: String
    /// What stands behind it.
    let note: String
  }

  let title: String
  let bars: [Bar]
  /// What a full bar stands for; the largest count where left out.
  var whole: Int?
  let description: String

  /// - Parameter style: Where it is shown; by its width where left out.
  func draw(id: String, narrow: Bool, style: String? = nil) -> String {
    let width = narrow ? 360.0 : 1_216.0
    let (left, row) = narrow ? (4.0, 34.0) : (430.0, 20.0)
    var drawing = Drawing(width: width, height: 4 + Double(bars.count) * row)
    let area = PlotArea(
      left: left, top: 2, right: width - (narrow ? 132 : 200), bottom: drawing.height)
    let most = Double(max(1, whole ?? bars.map(\.count).max() ?? 1))
    for (place, bar) in bars.enumerated() {
      let y = area.top + Double(place) * row + (narrow ? 16 : 3)
      let room = narrow ? 52 : 66
      let name = bar.name.count > room ? String(bar.name.prefix(room - 1)) + "…" : bar.name
      if narrow {
        drawing.text(name, left, y - 4, "label")
      } else {
        drawing.text(name, left - 14, y + 11, "label", anchor: "end")
      }
      let end = area.x(Double(bar.count) / most)
      drawing.rectangle(left, y, max(1, end - left), 14, "bar " + bar.style)
      if let part = bar.part {
        drawing.rectangle(left, y, area.x(Double(part) / most) - left, 14, bar.style)
      }
      drawing.text(bar.note, end + 8, y + 11)
      drawing.hit(left, y - 3, area.width, 20, "\(bar.name): \(bar.note)")
    }
    return drawing.element(
      id: id, title: title, description: description, style: style ?? (narrow ? "narrow" : "wide"))
  }
}
