/// The pairs of a `Cookie` header (RFC 6265 §4.2), in their order.
public struct WireCookies: Hashable, Sendable {
  public let pairs: [WireForm.Item]

  public init(_ header: String?) {
    pairs = (header ?? "").split(separator: ";").compactMap { text in
      let pair = text.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return pair.count == 2
        ? WireForm.Item(name: String(pair[0]), value: String(pair[1])) : nil
    }
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
