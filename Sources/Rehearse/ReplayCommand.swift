import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Replays
import Timekeeping
import Verdicts

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Drive a backend's twin line by line, without a server.",
    discussion: """
      Each line of the file is a JSON object: a request through the wire mapping,
        {"at": "+5s", "method": "GET", "path": "/api/mobile/v1/tenants", "headers": {"Authorization": "Bearer {{1.body.api_token}}"}}
      or a control command ('rehearse commands DOMAIN' lists them):
        {"at": "2026-03-21T05:00:00Z", "control": {"setEnrollmentOpen": {"tenant": "agovv", "open": false}}}

      'at' is an instant, or +span after the line before (ns, us, ms, s, min, h, d); the clock begins at --starts and \
      ends at 2200-01-01T00:00:00Z. 'as' is a token; or a name under which one was asked for, whose last is presented; \
      or an enrollment or user of a loaded fixture. {{3.body.api_token}} is a value of the third line's answer, \
      {{3.signals.0.link}} of a signal that it caused; empty lines do not count. {{{{ stands for the text {{ itself. A command \
      that makes something answers under which id. A body given as text is sent as it is.

      For each line one line is printed before the next is read: {"status", "headers", "body", "signals"}, and \
      "waited" where the clock moved until the answer was there. A refused request or command is an answer, too. A \
      line that is none ends the replay with exit code 65, its number and its column in bytes.

      Examples:
        rehearse replay kantine-koning sequence.jsonl
        rehearse replay mimi-supply - --starts 2026-06-01T08:00:00+02:00 --seed 7
      """)

  @Argument(help: "The domain, e.g. kantine-koning.", completion: Domains.completion)
  var domain: String

  @Argument(
    help: "The file of lines; '-' reads standard input as it comes.", completion: .file())
  var file: String

  @Option(help: "Where the clock begins: an instant before 2200 with its offset from UTC.")
  var starts = "2026-03-21T05:00:00Z"

  @Option(
    parsing: .unconditional, help: "The seed of the identifiers that the twin generates.",
    transform: Seed.parse)
  var seed: UInt64 = 1

  func validate() throws {
    guard let starts = Instant(starts), starts < SessionClock.ends else {
      throw ValidationError(
        "--starts is an instant before 2200 such as 2026-03-21T05:00:00Z, not '\(printable(starts))'"
      )
    }
  }

  func run() throws {
    let backend = try Domains.orUsage(domain)
    try replay(in: backend)
  }

  private func replay<Domain: Backend>(in backend: Domain) throws {
    guard let starts = Instant(starts) else { preconditionFailure("validated before") }
    guard let lines = LineReader(file) else {
      Console.error("\(file): cannot be read; replay needs a file of JSON lines, or '-'")
      throw ExitStatus.invalidInput.thrown
    }
    var script = ReplayScript(
      SteppedTwin(backend, setup: Domains.setup(seed: seed), starts: starts))
    while let line = try next(of: lines) {
      guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { continue }
      do throws(ReplayProblem) {
        Console.out(try script.perform(line: line).description)
      } catch {
        Console.error("\(file):\(lines.number):\(error.column): this line \(error.what)")
        throw ExitStatus.invalidInput.thrown
      }
    }
  }
}

extension ReplayCommand {
  private func next(of lines: LineReader) throws -> [UInt8]? {
    do throws(LineReader.TooLong) {
      return try lines.next()
    } catch {
      Console.error(
        "\(file):\(lines.number):1: this line has more than \(LineReader.mostBytes >> 20) MB; a line is one request or command"
      )
      throw ExitStatus.invalidInput.thrown
    }
  }
}

/// The lines of a file or of standard input as they come, without what ends them (`\n`, `\r\n`).
private final class LineReader {
  /// As long as a feeder's file may be.
  static let mostBytes = 64 << 20

  struct TooLong: Error {}

  private let descriptor: Int32
  /// What was read and not yet given, from `given` on.
  private var buffer: [UInt8] = []
  private var given = 0
  private var isOver = false
  /// Of the line that was read last, from 1.
  private(set) var number = 0

  init?(_ path: String) {
    var status = stat()
    guard path == "-" || (stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR) else {
      return nil
    }
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  func next() throws(TooLong) -> [UInt8]? {
    var searched = given
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return line(to: end, next: end + 1) }
      searched = buffer.count
      guard !isOver else {
        return given < buffer.count ? line(to: buffer.count, next: buffer.count) : nil
      }
      guard buffer.count - given <= Self.mostBytes else {
        number += 1
        throw TooLong()
      }
      searched -= given
      buffer.removeSubrange(..<given)
      given = 0
      read()
    }
  }

  private func read() {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int
    repeat { count = Glibc.read(descriptor, &part, part.count) } while count < 0 && errno == EINTR
    if count > 0 { buffer += part[..<count] } else { isOver = true }
  }

  private func line(to end: Int, next: Int) -> [UInt8] {
    number += 1
    var line = Array(buffer[given..<end])
    given = next
    if line.last == 0x0D { line.removeLast() }
    return line
  }
}
