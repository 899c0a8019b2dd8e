import Contracts
import Foundation
import RunFolders
import Synchronization
import Verdicts

/// What is printed where: results on standard output, everything about their making on standard error.
///
/// A command ends as soon as its results cannot be printed: quietly when nobody reads them any more, else with a message and 73. A run's
/// verdict is settled before it is printed, and stays.
enum Console {
  /// Whether a stream is a terminal that wants colours.
  static func wantsColour(_ stream: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(stream) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// How wide standard output is.
  static var columns: Int { columns(of: STDOUT_FILENO) ?? 100 }

  /// The same for lists of names, of which nothing is cut where no terminal shows them.
  static var columnsOfLists: Int { columns(of: STDOUT_FILENO) ?? .max }

  /// How wide a stream's terminal is at this moment; `nil` where it is none.
  static func columns(of stream: Int32) -> Int? {
    var size = winsize()
    guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether a line on standard error can be written over: a terminal that knows how.
  static var canRewrite: Bool {
    isatty(STDERR_FILENO) == 1
      && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
  }

  static func out(_ text: String) { out(bytes: Array((text + "\n").utf8)) }

  /// To standard output, as they are.
  static func out(bytes: [UInt8]) {
    if let number = Descriptor.write(bytes, to: STDOUT_FILENO) { giveUp(number) }
  }

  /// To standard error, as it is. What cannot be said there can be said nowhere.
  static func write(_ text: String) {
    _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Lines to standard error. Names and paths in them are whoever's: nothing of them moves the cursor or hides.
  static func error(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { printable($0, limit: .max) + "\n" }.joined())
  }

  // MARK: - Output that cannot be written

  /// What the shell says of a program that a closed pipe ended (128 and SIGPIPE).
  private static let nobodyReads: Int32 = 141

  private static let verdict = Mutex<(gone: Int32, full: Int32)>(
    (nobodyReads, ExitStatus.cannotWrite.rawValue))

  /// From here on the command's work is done and its code known; printing is all that is left.
  ///
  /// - Parameter limits: The verdicts on limits: a violated one outranks what cannot be written.
  static func conclude(_ code: Int32, limits: [Verdict]) {
    let full = ExitStatus(rawValue: code)?.unwritten(limits: limits) ?? .cannotWrite
    verdict.withLock { $0 = (code, full.rawValue) }
  }

  /// Errors of output are met where they happen, not by signals that end the program; and no file that it opens takes the place of a
  /// closed standard stream, into which messages would then go.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(stream, F_GETFD) == -1 && errno == EBADF {
      // Nothing can be written to what was opened for reading: a closed output stays one.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  private static func giveUp(_ number: Int32) -> Never {
    let codes = verdict.withLock(\.self)
    TemporaryFiles.remove()
    guard number != EPIPE else { _exit(codes.gone) }
    let reason = number == EBADF ? "it is closed" : String(cString: strerror(number))
    error("standard output cannot be written: \(reason)")
    _exit(codes.full)
  }
}
