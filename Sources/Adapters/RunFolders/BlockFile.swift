import Foundation
import Synchronization

/// Blocks of bytes that wait on disk until they are asked for: one file in the temporary folder, without a name from the beginning, so
/// that nothing is left of it however the process ends.
public final class BlockFile: Sendable {
  private let bytes: Int
  private let folder: String
  private let state = Mutex(State())

  private struct State {
    var descriptor: Int32 = -1
    /// How many blocks the file has, and which of them hold nothing any more.
    var count = 0
    var free: [Int] = []
    var problem: OutputProblem?
  }

  /// - Parameter folder: Where the file lies once there is a block to keep.
  public init(
    blockBytes bytes: Int, in folder: String = FileManager.default.temporaryDirectory.path
  ) {
    self.bytes = bytes
    self.folder = folder
  }

  deinit {
    let descriptor = state.withLock(\.descriptor)
    if descriptor >= 0 { close(descriptor) }
  }

  /// What went wrong first, if anything.
  public var problem: OutputProblem? { state.withLock(\.problem) }

  /// How many blocks the file has at its largest.
  public var count: Int { state.withLock(\.count) }

  /// - Returns: The number of the block; `nil` when it cannot be kept, for the reason in `problem`.
  public func store(_ block: [UInt8]) -> Int? {
    precondition(block.count == bytes, "a block is whole")
    let place = state.withLock { state -> (descriptor: Int32, number: Int)? in
      guard state.problem == nil, open(&state) else { return nil }
      if let number = state.free.popLast() { return (state.descriptor, number) }
      defer { state.count += 1 }
      return (state.descriptor, state.count)
    }
    guard let (descriptor, number) = place else { return nil }
    var written = 0
    while written < bytes {
      let count = block.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress! + written, bytes - written, off_t(number * bytes + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return fail(errno) }
      written += count
    }
    return number
  }

  /// Hands a block out; its place is free for another one.
  public func load(_ number: Int) -> [UInt8]? {
    let descriptor = state.withLock(\.descriptor)
    var block = [UInt8](repeating: 0, count: bytes)
    var read = 0
    while read < bytes {
      let count = block.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + read, bytes - read, off_t(number * bytes + read))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return fail(count == 0 ? EIO : errno) }
      read += count
    }
    state.withLock { $0.free.append(number) }
    return block
  }

  private func open(_ state: inout State) -> Bool {
    if state.descriptor >= 0 { return true }
    var name = Array((folder + "/rehearse-events.XXXXXX").utf8CString)
    state.descriptor = mkstemp(&name)
    guard state.descriptor >= 0 else {
      state.problem = OutputProblem(errno: errno, path: folder)
      return false
    }
    unlink(name)
    _ = fcntl(state.descriptor, F_SETFD, FD_CLOEXEC)
    return true
  }

  private func fail<Value>(_ number: Int32) -> Value? {
    state.withLock { state in
      state.problem = state.problem ?? OutputProblem(errno: number, path: folder)
    }
    return nil
  }
}
