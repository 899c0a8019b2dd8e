import Foundation
import Synchronization

/// The folder that receives the files of one run; tried before the run starts, so that no result is lost for want of
/// a place, and made when there is something to write, so that a run that never ends leaves nothing.
public final class RunFolder: Sendable {
  /// As the user named it, or below `reports/`; settled once `write` is through.
  public var path: String { root.withLock(\.self) }
  private let root: Mutex<String>
  /// The name of our own choice, with a number behind it where it is taken; `nil` for a folder that the user named.
  private let stem: String?

  private init(path: String) {
    root = Mutex(path)
    stem = nil
  }

  private init(stem: String) {
    root = Mutex(stem)
    self.stem = stem
  }

  /// The folder's link `latest` beside it, when it has one.
  private var latest: String? {
    stem.map { Path.folder(of: $0) + "/latest" }
  }

  private static let topLevel: Set<String> = [
    "index.html", "summary.md", "summary.svg", "junit.xml", "result.json", "comparison.json",
    "capacity.json",
    "latencies.csv", "metrics.txt",
  ]
  private static let latencies = "latency"

  /// Whether a run's own files have the name.
  public static func holds(_ name: String) -> Bool { name == latencies || topLevel.contains(name) }

  /// Makes sure that the files of a run can be written to exactly this folder: it can be made, or is there, can be written to
  /// and holds nothing but files that a former run left. Those stay until `write` replaces them.
  ///
  /// - Parameters:
  ///   - besides: Names of further files that may lie in it.
  ///   - inputs: Files that the run reads, which must not be among those that it would replace.
  public static func prepare(
    _ path: String, besides: Set<String> = [], sparing inputs: [String] = []
  ) throws(RunFolderError) -> RunFolder {
    let path = path.isEmpty ? "." : path
    let isNew = try make(path)
    if !isNew {
      try refuseForeign(in: path, besides: besides)
      for input in inputs {
        if let name = try entries(of: path).first(where: { isSame(path + "/" + $0, input) }) {
          throw .holdsInput(path: path, input: name)
        }
      }
    }
    let folder = RunFolder(path: path)
    defer { if isNew { rmdir(path) } }
    try folder.probe()
    return folder
  }

  /// Prepares `<root>/<name>/<UTC time>-<seed>`, with `latest` beside it once `write` is through.
  ///
  /// A folder of that name that is there by then is left alone; the new one gets `-2`, `-3` and so on.
  public static func prepareDefault(
    name: String, seed: UInt64, at moment: Date, below root: String = "reports"
  ) throws(RunFolderError) -> RunFolder {
    try checkFileName(name)
    let shelf = root + "/" + name
    let latest = shelf + "/latest"
    if let kind = Self.kind(of: latest, following: false), kind != S_IFLNK {
      throw .foreignFiles(path: shelf, names: ["latest"])
    }
    let folder = RunFolder(stem: shelf + "/" + stamp(moment) + "-\(seed)")
    let made = try folder.make()
    defer { for folder in made.reversed() { rmdir(folder) } }
    try folder.probe()
    return folder
  }

  /// Makes one folder.
  ///
  /// - Returns: Whether it was not there before.
  private static func make(_ path: String) throws(RunFolderError) -> Bool {
    if mkdir(path, 0o777) == 0 { return true }
    let number = errno
    guard number == EEXIST else { throw RunFolderError(errno: number, path: path) }
    guard let kind = kind(of: path, following: true) else {
      if Self.kind(of: path, following: false) == S_IFLNK { throw .deadLink(path: path) }
      // It was there, and is gone again.
      throw RunFolderError(errno: ENOENT, path: path)
    }
    guard kind == S_IFDIR else { throw .isFile(path: path) }
    return false
  }

  /// Makes the folder, and those above one of our own naming; the number behind its name makes that its alone.
  ///
  /// - Returns: What was made, the outermost first.
  private func make() throws(RunFolderError) -> [String] {
    guard let stem else {
      let isNew = try Self.make(path)
      return isNew ? [path] : []
    }
    for _ in 0..<100 {
      do throws(RunFolderError) {
        return try makeNamed(stem)
      } catch {
        // Another run that tried the same place has just taken it away again.
        guard case .missingParent = error else { throw error }
      }
    }
    return try makeNamed(stem)
  }

  private func makeNamed(_ stem: String) throws(RunFolderError) -> [String] {
    var made: [String] = []
    do throws(RunFolderError) {
      let shelf = Path.folder(of: stem)
      for parent in [Path.folder(of: shelf), shelf] where !parent.isEmpty {
        if try Self.make(parent) { made.append(parent) }
      }
      for attempt in 1...1_000 {
        let path = attempt == 1 ? stem : "\(stem)-\(attempt)"
        if mkdir(path, 0o777) == 0 {
          root.withLock { $0 = path }
          return made + [path]
        }
        let number = errno
        guard number == EEXIST else { throw RunFolderError(errno: number, path: path) }
      }
      throw .failed(path: stem, reason: "a thousand folders of that name exist")
    } catch {
      for folder in made.reversed() { rmdir(folder) }
      throw error
    }
  }

  /// Writes all files under temporary names, then gives them their own, in order; removes what a former run left and
  /// this one did not write.
  ///
  /// The last file is written first: where a disk gets full, it is there, and the others can be made from it again. When
  /// none can be written, everything is as it was.
  public func write(_ files: [(path: String, bytes: [UInt8])]) throws(RunFolderLoss) {
    var unwritten = files.map(\.path)
    do throws(RunFolderError) {
      if let problem = try write(files, &unwritten) { throw problem }
    } catch {
      throw RunFolderLoss(reason: error, missing: unwritten)
    }
  }

  /// - Parameter unwritten: Those that do not have their names yet.
  /// - Returns: Why some could not be written.
  private func write(
    _ files: [(path: String, bytes: [UInt8])], _ unwritten: inout [String]
  ) throws(RunFolderError) -> RunFolderError? {
    var names: Set<String> = []
    for file in files {
      try Self.checkPath(file.path)
      guard names.insert(file.path).inserted else { throw .badFileName(path: file.path) }
    }
    var made = try make()
    var pending: [(temporary: String, final: String, name: String)] = []
    var problem: RunFolderError?
    for (index, file) in files.enumerated().reversed() {
      let final = path + "/" + file.path
      let folder = Path.folder(of: final)
      let temporary = folder + "/" + Self.temporaryName(index)
      do throws(RunFolderError) {
        if try Self.make(folder) { made.append(folder) }
        try Self.create(temporary, bytes: file.bytes, as: final)
        pending.append((temporary, final, file.path))
      } catch {
        unlink(temporary)
        problem = problem ?? error
      }
    }
    for (temporary, final, name) in pending.reversed() {
      if rename(temporary, final) == 0 {
        unwritten.removeAll { $0 == name }
      } else {
        problem = problem ?? RunFolderError(errno: errno, path: final)
        unlink(temporary)
      }
    }
    for folder in made.reversed() { rmdir(folder) }  // Refused unless it is empty.
    guard unwritten.count < files.count else { return problem }
    try removeLeftovers(except: names.subtracting(unwritten))
    try linkLatest()
    return problem
  }

  /// Removes the files of a former run, and the folder when nothing else lies in it. Where no folder is, nothing happens.
  public static func remove(_ path: String) throws(RunFolderError) {
    guard kind(of: path, following: false) == S_IFDIR else { return }
    let folder = RunFolder(path: path)
    try folder.removeLeftovers(except: [])
    rmdir(path)  // Refused unless it is empty.
    let latest = Path.folder(of: path) + "/latest"
    // A link to what is gone misleads.
    if kind(of: latest, following: false) == S_IFLNK, kind(of: latest, following: true) == nil {
      unlink(latest)
    }
  }

  // MARK: - What may lie in the folder

  private static func refuseForeign(
    in path: String, besides: Set<String>
  ) throws(RunFolderError) {
    var foreign: [String] = []
    for name in try entries(of: path) where !besides.contains(name) {
      let kind = kind(of: path + "/" + name, following: false)
      if name == latencies, kind == S_IFDIR {
        for inner in try entries(of: path + "/" + name)
        where !isOurs(inner, hgrm: true)
          || Self.kind(of: path + "/" + name + "/" + inner, following: false) != S_IFREG
        {
          foreign.append(name + "/" + inner)
        }
      } else if kind != S_IFREG || !isOurs(name, hgrm: false) {
        foreign.append(name)
      }
    }
    guard foreign.isEmpty else { throw .foreignFiles(path: path, names: foreign) }
  }

  private static func isOurs(_ name: String, hgrm: Bool) -> Bool {
    isTemporary(name) || (hgrm ? name.hasSuffix(".hgrm") : topLevel.contains(name))
  }

  private func removeLeftovers(except names: Set<String>) throws(RunFolderError) {
    var stale: [String] = []
    for name in try Self.entries(of: path) where Self.isOurs(name, hgrm: false) {
      if !names.contains(name) { stale.append(name) }
    }
    let folder = path + "/" + Self.latencies
    if Self.kind(of: folder, following: false) == S_IFDIR {
      for name in try Self.entries(of: folder) where Self.isOurs(name, hgrm: true) {
        if !names.contains(Self.latencies + "/" + name) {
          stale.append(Self.latencies + "/" + name)
        }
      }
    }
    for name in stale where unlink(path + "/" + name) != 0 && errno != ENOENT {
      throw RunFolderError(errno: errno, path: path + "/" + name)
    }
    rmdir(folder)  // Refused, as it should be, unless it is empty.
  }

  // MARK: - Writing

  /// Nothing but a file written proves that files can be written.
  private func probe() throws(RunFolderError) {
    let name = path + "/" + Self.temporaryName(-1)
    defer { unlink(name) }
    try Self.create(name, bytes: Array("rehearsal\n".utf8), as: path)
  }

  /// - Parameter name: What messages call it.
  private static func create(
    _ path: String, bytes: [UInt8], as name: String
  ) throws(RunFolderError) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw RunFolderError(errno: errno, path: name) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path: name)
  }

  /// Writes and waits until the bytes are safe; some file systems tell only then that they are full.
  public static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(RunFolderError) {
    if let number = Descriptor.write(bytes, to: descriptor) {
      throw RunFolderError(errno: number, path: path)
    }
    if fsync(descriptor) != 0, errno != EINVAL { throw RunFolderError(errno: errno, path: path) }
  }

  private func linkLatest() throws(RunFolderError) {
    guard let latest else { return }
    let temporary = latest + Self.temporarySuffix
    unlink(temporary)
    guard symlink(Path.name(of: path), temporary) == 0,
      rename(temporary, latest) == 0
    else {
      let number = errno
      unlink(temporary)
      throw RunFolderError(errno: number, path: latest)
    }
  }

  // MARK: - Names

  private static let temporarySuffix = ".rehearsal-part"

  private static func temporaryName(_ index: Int) -> String {
    ".\(getpid())-\(index)" + temporarySuffix
  }

  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(temporarySuffix)
  }

  /// `2026-03-21T05-00-00Z`: sorts by time, and no file system objects to it.
  static func stamp(_ moment: Date) -> String {
    var seconds = time_t(moment.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d-%02d-%02dZ", Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1,
      Int(parts.tm_mday), Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
  }

  private static func checkPath(_ path: String) throws(RunFolderError) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw .badFileName(path: path) }
    for part in parts { try checkFileName(String(Substring(part))) }
  }

  private static func checkFileName(_ name: String) throws(RunFolderError) {
    // By bytes, as the file system goes.
    guard let first = name.utf8.first, first != UInt8(ascii: "."),
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { throw .badFileName(path: name) }
  }

  private static func entries(of path: String) throws(RunFolderError) -> [String] {
    guard let stream = opendir(path) else { throw RunFolderError(errno: errno, path: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    var (a, b) = (stat(), stat())
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev
      && a.st_ino == b.st_ino
  }

  /// `S_IFDIR` and the like; `nil` when nothing is there.
  private static func kind(of path: String, following: Bool) -> mode_t? {
    var status = stat()
    let result = following ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}
