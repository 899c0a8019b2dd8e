import Contracts

extension MimiSupply {
  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire = wire(of: request, credential)
    wire.peer = credential?.peer
    if let device = credential?.deviceID {
      wire.headers.append(WireHeader("X-Mimi-Device-Id", device))
    }
    if let version = credential?.appVersion {
      wire.headers.append(WireHeader("X-Mimi-App-Version", version))
    }
    if let host = credential?.host { wire.headers.append(WireHeader("Host", host)) }
    return wire
  }

  private static let contentType = WireHeader("Content-Type", "application/json")

  private static func wire(of request: Request, _ credential: Credential?) -> WireRequest {
    switch request {
    case .poll(let poll):
      var target = WireTarget(parsing: poll.courier)
      if let seconds = poll.timeoutSeconds { target.query.append("timeout", String(seconds)) }
      return WireRequest("GET", authorised(target, credential))
    case .upload(let upload): return sending(upload, credential)
    case .download(let path):
      return WireRequest("GET", authorised(WireTarget(parsing: path), credential))
    case .unrouted(let method, let target):
      return WireRequest(method, authorised(WireTarget(parsing: target), credential))
    case .control(let control):
      return WireRequest(
        "POST", "/_rehearsal/\(domain)/\(control.name)", headers: [contentType],
        body: control.parameters.bytes)
    case .inspect(let types):
      let body: JSON = types.map { ["types": .strings($0)] } ?? [:]
      return WireRequest(
        "POST", "/_rehearsal/\(domain)/inspect", headers: [contentType], body: body.bytes)
    case .malformed(let operation, let location, let problem):
      let body: JSON = problem == .notAnObject ? [] : [:]
      return asking(operation, location, nil, body, credential)
    default:
      return asking(
        mobileOperation(of: request), location(of: request), subject(of: request),
        document(of: request), credential)
    }
  }

  private static func asking(
    _ operation: MobileOperation, _ location: Location, _ subject: String?, _ body: JSON,
    _ credential: Credential?
  ) -> WireRequest {
    guard let (method, place) = place(of: operation) else {
      preconditionFailure("\(operation) has no path of its own")
    }
    let home = ["database", "1", location.container, location.environment]
    let path =
      switch place {
      case .database(let a, let b), .token(let a, let b):
        home + (location.database.map { [$0] } ?? []) + [a, b]
      case .mimi(let rest): ["mimi", "1"] + rest.map { $0 == "{id}" ? subject ?? "" : $0 }
      }
    let target = authorised(WireTarget(path), credential)
    if method == "GET", body == [:] { return WireRequest("GET", target) }
    return WireRequest("POST", target, headers: [contentType], body: body.bytes)
  }

  private static func sending(_ upload: Upload, _ credential: Credential?) -> WireRequest {
    let target = authorised(WireTarget(parsing: upload.path), credential)
    let synthetic = WireHeader("Content-Type", "application/x-mimi-synthetic")
    switch upload.content {
    case .bytes(let bytes):
      return WireRequest(
        "POST", target, headers: [WireHeader("Content-Type", "application/octet-stream")],
        body: bytes)
    case .synthetic(let size, let seed):
      return WireRequest(
        "POST", target, headers: [synthetic],
        body: JSON.object(["size": .number(size), "seed": .number(seed)]).bytes)
    case .unreadable:
      return WireRequest("POST", target, headers: [synthetic], body: Array("{}".utf8))
    }
  }

  private static func authorised(_ target: WireTarget, _ credential: Credential?) -> String {
    var target = target
    if let token = credential?.apiToken { target.query.append("ckAPIToken", token) }
    if let token = credential?.userToken { target.query.append("ckWebAuthToken", token) }
    return target.text
  }

  /// Where a request goes; those outside a database are nowhere.
  public static func location(of request: Request) -> Location {
    switch request {
    case .query(let location, _), .lookup(let location, _), .modify(let location, _),
      .changes(let location, _), .listZones(let location), .lookupZones(let location, _),
      .modifyZones(let location, _), .changedZones(let location, _),
      .listSubscriptions(let location), .lookupSubscriptions(let location, _),
      .modifySubscriptions(let location, _), .createToken(let location, _),
      .registerToken(let location, _, _), .requestUploads(let location, _),
      .currentUser(let location), .malformed(_, let location, _):
      location
    default: Location(database: nil)
    }
  }

  private static func subject(of request: Request) -> String? {
    if case .partnerStats(let partner) = request { partner } else { nil }
  }

  // MARK: Bodies

  /// The body of a request that has one; its bytes count for MS-07.
  public static func document(of request: Request) -> JSON {
    switch request {
    case .query(_, let asked): document(asked)
    case .lookup(_, let asked): document(asked)
    case .modify(_, let asked): document(asked)
    case .changes(_, let asked): document(asked)
    case .lookupZones(_, let zones):
      ["zones": .array(zones.map { ["zoneID": $0.document] })]
    case .modifyZones(_, let operations): ["operations": .array(operations.map(\.document))]
    case .changedZones(_, let token):
      token.map { ["syncToken": .string($0)] } ?? [:]
    case .lookupSubscriptions(_, let names):
      ["subscriptions": .array(names.map { ["subscriptionID": .string($0)] })]
    case .modifySubscriptions(_, let operations):
      ["operations": .array(operations.map(\.document))]
    case .createToken(_, let environment): ["apnsEnvironment": .string(environment)]
    case .registerToken(_, let environment, let token):
      ["apnsEnvironment": .string(environment), "apnsToken": .string(token)]
    case .requestUploads(_, let asked): document(asked)
    case .signIn(let asked): document(asked)
    case .selectRole(let role): ["role": .string(role)]
    default: [:]
    }
  }

  private static func document(_ asked: Query) -> JSON {
    var object: JSONObject = ["query": asked.query.document]
    object["zoneID"] = asked.zone?.document
    if asked.zoneWide { object["zoneWide"] = true }
    object["resultsLimit"] = asked.resultsLimit.map(JSON.number)
    object["continuationMarker"] = asked.continuationMarker.map(JSON.string)
    object["desiredKeys"] = asked.desiredKeys.map(JSON.strings)
    return numbered(object, asked.numbersAsStrings)
  }

  private static func document(_ asked: Lookup) -> JSON {
    let items = asked.items.map { item -> JSON in
      var object: JSONObject = ["recordName": .string(item.recordName)]
      object["desiredKeys"] = item.desiredKeys.map(JSON.strings)
      return .object(object)
    }
    var object: JSONObject = ["records": .array(items)]
    object["zoneID"] = asked.zone?.document
    object["desiredKeys"] = asked.desiredKeys.map(JSON.strings)
    return numbered(object, asked.numbersAsStrings)
  }

  private static func document(_ asked: Modification) -> JSON {
    var object: JSONObject = ["operations": .array(asked.items.map(\.document))]
    object["zoneID"] = asked.zone?.document
    object["atomic"] = asked.atomic.map(JSON.bool)
    return numbered(object, asked.numbersAsStrings)
  }

  private static func document(_ asked: FeedQuery) -> JSON {
    var object = JSONObject()
    object["zoneID"] = asked.zone?.document
    object["syncToken"] = asked.syncToken.map(JSON.string)
    object["resultsLimit"] = asked.resultsLimit.map(JSON.number)
    object["desiredKeys"] = asked.desiredKeys.map(JSON.strings)
    object["desiredRecordTypes"] = asked.desiredRecordTypes.map(JSON.strings)
    if asked.reverse { object["reverse"] = true }
    return numbered(object, asked.numbersAsStrings)
  }

  private static func numbered(_ object: JSONObject, _ numbersAsStrings: Bool) -> JSON {
    guard numbersAsStrings else { return .object(object) }
    var object = object
    object["numbersAsStrings"] = true
    return JSON.object(object).withNumbersAsStrings
  }

  private static func document(_ asked: UploadRequest) -> JSON {
    let items = asked.items.map { item -> JSON in
      var object: JSONObject = [
        "recordType": .string(item.recordType), "fieldName": .string(item.fieldName),
      ]
      object["recordName"] = item.recordName.map(JSON.string)
      return .object(object)
    }
    var object: JSONObject = ["tokens": .array(items)]
    object["zoneID"] = asked.zone?.document
    return .object(object)
  }

  private static func document(_ asked: SignIn) -> JSON {
    var object: JSONObject = [
      "identityToken": .string(asked.identityToken), "nonce": .string(asked.nonce),
    ]
    object["deviceID"] = asked.deviceID.map(JSON.string)
    object["fullName"] = asked.fullName.map(JSON.string)
    object["email"] = asked.email.map(JSON.string)
    object["role"] = asked.role.map(JSON.string)
    return .object(object)
  }
}
