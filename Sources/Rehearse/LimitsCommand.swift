import ArgumentParser
import Backends
import Contracts
import DomainList
import Provenance
import Verdicts

enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits", abstract: "List the limits that the backends' documents state.",
    discussion: """
      For each limit: the source file whose guard keeps it, the journeys that run into it, the file whose check \
      judges it, and the document that states it. A limit that no check judges says why.

      Examples:
        rehearse limits --domain kantine-koning
        rehearse limits --limit KK-70
        rehearse limits --format json
      """)

  @Option(help: "Only this domain.", completion: Domains.completion)
  var domain: String?

  @Option(help: "Only this limit, e.g. KK-58.")
  var limit: String?

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func run() throws {
    if let domain { _ = try Domains.orUsage(domain) }
    Domains.mustBeSound()
    let backends = Domains.all.filter { domain == nil || $0.domain == domain }
    let rows = backends.flatMap { Self.rows(of: $0) }.filter { row in
      limit.map { $0.uppercased() == row.limit.id.text } ?? true
    }
    if rows.isEmpty, let limit {
      throw ValidationError("no limit '\(limit)'; without --limit all are listed")
    }
    switch format {
    case .json: Console.out(JSON.array(rows.map(\.json)).pretty())
    case .text: for row in rows { Console.out(row.text) }
    }
  }

  private struct Row {
    let domain: String
    let limit: Limit
    let places: FilesOfRule
    let checks: Int

    var json: JSON {
      [
        "id": .string(limit.id.text), "domain": .string(domain),
        "statement": .string(limit.statement), "source": .string(limit.source),
        "keeper": .string(limit.keeper.rawValue), "checks": .number(checks),
        "unjudged": .optional(limit.unjudged),
        "enforced": .optional(places.enforced.first), "tried": .strings(places.tried),
        "judged": .optional(places.judged.first),
      ]
    }

    var text: String {
      var lines = ["\(limit.id)  \(limit.statement)"]
      if let file = places.enforced.first { lines.append("    enforced  \(file)") }
      for (index, file) in places.tried.enumerated() {
        lines.append((index == 0 ? "    tried     " : "              ") + file)
      }
      if let file = places.judged.first { lines.append("    judged    \(file)") }
      if let reason = limit.unjudged ?? (checks == 0 ? "no check" : nil) {
        lines.append("    not judged: \(reason)")
      }
      let keeper =
        limit.keeper == .nobody
        ? "binds nobody at run time" : "kept by the \(limit.keeper.rawValue)"
      lines.append("    \(keeper) · \(limit.source)")
      return lines.joined(separator: "\n")
    }
  }

  private static func rows<Domain: Backend>(of backend: Domain) -> [Row] {
    backend.declaration.limits.map { limit in
      let found = RuleLocations.all[limit.id.text]
      return Row(
        domain: backend.declaration.domain, limit: limit,
        places: backend.files(of: limit.id)
          ?? FilesOfRule(
            enforced: found?.enforced ?? [], tried: found?.tried ?? [],
            judged: found?.judged ?? []),
        checks: backend.judged.count { $0.rule.id == limit.id })
    }
  }
}
