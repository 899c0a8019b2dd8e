import Contracts

/// The year filter as it was sent: `tutti` in any case, four digits, nothing, or what is none of these (§3.2).
public struct Anno: Hashable, Sendable {
  public enum Selection: Hashable, Sendable {
    case tutti
    case year(Int)
    /// To be refused with ANNO_NON_VALIDO (KW-077).
    case unreadable
  }

  /// `nil`: not sent at all.
  public let text: String?

  public init(_ text: String?) { self.text = text }
  public init(_ year: Int) { text = String(year) }

  public static let absent = Anno(nil)
  public static let tutti = Anno("tutti")

  public var selection: Selection {
    guard let text, !text.isEmpty else { return .tutti }
    if text.utf8.count == 4, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    {
      return .year(Int(text) ?? 0)
    }
    return text.lowercased() == "tutti" ? .tutti : .unreadable
  }
}

extension Field where Value == Anno {
  static func anno(_ get: @escaping @Sendable (Root) -> Anno) -> Field {
    Field(
      "anno", get,
      Coding(
        schema: ["type": "string", "pattern": "^([0-9]{4}|[Tt][Uu][Tt][Tt][Ii])?$"],
        example: "2025", words: "tutti or four digits", absent: .absent,
        read: { (json) in Anno(json.string) },
        write: { anno, _ in anno.text.map(JSON.string) }, mix: { $1.mix($0.text ?? "") }),
      in: .query
    ).single
  }
}
