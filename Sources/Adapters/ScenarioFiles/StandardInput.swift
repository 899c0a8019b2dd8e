import Foundation
import Scenarios

/// A scenario from standard input, called `-`. It can be read once, and is kept for whoever asks again.
enum StandardInput {
  private static let content: Result<[UInt8], ScenarioErrors> = {
    var bytes: [UInt8] = []
    do {
      while bytes.count <= ScenarioFile.mostBytes,
        let part = try FileHandle.standardInput.read(
          upToCount: ScenarioFile.mostBytes + 1 - bytes.count), !part.isEmpty
      {
        bytes += part
      }
    } catch {
      return .failure(
        ScenarioErrors(file: "-", "standard input cannot be read", "pipe a scenario into it"))
    }
    return .success(bytes)
  }()

  static func bytes() throws(ScenarioErrors) -> [UInt8] { try content.get() }
}
