import ArgumentParser
import Foundation
import Observations
import PartFiles
import Reports
import Runs
import Scenarios
import Verdicts

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the parts of a run together, exactly.",
    discussion: """
      Parts are what 'rehearse run --part' and 'rehearse load --part' made, on whatever machines. In virtual time digest, \
      verdict and result.json are those of the same run on one machine, but for what stands under 'machine'; the order \
      of the parts does not matter. A folder stands for all parts in it.

      Parts that are missing, there twice, damaged, or of another scenario, seed or build are named, and the exit code is \
      65. With --allow-missing the run tells what it can of the others, and is inconclusive at best.

      A run that makes replications until it is decided (precision, maximumReplications, stopEarly) is merged after each \
      round. Exit code 95 says that another round is wanted, and the message which.

      Examples:
        rehearse run scenarios/saturday.yaml --part 1/2 --output parts
        rehearse run scenarios/saturday.yaml --part 2/2 --output parts
        rehearse merge parts --output out
      """)

  @Argument(help: "Files of parts, or folders of them.", completion: .file(extensions: ["part"]))
  var parts: [String]

  @Flag(help: "Judge what there is where parts are missing.")
  var allowMissing = false

  @OptionGroup var results: ResultOptions

  func run() throws {
    // All that the parts hold has gone before the report takes memory of its own.
    try conclusion()()
  }

  /// - Returns: What keeps and shows the result, and ends the command.
  private func conclusion() throws -> () throws -> Void {
    let (set, replications) = try read()
    guard !set.parts.isEmpty else {
      Console.error("\(parts.joined(separator: ", ")): no part lies there")
      throw ExitStatus.invalidInput.thrown
    }
    guard let replications else {
      let merge = try LoadMerge(set)
      return { try merge.conclude(results, reading: paths, allowMissing: allowMissing) }
    }
    guard replications.work.division == nil else {
      let merge = DividedMerge(set, replications)
      return { try merge.conclude(results, reading: paths, allowMissing: allowMissing) }
    }
    let (ending, run) = try ScenarioMerge(set, replications, allowMissing: allowMissing)
      .judged(results, reading: paths)
    return { try ending.conclude(run) }
  }

  /// All files, those of folders by name.
  private var paths: [String] {
    parts.flatMap { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      else { return [path] }
      let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasSuffix(PartFile.suffix) && !$0.hasPrefix(".") }.sorted()
        .map { folder + "/" + $0 }
    }
  }

  /// Many parts are often wrong in one way.
  private static let mostTold = 20

  /// - Returns: The parts, and what those of a scenario's run came to.
  private func read() throws -> (PartSet, MergedReplications?) {
    var found: [PartSet.Named] = []
    var replications: MergedReplications?
    var problems: [String] = []
    for path in paths {
      do {
        var part = try PartFile.read(path)
        if part.kind == .run, part.build == PartPlace.build {
          if replications == nil { replications = try MergedReplications(part, path: path) }
          try replications?.take(&part)
        }
        found.append(PartSet.Named(path: path, part: part))
      } catch let problem as PartFileProblem {
        problems.append("\(path): \(problem)")
      }
    }
    do throws(PartProblems) {
      let set = try PartSet(found, build: PartPlace.build, difference: Self.difference)
      if problems.isEmpty { return (set, replications) }
    } catch {
      problems += error.lines
    }
    for problem in problems.prefix(Self.mostTold) { Console.error(problem) }
    if problems.count > Self.mostTold {
      Console.error("and \(problems.count - Self.mostTold) more")
    }
    throw ExitStatus.invalidInput.thrown
  }

  private static func difference(of part: Part, from whole: Part) -> String {
    guard part.kind == whole.kind else {
      return "a \(part.kind.rawValue) in place of a \(whole.kind.rawValue)"
    }
    do throws(PackingProblem) {
      return switch part.kind {
      case .run: try ScenarioWork(part.work).difference(from: ScenarioWork(whole.work))
      case .load: try LoadWork(part.work).difference(from: LoadWork(whole.work))
      }
    } catch {
      return "what it is a part of cannot be read"
    }
  }
}
