import Contracts
import Foundation
import Testing
import Timekeeping

/// `run --part` and `merge` as a user runs them.
@Suite struct `Parts that are merged` {
  static let small = """
    rehearsal: 1
    name: divided
    title: A run in parts
    starts: 2026-03-21T08:00 Europe/Amsterdam
    lasts: 2h
    replications: 5
    worlds:
      - domain: kantine-koning
        regions: 2
        population: {clubs: ${CLUBS:-2}}
        adversaries: 5%
    exchange: 1h
    warmup: auto
    objectives: ["p95 of kantine-koning.diensten < 5s"]
    """

  /// Everything but what depends on the machine.
  private func result(_ folder: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/result.json"))
    let text = String(decoding: data, as: UTF8.self)
    let start = try #require(text.range(of: "\n  \"machine\": {"))
    let end = try #require(text[start.upperBound...].range(of: "\n  }"))
    return String(text[..<start.lowerBound] + text[end.upperBound...])
  }

  private func parts(
    _ scenario: String, _ count: Int, in folder: URL, _ more: String...
  ) throws -> [String] {
    try (1...count).map { number in
      let run = try CommandLineRun(
        ["run", scenario, "--part", "\(number)/\(count)", "--output", folder.path, "--quiet"] + more
      )
      #expect(run.status == 0, "\(run.problems)")
      return folder.path + "/\(number)-of-\(count).part"
    }
  }

  @Test func `give the bytes of one run, in any number and any order`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let whole = folder.path + "/whole"
    let run = try CommandLineRun("run", scenario, "--output", whole, "--quiet")
    let expected = try result(whole)
    #expect(expected.contains("\"digest\"") && expected.contains("\"warmUp\""))
    let seed = UInt64.random(in: 0...999_999)
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    for count in [1, 2, 7] {
      let files = try parts(scenario, count, in: folder.appendingPathComponent("\(count)"))
      let merged = folder.path + "/merged-\(count)"
      let merge = try CommandLineRun(
        ["merge"] + stream.shuffled(files) + ["--output", merged, "--quiet"])
      #expect(merge.status == run.status, "\(merge.problems)")
      #expect(try result(merged) == expected, "seed \(seed)")
    }
  }

  @Test func `are named where they are missing, doubled, damaged or foreign`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let files = try parts(scenario, 3, in: folder)
    let out = folder.path + "/out"
    func merge(_ files: [String], _ more: String...) throws -> CommandLineRun {
      try CommandLineRun(["merge"] + files + ["--output", out] + more)
    }
    let missing = try merge([files[0], files[2]])
    #expect(missing.status == 65 && missing.problems.contains("part 2/3 is missing; make it:"))
    let doubled = try merge(files + [files[1]])
    #expect(doubled.status == 65 && doubled.problems.contains("part 2/3 is there twice"))
    let other = try CommandLineRun.folder()
    let foreign = try parts(scenario, 3, in: other, "--seed", "9")
    let mixed = try merge([files[0], foreign[1], files[2]])
    #expect(
      mixed.status == 65
        && mixed.problems.contains(foreign[1] + ": a part of something else")
        && mixed.problems.contains("another seed, 9 in place of 1"))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: files[1]))
    bytes[bytes.count / 2] ^= 1
    let damaged = folder.path + "/damaged.part"
    try bytes.write(to: URL(fileURLWithPath: damaged))
    let refused = try merge([files[0], damaged, files[2]])
    #expect(refused.status == 65 && refused.problems.contains(damaged + ": it is damaged"))
    #expect(!FileManager.default.fileExists(atPath: out))

    let some = try merge([files[0], files[2]], "--allow-missing")
    #expect(some.status == 98 && some.output.contains("part 2/3"))
    #expect(try result(out).contains("3 of 5 replications"))
  }

  @Test func `fit a screen where many are wrong`() throws {
    let folder = try CommandLineRun.folder()
    for number in 1...30 {
      try Data("no part".utf8).write(to: folder.appending(path: "\(number).part"))
    }
    let told = try CommandLineRun(["merge", folder.path, "--output", folder.path + "/out"])
    let lines = told.problems.split(separator: "\n")
    #expect(told.status == 65 && lines.count == 21 && lines.last == "and 10 more")
  }

  @Test func `are not made again where they are there, and are where they are damaged`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let path = try parts(scenario, 5, in: folder)[3]
    func make(_ more: String...) throws -> CommandLineRun {
      try CommandLineRun(["run", scenario, "--part", "4/5", "--output", folder.path] + more)
    }
    let url = URL(fileURLWithPath: path)
    let whole = try Data(contentsOf: url)
    let again = try make()
    #expect(again.status == 0 && again.output.contains("is there already"))
    #expect(try Data(contentsOf: url) == whole)
    try whole.dropLast(9).write(to: url)
    let mended = try make()
    #expect(mended.status == 0 && mended.problems.contains("it is damaged"))
    #expect(try Data(contentsOf: url).count > whole.count / 2)
    let other = try make("--seed", "3")
    #expect(other.status == 65 && other.problems.contains("a part of another run is there"))
  }

  @Test func `leave no half file where the disk takes no more`() throws {
    let scenario = try CommandLineRun.file(Self.small, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", CommandLineRun.executable.path, "run",
      scenario, "--part", "1/5", "--output", folder.path, "--quiet",
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 73)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `go on by rounds until the run is decided, as one machine does`() throws {
    let text = """
      rehearsal: 1
      name: rounds
      starts: 2026-03-21T08:00 Europe/Amsterdam
      lasts: 30min
      replications: 10
      maximumReplications: 20
      precision: 2% at 95%
      worlds:
        - domain: toy
          population: {workshops: 1, members: 6, tools: 5}
      objectives: ["count of toy.borrow >= 1"]
      """
    let scenario = try CommandLineRun.file(text, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let whole = folder.path + "/whole"
    let run = try CommandLineRun("run", scenario, "--output", whole, "--quiet")
    let expected = try result(whole)
    #expect(expected.contains("\"looks\""))
    let out = folder.path + "/out"
    let made = folder.appendingPathComponent("parts")
    var rounds = 0
    while true {
      rounds += 1
      try #require(rounds < 4)
      _ = try parts(scenario, 2, in: made, "--round", "\(rounds)")
      let merge = try CommandLineRun("merge", made.path, "--output", out, "--quiet")
      if merge.status == 95 {
        #expect(merge.problems.contains("round \(rounds + 1) is wanted"))
        continue
      }
      #expect(merge.status == run.status, "\(merge.problems)")
      break
    }
    #expect(rounds > 1)
    #expect(try result(out) == expected)
  }

  @Test func `end a run that is to stop early where one machine ends it`() throws {
    let text =
      Self.small.replacingOccurrences(of: "replications: 5", with: "replications: 6")
      .replacingOccurrences(of: "adversaries: 5%", with: "adversaries: 5%\n    rulesOff: [KK-58]")
      + "\nstopEarly: true\n"
    let scenario = try CommandLineRun.file(text, named: "divided.yaml")
    let folder = try CommandLineRun.folder()
    let whole = folder.path + "/whole"
    let run = try CommandLineRun("run", scenario, "--output", whole, "--quiet")
    #expect(run.status == 99, "\(run.problems)")
    let files = try parts(scenario, 3, in: folder.appendingPathComponent("parts"))
    let out = folder.path + "/out"
    let merge = try CommandLineRun(["merge"] + files.reversed() + ["--output", out, "--quiet"])
    #expect(merge.status == 99, "\(merge.problems)")
    #expect(try result(out) == result(whole))
  }

  /// `REHEARSAL_GOLDEN=write` accepts what is written now; then read the difference.
  @Test(arguments: ["slurm", "kubernetes", "github"])
  func `are made by schedulers as scripts tell them that were looked at`(scheduler: String) throws {
    let script = try CommandLineRun(
      "parts", "Tests/Cluster/divided.yaml", "--for", scheduler, "--parts", "4")
    #expect(script.status == 0, "\(script.problems)")
    let golden = CommandLineRun.root.appendingPathComponent("Tests/Cluster/Golden/\(scheduler)")
    if ProcessInfo.processInfo.environment["REHEARSAL_GOLDEN"] == "write" {
      try script.output.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: golden, encoding: .utf8) == script.output)
  }

  @Test func `are no way to run what a scenario's path or name says`() throws {
    let folder = try CommandLineRun.folder()
    let path = folder.path + "/$(touch x)';.yaml"
    let text = Self.small.replacingOccurrences(of: "${CLUBS:-2}", with: "2")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let slurm = try CommandLineRun("parts", path, "--for", "slurm", "--parts", "2").output
    #expect(slurm.contains("scenario='") && slurm.contains(#"$(touch x)'\'';.yaml'"#))
    let github = try CommandLineRun("parts", path, "--for", "github", "--parts", "2").output
    #expect(github.contains("run \"$SCENARIO\" --part"))
  }
}
