import Contracts

// MARK: Requests

extension MimiSupply {
  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    let target = WireTarget(parsing: wire.target)
    return (request(wire, target), credential(wire, target.query))
  }

  private static func request(_ wire: WireRequest, _ target: WireTarget) -> Request {
    let unrouted = Request.unrouted(method: wire.method, target: bare(target))
    if wire.method == "GET", target.path.starts(with: ["courier", "1"]), target.path.count == 3 {
      return .poll(
        Poll(
          following: WireTarget(target.path).text,
          timeoutSeconds: target.query["timeout"].flatMap { Int($0) }))
    }
    guard wire.method == "POST", let (location, operation) = route(target.path) else {
      return unrouted
    }
    guard let body = JSON(parsing: wire.body), body.object != nil else {
      return .malformed(operation, location, .notAnObject)
    }
    switch operation {
    case .modify: return modification(body, location)
    case .createToken:
      guard let environment = body["apnsEnvironment"]?.string else {
        return .malformed(operation, location, .incomplete)
      }
      return .createToken(location, apnsEnvironment: environment)
    case .poll, .unrouted, .control: return unrouted
    }
  }

  /// `/database/1/{container}/{environment}[/{database}]/{operation}` (§3.1).
  private static func route(_ path: [String]) -> (Location, MobileOperation)? {
    guard path.starts(with: ["database", "1"]), path.count > 5 else { return nil }
    let rest = Array(path.dropFirst(4))
    switch Array(rest.suffix(2)) {
    case ["records", "modify"] where rest.count == 3:
      return (Location(container: path[2], environment: path[3], database: rest[0]), .modify)
    case ["tokens", "create"] where rest.count < 4:
      let database = rest.count == 3 ? rest[0] : nil
      return (Location(container: path[2], environment: path[3], database: database), .createToken)
    default: return nil
    }
  }

  private static func modification(_ body: JSON, _ location: Location) -> Request {
    let items = body["operations"]?.list { item -> Modification.Item? in
      guard let kind = item["operationType"]?.string.flatMap(Modification.Kind.init),
        let record = item["record"], record.object != nil
      else { return nil }
      return Modification.Item(
        kind, RecordDraft(record), desiredKeys: item["desiredKeys"]?.strings)
    }
    guard let items else {
      return .malformed(.modify, location, .incomplete)
    }
    return .modify(
      location,
      Modification(
        items, zone: body["zoneID"].flatMap(Zone.init), atomic: body["atomic"]?.bool))
  }

  /// Query parameters as CloudKit has them, or the headers that the twin adds (§3.1).
  private static func credential(_ wire: WireRequest, _ query: WireForm) -> Credential? {
    let header = wire.header("Authorization")
    let bearer = header.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    let credential = Credential(
      apiToken: query["ckAPIToken"] ?? wire.header("X-Mimi-Api-Token"),
      userToken: query["ckWebAuthToken"] ?? bearer, deviceID: wire.header("X-Mimi-Device-Id"),
      peer: wire.peer)
    return credential == Credential(apiToken: nil) ? nil : credential
  }

  /// The target without its credentials, which never leave the mapping.
  private static func bare(_ target: WireTarget) -> String {
    var query = WireForm()
    for item in target.query.items where !item.name.hasPrefix("ck") {
      query.append(item.name, item.value)
    }
    return WireTarget(target.path, query).text
  }
}

// MARK: Answers

extension MimiSupply {
  public static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?
  {
    guard let body = response.body else { return nil }
    guard response.status == 200 else { return refusal(response, body).map { .failure($0) } }
    let csn = response.header("X-Mimi-CSN").flatMap { Int($0) } ?? 0
    let reply: Reply? =
      switch request {
      case .modify:
        body["records"]?.list(ItemResult.init).map { .modified($0, csn: csn) }
      case .createToken: CourierToken(body).map { .tokenCreated($0, csn: csn) }
      case .poll: body.list(PushNotification.init).map { .notifications($0, csn: csn) }
      case .delivered: .done
      case .malformed, .unrouted: nil
      }
    return reply.map { .success($0) }
  }

  private static func refusal(_ response: WireResponse, _ body: JSON) -> Refusal? {
    guard let failure = Failure(body), failure.code.status == response.status,
      let uuid = body["uuid"]?.string
    else { return nil }
    return Refusal(
      failure, uuid: uuid, redirectURL: body["redirectURL"]?.string,
      csn: response.header("X-Mimi-CSN").flatMap { Int($0) } ?? 0)
  }
}
