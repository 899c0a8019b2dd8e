/// What an `Authorization` header holds, where a backend wants a bearer token (RFC 6750 §2.1).
public enum Authorization: Hashable, Sendable {
  case bearer(String)
  /// Anything else, as it was sent.
  case malformed(String)

  /// `Bearer`, in any case, one space, a token and nothing after it.
  public init(_ header: String) {
    let parts = header.split(separator: " ", omittingEmptySubsequences: false)
    let isBearer = parts.count == 2 && parts[0].lowercased() == "bearer" && !parts[1].isEmpty
    self = isBearer ? .bearer(String(parts[1])) : .malformed(header)
  }

  public var header: String {
    switch self {
    case .bearer(let token): "Bearer \(token)"
    case .malformed(let header): header
    }
  }
}
