import Contracts

/// Where the members of a line's object stand, in bytes from 1, for messages.
struct LineColumns {
  struct Member {
    let name: String
    let nameAt: Int
    let valueAt: Int
  }

  private let bytes: [UInt8]
  /// The members of the line itself, in their order, those of equal names included.
  let members: [Member]

  /// - Parameter bytes: Of an object that parses.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let start = bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0
    members = Self.members(of: bytes, at: start)
  }

  /// The column at which the value of a member begins, or of one inside it; 1 where there is none.
  func column(of name: String, _ inner: String? = nil) -> Int {
    guard let member = members.last(where: { $0.name == name }) else { return 1 }
    guard let inner, bytes[member.valueAt - 1] == UInt8(ascii: "{") else { return member.valueAt }
    return Self.members(of: bytes, at: member.valueAt - 1).last { $0.name == inner }?.valueAt
      ?? member.valueAt
  }

  /// The column of the first place at which a text stands as it is; 1 where there is none.
  func column(ofText text: String) -> Int {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty, bytes.count >= wanted.count else { return 1 }
    let place = (0...bytes.count - wanted.count).first { bytes[$0...].starts(with: wanted) }
    return place.map { $0 + 1 } ?? 1
  }

  private static func members(of bytes: [UInt8], at start: Int) -> [Member] {
    var members: [Member] = []
    var place = start + 1
    while let name = next(in: bytes, from: place), bytes[name] == UInt8(ascii: "\"") {
      let nameEnd = end(of: bytes, from: name)
      guard let colon = next(in: bytes, from: nameEnd),
        let value = next(in: bytes, from: colon + 1)
      else { break }
      let text = JSON(parsing: bytes[name..<nameEnd])?.string ?? ""
      members.append(Member(name: text, nameAt: name + 1, valueAt: value + 1))
      guard let comma = next(in: bytes, from: end(of: bytes, from: value)),
        bytes[comma] == UInt8(ascii: ",")
      else { break }
      place = comma + 1
    }
    return members
  }

  /// The next byte that is no blank.
  private static func next(in bytes: [UInt8], from place: Int) -> Int? {
    bytes[min(place, bytes.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// Behind the value that begins at a place.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var place = start
    var depth = 0
    var isText = false
    while place < bytes.count {
      let byte = bytes[place]
      if isText {
        if byte == UInt8(ascii: "\\") {
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return place }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
          if depth == 0 { return place }
        default: break
        }
      }
      place += 1
      if depth == 0, !isText,
        [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
      {
        return place
      }
    }
    return bytes.count
  }
}
