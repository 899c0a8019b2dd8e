import ArgumentParser
import Verdicts

struct ExitCodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exit-codes", abstract: "List the exit codes and what they mean.",
    discussion: """
      When several apply, the first of these counts: 130, 70, 99 for a violated limit, 73, 69, 96, 99 for an objective, 97, 98.

      A reader of the output that goes away (rehearse … | head) is no error: a run keeps its code, and any other command ends with 141, \
      as a program that a closed pipe ends.

      Example:
        rehearse exit-codes
      """)

  func run() {
    for code in ExitStatus.allCases {
      let number = String(code.rawValue)
      Console.out(String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning)
    }
  }
}
