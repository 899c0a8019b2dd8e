import Contracts
import Timekeeping

/// Values that requests and answers held, by the names of the members that held them: what a client may know.
struct Pool {
  /// A few of each name are enough, the latest.
  private static let most = 24

  private var named: [String: [JSON]] = [:]
  private var texts: [String] = []

  mutating func gather(_ document: JSON) {
    var left = 400
    gather(document, named: "", &left)
  }

  private mutating func gather(_ value: JSON, named name: String, _ left: inout Int) {
    guard left > 0 else { return }
    left -= 1
    switch value {
    case .array(let items):
      for item in items { gather(item, named: name, &left) }
    case .object(let object):
      for (name, member) in object.members { gather(member, named: name, &left) }
    case .string(let text) where text.utf8.count <= 2_000:
      keep(value, named: name)
      texts.append(text)
      if texts.count > 400 { texts.removeFirst(200) }
    case .int, .double, .bool: keep(value, named: name)
    default: break
    }
  }

  private mutating func keep(_ value: JSON, named name: String) {
    named[name, default: []].append(value)
    if named[name]!.count > 2 * Self.most { named[name]!.removeFirst(Self.most) }
  }

  func value(named name: String, _ stream: inout RandomStream) -> JSON? {
    named[name].map { stream.pick($0) }
  }

  func text(_ stream: inout RandomStream) -> String {
    texts.isEmpty ? EdgeValues.text(&stream) : stream.pick(texts)
  }

  /// An address that an answer gave out.
  func address(_ stream: inout RandomStream) -> String? {
    let addresses = texts.filter { $0.hasPrefix("/") || $0.hasPrefix("http://") }
    return addresses.isEmpty ? nil : stream.pick(addresses)
  }
}
