import Foundation
import Testing

/// Options that mean nothing by themselves, and values that nothing has: refused before anything is done.
@Suite struct `Options without what they are about` {
  @Test(arguments: [
    (["run", "SCENARIO", "--insecure"], "--insecure needs an https target"),
    (["run", "SCENARIO", "--ca-file", "/nowhere.pem"], "--ca-file needs an https target"),
    (
      ["run", "SCENARIO", "--insecure", "--target", "toy=http://127.0.0.1:9"],
      "--insecure needs an https target"
    ),
    (["run", "SCENARIO", "--margin", "5%"], "--margin is of a comparison"),
    (["run", "SCENARIO", "--stop-early", "--no-stop-early"], "--no-stop-early"),
    (["run", "SCENARIO", "--speed", "2"], "--speed is for the wall timeline"),
    (["report", "SCENARIO", "--margin", "5%"], "--margin is of a comparison"),
    (["report", "SCENARIO", "--only", "csv", "--output", "x"], "leave out --output"),
    (["explain", "SCENARIO", "--probe", "--no-probe"], "--no-probe"),
    (["trace", "SCENARIO", "--context", "3"], "--context is of --around or --violation"),
    (["trace", "SCENARIO", "--replication", "0"], "a number from 1 to 1, not 0"),
    (["trace", "SCENARIO", "--replication", "500"], "a number from 1 to 1, not 500"),
    (
      ["trace", "SCENARIO", "--replication", "500", "--replications", "499"],
      "a number from 1 to 499, not 500"
    ), (["persons", "SCENARIO", "--replication", "2"], "a number from 1 to 1, not 2"),
    (["domains", "--like", "x"], "give a domain and a topic"),
    (["domains", "toy", "--like", "x"], "give a domain and a topic"),
    (["domains", "toy", "events", "addTool", "--like", "x"], "give a domain and a topic"),
    (["commands", "toy", "--handbook", "--format", "json"], "leave out --format"),
    (["load", "http://127.0.0.1:9/", "--insecure"], "--insecure needs a URL of https"),
    (["load", "http://127.0.0.1:9/", "--ca-file", "x"], "--ca-file needs a URL of https"),
    (["load", "http://127.0.0.1:9/", "--cert", "x"], "--cert needs a URL of https"),
    (
      ["load", "http://127.0.0.1:9/", "--users", "2", "--connections", "9"],
      "--connections is of a rate"
    ),
    (["load", "http://127.0.0.1:9/", "--expect", "999"], "200 to 599"),
    (["load", "http://127.0.0.1:9/", "--expect", "200-600"], "200 to 599"),
    (["load", "http://127.0.0.1:9/", "--write", "x", "--output", "y"], "--write makes no call"),
    (["load", "http://127.0.0.1:9/", "--write", "x", "--json"], "--write makes no call"),
  ])
  func `are wrong usage, with what they need`(arguments: [String], words: String) throws {
    let folder = try CommandLineRun.folder()
    let scenario = try CommandLineRun.file(Self.scenario, named: "s.yaml")
    let run = try CommandLineRun(
      arguments.map { $0 == "SCENARIO" ? scenario : $0 }, in: folder)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.status) \(run.problems)")
    #expect(run.problems.contains(words), "\(run.problems)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  private static let scenario = """
    rehearsal: 1
    name: small
    starts: 2026-03-21T08:00 Europe/Amsterdam
    lasts: 1h
    worlds: [{domain: toy}]
    """

  @Test func `are taken where what they are about is there`() throws {
    let file = try CommandLineRun.file(
      Self.scenario + "\nreplications: 2\nmaximumReplications: 3\n", named: "s.yaml")
    #expect(try CommandLineRun("trace", file, "--replication", "3").status == 0)
    #expect(try CommandLineRun("trace", file, "--replication", "4").status == 64)
    let first = try CommandLineRun("persons", file, "--all")
    let second = try CommandLineRun(
      "persons", file, "--all", "--replication", "9", "--replications", "9")
    #expect(first.status == 0 && second.status == 0)
    let traced = try CommandLineRun("trace", file, "--format", "json", "--replication", "2")
    #expect(traced.output.hasPrefix(#"{"replication":1,"#), "records count from 0, as in --events")
  }

  @Test func `lists of names are whole where no terminal shows them`() throws {
    for topic in ["events", "parameters"] {
      let run = try CommandLineRun("domains", "mimi-supply", topic)
      #expect(run.status == 0 && !run.output.contains("…\n"), "\(topic)")
      #expect(run.output.split(separator: "\n").contains { $0.count > 120 }, "\(topic)")
    }
    let few = try CommandLineRun("domains", "toy", "events", "--like", "tool", "--format", "json")
    #expect(few.output.contains("addTool") && !few.output.contains("addMember"))
    let one = try CommandLineRun("domains", "toy", "events", "addTool", "--format", "json")
    #expect(one.output.hasPrefix("{") && one.output.contains("addTool"))
  }

  @Test func `the result goes to standard output as JSON where it is asked for`() throws {
    let folder = try CommandLineRun.folder()
    let file = try CommandLineRun.file(Self.scenario, named: "s.yaml")
    let run = try CommandLineRun(
      ["run", file, "--output", "out", "--json"], environment: ["GITHUB_ACTIONS": "true"],
      in: folder)
    let written = try String(
      contentsOf: folder.appendingPathComponent("out/result.json"), encoding: .utf8)
    #expect(run.output == written, "\(run.output.prefix(200))")
  }

  @Test func `a run in real time says beforehand how long it takes`() throws {
    let text =
      Self.scenario.replacing("lasts: 1h", with: "lasts: 2s")
      + "\ntimeline: wall\nreplications: 2\n"
    let file = try CommandLineRun.file(text, named: "s.yaml")
    let checked = try CommandLineRun("check", file)
    #expect(checked.output.contains("2 s of real time, 2 replications"), "\(checked.output)")
    let explained = try CommandLineRun("explain", file, "--no-probe")
    #expect(explained.output.contains("time       4 s in real time"), "\(explained.output)")
    let folder = try CommandLineRun.folder()
    let run = try CommandLineRun(["run", file, "--output", "out"], in: folder)
    #expect(
      run.problems.hasPrefix(
        "In real time this takes 4 s, 2 s for each of 2 replications one after another, and"),
      "\(run.problems)")
    let quiet = try CommandLineRun(["run", file, "--output", "q", "--quiet"], in: folder)
    #expect(!quiet.problems.contains("In real time"))
  }
}
