import Foundation
import ScenarioFiles
import Scenarios
import Testing
import Timekeeping

/// What means something to a YAML parser, to variables or to a terminal, and what is merely long.
private let pieces = [
  "${HOME}", "$${HOME}", "$$", "$", "${", "}", "${A:-b}", "${A\nB}", "\\", "\\x24", "\"", "'",
  "\n", "\r\n", "\t", " ", "   ", ": ", " # ", "- ", "&a ", "*a", "&b=[]*b", "é", "e\u{301}",
  "😀", "\u{2028}", "\u{85}", "\u{FEFF}", "\u{202E}", "\u{E024}\u{E07B}A\u{E07D}", "[[[[",
  "{\"a\": [{\"b\": null}]}", "%", "@", "`", "!", "|", ">", "null", "true", "~", "0x1F", "1e3",
  "<<", "---", "...", "\u{7F}", "\u{1B}[31m", "{{1.body}}", "x", "value",
  String(repeating: "long ", count: 2_000), String(repeating: "[", count: 100),
]

/// `rehearse load --write`, and what `--from` reads of it.
@Suite struct `A load that is written` {
  private struct Load {
    var urls: [String] = []
    var headers: [String] = []
    var body: String?
    var phases: [String] = []
    var others: [String] = []

    init(drawing stream: inout RandomStream) {
      func text(_ most: Int, without unfit: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        let text = (0..<stream.pick(1..<most)).map { _ in
          pieces[stream.pick(0..<pieces.count)]
        }.joined()
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !unfit($0) }))
      }
      let blanks: (Unicode.Scalar) -> Bool = { $0.value <= 0x20 || $0.value == 0x7F }
      for _ in 0..<stream.pick(1..<3) {
        urls.append("http://127.0.0.1:9/p?q=" + text(4, without: blanks))
      }
      for name in ["X-A", "Accept", "x"] where stream.chance(0.5) {
        headers.append(
          "\(name): " + text(4) { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F } + "v")
      }
      if stream.chance(0.8) {
        body = text(8)
        // A file's name would follow.
        if body?.first == "@" { body = "x" + (body ?? "") }
      }
      let lasts = ["1s", "250ms", "1.5s", "90min", "1d"]
      for _ in 0..<stream.pick(0..<3) {
        let rate = ["5/s", "0.25/s", "30/min", "7/h", "333.3333333333333/s"][stream.pick(0..<5)]
        phases.append("\(lasts[stream.pick(0..<5)]) at 100/s to \(rate)")
      }
      if phases.isEmpty { others = ["--rate", "7/min", "--for", lasts[stream.pick(0..<5)]] }
    }

    var arguments: [String] {
      ["load"] + urls + headers.flatMap { ["--header=" + $0] }
        + (body.map { ["--body=" + $0] } ?? [])
        + phases.flatMap { ["--phase", $0] } + others
    }
  }

  @Test(arguments: 0..<12)
  func `is the same load when it is read: bodies, URLs, headers and phases`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    let folder = try CommandLineRun.folder()
    for number in 0..<3 {
      let load = Load(drawing: &stream)
      let what: Comment = "seed \(seed), load \(number): \(load.arguments)"
      let files = [1, 2].map { folder.appendingPathComponent("\(number)-\($0).yaml").path }
      let written = try CommandLineRun(load.arguments + ["--write", files[0]])
      try #require(written.status == 0, "\(written.problems) \(what)")
      let read = try ScenarioFile.tree(of: files[0], environment: ["HOME": "changed", "A": "too"])
      let found = try #require(read["load"])
      #expect(found.texts("urls") == load.urls.map { Array($0.utf8) }, what)
      #expect(found.texts("header") == load.headers.map { Array($0.utf8) }, what)
      #expect(found["body"]?.text.map { Array($0.utf8) } == load.body.map { Array($0.utf8) }, what)
      #expect(found.texts("phase").count == load.phases.count, what)
      let again = try CommandLineRun(["load", "--from", files[0], "--write", files[1]])
      try #require(again.status == 0, "\(again.problems) \(what)")
      let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
      #expect(texts[0] == texts[1], what)
    }
  }

  @Test func `has a variable for each secret, and one for secrets that are alike`() throws {
    let folder = try CommandLineRun.folder()
    let file = folder.appendingPathComponent("load.yaml").path
    let written = try CommandLineRun(
      "load", "http://anna:hunter2@127.0.0.1:9/a", "http://ben:hunter2@127.0.0.1:9/b",
      "http://anna:hunter2@127.0.0.1:9/c", "-H", "X-Api-Key: hunter2", "-H", "X-Api_Key: other2",
      "-H", "Cookie:hunter2", "--write", file)
    #expect(written.status == 0, "\(written.problems)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("hunter2") && !text.contains("other2"))
    for line in [
      #"    - "http://${URL_USER}@127.0.0.1:9/a""#, #"    - "http://${URL_USER_2}@127.0.0.1:9/b""#,
      #"    - "http://${URL_USER}@127.0.0.1:9/c""#, #"    - "X-Api-Key: ${HEADER_X_API_KEY}""#,
      #"    - "X-Api_Key: ${HEADER_X_API_KEY_2}""#, #"    - "Cookie: ${HEADER_COOKIE}""#,
    ] { #expect(text.contains(line + "\n"), "\(line) in \(text)") }
    let read = try ScenarioFile.tree(
      of: file,
      environment: [
        "URL_USER": "anna:hunter2", "URL_USER_2": "ben:hunter2", "HEADER_X_API_KEY": "${HOME}",
        "HEADER_X_API_KEY_2": "other2", "HEADER_COOKIE": "hunter2",
      ])
    #expect(read["load"]?.texts("header").first == Array("X-Api-Key: ${HOME}".utf8))
  }

  @Test func `is refused where nobody could read it again`() throws {
    let folder = try CommandLineRun.folder()
    let file = folder.appendingPathComponent("load.yaml").path
    let long = String(repeating: "x", count: 110_000)
    let run = try CommandLineRun(
      ["load"] + (0..<10).map { "http://127.0.0.1:9/\($0)?\(long)" } + ["--write", file])
    #expect(run.status == 64 && run.problems.contains("--body @FILE"), "\(run.problems)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `replaces no file, and half of one is none`() throws {
    let folder = try CommandLineRun.folder()
    let there = folder.appendingPathComponent("there.yaml")
    try "mine".write(to: there, atomically: true, encoding: .utf8)
    let load = ["load", "http://127.0.0.1:9/", "--write"]
    let refused = try CommandLineRun(load + [there.path])
    #expect(refused.status == 64 && refused.problems.contains("already"))
    #expect(try String(contentsOf: there, encoding: .utf8) == "mine")
    let nowhere = try CommandLineRun(load + [folder.path + "/no/load.yaml"])
    #expect(nowhere.status == 73 && nowhere.problems.contains("its folder does not exist"))
  }
}

extension SourceNode {
  fileprivate subscript(name: String) -> SourceNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.key.text == name }?.value
  }

  /// As bytes, which tell apart what to `String` is one text.
  fileprivate func texts(_ name: String) -> [[UInt8]] {
    guard case .sequence(let items)? = self[name]?.content else { return [] }
    return items.map { Array(($0.text ?? "").utf8) }
  }
}
