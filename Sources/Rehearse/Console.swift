import Foundation

/// What is printed where: results on standard output, everything about their making on standard error.
enum Console {
  /// Whether a stream is a terminal that wants colours.
  static func wantsColour(_ stream: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(stream) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 100 }
    return Int(size.ws_col)
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
