import Foundation
import Timekeeping

/// How calls are made, the same for all of a run.
public struct HTTPOptions: Sendable {
  public enum Version: Sendable {
    case http1
    /// Where TLS agrees on it; without TLS as somebody who knows that the server speaks it (RFC 9113 §3.3). Calls share connections.
    case http2
  }

  /// Whom to trust, and as whom to appear. Nobody is trusted unchecked unless that is asked for.
  public struct TLS: Sendable {
    /// Takes any certificate: for hosts of tests alone.
    public var isInsecure = false
    /// Certificates to trust in place of the system's, in PEM.
    public var authorities: String?
    /// The client's own certificate and its key, in PEM.
    public var certificate: String?
    public var key: String?

    public init(
      isInsecure: Bool = false, authorities: String? = nil, certificate: String? = nil,
      key: String? = nil
    ) {
      self.isInsecure = isInsecure
      self.authorities = authorities
      self.certificate = certificate
      self.key = key
    }

    /// Looked at before the run: libcurl would say so a thousand times.
    func check() throws(HTTPProblem) {
      for path in [authorities, certificate, key].compactMap(\.self) where access(path, R_OK) != 0 {
        throw .unusableFile(path, reason: String(cString: strerror(errno)))
      }
    }
  }

  public var version = Version.http1
  public var tls = TLS()
  /// How long a connection may take to come about.
  public var connectTimeOut: Span
  /// How long a call may take from being sent to its last byte, its connection included.
  public var timeOut: Span
  /// The most redirects that a call follows, within its own scheme, host and port; its time goes on meanwhile. Any other redirect is then
  /// no answer.
  public var follows = 0
  /// How many bytes of an answer are kept; the rest is counted.
  public var keptBytes: Int
  public var keepsHeaders: Bool
  public var userAgent: String

  public init(
    version: Version = .http1, tls: TLS = TLS(), connectTimeOut: Span = .seconds(10),
    timeOut: Span = .seconds(30), keptBytes: Int = 0, keepsHeaders: Bool = false,
    userAgent: String = "rehearse"
  ) {
    self.version = version
    self.tls = tls
    self.connectTimeOut = connectTimeOut
    self.timeOut = timeOut
    self.keptBytes = keptBytes
    self.keepsHeaders = keepsHeaders
    self.userAgent = userAgent
  }
}
