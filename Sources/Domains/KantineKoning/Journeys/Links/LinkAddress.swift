import Contracts

/// The parts of a link that the app's grammars look at (§6.2, §6.3).
///
/// It is read strictly: an address with user information before its host, or with a broken escape in a parameter
/// that is asked for, is none of the app's. Scheme and host know no case (RFC 3986 §6.2.2.1). White space is let
/// through, because a nested payload comes out of its decoding with the blanks of the club's name.
struct LinkAddress: Hashable, Sendable {
  let scheme, host: String
  /// As it was written, with its first slash.
  let path: String
  private let query: [Parameter]

  private struct Parameter: Hashable, Sendable {
    let name: String
    let value: Substring
  }

  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, Self.isLetter(first),
      scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    var rest = text[text.index(after: colon)...].prefix { $0 != "#" }
    var query: Substring = ""
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    var authority: Substring = ""
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      authority = rest.prefix { $0 != "/" }
      rest = rest.dropFirst(authority.count)
    }
    guard let host = Self.host(of: authority) else { return nil }
    self.scheme = scheme.lowercased()
    self.host = host
    path = String(rest)
    // A link that was copied out of a page may hold the page's spelling of '&'.
    self.query = Self.unescaped(query).split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Parameter(
        name: WireForm.decode(strictly: parts[0]) ?? "",
        value: Substring(parts.count > 1 ? parts[1] : ""))
    }
  }

  /// The first parameter of a name, percent-decoded; `nil` when it is missing, empty or not UTF-8.
  func parameter(_ name: String, plusIsSpace: Bool = false) -> String? {
    guard let found = query.first(where: { $0.name == name }) else { return nil }
    let value =
      plusIsSpace
      ? found.value.split(separator: "+", omittingEmptySubsequences: false)
        .joined(separator: " ")[...] : found.value
    return WireForm.decode(strictly: value).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether it is a page on the product's domain or a real subdomain of it.
  var isOnAppHost: Bool {
    guard scheme == "https" else { return false }
    let domain = "kantinekoning.com"
    guard host != domain else { return true }
    guard host.hasSuffix("." + domain) else { return false }
    let labels = host.dropLast(domain.count + 1)
      .split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { !$0.isEmpty }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A host without its port; `nil` when somebody stands before it or the port is no number.
  private static func host(of authority: Substring) -> String? {
    guard !authority.contains("@") else { return nil }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first else { return "" }
    guard parts.count < 2 || parts[1].utf8.allSatisfy(isDigit) else { return nil }
    return host.lowercased()
  }

  private static func unescaped(_ query: Substring) -> String {
    var text = ""
    var rest = query
    while let first = rest.first {
      if rest.hasPrefix("&amp;") { rest = rest.dropFirst(4) }
      text.append(first)
      rest = rest.dropFirst()
    }
    return text
  }
}
