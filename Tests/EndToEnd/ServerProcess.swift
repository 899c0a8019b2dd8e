import Foundation

/// One of the executables as somebody starts it, with what it prints.
final class ServerProcess {
  private let process = Process()
  private let output = Pipe()
  private let problems = Pipe()

  /// Where the programs are: the folder that `REHEARSAL_PROGRAMS` names (`make test` names that of the release build, whose programs
  /// users get), else that of the tests.
  static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["REHEARSAL_PROGRAMS"] {
      return URL(fileURLWithPath: named).resolvingSymlinksInPath()
    }
    let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.resolvingSymlinksInPath().deletingLastPathComponent()
  }()

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = Self.folder.appendingPathComponent(program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = problems
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The address on the first line that it prints; empty when it ends before.
  func address() async -> String {
    await blocking { [output] in
      var line: [UInt8] = []
      while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
        line.append(byte)
      }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      return words.last.map(String.init) ?? ""
    }
  }

  /// Sends a signal and waits for the end.
  func end(by signal: Int32) async -> Int32 {
    kill(process.processIdentifier, signal)
    return await code()
  }

  /// Waits for the end.
  func code() async -> Int32 {
    let process = process
    return await blocking {
      process.waitUntilExit()
      return process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus
    }
  }

  /// What it complained about; to be asked for after its end.
  func complaint() -> String {
    String(decoding: problems.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// What it printed after the first line; to be asked for after its end.
  func rest() -> String {
    String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  private func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}
