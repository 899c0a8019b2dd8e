/// A decimal number as scenarios and options write it, and the unit behind it: `-1.5 h`, `20%`, `1e3`.
public struct Numeral: Sendable {
  /// Sign, digits, fraction, exponent, in ASCII.
  public let digits: String
  /// What follows, without the blanks between.
  public let unit: String
  public let isNegative: Bool
  /// Neither fraction nor exponent.
  public let isWhole: Bool

  /// - Returns: `nil` when the text does not begin with a number.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    var end = 0
    func isDigit(_ index: Int) -> Bool { index < bytes.count && (48...57).contains(bytes[index]) }
    func isSign(_ index: Int) -> Bool { index < bytes.count && [43, 45].contains(bytes[index]) }
    if isSign(end) { end += 1 }
    guard isDigit(end) else { return nil }
    while isDigit(end) { end += 1 }
    var isWhole = true
    if end < bytes.count, bytes[end] == UInt8(ascii: "."), isDigit(end + 1) {
      isWhole = false
      end += 1
      while isDigit(end) { end += 1 }
    }
    if end < bytes.count, [69, 101].contains(bytes[end]) {
      let exponent = isSign(end + 1) ? end + 2 : end + 1
      if isDigit(exponent) {
        isWhole = false
        end = exponent
        while isDigit(end) { end += 1 }
      }
    }
    digits = String(decoding: bytes[..<end], as: UTF8.self)
    unit = String(decoding: bytes[end...].drop { $0 == 32 }, as: UTF8.self)
    isNegative = bytes[0] == UInt8(ascii: "-")
    self.isWhole = isWhole
  }

  /// The number; `nil` when a double cannot hold it.
  public var value: Double? {
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }

  /// A hundredth of the number, as near as a double can be: `99.9` gives the double 0.999.
  public var hundredth: Double? {
    guard !digits.contains("e"), !digits.contains("E") else { return value.map { $0 / 100 } }
    guard let value = Double(digits + "e-2"), value.isFinite else { return nil }
    return value
  }

  /// The ways in which YAML and people write what is no number at all.
  public static func isNotFinite(_ text: String) -> Bool {
    let word = text.lowercased().drop { $0 == "+" || $0 == "-" }.drop { $0 == "." }
    return ["nan", "inf", "infinity"].contains(word)
  }
}
