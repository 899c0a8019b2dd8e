import Foundation

/// What the server says when a mistake of ours ends it: at once, for who waits for it should not wait for a backtrace.
enum LastWords {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From now on such a signal ends the server with exit code 70 and a sentence; who asks for backtraces gets them instead.
  static func prepare() {
    guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]?.contains("enable=yes") != true
    else { return }
    for signal in signals { Foundation.signal(signal) { LastWords.speak($0) } }
  }

  /// Only what a signal handler may do: no memory is taken, no lock.
  private static func speak(_ signal: Int32) {
    say(
      """
      rehearse-serve: the server ended by signal 
      """)
    if signal >= 10 { say(digits[Int(signal) / 10 % 10]) }
    say(digits[Int(signal) % 10])
    say(
      """
      , a fault of the program, not of yours; what its clients still wait for is lost. Please report it with the last \
      request; SWIFT_BACKTRACE=enable=yes shows where it was.

      """)
    _exit(70)
  }

  private static let digits: [StaticString] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]

  private static func say(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
