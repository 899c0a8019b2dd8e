/// Where in a request or an answer a value stands.
public enum WireLocation: String, Hashable, Sendable {
  case path, query, header, body
  /// Path and query as a whole, where a client follows an address that it was given; what else stands in the query comes behind.
  case target
  /// How many bytes the body had on its way: read alone.
  case size
}

/// What a request or an answer holds, by place; the members of a form are strings.
public struct WireParts: Sendable {
  public var path: [String: String]
  public var query: WireForm
  public var headers: [WireHeader]
  public var body: JSONObject
  /// Path and query as sent; `nil` builds them from the values.
  public var target: String?
  /// The body as it was sent.
  public var content: [UInt8]

  public init(
    path: [String: String] = [:], query: WireForm = WireForm(), headers: [WireHeader] = [],
    body: JSONObject = JSONObject(), target: String? = nil, content: [UInt8] = []
  ) {
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.target = target
    self.content = content
  }

  func value(of name: String, in location: WireLocation) -> JSON? {
    switch location {
    case .path: path[name].map(JSON.string)
    case .query: query[name].map(JSON.string)
    case .header: headers.value(of: name).map(JSON.string)
    case .body: body[name]
    case .target: target.map(JSON.string)
    case .size: .number(content.count)
    }
  }

  /// Outside a document a value is a text, and none is left out.
  mutating func set(_ name: String, in location: WireLocation, to value: JSON) {
    guard location != .body else {
      body[name] = value
      return
    }
    let text = value.string ?? value.description
    switch location {
    case .body: break
    case _ where value.isNull: break
    case .path: path[name] = text
    case .query: query.append(name, text)
    case .header: headers.append(WireHeader(name, text))
    case .target: target = text
    case .size: break
    }
  }

  /// Takes over what others hold.
  mutating func take(_ others: WireParts) {
    path.merge(others.path) { $1 }
    for item in others.query.items { query.append(item.name, item.value) }
    headers += others.headers
    for member in others.body.members { body[member.name] = member.value }
    target = others.target ?? target
    if !others.content.isEmpty { content = others.content }
  }

  /// All values by their names, for people.
  var together: JSONObject {
    var all = JSONObject()
    for (name, value) in path.sorted(by: { $0.key < $1.key }) { all[name] = .string(value) }
    for item in query.items { all[item.name] = .string(item.value) }
    for header in headers { all[header.name] = .string(header.value) }
    for member in body.members { all[member.name] = member.value }
    if let target { all["target"] = .string(target) }
    return all
  }
}
