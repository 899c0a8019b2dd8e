import Contracts

/// Why a file of a former run cannot be used: what is wrong, and what would be right.
public struct ReadingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let file: String
  /// The location inside, such as `replications[3].seed`; empty for the file itself.
  public let location: String
  public let wrong: String
  public let right: String

  public init(file: String, location: String = "", wrong: String, right: String) {
    self.file = file
    self.location = location
    self.wrong = wrong
    self.right = right
  }

  public var description: String {
    let at = location.isEmpty ? "" : "\(Escaping.visible(location)): "
    return "\(Escaping.visible(file, limit: 4_000)): \(at)\(wrong); \(right)"
  }
}

/// A JSON value with the way to it, so that each problem names its location.
struct ReadingNode {
  let value: JSON
  let file: String
  let location: String

  static func document(_ bytes: [UInt8], file: String) throws(ReadingProblem) -> ReadingNode {
    guard !bytes.isEmpty else {
      throw ReadingProblem(
        file: file, wrong: "the file is empty", right: "name the result.json of a whole run")
    }
    do throws(JSONProblem) {
      return ReadingNode(value: try JSON.parse(bytes), file: file, location: "")
    } catch {
      throw ReadingProblem(
        file: file, location: "line \(error.line), column \(error.column)",
        wrong: error.isTruncated
          ? "the file is cut off: \(error.why)" : "this is not JSON: \(error.why)",
        right: error.isTruncated
          ? "run the scenario again, or copy the whole file" : "name the result.json of a run")
    }
  }

  func problem(_ wrong: String, _ right: String) -> ReadingProblem {
    ReadingProblem(file: file, location: location, wrong: wrong, right: right)
  }

  /// A member that may be missing.
  func member(_ name: String) -> ReadingNode? {
    value[name].map {
      ReadingNode(value: $0, file: file, location: location.isEmpty ? name : location + "." + name)
    }
  }

  func required(_ name: String) throws(ReadingProblem) -> ReadingNode {
    guard let node = member(name) else {
      throw ReadingProblem(
        file: file, location: location, wrong: "'\(name)' is missing",
        right: "use a file as Rehearsal wrote it")
    }
    return node
  }

  func items() throws(ReadingProblem) -> [ReadingNode] {
    guard let items = value.array else { throw expected("a list") }
    return items.enumerated().map {
      ReadingNode(value: $0.element, file: file, location: "\(location)[\($0.offset)]")
    }
  }

  func string() throws(ReadingProblem) -> String {
    guard let text = value.string else { throw expected("a text") }
    return text
  }

  /// Sums of any number of such counts that a file can hold fit an integer.
  func count() throws(ReadingProblem) -> Int {
    guard let number = value.int, number >= 0 else { throw expected("a count from 0 on") }
    guard number <= 1_000_000_000_000 else { throw expected("a count of at most 10^12") }
    return number
  }

  func bool() throws(ReadingProblem) -> Bool {
    guard let flag = value.bool else { throw expected("true or false") }
    return flag
  }

  /// 32 hexadecimal digits.
  func digest() throws(ReadingProblem) -> String {
    let text = try string()
    guard Digest(hexadecimal: text) != nil else {
      throw expected("a digest: 32 hexadecimal digits, such as 5d0f3c81a94e27b6c0de81f2a7739b14")
    }
    return text
  }

  func seconds() throws(ReadingProblem) -> Double {
    guard let number = value.double, number >= 0 else { throw expected("seconds, from 0 on") }
    return number
  }

  /// Of any sign.
  func number() throws(ReadingProblem) -> Double {
    guard let number = value.double else { throw expected("a number") }
    return number
  }

  /// A number, or the digits of one that most readers of JSON cannot hold.
  func seed() throws(ReadingProblem) -> UInt64 {
    if let number = value.int { if let seed = UInt64(exactly: number) { return seed } }
    guard let seed = value.string.flatMap({ UInt64($0) }) else {
      throw expected("a seed: digits of a number from 0 to 2^64 - 1")
    }
    return seed
  }

  func one<Value: RawRepresentable<String>>(of type: Value.Type, _ all: String)
    throws(ReadingProblem)
    -> Value
  {
    guard let value = Value(rawValue: try string()) else { throw expected("one of \(all)") }
    return value
  }

  func expected(_ what: String) -> ReadingProblem {
    problem("found \(found)", "expected \(what)")
  }

  private var found: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "'\(Escaping.visible(text, limit: 40))'"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
