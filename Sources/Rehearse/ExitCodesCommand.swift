import ArgumentParser
import Verdicts

struct ExitCodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exit-codes", abstract: "List the exit codes and what they mean.")

  func run() {
    for code in ExitStatus.allCases {
      let number = String(code.rawValue)
      Console.out(String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning)
    }
  }
}
