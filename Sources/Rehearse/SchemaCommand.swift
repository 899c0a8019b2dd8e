import ArgumentParser
import Contracts
import DomainList
import Reports
import Scenarios

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenarios, for editors, or of result.json.",
    discussion: """
      Draft 2020-12. It is made from the declarations that the reader of scenarios uses: keys, settings with their ranges, \
      defaults and sources, control commands, faults.

      Examples:
        rehearse schema > scenario.schema.json
        rehearse schema result > result.schema.json

      Editors with a YAML language server take it from the first line of a scenario:
        # yaml-language-server: $schema=scenario.schema.json
      """)

  enum Subject: String, ExpressibleByArgument, CaseIterable { case scenario, result }

  @Argument(help: "scenario, or result for result.json.")
  var subject: Subject = .scenario

  func run() {
    switch subject {
    case .scenario: Console.out(ScenarioSchema(declarations: Domains.declarations).json.pretty())
    case .result: Console.out(ResultSchema.json.pretty())
    }
  }
}
