import Contracts
import Foundation
import SchemaChecker
import Testing

@Suite(.serialized) struct `Commands that help` {
  private func json(_ text: String) throws -> JSON { try #require(JSON(parsing: text)) }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A run's folder, made once: the commands here look at it and leave it alone.
  private static let finished: Result<String, any Error> = Result {
    let scenario = try CommandLineRun.file(`The command line`.small, named: "small.yaml")
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    _ = try CommandLineRun("run", scenario, "--output", folder, "--quiet")
    return folder
  }

  // MARK: - new and explain

  @Test func `a new scenario passes check, runs, and is never written over`() throws {
    let folder = try CommandLineRun.folder()
    let file = folder.appendingPathComponent("evening.yaml").path
    let made = try CommandLineRun("new", "evening", "--output", file)
    #expect(made.status == 0 && made.output.contains("rehearse explain"))
    let text = try contents(file)
    #expect(try CommandLineRun("check", file).status == 0)

    let again = try CommandLineRun("new", "evening", "--output", file)
    #expect(again.status == 64 && again.problems.contains("already"))
    #expect(try contents(file) == text)

    let run = try CommandLineRun(
      "run", file, "--replications", "1", "--output", folder.appendingPathComponent("run").path)
    #expect(run.status == 0, "\(run.output)\(run.problems)")
  }

  @Test func `a draft can be about any domain, and a wrong one is named with the nearest`() throws {
    let draft = try CommandLineRun("new", "x", "--domain", "kantine-koning", "--output", "-")
    #expect(draft.status == 0 && draft.output.contains("domain: kantine-koning"))
    let wrong = try CommandLineRun("new", "x", "--domain", "kantine-konink", "--output", "-")
    #expect(wrong.status == 64 && wrong.problems.contains("did you mean 'kantine-koning'?"))
    #expect(try CommandLineRun("new", "../x", "--output", "-").status == 64)
  }

  @Test func `explains every value with its source, counts persons and estimates the rest`() throws
  {
    let scenario = try CommandLineRun.file(`The command line`.small, named: "small.yaml")
    let text = try CommandLineRun("explain", scenario, "--seed", "9")
    #expect(text.status == 0)
    #expect(text.output.contains(#/clubs +2 +scenario, line 10/#))
    #expect(text.output.contains(#/seed +9 +command line/#))
    #expect(text.output.contains(#/perRowRead +4us +engine default/#))
    #expect(text.output.contains("domain default (§5.12, assumption)"))

    let found = try json(try CommandLineRun("explain", scenario, "--format", "json").output)
    let estimate = try #require(found["estimate"])
    let persons = try #require(estimate["personsPerReplication"]?.int)
    #expect(estimate["personsAreCounted"] == true)
    let result = try json(contents(try Self.finished.get() + "/result.json"))
    // Replications draw their own populations; the first is the one that was counted.
    #expect(result["replications"]?[0]?["persons"]?.int == persons)
    let requests = try #require(estimate["requests"]?.double)
    let real = try #require(result["requests"]?.double)
    #expect((real / 3...real * 3).contains(requests))
    #expect((found["values"]?.array?.count ?? 0) > 60)
  }

  // MARK: - schema

  @Test func `prints schemas, and a real result fits its own`() throws {
    let scenarios = try json(try CommandLineRun("schema").output)
    #expect(scenarios["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    #expect(scenarios["$defs"]?["world-kantine-koning"] != nil)
    let checker = SchemaChecker(try json(try CommandLineRun("schema", "result").output))
    let result = try json(contents(try Self.finished.get() + "/result.json"))
    #expect(checker.problems(of: result) == [])
    #expect(try CommandLineRun("schema", "reslt").status == 64)
  }

  // MARK: - report

  @Test func `a run's folder holds its files, and they are rendered again alike`() throws {
    let folder = try Self.finished.get()
    let names = [
      "index.html", "summary.md", "summary.svg", "junit.xml", "latencies.csv", "metrics.txt",
    ]
    let copy = try CommandLineRun.folder().path
    let again = try CommandLineRun("report", folder, "--output", copy)
    #expect(again.status == 0)
    for name in names {
      #expect(try contents(folder + "/" + name) == contents(copy + "/" + name), "\(name) differs")
    }
    let printed = try CommandLineRun("report", folder, "--only", "summary")
    #expect(try printed.output == contents(folder + "/summary.md"))
  }

  @Test func `a report against a baseline shows what changed`() throws {
    let folder = try Self.finished.get()
    let copy = try CommandLineRun.folder().path
    let run = try CommandLineRun("report", folder, "--baseline", folder, "--output", copy)
    #expect(run.status == 0)
    #expect(try contents(copy + "/index.html").contains("the same to the bit"))
  }

  @Test func `what is no result is refused with the reason`() throws {
    let cases = [
      ("", "empty"), ("{\"version\": 1", "cut off"), ("{}", "neither the result"),
      ("{\"version\": 99, \"scenario\": {}, \"replications\": []}", "newer Rehearsal"),
    ]
    for (text, reason) in cases {
      let file = try CommandLineRun.file(text, named: "result.json")
      let run = try CommandLineRun("report", file)
      #expect(run.status == 65 && run.problems.contains(reason), "\(run.problems)")
    }
    #expect(try CommandLineRun("report", "nowhere").status == 65)
  }

  // MARK: - reports

  @Test func `cleans the oldest folders of each scenario and nothing else`() throws {
    let shelf = try CommandLineRun.folder()
    let names = ["2026-01-01T00-00-00Z-1", "2026-01-02T00-00-00Z-1", "2026-01-02T00-00-00Z-1-2"]
    for name in names + ["sample"] {
      let folder = shelf.appendingPathComponent("saturday/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: folder.appendingPathComponent("result.json"))
      try Data("mine".utf8).write(to: folder.appendingPathComponent("notes.txt"))
    }
    func left() -> [String] {
      names.filter {
        FileManager.default.fileExists(
          atPath: shelf.appendingPathComponent("saturday/\($0)/result.json").path)
      }
    }
    let dry = try CommandLineRun(
      "reports", "clean", "--keep", "1", "--dry-run", "--reports", shelf.path)
    #expect(dry.status == 0 && dry.output.contains("would delete"))
    #expect(left() == names)
    let run = try CommandLineRun("reports", "clean", "--keep", "1", "--reports", shelf.path)
    #expect(run.status == 0)
    #expect(left() == [names[2]])
    let sample = shelf.appendingPathComponent("saturday/sample/result.json").path
    let notes = shelf.appendingPathComponent("saturday/\(names[0])/notes.txt").path
    #expect(FileManager.default.fileExists(atPath: sample))
    #expect(FileManager.default.fileExists(atPath: notes), "what no run wrote stays")
  }

  // MARK: - CI

  @Test func `under GitHub Actions failures are annotated and the summary is appended`() throws {
    let folder = try CommandLineRun.folder()
    let summary = folder.appendingPathComponent("summary").path
    try "before\n".write(toFile: summary, atomically: true, encoding: .utf8)
    let run = try CommandLineRun(
      [
        "run", "scenarios/negative/names-too-long.yaml", "--replications", "1", "--quiet",
        "--output",
        folder.appendingPathComponent("run").path,
      ],
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(run.status == 99)
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix("::error file=scenarios/negative/names-too-long.yaml,line=10,title=KK-58")
      })
    let text = try contents(summary)
    #expect(text.hasPrefix("before\n") && text.contains("## 🔴 Failed"))

    let file = try CommandLineRun.file("rehearsal: 1\nnaem: x\n", named: "wrong.yaml")
    let check = try CommandLineRun(["check", file], environment: ["GITHUB_ACTIONS": "true"])
    #expect(check.status == 65)
    #expect(check.output.contains(",line=2,col=1,"))
  }

  // MARK: - Help

  @Test func `a mistyped command is answered with the nearest one`() throws {
    for (words, meant) in [
      (["rnu"], "run"), (["explian", "x"], "explain"), (["runs", "lits"], "list"),
      (["baseline", "acept"], "accept"), (["reports", "claen"], "clean"),
    ] {
      let run = try CommandLineRun(words)
      #expect(run.status == 64 && run.problems.contains("did you mean '\(meant)'?"), "\(words)")
    }
  }

  @Test func `every command's help shows an example`() throws {
    let help = try CommandLineRun("--help").output
    let list = try #require(help.range(of: "SUBCOMMANDS:"))
    let names = help[list.upperBound...].matches(of: #/\n  ([a-z-]+) +/#).map {
      String($0.output.1)
    }
    #expect(names.count >= 18)
    for name in names where !["help", "serve"].contains(name) {
      let text = try CommandLineRun("help", name).output
      #expect(text.contains("rehearse \(name)") && text.contains("Example"), "\(name)")
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try CommandLineRun("--generate-completion-script", shell)
      #expect(script.status == 0 && script.output.contains("explain"))
    }
  }
}
