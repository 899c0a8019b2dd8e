import Backends
import Contracts
import Observations
import Scenarios

/// A domain's folder page in Markdown, written from its declaration, so that it says what the code does.
public enum Handbook {
  public static func markdown<Domain: Backend>(of backend: Domain) -> String {
    let declaration = backend.declaration
    var page = """
      # \(declaration.title)

      `\(declaration.domain)` · served at `127.0.0.1:\(backend.port)` by `rehearse serve \(declaration.domain)`

      *Written by `make handbooks` from the declarations in `Contract/` and `Domain/`; a test fails when it is stale.*

      """
    page += operations(declaration, Domain.Contract.route)
    page += settings("Population", declaration.population)
    page += settings("Parameters", declaration.parameters)
    page += deviations(declaration)
    page += business(declaration)
    page += controls(declaration)
    page += limits(declaration, Set(backend.judged.map(\.rule.id)))
    return page
  }

  // MARK: - Sections

  private static func operations(
    _ declaration: WorldDeclaration, _ route: (Operation) -> WireRoute?
  ) -> String {
    table(
      "Operations", ["name", "what it does", "request", "source"],
      declaration.operations.map { operation in
        let asked = route(operation).map { "`\($0.method) \($0.path)`" } ?? ""
        return ["`\(operation.name)`", operation.title, asked, operation.source]
      })
  }

  private static func settings(_ title: String, _ settings: [Setting]) -> String {
    table(
      title, ["name", "default", "range", "meaning", "source"],
      settings.map { setting in
        [
          "`\(setting.name)`", "\(setting.standard)", setting.rangeInWords, setting.meaning,
          setting.source,
        ]
      })
  }

  private static func deviations(_ declaration: WorldDeclaration) -> String {
    table(
      "Quirks of the real client", ["quirk", "meaning", "profiles"],
      declaration.quirks.map { quirk in
        let profiles = declaration.profiles.filter { $0.quirks.contains(quirk.id) }
        return [
          quirk.id, quirk.meaning, profiles.map { "`\($0.name)`" }.joined(separator: ", "),
        ]
      })
  }

  private static func business(_ declaration: WorldDeclaration) -> String {
    guard !declaration.business.isEmpty else { return "" }
    return "\n## Business latencies\n\n"
      + declaration.business.map { "- `\(declaration.domain).\($0)`\n" }.joined()
  }

  private static func controls(_ declaration: WorldDeclaration) -> String {
    table(
      "Control commands", ["name", "meaning", "parameters"],
      declaration.controls.map { control in
        let parameters = control.parameters.map {
          "`\($0.name)`" + ($0.isRequired ? "" : "?")
        }
        return ["`\(control.name)`", control.meaning, parameters.joined(separator: " ")]
      })
  }

  private static func limits(_ declaration: WorldDeclaration, _ judged: Set<LimitID>) -> String {
    table(
      "Limits", ["id", "rule", "source", "kept by", "judged"],
      declaration.limits.map { limit in
        [
          "\(limit.id)", limit.statement, limit.source, limit.keeper.rawValue,
          judged.contains(limit.id) ? "by a check" : "no: \(limit.unjudged ?? "")",
        ]
      })
  }

  // MARK: - Markdown

  /// A heading with a table; nothing at all without rows.
  private static func table(_ title: String, _ heads: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |\n" }
    let body = rows.map { line($0.map(cell)) }.joined()
    return "\n## \(title)\n\n" + line(heads) + line(heads.map { _ in "---" }) + body
  }

  /// Text that does not end its cell.
  private static func cell(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .replacing(scalars: "|", with: "\\|")
  }
}
