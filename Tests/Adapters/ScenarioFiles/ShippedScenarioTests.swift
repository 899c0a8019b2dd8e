import Contracts
import DomainList
import Foundation
import ScenarioFiles
import Scenarios
import SchemaChecker
import Testing

@Suite struct `The shipped scenarios` {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let files =
    (FileManager.default.enumerator(
      atPath: root.appendingPathComponent("scenarios").path)?.allObjects as? [String] ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted()

  /// As a YAML 1.2 reader hands it to a schema.
  private func json(_ node: SourceNode) -> JSON {
    switch node.content {
    case .sequence(let items): .array(items.map(json))
    case .mapping(let members):
      .object(JSONObject(members.map { (name: $0.key.text ?? "", value: json($0.value)) }))
    case .scalar(let text, quoted: true): .string(text)
    case .scalar(let text, quoted: false):
      Int64(text).map(JSON.int) ?? Double(text).map(JSON.double)
        ?? (["true", "false"].contains(text) ? .bool(text == "true") : .string(text))
    }
  }

  @Test func `are found`() { #expect(Self.files.count >= 5) }

  @Test(arguments: files)
  func `fit the schema that editors use`(file: String) throws {
    let checker = SchemaChecker(ScenarioSchema(declarations: Domains.declarations).json)
    #expect(checker.strangers == [])
    let path = Self.root.appendingPathComponent("scenarios/\(file)").path
    #expect(checker.problems(of: json(try ScenarioFile.tree(of: path))) == [])
  }

  @Test(arguments: Domains.declarations.map(\.domain))
  func `a draft of any domain is read without a problem`(domain: String) throws {
    let declaration = try #require(Domains.declarations.first { $0.domain == domain })
    let draft = ScenarioDraft(
      name: "first", declaration: declaration, starts: "2026-03-21T06:00 Europe/Amsterdam",
      lasts: .hours(6), population: [], domains: Domains.declarations.map { ($0.domain, $0.title) })
    let read = try ScenarioFile.read(
      Array(draft.text.utf8), file: "first.yaml", declarations: Domains.declarations)
    #expect(read.warnings.isEmpty)
    #expect(read.scenario.worlds[0].differing.isEmpty, "comments show the defaults")
  }
}
