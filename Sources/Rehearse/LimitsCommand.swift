import ArgumentParser
import Backends
import Contracts
import Rooms
import Verdicts

enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits", abstract: "List the limits that the backends' documents state.",
    discussion: """
      For each limit: who keeps it, whether a check judges it, and where it comes from.

      Examples:
        rehearse limits --domain kantine-koning
        rehearse limits --format json
      """)

  @Option(help: "Only this domain.")
  var domain: String?

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func run() throws {
    if let domain { _ = try Rooms.orUsage(domain) }
    let rooms = Rooms.all.filter { domain == nil || $0.declaration.domain == domain }
    let rows = rooms.flatMap { Self.rows(of: $0) }
    switch format {
    case .json: Console.out(JSON.array(rows.map(\.json)).pretty())
    case .text: for row in rows { Console.out(row.text) }
    }
  }

  private struct Row {
    let domain: String
    let limit: Limit
    let checks: Int

    var json: JSON {
      [
        "id": .string(limit.id.text), "domain": .string(domain),
        "statement": .string(limit.statement), "source": .string(limit.source),
        "keeper": .string(limit.keeper.rawValue), "checks": .number(checks),
        "unjudged": .optional(limit.unjudged),
      ]
    }

    var text: String {
      let judged =
        checks > 0
        ? "\(checks) check\(checks == 1 ? "" : "s")" : "not judged: \(limit.unjudged ?? "no check")"
      return """
        \(limit.id)  \(limit.statement)
            kept by the \(limit.keeper.rawValue) · \(judged) · \(limit.source)
        """
    }
  }

  private static func rows<Room: Backend>(of room: Room) -> [Row] {
    room.declaration.limits.map { limit in
      Row(
        domain: room.declaration.domain, limit: limit,
        checks: room.checks.count { $0.limit == limit.id })
    }
  }
}
