import ArgumentParser
import Contracts
import Scenarios

/// What the argument parser leaves unsaid: which command somebody meant who mistyped one.
enum WrongWord {
  /// - Returns: A message for arguments that name no command; `nil` when they do, or when none is needed.
  static func message(for arguments: [String]) -> String? {
    look(arguments, in: Rehearse.self, path: ["rehearse"])
  }

  private static func look(
    _ arguments: [String], in command: any ParsableCommand.Type, path: [String]
  ) -> String? {
    let known = command.configuration.subcommands
    guard !known.isEmpty, let word = arguments.first, !word.hasPrefix("-") else { return nil }
    if word == "help" { return look(Array(arguments.dropFirst()), in: command, path: path) }
    let names = known.map(name)
    if let place = names.firstIndex(of: word) {
      return look(Array(arguments.dropFirst()), in: known[place], path: path + [word])
    }
    let near = nearest(word, among: names).map { "did you mean '\($0)'?" }
    let path = path.joined(separator: " ")
    return
      "\(path): there is no command '\(printable(word))'; \(near ?? "there are: " + names.joined(separator: ", "))\nSee '\(path) --help'."
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? "\(command)".lowercased()
  }
}
