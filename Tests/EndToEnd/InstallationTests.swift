import Foundation
import Testing

/// What an installation consists of beside the programs, made from what they declare.
@Suite struct `An installation` {
  /// The folder with all that is installed, laid out from the programs beside the tests.
  private static func laidOut() throws -> URL {
    let folder = try CommandLineRun.folder().appendingPathComponent("laid")
    let built = CommandLineRun.executable.deletingLastPathComponent().path
    try run(
      ["Sources/Packaging/lay-out", folder.path],
      environment: ["BUILT": built, "SOURCE_DATE_EPOCH": "1774000000"])
    return folder
  }

  private static func run(_ words: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = CommandLineRun.root
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words): \(said)")
  }

  /// Every command of a program with those above it: `["rehearse", "runs", "show"]`.
  private static func commands(of program: String) throws -> [[String]] {
    let file = CommandLineRun.executable.deletingLastPathComponent()
      .appendingPathComponent(program)
    let process = Process()
    process.executableURL = file
    process.arguments = ["--experimental-dump-help"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let dump = try JSONSerialization.jsonObject(
      with: pipe.fileHandleForReading.readDataToEndOfFile())
    func names(_ command: Any?, above: [String]) -> [[String]] {
      guard let command = command as? [String: Any], let name = command["commandName"] as? String
      else { return [] }
      let own = above + [name]
      return [own]
        + (command["subcommands"] as? [Any] ?? []).flatMap { names($0, above: own) }
    }
    return names((dump as? [String: Any])?["command"], above: [])
  }

  @Test func `has a page of the manual and completions for every command, and can be removed`()
    throws
  {
    let folder = try Self.laidOut()
    let share = folder.appendingPathComponent("share")
    func text(_ path: String) throws -> String {
      try String(contentsOf: share.appendingPathComponent(path), encoding: .utf8)
    }
    for program in ["rehearse", "rehearse-serve"] {
      let commands = try Self.commands(of: program)
      #expect(commands.count > (program == "rehearse" ? 20 : 0))
      let bash = try text("bash-completion/completions/\(program)")
      let zsh = try text("zsh/site-functions/_\(program)")
      let fish = try text("fish/vendor_completions.d/\(program).fish")
      for command in commands {
        let page = try text("man/man1/\(command.joined(separator: "-")).1")
        let name = command.count == 1 ? program : "\"\(command.joined(separator: " "))\""
        #expect(page.contains("\n.Nm \(name)\n"), "\(page.prefix(200))")
        let function = "_" + command.joined(separator: "_")
        #expect(bash.contains(function), "bash: \(command)")
        #expect(zsh.contains(function), "zsh: \(command)")
        #expect(fish.contains(command.last!), "fish: \(command)")
      }
    }
    #expect(try text("doc/rehearse/copyright").contains("Apache License"))
    #expect(try text("rehearse/scenarios/toy.yaml").contains("name: toy"))

    try Self.run(["make", "uninstall", "PREFIX=\(folder.path)", "DESTDIR="])
    let left = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    #expect(left == [])
  }

  @Test(arguments: ["rehearse", "rehearse-serve"])
  func `says of both programs version, commit and day of the build`(program: String) throws {
    let process = Process()
    process.executableURL = CommandLineRun.executable.deletingLastPathComponent()
      .appendingPathComponent(program)
    process.arguments = ["--version"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let pattern = #/\S+ \d+\.\d+\.\d+ \(([0-9a-f]{12}|unknown), (\d{4}-\d\d-\d\d|unknown)\)\n/#
    #expect(said.hasPrefix(program + " ") && said.wholeMatch(of: pattern) != nil, "\(said)")
  }
}
