/// Where in a request or an answer a value stands.
public enum WirePlace: String, Hashable, Sendable {
  case path, query, header, body
  /// Path and query as a whole, where a client follows an address that it was given.
  case target
}

/// What a request or an answer holds, by place; the members of a form are strings.
public struct WireParts: Sendable {
  public var path: [String: String]
  public var query: WireForm
  public var headers: [WireHeader]
  public var body: JSONObject
  /// Path and query as sent; `nil` builds them from the values.
  public var target: String?

  public init(
    path: [String: String] = [:], query: WireForm = WireForm(), headers: [WireHeader] = [],
    body: JSONObject = JSONObject(), target: String? = nil
  ) {
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.target = target
  }

  func value(of name: String, in place: WirePlace) -> JSON? {
    switch place {
    case .path: path[name].map(JSON.string)
    case .query: query[name].map(JSON.string)
    case .header: headers.value(of: name).map(JSON.string)
    case .body: body[name]
    case .target: target.map(JSON.string)
    }
  }

  /// Outside a document a value is a text, and none is left out.
  mutating func set(_ name: String, in place: WirePlace, to value: JSON) {
    let text = value.string ?? value.description
    switch place {
    case .body: body[name] = value
    case _ where value.isNull: break
    case .path: path[name] = text
    case .query: query.append(name, text)
    case .header: headers.append(WireHeader(name, text))
    case .target: target = text
    }
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
