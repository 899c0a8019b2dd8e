/// Why the store of runs cannot be used, and what to do about it.
public enum RunStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nothing was ever recorded.
  case missing(path: String)
  /// Not a database at all, or another program's.
  case foreign(path: String)
  case isFolder(path: String)
  case newer(path: String, version: Int, known: Int)
  case damaged(path: String)
  case busy(path: String)
  case full(path: String)
  case notPermitted(path: String)
  case noSuchRun(id: Int64, path: String)
  case failed(path: String, reason: String)

  /// Whether what was to be kept has no place, rather than that others use the store or that it is none.
  public var isLoss: Bool {
    switch self {
    case .full, .notPermitted, .failed: true
    case .missing, .foreign, .isFolder, .newer, .damaged, .busy, .noSuchRun: false
    }
  }

  public var description: String {
    switch self {
    case .missing(let path):
      "\(path): no runs are recorded here yet; 'rehearse run SCENARIO' records one"
    case .foreign(let path):
      "\(path): this is not a store of runs; move it away or name another one with --store"
    case .isFolder(let path):
      "\(path): this is a folder; name the file of a store, such as \(path)/runs.sqlite"
    case .newer(let path, let version, let known):
      "\(path): a newer Rehearsal wrote this store (version \(version), this one knows \(known)); update Rehearsal or name another store with --store"
    case .damaged(let path):
      "\(path): the store is damaged; move it away, and the next run begins a new one (the files of each run stay)"
    case .busy(let path):
      "\(path): another process has been holding the store for longer than this one waits; try again"
    case .full(let path): "\(path): the disk is full; free some space"
    case .notPermitted(let path):
      "\(path): this user may not open or write the store; change its permissions or name another one with --store"
    case .noSuchRun(let id, let path):
      "\(path): there is no run \(id); 'rehearse runs list' lists them"
    case .failed(let path, let reason): "\(path): \(reason)"
    }
  }
}
