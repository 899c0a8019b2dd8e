import Foundation
import Testing

@Suite struct `Values that cannot be` {
  @Test(arguments: [
    (
      ["compare", "a", "b", "--margin", "-5%"], "'-5%' is no margin; give a share from 0% to 1000%"
    ),
    (["report", "a", "--baseline", "b", "--margin", "-.5"], "'-.5' is no margin"),
    (["load", "http://127.0.0.1:1/", "--users", "-1"], "--users must be a number from 1 to 10000"),
    (
      ["load", "http://127.0.0.1:1/", "--connections", "-1"],
      "--connections must be a number from 1"
    ),
    (["load", "http://127.0.0.1:1/", "--for", "-5s"], "--for must be above 0s"),
    (["load", "http://127.0.0.1:1/", "--follow", "-1"], "--follow must be a number from 1 to 50"),
    (["load", "http://127.0.0.1:1/", "--weight", "-1"], "a weight is a number from 0 to 1000000"),
    (["load", "http://127.0.0.1:1/", "--rate", "-5/s"], "--rate must be above 0/s"),
    (["load", "http://127.0.0.1:1/", "--timeout", "-1s"], "--timeout must be from 1ms to 1d"),
    (["replay", "toy", "-", "--seed", "-1"], "a seed is not negative"),
    (["run", "scenarios/toy.yaml", "--seed", "-1"], "a seed is not negative"),
    (["run", "scenarios/toy.yaml", "--workers", "-1"], "--workers must be a number"),
    (["history", "x", "--last", "-1"], "--last"),
    (["limits", "--domain", "-1"], "no domain '-1'"),
  ])
  func `a negative value is said to be wrong by the option that it follows`(
    arguments: [String], words: String
  ) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 64)
    #expect(run.problems.contains(words), "\(run.problems)")
    #expect(!run.problems.contains("Missing value"))
  }

  @Test(arguments: [
    (["help", "nobody"], 64, "there is no command 'nobody'"),
    (["help", "baseline", "acept"], 64, "did you mean 'accept'?"),
    (["help", "baseline", "accept"], 0, ""),
    (["run", "scenarios/toy.yaml", "--events", ""], 64, "--events needs the name of a file"),
    (["new", "-"], 64, "'name' cannot be \"-\": it becomes the name of a folder"),
    (["new", "runs.sqlite"], 64, "the store of runs lies under that name"),
    (
      ["parts", "scenarios/toy.yaml", "--for", "slurm", "--parts", "2", "--round", "65"], 64,
      "from 1 to 64"
    ),
  ])
  func `what is asked for and cannot be is said before anything is done`(
    arguments: [String], status: Int, words: String
  ) throws {
    let place = try CommandLineRun.folder()
    let scenarios = CommandLineRun.root.appendingPathComponent("scenarios")
    try FileManager.default.createSymbolicLink(
      at: place.appendingPathComponent("scenarios"), withDestinationURL: scenarios)
    let run = try CommandLineRun(arguments, in: place)
    #expect(run.status == Int32(status))
    #expect(run.problems.contains(words) || words.isEmpty, "\(run.problems)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["scenarios"])
  }

  @Test func `a line of a replay that never ends is a problem with its number`() throws {
    let file = try CommandLineRun.file(
      "{\"control\":{\"advance\":{\"by\":\"1s\"}}}\n", named: "long")
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    try handle.truncate(atOffset: 66 << 20)
    try handle.close()
    let run = try CommandLineRun("replay", "toy", file)
    #expect(run.status == 65)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.problems.contains("long:2:1: this line has more than 64 MB"), "\(run.problems)")
  }

  @Test func `what stands behind two dashes is no value of what stands before them`() throws {
    let run = try CommandLineRun("check", "--", "-1.yaml")
    #expect(run.status == 65)
    #expect(run.problems.contains("-1.yaml"))
  }

  private static let scenario = """
    rehearsal: 1
    name: few
    starts: 2026-03-21T17:00 Europe/Amsterdam
    lasts: 1min
    replications: 2
    worlds: [{domain: toy}]
    """

  @Test func `a maximum below the replications that a run begins with is refused`() throws {
    let file = try CommandLineRun.file(Self.scenario, named: "few.yaml")
    let folder = try CommandLineRun.folder().appendingPathComponent("run").path
    let run = try CommandLineRun(
      "run", file, "--output", folder, "--quiet", "--maximum-replications", "1")
    #expect(run.status == 64)
    #expect(run.problems.contains("--maximum-replications 1 is less than the 2 replications"))
    #expect(!FileManager.default.fileExists(atPath: folder))
    let fewer = try CommandLineRun(
      "run", file, "--output", folder, "--quiet", "--maximum-replications", "1", "--replications",
      "1")
    #expect(fewer.status != 64, "\(fewer.problems)")
  }

  @Test func `a scenario called as the store of runs is refused where its name stands`() throws {
    let text = Self.scenario.replacing("name: few", with: "name: runs.sqlite")
    let file = try CommandLineRun.file(text, named: "store.yaml")
    let place = try CommandLineRun.folder()
    for arguments in [["check", file], ["run", file, "--quiet"]] {
      let run = try CommandLineRun(arguments, in: place)
      #expect(run.status == 65)
      #expect(run.problems.contains("store.yaml:2:7: 'name' cannot be 'runs.sqlite'"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
  }

  @Test func `baselines of a folder that is none are an error, of an empty one are not`() throws {
    let place = try CommandLineRun.folder()
    let missing = try CommandLineRun("baseline", "list", place.path + "/nowhere")
    #expect(missing.status == 65)
    #expect(missing.problems.contains("/nowhere: this is no folder that can be read"))
    let file = try CommandLineRun.file("{}", named: "file.json")
    #expect(try CommandLineRun("baseline", "list", file).status == 65)
    let empty = try CommandLineRun("baseline", "list", place.path)
    #expect(empty.status == 0)
    #expect(empty.problems.contains("no baselines"))
    // Where none was accepted yet, there is no standard folder.
    #expect(try CommandLineRun(["baseline", "list"], in: place).status == 0)
  }
}
