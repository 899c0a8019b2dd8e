import ArgumentParser
import Foundation
import Reports
import RunFolders
import Runs
import Verdicts

/// The end of a load, however it was measured: kept, shown, and told to the shell.
struct LoadEnding {
  let folder: RunFolder
  private let isStored: Bool
  private let quiet: Bool
  private let json: Bool

  /// Made before the first call, so that no load is lost for want of a folder.
  ///
  /// - Parameter inputs: Files that the load reads.
  init(
    name: String, seed: UInt64, output: String?, noStore: Bool, quiet: Bool, json: Bool,
    reading inputs: [String]
  ) throws {
    isStored = output == nil && !noStore
    (self.quiet, self.json) = (quiet, json)
    do throws(RunFolderError) {
      folder =
        if let output {
          try RunFolder.prepare(output, sparing: inputs)
        } else {
          try RunFolder.prepareDefault(name: name, seed: seed, at: Date())
        }
    } catch {
      Console.error(error.description)
      throw (error.isWrongUsage ? ExitStatus.wrongUsage : .cannotWrite).thrown
    }
  }

  /// - Throws: The exit code, unless it is 0.
  func conclude(_ ended: Run, explanations: [String: String]) throws {
    var run = ended
    run.folder = folder.path
    var keeping = Keeping(in: folder, isStored: isStored)
    keeping.keep(Rendering.files(for: run), of: run)
    let judged = run
    if !keeping.losses.isEmpty { run.becomeUnwritten() }
    Console.conclude(Int32(run.exitCode), limits: [])
    if json { Console.out(bytes: ResultDocument.bytes(for: run)) }
    let isQuiet = quiet || json
    if !isQuiet || run.exitCode != 0 { show(judged, explanations, keeping, quiet: isQuiet) }
    keeping.tellLosses()
    if run.exitCode != 0 { throw ExitCode(Int32(run.exitCode)) }
  }

  private func show(
    _ run: Run, _ explanations: [String: String], _ keeping: Keeping, quiet: Bool
  ) {
    let stream = quiet ? STDERR_FILENO : STDOUT_FILENO
    let text = TerminalLoad.text(
      run, width: Console.columns(of: stream) ?? 80, colour: Console.wantsColour(stream),
      explanations: explanations, reportAt: keeping.report)
    if quiet { Console.write(text) } else { Console.out(bytes: Array(text.utf8)) }
  }
}
