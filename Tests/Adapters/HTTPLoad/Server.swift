import Foundation

/// The faulty server, in a process of its own, for as long as somebody holds it.
final class Server {
  private let process = Process()
  private let input = Pipe()
  let port: Int

  init() throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let places = [folder, root.appendingPathComponent(".build/debug")]
    process.executableURL = places.map { $0.appendingPathComponent("faulty-server") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
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

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }
}
