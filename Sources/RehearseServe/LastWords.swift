import Foundation

/// What the server says when a mistake of ours ends it: at once, for who waits for it should not wait for a backtrace.
enum LastWords {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From now on such a signal ends the server with exit code 70 and a sentence; who asks for backtraces gets them instead.
  static func prepare() {
    guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]?.contains("enable=yes") != true
    else { return }
    for signal in signals { Foundation.signal(signal) { LastWords.speak(of: $0) } }
  }

  /// Only what a signal handler may do: no memory is taken, and no lock.
  private static func speak(of signal: Int32) {
    say("rehearse-serve: the server ended by signal ")
    say(number(signal))
    say(", a fault of the program, not of yours; what clients still waited for is lost.\n")
    say("Please report it with the last request. SWIFT_BACKTRACE=enable=yes shows where it was.\n")
    _exit(70)
  }

  private static func number(_ signal: Int32) -> StaticString {
    switch signal {
    case SIGILL: "4 (SIGILL)"
    case SIGTRAP: "5 (SIGTRAP)"
    case SIGABRT: "6 (SIGABRT)"
    case SIGBUS: "7 (SIGBUS)"
    case SIGFPE: "8 (SIGFPE)"
    default: "11 (SIGSEGV)"
    }
  }

  private static func say(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
