import Contracts
import Foundation
import Timekeeping

/// Bends requests: each change is one that a careless or malicious client might make.
struct Mutation {
  var stream: RandomStream
  let tokens: any TokenCodec
  let pool: Pool

  // MARK: - Documents

  /// The text of a document after some changes in it.
  ///
  /// A changed value is marked in the document and replaced in its text, so that also what no value holds can be sent:
  /// numbers beyond every range, halves of characters, members that are there twice.
  mutating func bend(_ document: JSON) -> String {
    var marks: [String] = []
    var bent = document
    for _ in 0..<stream.pick([1, 1, 1, 2, 3]) {
      var left = stream.pick(0..<Self.count(bent))
      bent = bend(bent, named: nil, &left, &marks)
    }
    var text = bent.description
    for (index, mark) in marks.enumerated() {
      text = text.replacingOccurrences(of: "\"\(Self.mark)\(index)\"", with: mark)
    }
    return text.replacingOccurrences(of: Self.twice, with: "")
  }

  private static let mark = "~mark~"
  private static let twice = "~twice~"

  private static func count(_ value: JSON) -> Int {
    switch value {
    case .array(let items): items.reduce(1) { $0 + count($1) }
    case .object(let object): object.members.reduce(1) { $0 + count($1.value) }
    default: 1
    }
  }

  /// Changes the value that comes `left` steps later in the order of the text; below zero it is done.
  private mutating func bend(
    _ value: JSON, named name: String?, _ left: inout Int, _ marks: inout [String]
  ) -> JSON {
    left -= 1
    if left == -1 { return change(value, named: name, &marks) }
    switch value {
    case .array(var items):
      for index in items.indices where left >= 0 {
        items[index] = bend(items[index], named: name, &left, &marks)
      }
      return .array(items)
    case .object(var object):
      for (name, member) in object.members where left >= 0 {
        object[name] = bend(member, named: name, &left, &marks)
      }
      return .object(object)
    default: return value
    }
  }

  private mutating func change(_ value: JSON, named name: String?, _ marks: inout [String]) -> JSON
  {
    switch value {
    case .array(var items) where !items.isEmpty && stream.chance(0.6):
      switch stream.pick(0..<3) {
      case 0: items.remove(at: stream.pick(items.indices))
      case 1: items.append(stream.pick(items))
      default: items = Array(repeating: stream.pick(items), count: stream.pick([0, 2, 51, 201]))
      }
      return .array(items)
    case .object(var object) where stream.chance(0.7):
      let member = object.members.isEmpty ? nil : stream.pick(object.members)
      switch stream.pick(0..<4) {
      case 0: if let member { object[member.name] = nil }
      case 1: if let member { object[Self.twice + member.name] = marked(member.value, &marks) }
      case 2: if let member { object[member.name] = pool.value(named: member.name, &stream) }
      default: object[EdgeValues.text(&stream)] = 1
      }
      return .object(object)
    case .string(let text) where stream.chance(0.5):
      if let token = bend(token: text) { return .string(token) }
    default: break
    }
    if let name, stream.chance(0.3), let known = pool.value(named: name, &stream) { return known }
    return marked(value, &marks)
  }

  private mutating func marked(_ value: JSON, _ marks: inout [String]) -> JSON {
    marks.append(EdgeValues.document(insteadOf: value, &stream))
    return .string("\(Self.mark)\(marks.count - 1)")
  }

  /// A token with other claims: signed anew, with its old signature, or with none; `nil` for what is no token.
  mutating func bend(token text: String) -> String? {
    if let claims = Self.decode(text).flatMap({ JSON(parsing: $0) }), claims.object != nil {
      return Data(bend(claims).utf8).base64EncodedString()
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = Self.decode(parts[1]).flatMap({ JSON(parsing: $0) })
    else { return nil }
    let payload = Array(bend(claims).utf8)
    switch stream.pick(0..<4) {
    case 0: return "\(parts[0]).\(Self.encode(payload)).\(parts[2])"
    case 1: return "\(parts[0]).\(Self.encode(payload))."
    default: return tokens.sign(payload: payload)
    }
  }

  private static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  private static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.count < 20_000 else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/").filter { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map(Array.init)
  }

  // MARK: - Requests

  mutating func bend(_ wire: WireRequest) -> WireRequest {
    var wire = wire
    for _ in 0..<stream.pick([1, 1, 1, 2]) {
      switch stream.pick(0..<10) {
      case 0: wire.target = bend(target: wire.target)
      case 1: bendHeaders(of: &wire)
      case 2: wire.body = bend(bytes: wire.body)
      case 3 where stream.chance(0.3): wire.method = stream.pick(Self.methods)
      default:
        if let document = JSON(parsing: wire.body) {
          wire.body = Array(bend(document).utf8)
        } else {
          wire.target = bend(target: wire.target)
        }
      }
    }
    return wire
  }

  private static let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "get"]

  private mutating func bend(target text: String) -> String {
    var target = WireTarget(parsing: text)
    switch stream.pick(0..<8) {
    case 0: target.path[stream.pick(target.path.indices)] = EdgeValues.text(&stream)
    case 1: target.path[stream.pick(target.path.indices)] = pool.text(&stream)
    case 2: target.path.append("")
    case 3:
      return text + stream.pick(["?", "&", "%", "%zz", "#", "/", "//", "\u{0}", "=", "?a[]=1"])
    default:
      guard !target.query.items.isEmpty else {
        target.query.append(EdgeValues.text(&stream), EdgeValues.text(&stream))
        break
      }
      var query = WireForm()
      let chosen = stream.pick(target.query.items.indices)
      for (index, item) in target.query.items.enumerated() {
        guard index == chosen else {
          query.append(item.name, item.value)
          continue
        }
        switch stream.pick(0..<5) {
        case 0: break
        case 1:
          query.append(item.name, item.value)
          query.append(item.name, EdgeValues.text(&stream))
        case 2:
          query.append(item.name, pool.value(named: item.name, &stream)?.string ?? item.value)
        default: query.append(item.name, bend(token: item.value) ?? EdgeValues.text(&stream))
        }
      }
      target.query = query
    }
    return target.text
  }

  private mutating func bendHeaders(of wire: inout WireRequest) {
    guard !wire.headers.isEmpty, stream.chance(0.8) else {
      wire.headers.append(WireHeader("Authorization", EdgeValues.text(&stream)))
      return
    }
    let index = stream.pick(wire.headers.indices)
    let header = wire.headers[index]
    let token = header.value.split(separator: " ").last.map(String.init) ?? ""
    switch stream.pick(0..<6) {
    case 0: wire.headers.remove(at: index)
    case 1: wire.headers[index] = WireHeader(header.name, EdgeValues.text(&stream))
    case 2: wire.headers.append(header)
    default:
      let bent = bend(token: token) ?? pool.text(&stream)
      wire.headers[index] = WireHeader(
        header.name, header.value.replacingOccurrences(of: token, with: bent))
    }
  }

  private mutating func bend(bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    switch stream.pick(0..<6) {
    case 0: return Array(bytes.prefix(stream.pick(0..<bytes.count + 1)))
    case 1: bytes.insert(UInt8(stream.pick(0..<256)), at: stream.pick(0..<bytes.count + 1))
    case 2 where !bytes.isEmpty: bytes[stream.pick(bytes.indices)] ^= 1 << UInt8(stream.pick(0..<8))
    case 3: bytes += bytes
    case 4: return Array(EdgeValues.anything(&stream).utf8)
    default:
      return stream.pick([
        [], [0], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], Array("null".utf8), Array("[]".utf8),
        Array("{}".utf8), [0x22, 0xC0, 0x80, 0x22], Array("{\"a\":1".utf8),
      ])
    }
    return bytes
  }
}
