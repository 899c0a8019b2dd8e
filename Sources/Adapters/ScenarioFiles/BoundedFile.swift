import Contracts
import Foundation
import Scenarios

/// Reads a file without trusting its size: no more is read than a scenario may have, and one byte.
enum BoundedFile {
  static func bytes(of path: String) throws(ScenarioErrors) -> [UInt8] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ScenarioErrors(file: path, "there is no such file", "give the path of a scenario")
    }
    guard !isDirectory.boolValue else {
      throw ScenarioErrors(file: path, "it is a folder", "give the path of a scenario")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ScenarioErrors(file: path, "it cannot be opened", "check its permissions")
    }
    // A file is closed once; what closing could still report does not change what was read.
    defer { try? handle.close() }
    var bytes: [UInt8] = []
    do {
      while bytes.count <= ScenarioFile.mostBytes,
        let part = try handle.read(upToCount: ScenarioFile.mostBytes + 1 - bytes.count),
        !part.isEmpty
      {
        bytes += part
      }
    } catch {
      throw ScenarioErrors(
        file: path, "it cannot be read: \(printable(error.localizedDescription))",
        "check the file and its disk")
    }
    return bytes
  }
}
