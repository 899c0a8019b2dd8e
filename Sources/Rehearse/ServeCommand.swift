import ArgumentParser
import Foundation
import Verdicts

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the twins over HTTP: starts rehearse-serve from beside this program.",
    discussion:
      """
      Everything after 'serve' is handed on; 'rehearse serve --help' shows what there is.

      Example:
        rehearse serve --control --clock manual
      """)

  @Argument(parsing: .captureForPassthrough, help: "The options of rehearse-serve.")
  var arguments: [String] = []

  func run() throws {
    let server = Self.server
    guard FileManager.default.isExecutableFile(atPath: server.path) else {
      Console.error(
        """
        rehearse serve: there is no \(server.path). The server is a program of its own, so that this one builds \
        without it; build it with
          swift build -c release --product rehearse-serve
        """)
      throw ExitStatus.wrongUsage.thrown
    }
    var words = ([server.path] + arguments).map { strdup($0) } + [nil]
    execv(server.path, &words)
    Console.error(
      "rehearse serve: \(server.path) cannot be started: \(String(cString: strerror(errno)))")
    throw ExitStatus.internalError.thrown
  }

  private static var server: URL {
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return program.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("rehearse-serve")
  }
}
