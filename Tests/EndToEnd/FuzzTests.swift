import Foundation
import Testing

@Suite(.serialized) struct `Asking what nobody would` {
  private final class Fuzzing {
    private let process = Process()
    private let pipe = Pipe()
    private(set) var said = ""

    init(_ arguments: [String], mode: String = "requests") throws {
      process.executableURL = CommandLineRun.executable.deletingLastPathComponent()
        .appendingPathComponent("rehearse-fuzz")
      process.arguments = [mode] + arguments
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
    }

    /// Waits for the end.
    func code() -> Int32 {
      said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// Each domain in a process beside the others. CI asks a hundred thousand of the release build, which is ten times as fast.
  @Test func `ten thousand requests neither end a twin nor make it answer 5xx`() throws {
    let domains = try CommandLineRun.domains()
    let runs = try domains.map { domain in
      try Fuzzing([
        "--seed", "12", "--domain", domain, "--count", "2500", "--workers", "1", "--quiet",
      ])
    }
    for (run, domain) in zip(runs, domains) {
      #expect(run.code() == 0, "\(run.said)")
      #expect(run.said.contains("\(domain): 2500 requests and commands"))
      #expect(run.said.contains(" 0 failures"))
    }
  }

  @Test func `a request that ends the process is shown, with the command that repeats it`() throws {
    let request = ["--seed", "5", "--domain", "kantine-koning"]
    let found = try Fuzzing(
      request + ["--count", "200", "--workers", "1", "--trap-at", "30", "--quiet"])
    #expect(found.code() == 99)
    #expect(found.said.contains("FAILURE of kantine-koning at request 30 of seed 5"))
    #expect(found.said.contains("by signal"))
    #expect(found.said.contains("planted"))
    #expect(
      found.said.contains("rehearse-fuzz requests --seed 5 --domain kantine-koning --only 30"))
    // What was asked is shown as a line.
    let line = found.said.split(separator: "\n").first { $0.hasPrefix("30: ") }
    #expect(line?.contains("{\"") == true)
    // The rest goes on: the branch behind the trap.
    #expect(found.said.contains("1 failures"))

    let again = try Fuzzing(request + ["--only", "30"])
    #expect(again.code() == 0)
    #expect(again.said.split(separator: "\n").last == line)
  }

  @Test func `a seed makes the same requests on any number of workers`() throws {
    func granted(_ workers: String) throws -> Substring? {
      let fuzzing = try Fuzzing(
        [
          "--seed", "3", "--domain", "kantine-koning", "--count", "400", "--workers", workers,
          "--quiet",
        ])
      #expect(fuzzing.code() == 0)
      return fuzzing.said.split(separator: "\n").first { $0.hasPrefix("kantine-koning") }?
        .prefix { $0 != "f" }
    }
    let one = try granted("1")
    #expect(one != nil)
    #expect(try granted("2") == one)
  }

  @Test func `faults of each kind, and several at once, accuse no backend`() throws {
    let fuzzing = try Fuzzing(["--seed", "12", "--domain", "toy", "--count", "10"], mode: "faults")
    #expect(fuzzing.code() == 0, "\(fuzzing.said)")
    #expect(fuzzing.said.contains("toy: 10 runs, "))
    #expect(fuzzing.said.contains(" requests, no rule broken"))
  }

  @Test func `a rule that is broken among faults is shown with them, and with the scenario`() throws
  {
    let planted = ["--seed", "5", "--domain", "toy", "--without", "TY-03"]
    let found = try Fuzzing(planted + ["--count", "2"], mode: "faults")
    #expect(found.code() == 99)
    #expect(found.said.contains("FAILURE of toy in run 0 of seed 5: kind: requestLost, share: "))
    #expect(found.said.contains("\n  TY-03, "))
    #expect(
      found.said.contains("repeat it with: rehearse-fuzz faults --seed 5 --domain toy --only 0"))
    #expect(found.said.contains("in 2 of them rules are broken"))

    let again = try Fuzzing(planted + ["--only", "0"], mode: "faults")
    #expect(again.code() == 99)
    #expect(again.said.contains("rehearsal: 1\n"))
    #expect(again.said.contains("- {from: +0s, to: +12h, on: toy, kind: requestLost, share: "))
  }

  @Test(
    arguments: [["--only", "3"], ["--count", "0"], ["--domain", "nowhere"]], ["requests", "faults"])
  func `wrong usage is refused`(arguments: [String], mode: String) throws {
    #expect(try Fuzzing(arguments, mode: mode).code() == 64)
  }
}
