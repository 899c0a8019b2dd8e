import Foundation
import Reports
import Verdicts

/// A server that a command starts for one run of a load, and that ends with it.
final class ServerCommand {
  private let process = Process()
  private let words: String
  /// What it says of problems goes into a file, which no server can fill as it could a pipe.
  private let log: URL

  /// How long a server may take until it accepts connections, and to end.
  private static let patienceSeconds = 30.0

  /// - Parameter words: For `/bin/sh -c`.
  init(_ words: String) throws {
    self.words = words
    log = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearse-duel-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", words]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
  }

  deinit { try? FileManager.default.removeItem(at: log) }

  /// Waits until the URL's host accepts a connection. A command that ends with 0, because what it starts goes on without it, is waited
  /// for as well.
  ///
  /// - Throws: 65 where the command fails, 69 where nobody listens in time.
  func waitUntilReady(at url: String, isStopped: () -> Bool) throws {
    guard let parts = URLComponents(string: url), let host = parts.host else { return }
    let port = parts.port ?? (parts.scheme?.lowercased() == "https" ? 443 : 80)
    let began = DispatchTime.now().uptimeNanoseconds
    while !isStopped() {
      if !process.isRunning, process.terminationStatus != 0 {
        throw fail(
          "ended with \(process.terminationStatus) before it accepted a connection", .invalidInput)
      }
      if Self.accepts(host.trimmingCharacters(in: ["[", "]"]), port) { return }
      let waited = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
      guard waited < Self.patienceSeconds else {
        throw fail(
          "nothing accepted a connection at \(host):\(port) within \(Int(Self.patienceSeconds)) s",
          .targetUnreachable)
      }
      usleep(10_000)
    }
  }

  /// Ends the command and all that it started in its process group.
  func stop() {
    let group = process.processIdentifier
    func signal(_ number: Int32) { if kill(-group, number) != 0 { kill(group, number) } }
    let began = DispatchTime.now().uptimeNanoseconds
    signal(SIGTERM)
    while process.isRunning || kill(-group, 0) == 0 {
      let waited = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
      if waited > Self.patienceSeconds { signal(SIGKILL) }
      usleep(20_000)
    }
  }

  private func fail(_ what: String, _ status: ExitStatus) -> any Error {
    let said = FileManager.default.contents(atPath: log.path) ?? Data()
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").prefix(5).joined(
      separator: "\n  ")
    Console.error(
      "\(Escaping.visible(words, limit: 400)): \(what)"
        + (lines.isEmpty ? "" : "\n  " + Escaping.visible(lines, limit: 2_000)))
    return status.thrown
  }

  private static func accepts(_ host: String, _ port: Int) -> Bool {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return false }
    defer { freeaddrinfo(list) }
    var next = list
    while let entry = next?.pointee {
      let socket = Glibc.socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
      if socket >= 0 {
        defer { close(socket) }
        if connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 { return true }
      }
      next = entry.ai_next
    }
    return false
  }
}
