/// The pairs of a `Cookie` header (RFC 6265 §4.2), in their order.
public struct WireCookies: Hashable, Sendable {
  public let pairs: [WireForm.Item]

  public init(_ header: String?) {
    pairs = (header ?? "").utf8.split(separator: UInt8(ascii: ";")).compactMap { text in
      let pair = text.drop { $0 == UInt8(ascii: " ") }
        .split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(Substring($0)) }
      return pair.count == 2 ? WireForm.Item(name: pair[0], value: pair[1]) : nil
    }
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
