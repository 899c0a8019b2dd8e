/// How an answer departs from its contract, in words that show nothing of its values: they may be secrets.
public struct WireObjection: Hashable, Sendable {
  /// Whether the operation declares that status.
  public let isDeclared: Bool
  public let words: String

  /// - Parameter problem: What is wrong with its document, where it has one of the right kind.
  public init(_ response: WireResponse, isDeclared: Bool, problem: Malformed? = nil) {
    self.isDeclared = isDeclared
    let why =
      problem.map { ": \($0)" } ?? (isDeclared ? "" : ", a status that is not declared for it")
    words = "answered \(response.status) with \(response.content.outline)" + why
  }
}

extension WireResponse.Content {
  /// The kind of content without its values.
  fileprivate var outline: String {
    switch self {
    case .empty: return "nothing"
    case .json(let document):
      var room = 40
      return document.outline(&room)
    case .bytes(let bytes, let mediaType):
      let kind = mediaType.isEmpty ? "content of no type" : printable(mediaType, limit: 60)
      return "\(kind), \(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
    }
  }
}

extension JSON {
  /// The document with the kinds of its values in their place: `{id: text, tools: [number, …]}`.
  ///
  /// - Parameter room: How many more members are shown.
  fileprivate func outline(_ room: inout Int) -> String {
    room -= 1
    guard room > 0 else { return Spelling.ellipsis }
    switch self {
    case .null: return "null"
    case .bool: return "flag"
    case .string: return "text"
    case .array(let items):
      guard let first = items.first else { return "[]" }
      return "[" + first.outline(&room) + (items.count > 1 ? ", …]" : "]")
    case .object(let object):
      var shown: [String] = []
      for (name, value) in object.members {
        guard room > 0 else {
          shown.append(Spelling.ellipsis)
          break
        }
        shown.append(printable(name, limit: 40) + ": " + value.outline(&room))
      }
      return "{" + shown.joined(separator: ", ") + "}"
    default: return "number"
    }
  }
}
