import Contracts
import Foundation
import Scenarios

/// Reads a file without trusting its size: no more is read than a scenario may have, and one byte.
enum BoundedFile {
  static func bytes(of path: String) throws(ScenarioErrors) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ScenarioErrors(file: path, "there is no such file", "give the path of a scenario")
    }
    // What a FIFO or a device holds may never come, and can be read but once.
    let kind: String? =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a FIFO"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let kind {
      throw ScenarioErrors(
        file: path, "it is \(kind)", "give the path of a scenario")
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
