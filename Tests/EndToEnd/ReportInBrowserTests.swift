import Foundation
import Testing

/// The sample report in a real browser: what invariants on text cannot show.
@Suite(.serialized, .enabled(if: Browser.path != nil, "no chromium or chrome was found"))
struct `The report in a browser` {
  private static let report = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Engine/Reports/Golden/index.html")

  @Test(arguments: [360, 390, 800, 1_300])
  func `no width makes the page or one of its tables scroll sideways`(width: Int) throws {
    let found = try Browser.measure(Self.report, width: width)
    #expect(found["width"] == String(width))
    #expect(found["overflow"] == "0", "\(found)")
    #expect((found["tables"].flatMap(Int.init) ?? 0) > 10)
    #expect(found["wide"] == "", "\(found)")
  }

  @Test func `arrow keys go from rule to rule of the map, and each is named with its words`() throws
  {
    let found = try Browser.measure(Self.report, width: 1_300)
    #expect(found["stops"] == "1")
    #expect(found["second"] == "true")
    let named = try #require(found["named"])
    #expect(named.contains("KK-52: ") && named.contains("Details"))
  }

  @Test(arguments: [(1_300, 900, "map"), (390, 844, "failures")])
  func `the first screen holds what a reader needs within a minute`(
    width: Int, height: Int, last: String
  ) throws {
    let found = try Browser.measure(Self.report, width: width)
    let bottom = try #require(found["bottom-\(last)"].flatMap(Int.init))
    #expect(bottom > 300 && bottom <= height)
  }

  @Test func `the browser reports no error and asks for nothing`() throws {
    let found = try Browser.measure(Self.report, width: 800)
    #expect(found["errors"] == "0", "\(found)")
    #expect(found["requests"] == "0", "\(found)")
  }

  @Test func `a click on a heading sorts the table by value`() throws {
    let found = try Browser.measure(Self.report, width: 1_400)
    let ascending = try #require(found["sorted"]).split(separator: ",").compactMap { Double($0) }
    #expect(ascending.count > 5)
    #expect(ascending == ascending.sorted())
    #expect(found["aria"] == "ascending")
  }

  @Test func `without its script the page says the same`() throws {
    let text = try String(contentsOf: Self.report, encoding: .utf8)
    let start = try #require(text.range(of: "<script>"))
    #expect(text[..<start.lowerBound].contains("2 of 15 documented rules"))
    #expect(!text[..<start.lowerBound].contains("hidden>"))
  }

  @Test func `it prints`() throws {
    try Browser.inScratch { scratch in
      let file = scratch.appendingPathComponent("report.pdf")
      _ = try Browser.run([
        "--no-pdf-header-footer", "--print-to-pdf=" + file.path, Self.report.absoluteString,
      ])
      let bytes = try Data(contentsOf: file)
      #expect(bytes.starts(with: Array("%PDF-".utf8)))
      #expect(bytes.count > 20_000)
    }
  }
}

/// A headless Chromium that looks at files.
private enum Browser {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()

  static func inScratch<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "report-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// - Returns: What the browser writes to its standard output.
  static func run(_ arguments: [String]) throws -> String {
    try inScratch { profile in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path ?? "chromium")
      process.arguments =
        [
          "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
          "--user-data-dir=" + profile.path, "--virtual-time-budget=3000",
          "--allow-file-access-from-files",
        ] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Shows a page in a frame of a width (a window cannot be as narrow as a phone) with a probe added to it.
  static func measure(_ page: URL, width: Int) throws -> [String: String] {
    try inScratch { scratch in
      let probed = scratch.appendingPathComponent("page.html")
      let text = try String(contentsOf: page, encoding: .utf8)
      let parts = text.split(separator: "<head>", maxSplits: 1)
      try #require(parts.count == 2)
      let counting = """
        <head><script>window.faults = 0;
        window.addEventListener("error", function () { window.faults += 1; }, true);
        window.addEventListener("securitypolicyviolation", function () { window.faults += 1; });
        ["error", "warn"].forEach(function (name) {
          console[name] = function () { window.faults += 1; };
        });</script>
        """
      try (parts[0] + counting + parts[1] + probe).write(
        to: probed, atomically: true, encoding: .utf8)
      let frame = scratch.appendingPathComponent("frame.html")
      try """
      <!doctype html><title>waiting</title><pre id="found"></pre>
      <script>addEventListener("message", function (event) {
        document.getElementById("found").textContent = event.data;
      });</script>
      <iframe src="page.html" style="border:0;width:\(width)px;height:900px"></iframe>
      """.write(to: frame, atomically: true, encoding: .utf8)

      let dom = try run([
        "--window-size=\(max(width, 500) + 100),1000", "--dump-dom", frame.absoluteString,
      ])
      let found = try #require(dom.firstMatch(of: /<pre id="found">([^<]*)<\/pre>/)).output.1
      return Dictionary(
        found.split(separator: ";").map { pair in
          let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(sides[0]), String(sides.last ?? ""))
        }, uniquingKeysWith: { $1 })
    }
  }

  private static let probe = """
    <script>addEventListener("load", function () {
      var root = document.documentElement;
      var overflow = Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth;
      var bottoms = ["map", "failures"].map(function (id) {
        return "bottom-" + id + "=" + Math.round(document.getElementById(id).getBoundingClientRect().bottom);
      });
      document.querySelectorAll("details").forEach(function (item) { item.open = true; });
      var tables = Array.prototype.slice.call(document.querySelectorAll("table"));
      var wide = tables.filter(function (table) {
        return table.scrollWidth > table.parentNode.clientWidth || table.parentNode.scrollWidth > table.parentNode.clientWidth;
      }).map(function (table) {
        return table.caption.textContent + " " + table.scrollWidth + ">" + table.parentNode.clientWidth;
      });
      var squares = document.querySelectorAll("#map a.q");
      var stops = Array.prototype.filter.call(squares, function (square) { return square.tabIndex === 0; });
      squares[0].focus();
      squares[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      var second = document.activeElement === squares[1];
      var named = document.querySelector("#map .named").textContent.replace(/[;=<]/g, " ");
      var table = document.querySelector("#latencies table");
      var head = table.tHead.rows[0].cells[2];
      head.querySelector("button").click();
      var keys = Array.prototype.map.call(table.tBodies[0].rows, function (row) {
        return row.cells[2].getAttribute("data-key");
      });
      var asked = performance.getEntriesByType("resource").filter(function (entry) {
        return entry.name.indexOf("data:") !== 0;
      });
      parent.postMessage([
        "width=" + window.innerWidth, "overflow=" + Math.max(0, overflow), "errors=" + window.faults,
        "tables=" + tables.length, "wide=" + wide.join(", "), "stops=" + stops.length,
        "second=" + second, "named=" + named, bottoms.join(";"),
        "requests=" + asked.length, "sorted=" + keys.join(","), "aria=" + head.getAttribute("aria-sort")
      ].join(";"), "*");
    });</script>
    """
}
