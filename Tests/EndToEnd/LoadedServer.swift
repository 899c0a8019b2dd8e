import Foundation

/// The faulty server of the tests, in a process of its own.
final class LoadedServer {
  private let process = Process()
  private let input = Pipe()
  private let port: Int

  init() throws {
    process.executableURL = CommandLineRun.executable.deletingLastPathComponent()
      .appendingPathComponent("faulty-server")
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw CocoaError(.executableLoad) }
      text += String(decoding: part, as: UTF8.self)
    }
    port = Int(text.dropLast()) ?? 0
  }

  deinit { end() }

  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  private var asked = 0

  /// Whether anybody else has ever connected.
  func wasAsked() throws -> Bool {
    guard let url = URL(string: url("connections")) else { return false }
    asked += 1
    return Int(try String(contentsOf: url, encoding: .utf8)) != asked
  }
}
