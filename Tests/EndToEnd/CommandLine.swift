import Contracts
import Foundation

/// The built `rehearse`, run as a user would: only its command line and its files.
struct CommandLineRun {
  let status: Int32
  let output: String
  let problems: String

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let executable = ServerProcess.folder.appendingPathComponent("rehearse")

  init(_ arguments: String..., input: String = "") throws {
    try self.init(arguments, input: input)
  }

  /// - Parameters:
  ///   - environment: Variables on top of the test's own, from which those of a CI are taken away.
  ///   - place: In which folder it runs, in place of the package's.
  init(
    _ arguments: [String], input: String = "", environment added: [String: String] = [:],
    in place: URL? = nil
  ) throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = place ?? Self.root
    var environment = ProcessInfo.processInfo.environment
    environment["NO_COLOR"] = "1"
    environment["GITHUB_ACTIONS"] = nil
    environment["GITHUB_STEP_SUMMARY"] = nil
    environment.merge(added) { $1 }
    process.environment = environment
    let folder = try Self.folder()
    let (out, error) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("err"))
    // Files take any amount of output; a pipe would fill.
    _ = FileManager.default.createFile(atPath: out.path, contents: nil)
    _ = FileManager.default.createFile(atPath: error.path, contents: nil)
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: error)
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    pipe.fileHandleForWriting.write(Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    status = process.terminationStatus
    output = try String(contentsOf: out, encoding: .utf8)
    problems = try String(contentsOf: error, encoding: .utf8)
  }

  /// Waits until a process has taken a signal into its own hands: before that, it would simply end by it.
  static func wait(for process: Process, toHear signal: Int32) throws {
    let bit = UInt64(1) << UInt64(signal - 1)
    while process.isRunning {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      // Dispatch catches the signals that it delivers.
      let caught = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap {
        UInt64($0.1, radix: 16)
      }
      if let caught, caught & bit != 0 { return }
      usleep(50_000)
    }
  }

  /// Every domain that has a backend, as the program lists them.
  static func domains() throws -> [String] {
    let list = JSON(parsing: Array(try CommandLineRun("domains", "--format", "json").output.utf8))
    return (list?.array ?? []).compactMap { $0["domain"]?.string }
  }

  /// A new folder for one test.
  static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearsal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func file(_ text: String, named name: String) throws -> String {
    let file = try folder().appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
