import CCurl
import Foundation

/// Why a call got no usable answer.
public enum HTTPFailure: Hashable, Sendable, Comparable {
  /// Nobody listens there, or a firewall says so.
  case refused
  /// There is no way there.
  case unreachable
  /// No connection came about in time.
  case connectTimeOut
  /// This machine has no more ports or descriptors to connect with: the generator's fault.
  case noLocalPort
  /// The certificate was not trusted, or no encryption was agreed on.
  case tls
  /// The connection ended before a line of the answer was whole.
  case reset
  /// The answer was not whole in time.
  case responseTimeOut
  /// The connection ended in the middle of the answer.
  case truncated
  /// What came is no HTTP, or too large to be taken for it.
  case unparsable
  /// A whole answer with a status that nobody expected.
  case unexpectedStatus(Int)

  /// Whether nobody was reached, so that the call certainly had no effect.
  public var isUnreached: Bool {
    switch self {
    case .refused, .unreachable, .connectTimeOut, .noLocalPort, .tls: true
    case .reset, .responseTimeOut, .truncated, .unparsable, .unexpectedStatus: false
    }
  }

  /// As files name it: `responseTimeOut`, `status503`.
  public var code: String {
    switch self {
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .connectTimeOut: "connectTimeOut"
    case .noLocalPort: "noLocalPort"
    case .tls: "tls"
    case .reset: "reset"
    case .responseTimeOut: "responseTimeOut"
    case .truncated: "truncated"
    case .unparsable: "unparsable"
    case .unexpectedStatus(let status): "status\(status)"
    }
  }

  /// For people.
  public var words: String {
    switch self {
    case .refused: "connection refused"
    case .unreachable: "no way to the host"
    case .connectTimeOut: "no connection in time"
    case .noLocalPort: "no local port or descriptor left"
    case .tls: "TLS failed"
    case .reset: "connection reset"
    case .responseTimeOut: "no answer in time"
    case .truncated: "answer cut short"
    case .unparsable: "not an HTTP answer"
    case .unexpectedStatus(let status): "status \(status)"
    }
  }
}

extension HTTPFailure {
  /// What libcurl had to say about a transfer that ended.
  struct Evidence {
    var code: CURLcode
    /// The operating system's number, 0 without one.
    var number: Int32
    /// Whether the connection was there, encryption included, before the failure.
    var wasConnected: Bool
    /// Whether any of the answer had come.
    var hasBegun: Bool
    /// libcurl's sentence about it.
    var text: String
  }

  /// - Returns: `nil` where libcurl took the answer.
  init?(_ evidence: Evidence) {
    switch evidence.code {
    case CURLE_OK: return nil
    case CURLE_COULDNT_CONNECT: self = Self.unconnected(evidence.number)
    case CURLE_COULDNT_RESOLVE_HOST: self = .unreachable
    case CURLE_OPERATION_TIMEDOUT:
      self = evidence.wasConnected ? .responseTimeOut : .connectTimeOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
      self = .tls
    case CURLE_PARTIAL_FILE: self = .truncated
    case CURLE_GOT_NOTHING: self = .reset
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = Self.broken(evidence)
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: self = evidence.hasBegun ? .truncated : .reset
    default: self = .unparsable
    }
  }

  private static func unconnected(_ number: Int32) -> HTTPFailure {
    switch number {
    case EADDRNOTAVAIL, EMFILE, ENFILE, ENOBUFS, EADDRINUSE: .noLocalPort
    case ETIMEDOUT: .connectTimeOut
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
    default: .refused
    }
  }

  /// libcurl has one code for a connection that broke and for an answer that it cannot read; its sentence tells them apart.
  private static func broken(_ evidence: Evidence) -> HTTPFailure {
    // Since TLS 1.3 a server refuses a client's certificate when the client already takes itself for connected.
    if !evidence.hasBegun, evidence.text.contains("SSL"), evidence.text.contains("alert") {
      return .tls
    }
    let unreadable = ["chunk", "header", "status line", "Content-Length", "HTTP"]
    if evidence.code == CURLE_RECV_ERROR, evidence.number == 0 || evidence.number == EAGAIN,
      unreadable.contains(where: { evidence.text.contains($0) })
    {
      return .unparsable
    }
    return evidence.hasBegun ? .truncated : .reset
  }
}
