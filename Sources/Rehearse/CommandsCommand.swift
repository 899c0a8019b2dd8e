import ArgumentParser
import Backends
import Contracts
import Replays
import Verdicts

struct CommandsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands", abstract: "List the control commands of a domain's twin.",
    discussion:
      "They work in scenarios (events), in 'replay' (control) and, served, below /_rehearsal/<domain>/."
  )

  @Argument(help: "The domain, e.g. kantine-koning.")
  var domain: String

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func run() throws {
    guard let room = Rooms.named(domain) else {
      throw ValidationError("no domain '\(domain)'; there are: \(Rooms.names)")
    }
    let commands = Self.commands(of: room)
    switch format {
    case .json: Console.out(JSON.array(commands.map(Self.json)).pretty())
    case .text: for command in commands { Console.out(Self.text(command)) }
    }
  }

  private static func commands<Room: Backend>(of room: Room) -> [ControlDeclaration] {
    let common = TwinSession<Room>.commonControls
    let own = Room.Agreement.controls
    return own + common.filter { command in !own.contains { $0.name == command.name } }
  }

  private static func json(_ command: ControlDeclaration) -> JSON {
    [
      "name": .string(command.name), "meaning": .string(command.meaning),
      "parameters": .array(
        command.parameters.map {
          [
            "name": .string($0.name), "type": .string($0.type), "required": .bool($0.isRequired),
            "meaning": .string($0.meaning),
          ]
        }),
    ]
  }

  private static func text(_ command: ControlDeclaration) -> String {
    let lines = command.parameters.map {
      "    \($0.name): \($0.type)\($0.isRequired ? "" : " (optional)")  \($0.meaning)"
    }
    return (["\(command.name)  \(command.meaning)"] + lines).joined(separator: "\n")
  }
}
