import ArgumentParser

@main
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse-fuzz",
    abstract: "Asks everything of Rehearsal that nobody in their senses would.",
    subcommands: [
      RequestsCommand.self, ScenariosCommand.self, PartsCommand.self, RegionsCommand.self,
      FaultsCommand.self,
    ])
}
