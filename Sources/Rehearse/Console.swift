import Foundation

/// What is printed where: results on standard output, everything about their making on standard error.
enum Console {
  /// Whether a stream is a terminal that wants colours.
  static func wantsColour(_ stream: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(stream) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// How wide standard output is.
  static var columns: Int { columns(of: STDOUT_FILENO) ?? 100 }

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

  static func out(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// To standard error, as it is.
  static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  static func error(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
