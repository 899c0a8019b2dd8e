#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends the program with a sentence and the exit status of an internal error, because a domain contradicts what it
/// declared. A release build says nothing of a `preconditionFailure`, and whoever writes a domain has to know.
public func programFault(_ what: String) -> Never {
  let words = Array("a mistake in the program: \(what)\n".utf8)
  _ = words.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(70)
}
