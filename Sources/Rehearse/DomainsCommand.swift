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

  private static let example = Domains.declarations.first?.domain ?? "DOMAIN"

  @Argument(help: "The domain: \(Domains.names).", completion: Domains.completion)
  var domain: String?

  @Argument(
    help: .init(
      "The topic: \(DomainGuide.Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "topic"))
  var topic: DomainGuide.Topic?

  @Argument(help: "One name of the topic.")
  var name: String?

  @Option(help: "Only names and meanings that contain this text.")
  var like: String?

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func run() throws {
    guard let domain else {
      list()
      return
    }
    let guide = Self.guide(of: try Domains.orUsage(domain))
    guard let topic else {
      switch format {
      case .text: Console.out(guide.overview(width: Console.columns))
      case .json:
        Console.out(
          JSON.object(
            JSONObject(
              DomainGuide.Topic.allCases.map { (name: $0.rawValue, value: guide.json($0)) })
          ).pretty())
      }
      return
    }
    if format == .json {
      Console.out(guide.json(topic).pretty())
    } else if let name {
      Console.out(try text(guide, topic, name))
    } else {
      Console.out(guide.text(topic, like: like, width: Console.columns))
    }
  }

  private func text(
    _ guide: DomainGuide, _ topic: DomainGuide.Topic, _ name: String
  ) throws -> String {
    if let text = guide.text(topic, name: name, width: Console.columns) { return text }
    let near = nearest(name, among: guide.items(topic).map(\.name))
    let hint = near.map { "did you mean '\($0)'?" } ?? "leave the name out to see all"
    throw ValidationError("'\(printable(name))' is not among the \(topic.rawValue); \(hint)")
  }

  private func list() {
    let declarations = Domains.declarations
    if format == .json {
      let rows: [JSON] = declarations.map {
        ["domain": .string($0.domain), "title": .string($0.title)]
      }
      Console.out(JSON.array(rows).pretty())
      return
    }
    let width = declarations.map(\.domain.count).max() ?? 0
    for declaration in declarations {
      let gap = String(repeating: " ", count: width - declaration.domain.count)
      Console.out("\(declaration.domain)\(gap)  \(declaration.title)")
    }
  }

  private static func guide(of backend: any Backend) -> DomainGuide { DomainGuide(of: backend) }
}
