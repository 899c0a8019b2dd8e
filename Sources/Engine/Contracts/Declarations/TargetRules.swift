/// How a backend reads the targets of requests.
public enum TargetRules: Sendable {
  /// As most do: an escape that is none stands for itself, a plus in a query for a blank.
  case lenient
  /// By the letter of RFC 3986: a plus is a plus, no operation has a path with a broken escape, and a query with one cannot be read.
  case strict

  /// The segments of a path; `nil` for one that no operation has.
  func path(of target: String) -> [String]? {
    switch self {
    case .lenient: return WireTarget(parsing: target).path
    case .strict:
      let path = Self.parts(of: target)[0]
      guard path.hasPrefix("/") else { return nil }
      let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      let decoded = segments.compactMap { WireForm.decode(strictly: $0) }
      return decoded.count == segments.count ? decoded : nil
    }
  }

  func query(of target: String) throws(Unread.Fault) -> WireForm {
    switch self {
    case .lenient: return WireTarget(parsing: target).query
    case .strict:
      let parts = Self.parts(of: target)
      var query = WireForm()
      for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = WireForm.decode(strictly: sides[0]),
          let value = WireForm.decode(strictly: sides.count > 1 ? sides[1] : "")
        else { throw .noQuery }
        query.append(name, value)
      }
      return query
    }
  }

  private static func parts(of target: String) -> [Substring] {
    target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  }
}
