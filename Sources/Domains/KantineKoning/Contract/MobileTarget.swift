import Contracts

/// A request's path and query, percent-decoded.
///
/// A `+` is a plus, as the client's own URLs mean it; a space is `%20`.
struct MobileTarget {
  /// `nil` when the path is not valid percent-encoded UTF-8: then no route takes it.
  let segments: [String]?
  private let query: Substring?

  init(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let raw = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let decoded = raw.compactMap(Self.decode)
    segments = decoded.count == raw.count && parts[0].first == "/" ? decoded : nil
    query = parts.count > 1 ? parts[1] : nil
  }

  /// The query's parameters; of several with one name the first counts.
  func parameters() throws(Malformed) -> [String: String] {
    var found: [String: String] = [:]
    for pair in query?.split(separator: "&") ?? [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(parts[0]),
        let value = Self.decode(parts.count > 1 ? parts[1] : "")
      else { throw Malformed("the query is not percent-encoded UTF-8") }
      if found[name] == nil { found[name] = value }
    }
    return found
  }

  private static func decode(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexadecimal),
        let low = rest.popFirst().flatMap(hexadecimal)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Everything but the unreserved characters of RFC 3986 as `%XX`.
  static func encode(_ text: String) -> String { WireForm.encode(text) }

  /// A path with the parameters that have a value.
  static func write(_ path: String, _ parameters: [(name: String, value: String?)]) -> String {
    let pairs = parameters.compactMap { name, value in value.map { "\(name)=\(encode($0))" } }
    return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
  }
}

/// Why a request's body or parameters cannot be read (§3.2 step 7).
struct Malformed: Error {
  let why: String
  init(_ why: String) { self.why = why }
}
