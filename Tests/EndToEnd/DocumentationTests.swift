import Foundation
import Testing

/// The pages that people learn from, held against the program: examples rot unless something runs them.
@Suite struct `The documentation` {
  struct Example: CustomStringConvertible {
    let page: String
    let line: Int
    let language: String
    let text: String
    var description: String { "\(page):\(line)" }
  }

  static let catalogue = CommandLineRun.root.appendingPathComponent(
    "Sources/Rehearse/Rehearsal.docc")

  static let pages: [URL] =
    (try! FileManager.default.subpathsOfDirectory(atPath: catalogue.path))
    .filter { $0.hasSuffix(".md") }.sorted().map { catalogue.appendingPathComponent($0) }
    + [CommandLineRun.root.appendingPathComponent("README.md")]

  static func examples(in language: String) -> [Example] {
    pages.flatMap { page in
      var found: [Example] = []
      var open: (line: Int, language: String, lines: [String])?
      let text = try! String(contentsOf: page, encoding: .utf8)
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        if line.hasPrefix("```") {
          if let example = open {
            found.append(
              Example(
                page: page.lastPathComponent, line: example.line, language: example.language,
                text: example.lines.joined(separator: "\n") + "\n"))
            open = nil
          } else {
            open = (index + 1, String(line.dropFirst(3)), [])
          }
        } else {
          open?.lines.append(line)
        }
      }
      return found.filter { $0.language == language }
    }
  }

  /// Fragments take the place of the same keys of the first scenario on their page.
  static func whole(_ example: Example) -> String {
    guard !example.text.contains("rehearsal:") else { return example.text }
    let first = examples(in: "yaml").first {
      $0.page == example.page && $0.text.hasPrefix("rehearsal:")
    }
    let fragments = blocks(of: example.text)
    let kept = blocks(of: first?.text ?? "").filter { block in
      !fragments.contains { $0.key == block.key }
    }
    return (kept + fragments).map(\.text).joined()
  }

  private static func blocks(of text: String) -> [(key: Substring, text: String)] {
    var blocks: [(key: Substring, text: String)] = []
    for line in text.split(separator: "\n") {
      if line.first?.isLetter == true {
        blocks.append((line.prefix { $0 != ":" }, ""))
      }
      if !blocks.isEmpty { blocks[blocks.count - 1].text += line + "\n" }
    }
    return blocks
  }

  static let scenarios = examples(in: "yaml").filter { !$0.text.contains("runs-on:") }

  @Test func `has examples`() {
    #expect(Self.scenarios.count > 6)
    #expect(Self.examples(in: "sh").count > 5)
  }

  /// Each line of a snippet and each after it stand together in one file of the domain, whatever their indentation.
  @Test(arguments: examples(in: "swift"))
  func `shows Swift that stands in the domain that it walks through`(example: Example) throws {
    func lines(_ text: String) -> [String] {
      text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let wanted = Array(lines(example.text).drop { $0.isEmpty }.reversed().drop { $0.isEmpty })
    let snippet = "\n" + wanted.reversed().joined(separator: "\n") + "\n"
    let domain = CommandLineRun.root.appendingPathComponent("Sources/Domains/Toy")
    let files = try FileManager.default.subpathsOfDirectory(atPath: domain.path)
      .filter { $0.hasSuffix(".swift") }
    let holds = try files.contains { file in
      let text = try String(contentsOf: domain.appendingPathComponent(file), encoding: .utf8)
      return ("\n" + lines(text).joined(separator: "\n") + "\n").contains(snippet)
    }
    #expect(!wanted.isEmpty && holds, "\(example): no file of Sources/Domains/Toy has it\(snippet)")
  }

  /// Examples whose every line a test can run; those of a served twin are run by the tests of serving.
  static let runnable = examples(in: "sh").filter {
    $0.page == "YourOwnBackend.md" || $0.text.contains("rehearse replay")
  }

  @Test(arguments: runnable) func `shows commands that work`(example: Example) throws {
    // Whatever a command writes lands in a folder of the test's own.
    let folder = try CommandLineRun.folder()
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("scenarios"),
      withDestinationURL: CommandLineRun.root.appendingPathComponent("scenarios"))
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-euc", example.text]
    shell.currentDirectoryURL = folder
    let programs = CommandLineRun.executable.deletingLastPathComponent().path
    shell.environment = ProcessInfo.processInfo.environment.merging(
      ["PATH": programs + ":/usr/bin:/bin", "NO_COLOR": "1"]) { $1 }
    let pipe = Pipe()
    shell.standardOutput = pipe
    shell.standardError = pipe
    try shell.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(example): \(said)")
    if example.text.contains("replay toy") {
      #expect(said.components(separatedBy: #""status":200"#).count == 7, "\(said)")
      #expect(said.contains(#""due":1"#), "\(said)")
    }
  }

  @Test(arguments: scenarios)
  func `shows scenarios that the program reads`(example: Example) throws {
    let file = try CommandLineRun.file(Self.whole(example), named: "example.yaml")
    // The table that an example names lies beside it.
    let people = "user,password,address\n" + String(repeating: "u,p,a\n", count: 20_000)
    try people.write(
      toFile: URL(fileURLWithPath: file).deletingLastPathComponent().path + "/people.csv",
      atomically: true, encoding: .utf8)
    let run = try CommandLineRun("check", file)
    #expect(run.status == 0, "\(run.problems)\n\(Self.whole(example))")
  }

  /// `rehearse WORD [WORD] … --option` in an example or in a sentence.
  @Test func `names only commands and options that exist`() throws {
    let pattern = #/rehearse ([a-z][a-z-]*)(?![\/a-z-])((?: [^\s`]+)*)/#
    var asked: [String: String] = [:]
    for page in Self.pages {
      for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
        let code = line.hasPrefix(" ") || line.hasPrefix("rehearse ") || line.contains("`rehearse ")
        guard code, let match = line.firstMatch(of: pattern) else { continue }
        let command = String(match.1)
        if asked[command] == nil {
          let help = try CommandLineRun("help", command)
          // What is no command is answered with wrong usage.
          #expect(help.status == 0, "\(page.lastPathComponent): \(line)")
          asked[command] = help.output
        }
        for option in match.2.matches(of: #/--[a-z][a-z-]*/#) where command != "baseline" {
          #expect(
            asked[command]!.contains(option.0), "\(page.lastPathComponent): \(line)")
        }
      }
    }
    #expect(asked.count > 8)
  }
}
