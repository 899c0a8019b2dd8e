import Foundation

/// An SVG picture under construction, in the coordinates of its view box; colours come from the page's style.
struct Drawing {
  let width: Double
  let height: Double
  private var body = ""

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// A coordinate to a tenth of a unit: finer is not seen, and it keeps the file small.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = Int((value * 10).rounded())
    guard tenths % 10 != 0 else { return String(tenths / 10) }
    return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    body += "<line class=\"\(style)\""
    attribute("x1", x1)
    attribute("y1", y1)
    attribute("x2", x2)
    attribute("y2", y2)
    body += "/>"
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, radius: Double = 0
  ) {
    body += "<rect class=\"\(style)\""
    attribute("x", x)
    attribute("y", y)
    attribute("width", max(0, width))
    attribute("height", max(0, height))
    if radius > 0 { attribute("rx", radius) }
    body += "/>"
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String) {
    body += "<circle class=\"\(style)\""
    attribute("cx", x)
    attribute("cy", y)
    attribute("r", radius)
    body += "/>"
  }

  mutating func path(_ points: [(x: Double, y: Double)], _ style: String, closed: Bool = false) {
    guard points.count > 1 else { return }
    body += "<path class=\"\(style)\" d=\""
    var last: (x: String, y: String)?
    for point in points {
      let (x, y) = (Self.number(point.x), Self.number(point.y))
      // Most lines of our pictures are level or upright, and those take one number.
      switch last {
      case (x, y)?: continue
      case (x, _)?: body += "V" + y
      case (_, y)?: body += "H" + x
      case nil: body += "M" + x + " " + y
      default: body += "L" + x + " " + y
      }
      last = (x, y)
    }
    body += closed ? "Z\"/>" : "\"/>"
  }

  /// Many upright lines of one style.
  mutating func ticks(_ ticks: [(x: Double, top: Double, bottom: Double)], _ style: String) {
    guard !ticks.isEmpty else { return }
    body += "<path class=\"\(style)\" d=\""
    for tick in ticks {
      body += "M\(Self.number(tick.x)) \(Self.number(tick.top))V\(Self.number(tick.bottom))"
    }
    body += "\"/>"
  }

  /// Many rectangles of one style.
  mutating func cells(
    _ cells: [(x: Double, y: Double, width: Double, height: Double)], _ style: String
  ) {
    guard !cells.isEmpty else { return }
    body += "<path class=\"\(style)\" d=\""
    for cell in cells {
      let (x, y) = (Self.number(cell.x), Self.number(cell.y))
      body += "M\(x) \(y)H\(Self.number(cell.x + cell.width))"
      body += "V\(Self.number(cell.y + cell.height))H\(x)Z"
    }
    body += "\"/>"
  }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ style: String = "tick", anchor: String = "start"
  ) {
    body += "<text class=\"\(style)\" text-anchor=\"\(anchor)\""
    attribute("x", x)
    attribute("y", y)
    body += ">" + Escaping.markup(text) + "</text>"
  }

  /// An unseen rectangle whose text a browser shows to a pointer above it.
  mutating func hit(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ text: String
  ) {
    body += "<rect aria-hidden=\"true\" class=\"hit\""
    attribute("x", x)
    attribute("y", y)
    attribute("width", width)
    attribute("height", height)
    body += "><title>" + Escaping.markup(text) + "</title></rect>"
  }

  private mutating func attribute(_ name: String, _ value: Double) {
    body += " " + name + "=\"" + Self.number(value) + "\""
  }

  /// The finished element with its text alternative.
  func element(id: String, title: String, description: String, style: String = "") -> String {
    "<svg class=\"chart \(style)\" role=\"img\" aria-labelledby=\"\(id)-t \(id)-d\" viewBox=\"0 0 "
      + Self.number(width) + " " + Self.number(height) + "\"><title id=\"\(id)-t\">"
      + Escaping.markup(title) + "</title><desc id=\"\(id)-d\">" + Escaping.markup(description)
      + "</desc>" + body + "</svg>"
  }
}

/// The part of a picture in which data lie.
struct PlotArea {
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  func x(_ share: Double) -> Double { left + width * min(1, max(0, share)) }
  func y(_ share: Double) -> Double { bottom - height * min(1, max(0, share)) }
}

/// A logarithmic axis of seconds between two readable marks.
struct SecondsAxis {
  /// Powers of ten below a minute, what clocks and calendars count above it.
  private static let marks: [Double] = [
    1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 60, 600, 3_600, 21_600, 86_400,
    604_800, 2_592_000, 31_536_000,
  ]

  let marks: [Double]
  var low: Double { marks[0] }
  var high: Double { marks[marks.count - 1] }

  /// - Parameter seconds: What has to fit; only positive finite values count.
  init(covering seconds: some Sequence<Double>) {
    let usable = seconds.filter { $0 > 0 && $0.isFinite }
    let (least, most) = (usable.min() ?? 0.01, usable.max() ?? 1)
    let all = Self.marks
    let first = all.lastIndex { $0 <= least } ?? 0
    let last = max(first + 1, all.firstIndex { $0 >= most } ?? all.count - 1)
    marks = Array(all[min(first, all.count - 2)...min(last, all.count - 1)])
  }

  /// Where a value lies, 0 at the low end and 1 at the high end.
  func share(_ seconds: Double) -> Double {
    guard seconds > low else { return 0 }
    guard seconds.isFinite else { return 1 }
    return log(seconds / low) / log(high / low)
  }
}
