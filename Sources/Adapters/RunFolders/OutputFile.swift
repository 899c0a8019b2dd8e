import Foundation
import Synchronization

/// A single file that a command writes.
///
/// A regular file appears whole under its name, or not at all: it is written without a name, or beside it where the file system knows no
/// such files, and renamed. Anything else (a FIFO, a device, the
/// program's own standard output) is written into as it is. Symbolic links are followed and stay.
public final class OutputFile: Sendable {
  /// As the user named it.
  public let path: String
  private let destination: Destination
  private let patience: Patience
  private let state: Mutex<State>

  private enum Destination {
    /// Written into as it is.
    case asItIs
    case regular(final: String, temporary: String, isNamed: Bool)
  }

  private struct State {
    var descriptor: Int32
    var ended: End?
    var hasStalled = false
  }

  /// Why nothing more is written.
  private enum End {
    case nobodyReads
    case problem(OutputProblem)
  }

  /// What happens when whoever reads takes nothing.
  public struct Patience: Sendable {
    let milliseconds: Int32
    let stalled: @Sendable () -> Void

    /// - Parameter stalled: Called once, when nothing could be written for so long; then this waits on.
    public init(milliseconds: Int32 = 5_000, stalled: @escaping @Sendable () -> Void) {
      self.milliseconds = milliseconds
      self.stalled = stalled
    }
  }

  /// - Parameters:
  ///   - inputs: Files that the command reads, which are never written to.
  ///   - waiting: Called when the file is a FIFO that nobody reads yet, before this waits for a reader.
  ///   - patience: With a reader who stalls.
  public init(
    _ path: String, sparing inputs: [String] = [], waiting: () -> Void = {},
    patience: Patience = Patience(stalled: {})
  ) throws(OutputProblem) {
    self.path = path
    self.patience = patience
    let found = Self.status(of: path)
    if let found {
      for input in inputs {
        if let other = Self.status(of: input), Self.isSame(found, other) {
          throw .isInput(path: path, input: input)
        }
      }
    }
    let descriptor: Int32
    switch found.map({ $0.st_mode & S_IFMT }) {
    case S_IFDIR?: throw .isFolder(path: path)
    case let kind? where kind != S_IFREG || Self.ownStream(like: found!) != nil:
      descriptor = try Self.open(path, like: found!, waiting)
      destination = .asItIs
    default:
      let final = try Self.followed(path)
      if found != nil, access(final, W_OK) != 0 { throw OutputProblem(errno: errno, path: path) }
      let temporary = Self.temporaryName(beside: final)
      let mode = found.map { $0.st_mode & 0o777 } ?? 0o666
      let folder = Path.folder(of: final)
      // Without /proc it could not be given its name.
      let unnamed =
        access("/proc/self/fd", X_OK) == 0
        ? Foundation.open(
          folder.isEmpty ? "." : folder, O_WRONLY | O_CLOEXEC | Self.unnamed, mode) : -1
      TemporaryFiles.note(temporary)
      descriptor =
        unnamed >= 0
        ? unnamed
        : Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else {
        let number = errno
        TemporaryFiles.forget(temporary)
        throw OutputProblem(errno: number, path: path)
      }
      // The mask of new files is none of an old one's.
      if let found { fchmod(descriptor, found.st_mode & 0o777) }
      destination = .regular(final: final, temporary: temporary, isNamed: unnamed < 0)
    }
    state = Mutex(State(descriptor: descriptor))
  }

  deinit { discard() }

  /// Writes at once, nothing is kept back.
  ///
  /// - Returns: `false` when nothing more can be written; `close` then says why.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>) -> Bool {
    state.withLock { state in
      guard state.ended == nil else { return false }
      switch write(bytes, &state) {
      case nil: return true
      case EPIPE?: state.ended = .nobodyReads
      case let number?: state.ended = .problem(OutputProblem(errno: number, path: path))
      }
      return false
    }
  }

  private func write(_ bytes: some Collection<UInt8>, _ state: inout State) -> Int32? {
    guard case .asItIs = destination else { return Descriptor.write(bytes, to: state.descriptor) }
    // What has room at all takes a piece of this size without waiting (PIPE_BUF of POSIX on Linux).
    var rest = bytes[...]
    while !rest.isEmpty {
      let isReady = Descriptor.isReady(
        state.descriptor, within: state.hasStalled ? -1 : patience.milliseconds)
      if !isReady {
        state.hasStalled = true
        patience.stalled()
        continue
      }
      if let number = Descriptor.write(rest.prefix(4_096), to: state.descriptor) { return number }
      rest = rest.dropFirst(4_096)
    }
    return nil
  }

  /// Gives the file its name. A reader that went away early is no problem; anything else that could not be written leaves nothing.
  public func close() throws(OutputProblem) {
    let (isOpen, ended) = state.withLock { ($0.descriptor >= 0, $0.ended) }
    guard isOpen else { return }
    if case .problem(let problem)? = ended {
      discard()
      throw problem
    }
    guard case .regular(let final, let temporary, let isNamed) = destination else {
      return discard()
    }
    let number = state.withLock { state -> Int32? in
      // Some file systems tell only now that they are full.
      if fsync(state.descriptor) != 0, errno != EINVAL { return errno }
      if !isNamed, let number = Self.name(state.descriptor, temporary) { return number }
      defer { state.descriptor = -1 }
      if Foundation.close(state.descriptor) != 0 { return errno }
      return rename(temporary, final) == 0 ? nil : errno
    }
    TemporaryFiles.forget(temporary, removing: number != nil)
    if let number {
      discard()
      throw OutputProblem(errno: number, path: path)
    }
  }

  /// Closes it and leaves nothing under its name that was not there before.
  public func discard() {
    let descriptor = state.withLock { state in
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    guard descriptor >= 0 else { return }
    Foundation.close(descriptor)
    if case .regular(_, let temporary, _) = destination {
      TemporaryFiles.forget(temporary, removing: true)
    }
  }

  /// Writes a whole file.
  public static func write(
    _ bytes: [UInt8], to path: String, sparing inputs: [String] = []
  ) throws(OutputProblem) {
    let file = try OutputFile(path, sparing: inputs)
    file.write(bytes)
    try file.close()
  }

  // MARK: - Places

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func isSame(_ a: stat, _ b: stat) -> Bool {
    a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  /// The program's own standard output or error, where the file is the same: `/dev/stdout` of `rehearse … > file` shares its place in
  /// the file with what else is printed.
  private static func ownStream(like file: stat) -> Int32? {
    [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
      var own = stat()
      return fstat(descriptor, &own) == 0 && isSame(own, file)
    }
  }

  private static func open(
    _ path: String, like file: stat, _ waiting: () -> Void
  ) throws(OutputProblem) -> Int32 {
    if let own = ownStream(like: file) {
      let copy = fcntl(own, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw OutputProblem(errno: errno, path: path) }
      return copy
    }
    let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
    var descriptor = Foundation.open(path, flags | O_NONBLOCK)
    if descriptor < 0, errno == ENXIO, file.st_mode & S_IFMT == S_IFIFO {
      waiting()
      repeat { descriptor = Foundation.open(path, flags) } while descriptor < 0 && errno == EINTR
    }
    guard descriptor >= 0 else { throw OutputProblem(errno: errno, path: path) }
    // Only opening was not to wait.
    _ = fcntl(descriptor, F_SETFL, 0)
    return descriptor
  }

  /// Where symbolic links lead, the last of which may lead to nothing yet.
  private static func followed(_ path: String) throws(OutputProblem) -> String {
    var path = path
    for _ in 0..<40 {
      var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = buffer.withUnsafeMutableBytes { bytes in
        readlink(path, bytes.bindMemory(to: CChar.self).baseAddress!, bytes.count)
      }
      guard count >= 0 else { return path }
      let target = String(decoding: buffer.prefix(count), as: UTF8.self)
      path =
        target.hasPrefix("/")
        ? target : Path.folder(of: path).appendingPath(target)
    }
    throw OutputProblem(errno: ELOOP, path: path)
  }

  /// O_TMPFILE of Linux: whoever is killed leaves nothing of such a file.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// - Returns: The number of the error; `nil` when the file has the name.
  private static func name(_ descriptor: Int32, _ path: String) -> Int32? {
    let own = "/proc/self/fd/\(descriptor)"
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? nil : errno
  }

  private static func temporaryName(beside path: String) -> String {
    let name = Path.name(of: path)
    // A name may have 255 bytes, and this one gets longer.
    let short = String(decoding: name.utf8.prefix(200), as: UTF8.self)
    return Path.folder(of: path).appendingPath(
      ".\(short).\(getpid()).rehearsal-part")
  }
}

extension String {
  /// A path below this folder; the empty one is that in which the program runs.
  fileprivate func appendingPath(_ name: String) -> String {
    isEmpty ? name : hasSuffix("/") ? self + name : self + "/" + name
  }
}

/// Files under temporary names, which must not outlive the program.
public enum TemporaryFiles {
  private static let names = Mutex<Set<String>>([])

  static func note(_ path: String) { names.withLock { _ = $0.insert(path) } }

  static func forget(_ path: String, removing: Bool = false) {
    if removing { unlink(path) }
    names.withLock { _ = $0.remove(path) }
  }

  /// Removes all of them; for an end that nothing else gets to tidy up after.
  public static func remove() {
    names.withLock { names in
      for name in names { unlink(name) }
      names = []
    }
  }
}

/// What a system call writes, whatever it takes.
public enum Descriptor {
  /// Whether something can be written, or why not be learnt, within so many milliseconds; -1 waits for ever.
  static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&wanted, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// - Returns: The number of the error that ended it; `nil` when all was written.
  public static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32? {
    func write(_ buffer: UnsafeRawBufferPointer) -> Int32? {
      var written = 0
      while written < buffer.count {
        let count = Foundation.write(
          descriptor, buffer.baseAddress! + written, buffer.count - written)
        if count >= 0 {
          written += count
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Somebody made it non-blocking; waiting is what everybody else expects of a write.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wanted, 1, -1)
        case let number: return number
        }
      }
      return nil
    }
    let found = bytes.withContiguousStorageIfAvailable { write(UnsafeRawBufferPointer($0)) }
    return found ?? Array(bytes).withUnsafeBytes(write)
  }
}
