import ArgumentParser
import Contracts
import Foundation
import Reports
import RunFolders
import Runs
import Verdicts

/// Sets a run beside a baseline: what `compare` and `run --baseline` share.
enum Comparing {
  /// Problems are printed and end the command with 65.
  static func compare(
    _ run: RunFigures, with baseline: RunFigures, names: (run: String, baseline: String),
    margin: Margin
  ) throws -> RunComparison {
    try check(run, names.run)
    try check(baseline, names.baseline)
    if let obstacle = run.obstacle(besides: baseline) {
      throw fail(names.run, Escaping.visible(obstacle, limit: 600) + "; " + loadAdvice)
    }
    guard run.scenario.name == baseline.scenario.name else {
      throw fail(
        names.baseline,
        "this is a baseline of the scenario '\(baseline.scenario.name)', and the run is one of '\(run.scenario.name)'; name a run of the same scenario"
      )
    }
    return RunComparison(of: run, with: baseline, margin: margin.share)
  }

  /// What to do in place of comparing two runs of loads.
  static let loadAdvice =
    "run one load by turns against both servers: 'rehearse duel LOAD.yaml --baseline-url URL --url URL' ('rehearse load URL --write LOAD.yaml' writes the file), or follow many runs of one load with 'rehearse history'"

  private static func check(_ run: RunFigures, _ name: String) throws {
    guard !run.interrupted else {
      throw fail(
        name, "this run was interrupted, and its figures cover only a part of it; run it again")
    }
    guard !run.replications.isEmpty else {
      throw fail(name, "this run has no replications; run it again")
    }
  }

  private static func fail(_ name: String, _ text: String) -> ExitCode {
    Console.error("\(name): \(text)")
    return ExitStatus.invalidInput.thrown
  }
}

/// Writes a single file as whole or not at all.
enum WholeFile {
  /// Makes the folder where needed; problems are printed and end the command with 73, or with 64 for a file that the command reads.
  static func write(_ bytes: [UInt8], to path: String, sparing inputs: [String] = []) throws {
    let folder = Path.folder(of: path)
    if !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      } catch {
        Console.error("\(path): its folder cannot be made: \(error.localizedDescription)")
        throw ExitStatus.cannotWrite.thrown
      }
    }
    do throws(OutputProblem) {
      try OutputFile.write(bytes, to: path, sparing: inputs)
    } catch {
      throw error.told
    }
  }

  /// Never overwrites: somebody may have worked on what is there. Problems are printed and end the command with 73, or with 64 where
  /// there is a file of that name.
  ///
  /// - Parameter other: What to choose in its place.
  static func create(_ text: String, at path: String, elsewhere other: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let number = errno
      guard number == EEXIST else { throw OutputProblem(errno: number, path: path).told }
      Console.error(
        "\(printable(path, limit: 200)): there is a file of that name already; choose \(other)")
      throw ExitStatus.wrongUsage.thrown
    }
    let failed = Descriptor.write(Array(text.utf8), to: descriptor)
    // Some file systems tell only now that they are full.
    if let number = close(descriptor) == 0 ? failed : failed ?? errno {
      // Half a file would be taken for a whole one.
      unlink(path)
      throw OutputProblem(errno: number, path: path).told
    }
  }
}

extension OutputProblem {
  /// Prints the problem; what to throw then.
  var told: ExitCode {
    Console.error(description)
    return (isWrongUsage ? ExitStatus.wrongUsage : .cannotWrite).thrown
  }
}
