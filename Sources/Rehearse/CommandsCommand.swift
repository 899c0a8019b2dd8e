import ArgumentParser
import Backends
import Contracts
import DomainList
import Replays
import Reports
import Verdicts

struct CommandsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands", abstract: "List the control commands of a domain's twin.",
    discussion:
      """
      They work in scenarios (events), in 'replay' (control) and, served, below /_rehearsal/<domain>/.

      Examples:
        rehearse commands kantine-koning
        rehearse commands kantine-koning --handbook > handbook.md
      """
  )

  @Argument(help: "The domain, e.g. kantine-koning.", completion: Domains.completion)
  var domain: String

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  @Flag(
    help: "Print the domain's whole page in Markdown: operations, settings, commands, limits.")
  var handbook = false

  func validate() throws {
    guard !handbook || format == .text else {
      throw ValidationError("--handbook is a page in Markdown: leave out --format")
    }
  }

  func run() throws {
    let backend = try Domains.orUsage(domain)
    if handbook {
      // The page ends with a line of its own.
      Console.out(String(Handbook.markdown(of: backend).dropLast()))
      return
    }
    let commands = Self.commands(of: backend)
    switch format {
    case .json: Console.out(JSON.array(commands.map(\.json)).pretty())
    case .text: for command in commands { Console.out(Self.text(command)) }
    }
  }

  private static func commands<Domain: Backend>(of backend: Domain) -> [ControlDeclaration] {
    SteppedTwin<Domain>.controls
  }

  private static func text(_ command: ControlDeclaration) -> String {
    let lines = command.parameters.map {
      "    \($0.name): \($0.type)\($0.isRequired ? "" : " (optional)")  \($0.meaning)"
    }
    return (["\(command.name)  \(command.meaning)"] + lines).joined(separator: "\n")
  }
}
