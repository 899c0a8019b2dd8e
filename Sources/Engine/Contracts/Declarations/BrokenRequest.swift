extension DeclaredContract {
  /// A request that shows exactly this fault: the operation's example, spoilt until reading it finds just that.
  static func broken(_ operation: Int, _ fault: Unread.Fault) -> WireRequest {
    let endpoint = table.endpoints.indices.contains(operation) ? table.endpoints[operation] : nil
    let wanted = Request.unread(.malformed(operation: operation, fault))
    for candidate in spoilt(endpoint, fault) where read(candidate).request == wanted {
      return candidate
    }
    preconditionFailure(
      "\(domain): no request of \(table.operations[operation].name) is \(fault)")
  }

  private static func spoilt(_ endpoint: Endpoint<Self>?, _ fault: Unread.Fault) -> [WireRequest] {
    guard let endpoint else {
      return [spoilt(WireRequest("POST", "/nowhere", headers: [BodyRules.jsonType]), fault)]
    }
    let example = endpoint.example
    func wire(_ parts: WireParts) -> WireRequest { endpoint.wire(parts, table.bodies) }
    switch fault.kind {
    case .tooLarge, .noDocument: return [spoilt(wire(example), fault)]
    case .noQuery:
      var wire = wire(example)
      wire.target += wire.target.contains("?") ? "&%" : "?%"
      return [wire]
    case .member(.missing), .member(.invalid):
      return fault.oddities.map { wire(example.setting(fault.path, to: $0, endpoint.members)) }
    case .member(.repeated):
      var twice = example
      twice.query.append(fault.path, "1")
      twice.query.append(fault.path, "1")
      return [wire(twice)]
    }
  }

  private static func spoilt(_ wire: WireRequest, _ fault: Unread.Fault) -> WireRequest {
    var wire = wire
    let size = fault == .tooLarge ? (table.bodies.most ?? 0) + 1 : 0
    wire.body = size > 0 ? Array(repeating: UInt8(ascii: " "), count: size) : Array("{".utf8)
    return wire
  }
}

extension Unread.Fault {
  /// Values that may show this fault in the member that it is about, the least odd first; `nil` leaves the member out.
  var oddities: [JSON?] {
    switch kind {
    case .member(.missing): [nil, "", " "]
    default:
      ["x", [], [:], true, -1, 1.5, "", "\u{0}", .null]
        + [65, 129, 257, 1025, 70_000].map { .string(String(repeating: "k", count: $0)) }
    }
  }
}

extension WireParts {
  /// With another value at a path; `nil` removes it.
  func setting(_ path: String, to value: JSON?, _ members: [ShapeMember]) -> WireParts {
    var parts = self
    let name = String(path.prefix { $0 != "." && $0 != "[" })
    switch members.first(where: { $0.name == name })?.location ?? .body {
    case .target: parts.target = value?.string
    case .size: break
    case .path: parts.path[name] = value.map { $0.string ?? $0.description }
    case .query:
      var query = WireForm()
      for item in parts.query.items where item.name != name { query.append(item.name, item.value) }
      parts.query = query
      if let value { parts.set(name, in: .query, to: value) }
    case .header:
      parts.headers.removeAll { $0.name == name }
      if let value { parts.set(name, in: .header, to: value) }
    case .body:
      let changed = JSON.object(parts.body).setting(Self.steps(path)[...], to: value)
      parts.body = changed?.object ?? JSONObject()
    }
    return parts
  }

  /// `items[2].price` as its steps: `items`, `2`, `price`.
  private static func steps(_ path: String) -> [String] {
    path.split { $0 == "." || $0 == "[" || $0 == "]" }.map(String.init)
  }
}

extension JSON {
  /// With another value some steps below; a list that is too short is filled up with its first item.
  fileprivate func setting(_ steps: ArraySlice<String>, to value: JSON?) -> JSON? {
    guard let step = steps.first else { return value }
    let rest = steps.dropFirst()
    if var items = array, let index = Int(step), let first = items.first {
      while items.count <= index { items.append(first) }
      let changed = items[index].setting(rest, to: value)
      if let changed { items[index] = changed } else { items.remove(at: index) }
      return .array(items)
    }
    var members = object ?? JSONObject()
    members[step] = (members[step] ?? [:]).setting(rest, to: value)
    return .object(members)
  }
}
