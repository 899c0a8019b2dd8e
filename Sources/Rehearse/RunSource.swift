import ArgumentParser
import Foundation
import Reports
import Runs
import Scenarios
import Storage
import Verdicts

/// A run as the command line names it: its folder, its `result.json`, a baseline, or its number in the store.
struct RunSource {
  let name: String
  let bytes: [UInt8]

  /// More than a result of ten thousand replications has.
  private static let mostBytes = 1 << 30

  /// Problems are printed and end the command with 65.
  init(_ argument: String, store: String) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) {
      name = isFolder.boolValue ? Self.inside(argument) : argument
      bytes = try Self.read(name)
    } else if let id = Int64(argument), id > 0 {
      name = "run \(id)"
      bytes = try RunStore.orExit { () throws(RunStoreError) in
        try RunStore(store, creating: false).result(of: id)
      }
    } else {
      Console.error(
        "\(argument): neither a folder nor a file, nor the number of a run in \(store); 'rehearse runs list' lists them"
      )
      throw ExitStatus.invalidInput.thrown
    }
  }

  private static func inside(_ folder: String) -> String {
    (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/result.json"
  }

  private static func read(_ path: String) throws -> [UInt8] {
    func fail(_ text: String) -> ExitCode {
      Console.error("\(path): \(text)")
      return ExitStatus.invalidInput.thrown
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw fail("there is no such file; name the folder of a run that is finished")
    }
    var status = stat()
    // What a FIFO holds may never come.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fail("it is not a file; name the result of a run")
    }
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int,
      size <= mostBytes
    else { throw fail("it is larger than the result of any run") }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw fail("it cannot be read; check its permissions")
    }
    return Array(data)
  }

  /// Problems are printed and end the command with 65.
  func figures() throws -> RunFigures {
    do throws(ReadingProblem) {
      return try ResultReading.figures(of: bytes, file: name)
    } catch {
      Console.error(error.description)
      throw ExitStatus.invalidInput.thrown
    }
  }
}

extension RunStore {
  /// Where runs are recorded, relative to the folder that the command is called in.
  static let standardPath = "reports/" + ScenarioReader.storeName

  /// Runs something with a store; a problem is printed and ends the command: with 73 where the disk is full, else with 65.
  static func orExit<Value>(_ body: () throws(RunStoreError) -> Value) throws -> Value {
    do throws(RunStoreError) {
      return try body()
    } catch {
      Console.error(error.description)
      if case .full = error { throw ExitStatus.cannotWrite.thrown }
      throw ExitStatus.invalidInput.thrown
    }
  }
}

struct StoreOptions: ParsableArguments {
  @Option(help: "The store of runs.", completion: .file(extensions: ["sqlite"]))
  var store: String = RunStore.standardPath

  func open() throws -> RunStore {
    try RunStore.orExit { () throws(RunStoreError) in try RunStore(store, creating: false) }
  }
}
