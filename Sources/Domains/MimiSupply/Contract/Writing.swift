import Contracts

// MARK: Requests

extension MimiSupply {
  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire =
      switch request {
      case .modify(let location, let asked):
        posting(location, ["records", "modify"], credential, document(asked))
      case .createToken(let location, let environment):
        posting(
          location, ["tokens", "create"], credential, ["apnsEnvironment": .string(environment)])
      case .poll(let poll): polling(poll, credential)
      case .malformed(let operation, let location, let problem):
        posting(
          location, operation == .modify ? ["records", "modify"] : ["tokens", "create"], credential,
          problem == .notAnObject ? [] : [:])
      case .unrouted(let method, let target):
        WireRequest(method, authorised(WireTarget(parsing: target), credential))
      case .delivered(let token, let notification):
        WireRequest(
          "POST", "/_rehearsal/\(domain)/delivered", headers: [contentType],
          body: JSON.object(["token": .string(token), "notification": .string(notification)]).bytes)
      }
    wire.peer = credential?.peer
    if let device = credential?.deviceID {
      wire.headers.append(WireHeader("X-Mimi-Device-Id", device))
    }
    return wire
  }

  private static let contentType = WireHeader("Content-Type", "application/json")

  private static func posting(
    _ location: Location, _ operation: [String], _ credential: Credential?, _ body: JSON
  ) -> WireRequest {
    let database = location.database.map { [$0] } ?? []
    let target = WireTarget(
      ["database", "1", location.container, location.environment] + database + operation)
    return WireRequest(
      "POST", authorised(target, credential), headers: [contentType], body: body.bytes)
  }

  private static func polling(_ poll: Poll, _ credential: Credential?) -> WireRequest {
    var target = WireTarget(parsing: poll.courier)
    if let seconds = poll.timeoutSeconds { target.query.append("timeout", String(seconds)) }
    return WireRequest("GET", authorised(target, credential))
  }

  private static func authorised(_ target: WireTarget, _ credential: Credential?) -> String {
    var target = target
    if let token = credential?.apiToken { target.query.append("ckAPIToken", token) }
    if let token = credential?.userToken { target.query.append("ckWebAuthToken", token) }
    return target.text
  }

  private static func document(_ asked: Modification) -> JSON {
    let items = asked.items.map { item -> JSON in
      var object: JSONObject = [
        "operationType": .string(item.kind.rawValue), "record": item.record.document,
      ]
      object["desiredKeys"] = item.desiredKeys.map(JSON.strings)
      return .object(object)
    }
    var object: JSONObject = ["operations": .array(items)]
    object["zoneID"] = asked.zone?.document
    object["atomic"] = asked.atomic.map(JSON.bool)
    return .object(object)
  }
}

// MARK: Answers

extension MimiSupply {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    switch result {
    case .success(.modified(let items, let csn)):
      answer(["records": .array(items.map(\.document))], csn)
    case .success(.tokenCreated(let token, let csn)): answer(token.document, csn)
    case .success(.notifications(let notifications, let csn)):
      answer(.array(notifications.map(\.document)), csn)
    case .success(.done): WireResponse(200, body: [:])
    case .failure(let refusal): refused(refusal)
    }
  }

  private static func answer(_ body: JSON, _ csn: Int, _ status: Int = 200) -> WireResponse {
    WireResponse(status, headers: [WireHeader("X-Mimi-CSN", String(csn))], body: body)
  }

  private static func refused(_ refusal: Refusal) -> WireResponse {
    var object: JSONObject = ["uuid": .string(refusal.uuid)]
    refusal.failure.write(to: &object)
    object["redirectURL"] = refusal.redirectURL.map(JSON.string)
    var response = answer(.object(object), refusal.csn, refusal.failure.code.status)
    if let wait = refusal.failure.retryAfter {
      let seconds = wait.seconds.rounded(.up)
      response.headers.append(WireHeader("Retry-After", String(Int(seconds))))
    }
    return response
  }
}
