/// The path and the query of a request target, percent-decoded (RFC 3986 §3).
public struct WireTarget: Hashable, Sendable {
  /// The segments between the slashes; a trailing slash gives a last empty one, and `/` alone one empty segment.
  public var path: [String]
  public var query: WireForm

  public init(_ path: [String], _ query: WireForm = WireForm()) {
    self.path = path
    self.query = query
  }

  /// Reads a target as it was sent; the origin of an absolute one (RFC 9112 §3.2.2) is dropped.
  public init(parsing text: String) {
    let target = Self.withoutOrigin(text)
    // By bytes, as whoever sent it meant it: a combining mark may follow.
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let slash = UInt8(ascii: "/")
    let segments = parts[0].first == slash ? parts[0].dropFirst() : parts[0]
    path = segments.split(separator: slash, omittingEmptySubsequences: false)
      .map { WireForm.decode(Substring($0), plusIsBlank: false) }
    query = parts.count > 1 ? WireForm(parsing: String(Substring(parts[1]))) : WireForm()
  }

  /// The target as a client sends it.
  public var text: String {
    let joined = "/" + path.map { WireForm.encode($0) }.joined(separator: "/")
    return query.items.isEmpty ? joined : joined + "?" + query.text
  }

  /// `http://host:port/path` is `/path`; a target that begins with a slash is itself.
  public static func withoutOrigin(_ text: String) -> String {
    let slash = UInt8(ascii: "/")
    guard text.utf8.first != slash else { return text }
    var slashes = 0
    let rest = text.utf8.drop {
      if $0 == slash { slashes += 1 }
      return slashes < 3
    }
    return rest.isEmpty ? "/" : String(Substring(rest))
  }
}

/// Named values as queries and form bodies carry them (`application/x-www-form-urlencoded`), in their order.
public struct WireForm: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public struct Item: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public private(set) var items: [Item]

  public init() { items = [] }

  /// Values that are `nil` are left out.
  public init(dictionaryLiteral elements: (String, String?)...) {
    items = elements.compactMap { name, value in value.map { Item(name: name, value: $0) } }
  }

  public init(parsing text: String) {
    items = text.utf8.split(separator: UInt8(ascii: "&")).map { part in
      let pair = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { Self.decode(Substring($0), plusIsBlank: true) }
      return Item(name: pair[0], value: pair.count > 1 ? pair[1] : "")
    }
  }

  public init(parsing bytes: [UInt8]) {
    self.init(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  public func count(of name: String) -> Int { items.count { $0.name == name } }

  public mutating func append(_ name: String, _ value: String) {
    items.append(Item(name: name, value: value))
  }

  public var text: String {
    items.map { Self.encode($0.name) + "=" + Self.encode($0.value) }.joined(separator: "&")
  }

  /// Everything but the unreserved characters of RFC 3986 §2.3 as `%XX` of its UTF-8 bytes.
  public static func encode(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return String(text) }
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += digits.utf8.count < 2 ? "%0" + digits : "%" + digits
    }
    return encoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
    default: false
    }
  }

  /// Bytes that are no valid escape stay as they are; bytes that are no UTF-8 become U+FFFD.
  public static func decode(_ text: some StringProtocol, plusIsBlank: Bool) -> String {
    let (percent, plus) = (UInt8(ascii: "%"), UInt8(ascii: "+"))
    if text.utf8.allSatisfy({ $0 != percent && ($0 != plus || !plusIsBlank) }) {
      return String(text)
    }
    let sent = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < sent.count {
      let byte = sent[index]
      if byte == UInt8(ascii: "%"), index + 2 < sent.count,
        let high = Character(Unicode.Scalar(sent[index + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(sent[index + 2])).hexDigitValue
      {
        bytes.append(UInt8(high << 4 | low))
        index += 3
        continue
      }
      bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// By the letter of RFC 3986 §2.1; `nil` for a broken escape or for bytes that are no UTF-8.
  public static func decode(strictly text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
