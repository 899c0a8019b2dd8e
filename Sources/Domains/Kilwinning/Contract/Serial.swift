import Contracts

/// An identifier of §2.0: an integer from 1, given in increasing order and never again; one of a fratello is none of a tornata.
public struct Serial<Kind>: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  public let number: Int

  public init(_ number: Int) { self.number = number }
  public init(integerLiteral number: Int) { self.number = number }

  /// Stands for one that is still to be given.
  public static var none: Serial { 0 }

  public static func < (a: Serial, b: Serial) -> Bool { a.number < b.number }
  public var description: String { String(number) }
}

extension Coding where Value == Fratello.ID {
  static let fratello = serial()
  static let fratelloGiven = serialGiven()
  static let fratelloInPath = serialInPath()
}

extension Coding where Value == Tornata.ID {
  static let tornata = serial()
  static let tornataGiven = serialGiven()
  static let tornataInPath = serialInPath()
}

extension Coding where Value == Presenza.ID {
  static let presenza = serial()
  static let presenzaGiven = serialGiven()
}

extension Coding {
  /// As a number of a document; what is too large for one is nobody's, like every number below 1 (KW-062).
  fileprivate static func serial<Kind>() -> Coding where Value == Serial<Kind> {
    let int = Coding<Int>.int
    return Coding(
      schema: int.schema, example: int.example, words: int.words,
      read: { (json) throws(Malformed) in
        // Whole numbers that 64 bits cannot hold are doubles.
        if json.int == nil, let number = json.double, number.magnitude >= 0x1p63 { return .none }
        return Serial(try int.read(json))
      }, write: { id, spelling in int.write(id.number, spelling) },
      mix: { $1.mix($0.number) })
  }

  /// As a fixture gives one to an entity (§2.0): room is left for those that follow.
  fileprivate static func serialGiven<Kind>() -> Coding where Value == Serial<Kind> {
    Coding<Int>.int(1...9_007_199_254_740_991).converted(
      to: { Serial($0) }, from: { id, _ in id.number })
  }

  /// In a path: a decimal integer; what is too large for one is nobody's, like every number below 1 (§3.3).
  fileprivate static func serialInPath<Kind>() -> Coding where Value == Serial<Kind> {
    Coding(
      schema: ["type": "integer"], example: "1", words: "whole number",
      read: { (json) throws(Malformed) in
        let text = json.string ?? ""
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isDecimal =
          !digits.isEmpty
          && digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        guard isDecimal else { throw .invalid("is not a decimal integer") }
        return Int(text).map { Serial($0) } ?? .none
      }, write: { id, _ in .string("\(id)") }, mix: { $1.mix($0.number) })
  }
}
