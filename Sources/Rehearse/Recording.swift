import Foundation
import Reports
import RunFolders
import Runs
import Storage
import Verdicts

/// Where the result of a run stays when it is over, beside the terminal: a disk that takes nothing more costs files, and never the
/// figures and the verdict.
struct Keeping {
  let folder: RunFolder
  /// Whether it is noted in the store of runs, too.
  let isStored: Bool
  /// What could not be kept, and why; to be said below the figures, where it is seen.
  private(set) var losses: [String] = []

  init(in folder: RunFolder, isStored: Bool) {
    self.folder = folder
    self.isStored = isStored
  }

  private var isWhole = true

  /// Where the page lies; `nil` where files are missing.
  var report: String? { isWhole ? folder.path + "/index.html" : nil }

  /// - Parameter run: What is noted in the store; `nil` where the files hold no run.
  mutating func keep(_ files: [(path: String, bytes: [UInt8])], of run: Run?) {
    do throws(RunFolderLoss) {
      try folder.write(files)
    } catch {
      losses.append(error.description)
      isWhole = false
    }
    guard isStored, let run else { return }
    do throws(RunStoreError) {
      let store = try RunStore(RunStore.standardPath, creating: true)
      let record = RunRecord(
        run, recordedAt: ISO8601DateFormatter().string(from: Date()), folder: folder.path)
      try store.record(
        record, measurements: run.figures.measurements, result: ResultDocument.bytes(for: run))
    } catch {
      // The files are what counts: a store that others hold, or that is none, is a warning.
      let what = "the run is not recorded: \(error.description)"
      if error.isLoss { losses.append(what) } else { Console.error("warning: " + what) }
    }
  }

  /// Takes note of something else that could not be written.
  mutating func lose(_ what: String) { losses.append(what) }

  func tellLosses() {
    for loss in losses { Console.error(loss) }
  }
}

extension Run {
  /// Something of it could not be written: only what is worse than that remains.
  mutating func becomeUnwritten() {
    guard let status = ExitStatus(rawValue: Int32(exitCode)) else { return }
    exitCode = Int(status.unwritten(limits: limits.map(\.verdict)).rawValue)
  }
}
