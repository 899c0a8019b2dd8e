/// A table of Markdown with a heading and what it is about.
struct Table {
  let title: String
  let about: String
  let columns: [String]
  private(set) var rows: [[String]] = []

  init(_ title: String, _ about: String, columns: [String]) {
    self.title = title
    self.about = about
    self.columns = columns
  }

  mutating func add(_ cells: String...) { rows.append(cells) }

  mutating func add(cells: [String]) { rows.append(cells) }

  var text: String {
    let head = "| " + columns.joined(separator: " | ") + " |"
    let rule = "|---|" + String(repeating: "---:|", count: columns.count - 1)
    let body = rows.map { "| " + $0.joined(separator: " | ") + " |" }
    return (["## " + title, "", about, "", head, rule] + body + [""]).joined(separator: "\n")
  }

  /// A share as a percentage with one decimal.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share.magnitude * 1_000).rounded())
    return "\(share < 0 && tenths > 0 ? "−" : "")\(tenths / 10).\(tenths % 10) %"
  }
}
