import Backends
import Contracts
import Foundation
import KilwinningDomain
import Replays
import Testing
import Timekeeping
import Tokens
import WireLine

/// Replays whose answers another program has computed from the specification (`Tests/Replays/Kilwinning/second_program.py`, which also compares
/// as many more as one likes): random lodges with tornate at the turn of years, of days and of summer time, sessions and keys to the instant.
@Suite struct `Answers of the lodge that a second program gives, too` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Replays/Kilwinning")

  @Test(arguments: [39, 41, 65, 84, 90, 104, 116, 119])
  func `line by line: KW-001 to KW-136`(seed: Int) throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: "lodge-\(seed).jsonl"), encoding: .utf8)
    let lines = try text.split(separator: "\n").map { try #require(JSON(parsing: Array($0.utf8))) }
    let starts = try #require(lines.first?["starts"]?.string.flatMap { Instant($0) })
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: codec)
    var script = ReplayScript(SteppedTwin(KilwinningBackend(), setup: setup, starts: starts))
    for (number, due) in lines.dropFirst().enumerated() {
      let line = try #require(due["line"])
      // As it is printed: there a percentage of 0 is the number 0.
      let answer = try #require(
        JSON(parsing: Array(try script.perform(line: line.description).description.utf8)))
      let place = Comment(rawValue: "line \(number + 1): \(line)")
      if let status = due["status"], !status.isNull { #expect(answer["status"] == status, place) }
      if let body = due["body"] { #expect(answer["body"] == body, place) }
      for (name, value) in due["members"]?.object?.members ?? [] {
        let member = name.split(separator: ".").reduce(answer["body"]) { $0?[String($1)] }
        #expect(member == value, place)
      }
    }
  }
}
