import Foundation
import HTTPLoad
import Observations
import PartFiles
import RunFolders
import Runs
import Verdicts

/// Where one part is kept. Problems are printed and end the command.
struct PartPlace {
  let folder: String
  let kind: Part.Kind
  let share: Share
  let round: Int
  /// What it is a part of.
  let work: [UInt8]

  static let build = Part.Build(version: Version.text, commit: Version.commit)

  /// Where the parts of a run lie when nothing else is said.
  static func folder(_ name: String, seed: UInt64) -> String { "reports/\(name)/parts-\(seed)" }

  var path: String {
    let number = String(share.number)
    let padding = String(repeating: "0", count: String(share.parts).count - number.count)
    let name = "\(padding)\(number)-of-\(share.parts)\(PartFile.suffix)"
    return folder + "/" + (round > 1 ? "round-\(round)-" : "") + name
  }

  /// Whether this part was made before. What is damaged is made again, and what is of another run stays where it is.
  func isThere() throws -> Bool {
    let part: Part
    do throws(PartFileProblem) {
      part = try PartFile.read(path)
    } catch {
      switch error {
      case .isMissing: return false
      case .damaged:
        Console.error("\(path): it is damaged, and is made again")
        return false
      default:
        Console.error("\(path): \(error)")
        throw ExitStatus.invalidInput.thrown
      }
    }
    let isMine =
      part.build == Self.build && part.kind == kind && part.share == share && part.round == round
      && part.work == work
    guard isMine else {
      Console.error(
        "\(path): a part of another run is there, of another scenario, seed, options or build; remove it, or give another --output"
      )
      throw ExitStatus.invalidInput.thrown
    }
    return true
  }

  /// Makes the folder, which many may make at once.
  func prepare() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      Console.error("\(folder): cannot be made a folder: \(error.localizedDescription)")
      throw ExitStatus.cannotWrite.thrown
    }
  }

  func write(_ outcome: [UInt8], by maker: Part.Maker) throws {
    let part = Part(
      kind: kind, build: Self.build, share: share, round: round, work: work, maker: maker,
      outcome: outcome)
    do throws(OutputProblem) {
      try PartFile.write(part, to: path)
    } catch {
      Console.error(error.description)
      throw ExitStatus.cannotWrite.thrown
    }
  }
}

extension Part.Maker {
  /// This machine.
  static func here(workers: Int, wallSeconds: Double) -> Part.Maker {
    Part.Maker(
      cpu: RunCommand.cpu, workers: workers, wallSeconds: wallSeconds,
      clockOffset: CivilClock.offset)
  }
}
