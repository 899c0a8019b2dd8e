/// What the body of a request is.
public enum WireBody: Hashable, Sendable {
  case none, json, form
  /// A JSON document; no body at all stands for an empty one.
  case optionalJSON
  /// The same, and a document that is no object, such as `null` or a list, stands for an empty one as well.
  case lenientJSON
  /// Bytes of whatever type the request says.
  case bytes
}

/// One way over HTTP to an operation.
public struct WireWay: Hashable, Sendable {
  public let method: String
  /// From the root, variable segments in braces: `/orders/{id}`.
  public let path: String
  public let body: WireBody
  private let segments: [Segment]

  private enum Segment: Hashable, Sendable {
    case literal(String)
    case variable(String)
  }

  init(_ method: String, _ path: String, _ body: WireBody) {
    self.method = method
    self.path = path
    self.body = body
    // As a target's path: a slash at the end is a last empty segment.
    segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      $0.hasPrefix("{") ? .variable(String($0.dropFirst().dropLast())) : .literal(String($0))
    }
  }

  /// The names of the variable segments.
  var variables: Set<String> {
    Set(segments.compactMap { if case .variable(let name) = $0 { name } else { nil } })
  }

  /// The variable parts of a path that is this one's, or `nil`; a variable segment takes any text that is not empty.
  func variables(in path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var variables: [String: String] = [:]
    for (segment, given) in zip(segments, path) {
      switch segment {
      case .literal(let text): guard text == given else { return nil }
      case .variable(let name):
        guard !given.isEmpty else { return nil }
        variables[name] = given
      }
    }
    return variables
  }

  /// The segments of a path with these variables.
  func path(_ variables: [String: String]) -> [String] {
    segments.map { segment in
      switch segment {
      case .literal(let text): text
      case .variable(let name): variables[name] ?? ""
      }
    }
  }
}
