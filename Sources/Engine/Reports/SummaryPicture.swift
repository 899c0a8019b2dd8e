import Runs

/// `summary.svg`: the run over its clock for `summary.md`, in a file that asks for nothing and is read on light and dark pages.
public enum SummaryPicture {
  static let file = "summary.svg"

  /// - Returns: No bytes where nothing was sent.
  public static func bytes(for run: Run) -> [UInt8]? {
    guard let drawn = draw(run) else { return nil }
    guard let size = drawn.firstMatch(of: /viewBox="0 0 ([0-9.]+) ([0-9.]+)"/),
      let content = drawn.firstIndex(of: ">")
    else { preconditionFailure("a picture has a size") }
    // A host shows a wide one smaller than a page does, so that its words are larger.
    let style =
      EmbeddedFiles.pictureStyle
      + ".chart text{font-family:sans-serif}.chart:not(.day) text{font-size:15px}"
    let head =
      drawn[..<content].replacing(
        "<svg ",
        with:
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.output.1)\" height=\"\(size.output.2)\" "
      ) + ">"
    let background = "<rect width=\"100%\" height=\"100%\" fill=\"var(--page)\"/>"
    return Array(
      (head + "<style>" + style + "</style>" + background + drawn[drawn.index(after: content)...]
        + "\n").utf8)
  }

  private static func draw(_ run: Run) -> String? {
    if let load = LoadModel.chart(of: run) { return load.draw(id: "summary", narrow: false) }
    let day = DayModel.chart(of: run)
    return day.bands.isEmpty ? nil : day.draw(id: "summary", narrow: false)
  }

  /// What the picture shows, for readers who do not see it; `nil` where there is none.
  static func words(for run: Run) -> String? {
    if let load = LoadModel.chart(of: run) { return load.summary }
    let day = DayModel.chart(of: run)
    return day.bands.isEmpty ? nil : day.summary
  }
}
