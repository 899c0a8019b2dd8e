import Contracts

extension MimiSupply {
  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    let target = WireTarget(parsing: wire.target)
    return (request(wire, target), credential(wire, target.query))
  }

  private static func request(_ wire: WireRequest, _ target: WireTarget) -> Request {
    if let file = fileRequest(wire, target) { return file }
    guard let (operation, place, subject) = operation(at: target.path) else {
      return .unrouted(method: wire.method, target: bare(target))
    }
    var location = place
    location.body = BodySize(wire.body.count)
    if wire.method == "GET", isRead(operation) {
      return read(operation, location, [:], subject)
    }
    guard wire.method == "POST", operation != .partnerStats else {
      return .unrouted(method: wire.method, target: bare(target))
    }
    let mayBeEmpty = isRead(operation) || takesNothing(operation)
    let body = wire.body.isEmpty && mayBeEmpty ? [:] : JSON(parsing: wire.body)
    guard let body, body.object != nil else {
      return .malformed(operation, location, .notAnObject)
    }
    return read(operation, location, body, subject)
  }

  private static func takesNothing(_ operation: MobileOperation) -> Bool {
    switch operation {
    case .refresh, .signOut, .exportAccount, .deleteAccount: true
    default: false
    }
  }

  private static func read(
    _ operation: MobileOperation, _ location: Location, _ body: JSON, _ subject: String?
  ) -> Request {
    let plain = body["numbersAsStrings"]?.bool == true ? body.withStringsAsNumbers : body
    var reader = BodyReader(plain)
    guard let request = request(operation, location, &reader, subject), !reader.isWrong else {
      return .malformed(operation, location, .incomplete)
    }
    return request
  }

  private static func request(
    _ operation: MobileOperation, _ location: Location, _ body: inout BodyReader, _ subject: String?
  ) -> Request? {
    switch operation {
    case .query: .query(location, query(&body))
    case .lookup: .lookup(location, lookup(&body))
    case .modify: .modify(location, modification(&body))
    case .changes: .changes(location, feedQuery(&body))
    case .listZones: .listZones(location)
    case .lookupZones:
      .lookupZones(location, body.list("zones") { Zone($0["zoneID"] ?? $0) })
    case .modifyZones: .modifyZones(location, body.list("operations", ZoneOperation.init))
    case .changedZones:
      .changedZones(
        location,
        syncToken: body.optionalText("syncToken") ?? body.optionalText("metaSyncToken"))
    case .listSubscriptions: .listSubscriptions(location)
    case .lookupSubscriptions:
      .lookupSubscriptions(
        location, body.list("subscriptions") { ($0["subscriptionID"] ?? $0).string })
    case .modifySubscriptions:
      .modifySubscriptions(location, body.list("operations", SubscriptionOperation.init))
    case .createToken:
      .createToken(location, apnsEnvironment: body.text("apnsEnvironment"))
    case .registerToken:
      .registerToken(
        location, apnsEnvironment: body.text("apnsEnvironment"), apnsToken: body.text("apnsToken"))
    case .requestUploads: .requestUploads(location, uploadRequest(&body))
    case .currentUser: .currentUser(location)
    case .signIn: .signIn(signIn(&body))
    case .selectRole: .selectRole(body.text("role"))
    case .refresh: .refresh
    case .signOut: .signOut
    case .exportAccount: .exportAccount
    case .deleteAccount: .deleteAccount
    case .partnerStats: subject.map { .partnerStats(partner: $0) }
    case .upload, .download, .poll, .unrouted, .control, .inspect: nil
    }
  }

  // MARK: Bodies

  private static func query(_ body: inout BodyReader) -> Query {
    Query(
      body.value("query", or: RecordQuery(""), RecordQuery.init), zone: body.zone(),
      zoneWide: body.flag("zoneWide"), resultsLimit: body.optionalNumber("resultsLimit"),
      continuationMarker: body.optionalText("continuationMarker"),
      desiredKeys: body.optionalTexts("desiredKeys"),
      numbersAsStrings: body.flag("numbersAsStrings"))
  }

  private static func lookup(_ body: inout BodyReader) -> Lookup {
    Lookup(
      body.list("records") { item in
        var item = BodyReader(item)
        let read = Lookup.Item(
          item.text("recordName"), desiredKeys: item.optionalTexts("desiredKeys"))
        return item.isWrong ? nil : read
      }, zone: body.zone(), desiredKeys: body.optionalTexts("desiredKeys"),
      numbersAsStrings: body.flag("numbersAsStrings"))
  }

  private static func modification(_ body: inout BodyReader) -> Modification {
    Modification(
      body.list("operations", Modification.Item.init), zone: body.zone(),
      atomic: body.optionalFlag("atomic"), numbersAsStrings: body.flag("numbersAsStrings"))
  }

  private static func feedQuery(_ body: inout BodyReader) -> FeedQuery {
    FeedQuery(
      zone: body.zone(), syncToken: body.optionalText("syncToken"),
      resultsLimit: body.optionalNumber("resultsLimit"),
      desiredKeys: body.optionalTexts("desiredKeys"),
      desiredRecordTypes: body.optionalTexts("desiredRecordTypes"),
      reverse: body.flag("reverse"), numbersAsStrings: body.flag("numbersAsStrings"))
  }

  private static func uploadRequest(_ body: inout BodyReader) -> UploadRequest {
    UploadRequest(
      body.list("tokens") { item in
        var item = BodyReader(item)
        let read = UploadRequest.Item(
          item.optionalText("recordName"), recordType: item.text("recordType"),
          fieldName: item.text("fieldName"))
        return item.isWrong ? nil : read
      }, zone: body.zone())
  }

  private static func signIn(_ body: inout BodyReader) -> SignIn {
    SignIn(
      identityToken: body.text("identityToken"), nonce: body.text("nonce"),
      deviceID: body.optionalText("deviceID"), fullName: body.optionalText("fullName"),
      email: body.optionalText("email"), role: body.optionalText("role"))
  }

  // MARK: Addresses that the twin gave out

  private static let syntheticType = "application/x-mimi-synthetic"

  private static func fileRequest(_ wire: WireRequest, _ target: WireTarget) -> Request? {
    let path = target.path
    switch (wire.method, path.first) {
    case ("GET", "courier") where path.count == 3 && path[1] == "1":
      return .poll(
        Poll(
          following: WireTarget(path).text,
          timeoutSeconds: target.query["timeout"].flatMap { Int($0) }))
    case ("GET", "assets") where path.count == 6 && path.starts(with: ["assets", "1", "file"]):
      return .download(path: WireTarget(path).text)
    case ("POST", "assets"), ("PUT", "assets"):
      guard path.count == 4, path.starts(with: ["assets", "1", "upload"]) else { return nil }
      return .upload(Upload(to: WireTarget(path).text, content(of: wire)))
    default: return nil
    }
  }

  private static func content(of wire: WireRequest) -> Upload.Content {
    let type = wire.header("Content-Type")?.prefix { $0 != ";" }.lowercased()
    guard type == syntheticType else { return .bytes(wire.body) }
    guard let body = JSON(parsing: wire.body), let size = body["size"]?.int, size >= 0 else {
      return .unreadable
    }
    return .synthetic(size: size, seed: body["seed"]?.int ?? 0)
  }

  // MARK: Credentials

  /// Query parameters as CloudKit has them, or the headers that the twin adds (§3.1).
  private static func credential(_ wire: WireRequest, _ query: WireForm) -> Credential? {
    let header = wire.header("Authorization")
    // The name of a scheme knows no case (RFC 9110 §11.1).
    let bearer = header.flatMap {
      $0.prefix(7).lowercased() == "bearer " ? String($0.dropFirst(7)) : nil
    }
    let credential = Credential(
      apiToken: query["ckAPIToken"] ?? wire.header("X-Mimi-Api-Token"),
      userToken: query["ckWebAuthToken"] ?? bearer, deviceID: wire.header("X-Mimi-Device-Id"),
      peer: wire.peer, host: wire.header("Host"), appVersion: wire.header("X-Mimi-App-Version"))
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
