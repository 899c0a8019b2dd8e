import Foundation
import Testing

/// The documents that a newcomer reads first: short, and about what is there.
@Suite struct `The documents` {
  static let catalogue = "Sources/Rehearse/Rehearsal.docc"

  static func text(_ page: String) throws -> String {
    try String(contentsOf: SourceFile.root.appendingPathComponent(page), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: SourceFile.root.appendingPathComponent(path).path)
  }

  @Test(arguments: [("README.md", 8_000), ("ARCHITECTURE.md", 20_000)])
  func `are short enough to be read`(page: String, bytes: Int) throws {
    let size = try Self.text(page).utf8.count
    #expect(size <= bytes, "\(page) has \(size) bytes; articles of the catalogue take what is more")
  }

  /// In backquotes, from the root or from `Sources`, folders or files.
  @Test func `name files that exist in the map of the sources`() throws {
    let named = try Self.text("ARCHITECTURE.md").matches(of: #/`(\w+(?:/[\w.]+)+)`/#).map {
      String($0.1)
    }
    #expect(named.count > 60)
    #expect(named.filter { !Self.exists($0) && !Self.exists("Sources/" + $0) } == [])
  }

  @Test func `link to pages that exist`() throws {
    let linked = try Self.text("README.md").matches(of: #/\]\(([\w/.]+\.\w+)\)/#).map {
      String($0.1)
    }
    #expect(linked.count > 10)
    #expect(linked.filter { !Self.exists($0) } == [])
  }

  @Test func `list every decision, with its date and its choice`() throws {
    let folder = SourceFile.root.appendingPathComponent(Self.catalogue + "/Decisions")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".md") && $0 != "Decisions.md" }.map { String($0.dropLast(3)) }
    #expect(pages.count > 50)
    let (map, catalogue) = (
      try Self.text("ARCHITECTURE.md"), try Self.text(Self.catalogue + "/Decisions/Decisions.md")
    )
    #expect(pages.filter { !map.contains("- `\($0)`: ") } == [])
    #expect(pages.filter { !catalogue.contains("- <doc:\($0)>") } == [])
    let unlike = try pages.filter {
      let page = try Self.text(Self.catalogue + "/Decisions/\($0).md")
      return !page.contains(#/\n\*Since \d{4}-\d\d-\d\d\.\*\n/#) || !page.contains("\n**Choice.** ")
    }
    #expect(unlike == [])
  }

  /// The workflows that pages show, each from its `name` to the end of its block.
  static func workflows(in page: String) throws -> [String] {
    try text(page).components(separatedBy: "```").filter { $0.contains("\n    runs-on:") }
      .map { String($0.drop { $0 != "\n" }) }
  }

  @Test(arguments: ["README.md", catalogue + "/GatingInCI.md"])
  func `show workflows that end, need few rights and keep what they built`(page: String) throws {
    let workflows = try Self.workflows(in: page)
    #expect(!workflows.isEmpty)
    for workflow in workflows {
      for key in ["timeout-minutes:", "concurrency:", "permissions:"] {
        #expect(workflow.contains(key), "\(page): \(key)")
      }
      guard let build = workflow.range(of: "make build") else { continue }
      // A red gate ends the job: what it built is saved before that.
      #expect(workflow[..<build.lowerBound].contains("actions/cache/restore@"))
      let rest = workflow[build.upperBound...]
      let save = rest.range(of: "actions/cache/save@")
      let run = rest.range(of: "rehearse run")
      #expect(save != nil && run != nil && save!.lowerBound < run!.lowerBound)
    }
  }

  @Test func `show one workflow for GitHub in two places`() throws {
    let shown = try Self.workflows(in: "README.md")
    let whole = try Self.workflows(in: Self.catalogue + "/GatingInCI.md")
    #expect(shown.count == 1 && whole.contains(shown[0]))
  }
}
