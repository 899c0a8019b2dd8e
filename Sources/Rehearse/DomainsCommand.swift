import ArgumentParser
import Backends
import Contracts
import DomainList
import Reports
import Verdicts

extension DomainGuide.Topic: ExpressibleByArgument {}

struct DomainsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "domains",
    abstract:
      "Show what a domain lets a scenario say: operations, latencies, settings, faults, events.",
    discussion: """
      Without arguments the domains; with a domain its topics; with a topic its names with units, ranges and defaults, and \
      a line to copy; with a name all about it. 'rehearse limits' lists the documented rules.

      Examples:
        rehearse domains
        rehearse domains \(Self.example) operations
        rehearse domains \(Self.example) parameters --like clock
        rehearse domains \(Self.example) events
      """)

  private static let example = Domains.all.first?.domain ?? "DOMAIN"

  @Argument(help: "The domain: \(Domains.names).", completion: Domains.completion)
  var domain: String?

  @Argument(
    help: .init(
      "The topic: \(DomainGuide.Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "topic"))
  var topic: DomainGuide.Topic?

  @Argument(help: "One name of the topic.")
  var name: String?

  @Option(help: "With a topic: only names and meanings that contain this text.")
  var like: String?

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func validate() throws {
    guard like == nil || (topic != nil && name == nil) else {
      throw ValidationError("--like looks through the names of a topic: give a domain and a topic")
    }
  }

  func run() throws {
    Domains.mustBeSound()
    guard let domain else {
      list()
      return
    }
    let guide = Self.guide(of: try Domains.orUsage(domain))
    switch format {
    case .json: Console.out(try json(guide).pretty())
    case .text: Console.out(try text(guide))
    }
  }

  private func json(_ guide: DomainGuide) throws -> JSON {
    guard let topic else {
      return .object(
        JSONObject(DomainGuide.Topic.allCases.map { (name: $0.rawValue, value: guide.json($0)) }))
    }
    guard let name else { return guide.json(topic, like: like) }
    guard let item = guide.items(topic).first(where: { $0.name == name }) else {
      throw unknown(name, among: guide.items(topic), of: topic)
    }
    return item.json
  }

  private func text(_ guide: DomainGuide) throws -> String {
    let width = Console.columnsOfLists
    guard let topic else { return guide.overview(width: width) }
    guard let name else { return guide.text(topic, like: like, width: width) }
    guard let text = guide.text(topic, name: name, width: width) else {
      throw unknown(name, among: guide.items(topic), of: topic)
    }
    return text
  }

  private func unknown(
    _ name: String, among items: [DomainGuide.Item], of topic: DomainGuide.Topic
  ) -> ValidationError {
    let near = nearest(name, among: items.map(\.name))
    let hint = near.map { "did you mean '\($0)'?" } ?? "leave the name out to see all"
    return ValidationError("'\(printable(name))' is not among the \(topic.rawValue); \(hint)")
  }

  private func list() {
    let rows = Domains.declarations
    if format == .json {
      let rows: [JSON] = rows.map {
        ["domain": .string($0.domain), "title": .string($0.title)]
      }
      Console.out(JSON.array(rows).pretty())
      return
    }
    let width = rows.map(\.domain.count).max() ?? 0
    for row in rows {
      let gap = String(repeating: " ", count: width - row.domain.count)
      Console.out("\(row.domain)\(gap)  \(row.title)")
    }
  }

  private static func guide(of backend: any Backend) -> DomainGuide { DomainGuide(of: backend) }
}
