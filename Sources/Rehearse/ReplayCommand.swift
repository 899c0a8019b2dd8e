import ArgumentParser
import Backends
import Contracts
import Foundation
import Replays
import Rooms
import Verdicts

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Drive a backend's twin line by line, without a server.",
    discussion: """
      Each line of the file is a JSON object: a request through the wire mapping,
        {"at": "+5s", "method": "GET", "path": "/api/mobile/v1/tenants", "headers": {"Authorization": "Bearer {{1.body.api_token}}"}}
      or a control command ('rehearse commands DOMAIN' lists them):
        {"at": "2026-03-21T05:00:00Z", "control": {"setEnrollmentOpen": {"tenant": "agovv", "open": false}}}

      'at' is an instant, or +span after the line before; the clock begins at 2026-03-21T05:00:00Z. 'as' is a token, \
      or a name whose last registration's token is presented. {{3.body.api_token}} is a value of the third line's \
      answer, {{3.signals.0.link}} of a signal that it caused. A body given as text is sent as it is.

      For each line one line is printed: {"status", "headers", "body", "signals"}.

      Example:
        rehearse replay kantine-koning sequence.jsonl
      """)

  @Argument(help: "The domain, e.g. kantine-koning.", completion: Rooms.completion)
  var domain: String

  @Argument(help: "The file of lines; '-' reads standard input.", completion: .file())
  var file: String

  func run() throws {
    let room = try Rooms.orUsage(domain)
    try replay(in: room)
  }

  private func replay<Room: Backend>(in room: Room) throws {
    var script = ReplayScript(TwinSession(room, setup: Rooms.setup(), starts: Rooms.dawn))
    for (number, line) in try lines().enumerated() where !line.allSatisfy(\.isWhitespace) {
      do throws(ReplayProblem) {
        Console.out(try script.perform(line: line).description)
      } catch {
        Console.error("\(file):\(number + 1): line \(error.line) \(error.what)")
        throw ExitStatus.invalidInput.thrown
      }
    }
  }

  private func lines() throws -> [String] {
    let data: Data
    if file == "-" {
      data = FileHandle.standardInput.readDataToEndOfFile()
    } else {
      guard let read = FileManager.default.contents(atPath: file) else {
        Console.error("\(file): cannot be read; replay needs a file of JSON lines, or '-'")
        throw ExitStatus.invalidInput.thrown
      }
      data = read
    }
    return String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
  }
}
