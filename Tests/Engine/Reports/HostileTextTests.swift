import Contracts
import Foundation
import Runs
import Testing

@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `Text from outside in reports` {
  static let names = [
    "<script>alert(1)</script>", "\"><img src=x onerror='alert(1)'>", "]]></failure><x a=\"&lt;\">",
    "line one\nline two\r\n# heading\n- item", "🏉👩‍👩‍👧 Vereniging ‘t Hof", "abc\u{202E}gpj.exe\u{2066}",
    "\u{1B}[31mred\u{1B}]0;title\u{7}", "`code` | cell | @team [x](http://example.org) *bold*",
    "<\u{338}script>", "nul\u{0}\u{85}\u{FFFF}\u{200B}", "{{title}}{{{style}}}",
    String(repeating: "x", count: 10_000), "", "../../etc/passwd",
  ]

  /// One document alone: rendering every file for each test would take its time.
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: names)
  func `HTML keeps its structure whatever a name says`(name: String) {
    let plain = text(Page.bytes(for: SampleRun.naming("name")))
    let page = text(Page.bytes(for: SampleRun.naming(name)))

    func tags(_ text: String) -> [Substring] { text.matches(of: /<\/?[a-zA-Z]+/).map(\.output) }
    // Commands and prose set code and words apart; everything else is the template's.
    let varying: Set<Substring> = ["<code", "</code", "<span", "</span"]
    #expect(
      tags(page).filter { !varying.contains($0) } == tags(plain).filter { !varying.contains($0) })
    expectNothingHidden(page)
    #expect(page.utf8.count < 2_000_000)
  }

  @Test(arguments: names)
  func `JUnit stays well-formed whatever a name says`(name: String) {
    let text = self.text(JUnitDocument.bytes(for: SampleRun.naming(name)))
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    expectNothingHidden(text)
  }

  @Test(arguments: names)
  func `JSON gives back exactly what a name says`(name: String) throws {
    let text = self.text(ResultDocument.bytes(for: SampleRun.naming(name)))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let scenario = try #require(object?["scenario"] as? [String: Any])
    #expect(
      (scenario["title"] as? String)?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
    expectNothingHidden(text)
  }

  @Test(arguments: names)
  func `Markdown lets no tag, table cell, link or mention begin`(name: String) {
    let text = self.text(SummaryDocument.bytes(for: SampleRun.naming(name)))
    expectNothingHidden(text)
    // What stands in code spans is literal in Markdown.
    // The picture beside it is our own link.
    let prose = text.replacing("](summary.svg)", with: "")
      .replacing(/(`+)[^\n]*?\1(?!`)/, with: "")
    #expect(!prose.contains("<"))
    #expect(prose.replacing("\\]", with: "").firstMatch(of: /\]\(/) == nil)
    #expect(!prose.contains("@"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| 🟢") }
    let cells = rows.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
    #expect(Set(cells) == [6])
    #expect(text.utf8.count < 65_536, "a comment of GitHub holds no more")
  }

  @Test(arguments: names)
  func `a terminal is told nothing but text`(name: String) {
    let text = TerminalSummary.text(SampleRun.naming(name), colour: false, reportAt: name)
    expectNothingHidden(text)
  }

  @Test(arguments: names)
  func `files of latencies stay in their folder under names of their own`(name: String) {
    let files = Rendering.files(for: SampleRun.naming(name)).map(\.path)
    #expect(Set(files).count == files.count)
    for path in files {
      #expect(path.wholeMatch(of: /(latency\/)?[A-Za-z0-9_][A-Za-z0-9._-]*/) != nil, "\(path)")
    }
  }

  @Test func `a word of a command means itself to a shell`() {
    #expect(Escaping.shell("scenarios/saturday.yaml") == "scenarios/saturday.yaml")
    #expect(Escaping.shell("my file; rm -rf 'x'") == "'my file; rm -rf '\\''x'\\'''")
    #expect(Escaping.shell("") == "''")
    // To Swift a quote with a combining mark is no quote; to a shell it ends the word.
    #expect(Escaping.shell("a'\u{301}b").utf8.elementsEqual("'a'\\''\u{301}b'".utf8))
    #expect(
      Annotations.property("5%\u{301},\u{308}").utf8.elementsEqual("5%25\u{301}%2C\u{308}".utf8))
    #expect(
      LatencyTable.cell("=\u{301}1\"\u{301}").utf8.elementsEqual("\"'=\u{301}1\"\"\u{301}\"".utf8))
  }

  private func expectNothingHidden(_ text: String) {
    for scalar in text.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      // The joiner inside emoji is the one format character that has to stay.
      let harmless = category != .control && (category != .format || scalar == "\u{200D}")
      #expect(harmless, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func `text is cut where that saves something, and says how much is gone`() {
    let text = String(repeating: "x", count: 140)
    #expect(Escaping.visible(text, limit: 139) == text)
    #expect(Escaping.visible(text, limit: 110) == text)
    #expect(Escaping.visible(text, limit: 109) == text.prefix(109) + "… (31 more characters)")
  }
}
