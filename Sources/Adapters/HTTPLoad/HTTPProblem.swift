import Contracts

/// Why nothing can be sent: the user's mistake, or a target that is not there.
public enum HTTPProblem: Error, Equatable, CustomStringConvertible, Sendable {
  case badURL(String, reason: String)
  case badHeader(String)
  case badMethod(String)
  /// A HEAD has no body (RFC 9110 §9.3.2).
  case bodyOfHead
  /// A header says another length than the body's bytes: a server would wait for the rest.
  case wrongLength(Int)
  case unresolvable(host: String, reason: String)
  case unusableFile(String, reason: String)
  case tooManyConnections(Int, allowed: Int)
  /// libcurl or the kernel gave nothing to work with.
  case noMeans(String)

  public var description: String {
    switch self {
    case .badURL(let url, let reason):
      "'\(printable(url, limit: 200))' is no URL to load: \(reason)"
    case .badHeader(let header):
      "a header is written 'Name: value' without line breaks, not '\(printable(header))'"
    case .badMethod(let method): "'\(printable(method))' is no HTTP method"
    case .bodyOfHead: "HEAD carries no body: leave the body out, or take another method"
    case .wrongLength(let length):
      "Content-Length says something else than the body's \(length) bytes: leave it out, it is written by itself"
    case .unresolvable(let host, let reason):
      "the host '\(printable(host))' cannot be resolved: \(reason)"
    case .unusableFile(let path, let reason):
      "\(printable(path, limit: 200)) cannot be used: \(reason)"
    case .tooManyConnections(let wanted, let allowed):
      "\(wanted) connections need more descriptors than this process may have (\(allowed)); raise 'ulimit -n' or take fewer"
    case .noMeans(let what): "\(what) cannot be had from the system"
    }
  }
}
