import Foundation

/// The faulty server in a process of its own, for as long as somebody holds it.
public final class FaultyProcess {
  private let process = Process()
  private let input = Pipe()
  public let port: Int
  /// Here the first answer comes before the request was sent.
  public let eagerPort: Int

  public init() throws {
    process.executableURL = Self.executable
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
    let ports = text.dropLast().split(separator: " ").compactMap { Int($0) }
    guard ports.count == 2 else { throw CocoaError(.executableLoad) }
    (port, eagerPort) = (ports[0], ports[1])
  }

  deinit { end() }

  public func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// The last line that it says about a path, where it ends the connection then.
  public func ask(_ path: String) -> String {
    let said = Loopback.ask(port, "GET /\(path) HTTP/1.1\r\n\r\n")
    return said.split(separator: "\r\n").last.map(String.init) ?? ""
  }

  private var asked = 0

  /// Whether anybody else has ever connected.
  public func wasAsked() -> Bool {
    asked += 1
    return Int(ask("connections")) != asked
  }

  /// Beside the tests, or where the package is built.
  private static var executable: URL? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let places = [
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
      root.appendingPathComponent(".build/debug"),
    ]
    return places.map { $0.appendingPathComponent("faulty-server") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
