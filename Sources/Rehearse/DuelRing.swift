import Foundation
import Reports
import Runs
import Verdicts

/// Runs two builds as processes of their own, one at a time.
struct DuelRing {
  struct Fighter {
    let path: String
    /// The path, and what the program calls itself.
    let title: String
  }

  let scenario: String
  let seed: UInt64
  let workers: Int
  let stop: Interruption.Flag

  /// Problems are printed and end the command with 65.
  func fighter(_ path: String, named option: String) throws -> Fighter {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Self.fail("\(option): there is no \(path); name a built 'rehearse'")
    }
    guard !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: path) else {
      throw Self.fail(
        "\(option): \(path) is \(isFolder.boolValue ? "a folder" : "not executable"); name a built 'rehearse'"
      )
    }
    let answer = try launch(path, ["--version"])
    guard answer.status == 0, answer.output.hasPrefix("rehearse ") else {
      throw Self.fail(
        "\(option): \(path) is a program, but it does not answer --version as 'rehearse' does")
    }
    let version = answer.output.split(separator: "\n").first.map(String.init) ?? ""
    return Fighter(path: path, title: "\(path) · \(Escaping.visible(version))")
  }

  /// So many replications take about the time, on this machine, with that build.
  func replications(for seconds: Double, of fighter: Fighter) throws -> Int {
    // The first run also warms the machine's caches; the second one counts.
    _ = try bout(of: fighter, replications: 1)
    guard let alone = try bout(of: fighter, replications: 1)?.wall, alone > 0 else {
      Console.error("Stopped before the first pair was done; there is nothing to judge.")
      throw ExitStatus.interrupted.thrown
    }
    return min(10_000, max(1, Int((seconds / alone).rounded())))
  }

  /// One run; `nil` when somebody stopped it. Problems are printed and end the command.
  func bout(of fighter: Fighter, replications: Int) throws -> Duel.Bout? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearse-duel-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try launch(
      fighter.path,
      [
        "run", scenario, "--seed", String(seed), "--replications", String(replications),
        "--workers", String(workers), "--output", folder.path, "--quiet",
      ])
    if stop.isUp { return nil }
    // What the run found is not the question here, as long as it was whole.
    let finished: [ExitStatus] = [.allHeld, .failed, .inconclusive]
    guard finished.contains(where: { $0.rawValue == answer.status }),
      let data = FileManager.default.contents(atPath: folder.path + "/result.json")
    else {
      let said = answer.problems.split(separator: "\n").prefix(5).joined(separator: "\n  ")
      throw Self.fail(
        "\(fighter.title): 'run \(scenario)' ended with \(answer.status) and no result\n  \(Escaping.visible(said, limit: 2_000))"
      )
    }
    do throws(ReadingProblem) {
      return try ResultReading.bout(of: Array(data), file: fighter.path)
    } catch {
      throw Self.fail(error.description)
    }
  }

  private func launch(
    _ path: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String, problems: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // The runs of a duel are none of its CI's: they leave no annotations and no summaries there.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("GITHUB_")
    }
    let (out, error) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = error
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw Self.fail("\(path): cannot be started: \(error.localizedDescription)")
    }
    // A quiet run prints some lines at most, which a pipe holds.
    while process.isRunning {
      if stop.isUp { process.interrupt() }
      usleep(5_000)
    }
    process.waitUntilExit()
    func text(_ pipe: Pipe) -> String {
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    return (process.terminationStatus, text(out), text(error))
  }

  private static func fail(_ text: String) -> any Error {
    Console.error(text)
    return ExitStatus.invalidInput.thrown
  }
}
