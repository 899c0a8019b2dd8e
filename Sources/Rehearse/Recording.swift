import Foundation
import Reports
import RunFolders
import Runs
import Storage

extension RunStore {
  /// Notes a run whose files were written in the store; the files are what counts: a store that cannot be used is a warning.
  static func note(_ run: Run, in folder: RunFolder) {
    do throws(RunStoreError) {
      let store = try RunStore(RunStore.standardPath, creating: true)
      let record = RunRecord(
        run, recordedAt: ISO8601DateFormatter().string(from: Date()), folder: folder.path)
      try store.record(
        record, measurements: run.figures.measurements, result: ResultDocument.bytes(for: run))
    } catch {
      Console.error("warning: the run is not recorded: \(error.description)")
    }
  }
}
