import Contracts
import Timekeeping

extension Fixture {
  init(_ given: ControlParameters) throws(ControlProblem) {
    self.init()
    for item in try given.items("users") {
      users.append(
        try User(ControlParameters(item.value, known: User.names, at: item.place)))
    }
    for item in try given.items("sessions") {
      sessions.append(
        try Session(ControlParameters(item.value, known: Session.names, at: item.place)))
    }
    for item in try given.items("records") {
      records.append(
        try Entry(ControlParameters(item.value, known: Entry.names, at: item.place)))
    }
  }

  var document: JSON {
    [
      "users": .array(users.map(\.document)), "sessions": .array(sessions.map(\.document)),
      "records": .array(records.map(\.document)),
    ]
  }
}

extension Fixture.User {
  fileprivate static let names = ["userRecordName", "appleUserID", "role", "fields"]

  init(_ given: ControlParameters) throws(ControlProblem) {
    let name = try given.text("userRecordName")
    self.init(
      name, appleUserID: try given.optionalText("appleUserID") ?? name,
      role: try given.optionalText("role") ?? "customer", fields: try given.fields())
  }

  var document: JSON {
    [
      "userRecordName": .string(name), "appleUserID": .string(appleUserID), "role": .string(role),
      "fields": .object(fields.document),
    ]
  }
}

extension Fixture.Session {
  fileprivate static let names = ["ckWebAuthToken", "userRecordName", "deviceID", "expiresAt"]

  init(_ given: ControlParameters) throws(ControlProblem) {
    self.init(
      try given.text("ckWebAuthToken"), user: try given.text("userRecordName"),
      deviceID: try given.text("deviceID"), expiresAt: try given.optionalMoment("expiresAt"))
  }

  var document: JSON {
    var object: JSONObject = [
      "ckWebAuthToken": .string(token), "userRecordName": .string(user),
      "deviceID": .string(deviceID),
    ]
    object["expiresAt"] = expiresAt.map { .int($0.unixMilliseconds) }
    return .object(object)
  }
}

extension Fixture.Entry {
  fileprivate static let names = ["recordName", "recordType", "createdBy", "zoneName", "fields"]

  init(_ given: ControlParameters) throws(ControlProblem) {
    self.init(
      try given.text("recordName"), type: try given.text("recordType"),
      creator: try given.text("createdBy"),
      zoneName: try given.optionalText("zoneName") ?? "_defaultZone", fields: try given.fields())
  }

  var document: JSON {
    [
      "recordName": .string(name), "recordType": .string(type), "createdBy": .string(creator),
      "zoneName": .string(zoneName), "fields": .object(fields.document),
    ]
  }
}

extension InjectedFault {
  init(_ given: ControlParameters) throws(ControlProblem) {
    let kind = try given.choice("kind", among: Kind.allCases.map(\.rawValue))
    self.init(
      Kind(rawValue: kind)!, user: try given.optionalText("user"),
      zone: try given.optionalText("zone"), retryAfter: try given.optionalSpan("retryAfter"),
      delay: try given.delay(ofKind: kind, isNeeded: kind == Kind.latency.rawValue))
    selection = try FaultSelection(
      given, operations: MimiSupply.MobileOperation.allCases.map { "\($0)" })
  }

  var document: JSON {
    var object: JSONObject = ["kind": .string(kind.rawValue)]
    object["user"] = user.map(JSON.string)
    object["zone"] = zone.map(JSON.string)
    object["operation"] = selection.operation.map(JSON.string)
    object["from"] = selection.from.map { .int($0.unixMilliseconds) }
    object["until"] = selection.until.map { .int($0.unixMilliseconds) }
    object["count"] = selection.count.map(JSON.number)
    object["retryAfter"] = retryAfter.map { .string("\($0.nanoseconds)ns") }
    object["delay"] = delay.map { .string("\($0.nanoseconds)ns") }
    return .object(object)
  }
}

extension Control {
  /// The command's name below `/_rehearsal/mimi-supply/`.
  var name: String {
    switch self {
    case .load: "load"
    case .loadSampleWorld: "loadSampleWorld"
    case .configure: "configure"
    case .setRule: "setRule"
    case .setApiTokens: "setApiTokens"
    case .setConsent: "setConsent"
    case .setRiskScore: "setRiskScore"
    case .injectFault: "injectFault"
    case .endFaults: "endFaults"
    case .setPayment: "setPayment"
    case .delivered: "delivered"
    case .outbox: "outbox"
    case .audit: "audit"
    case .counters: "counters"
    case .commitLog: "commitLog"
    }
  }

  /// Its parameters as `control(_:_:)` reads them.
  var parameters: JSON {
    switch self {
    case .load(let fixture): fixture.document
    case .configure(let values):
      .object(JSONObject(values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }))
    case .setRule(let id, let binds): ["id": .string(id.text), "binds": .bool(binds)]
    case .setApiTokens(let tokens): ["tokens": tokens.map(JSON.strings) ?? .null]
    case .setConsent(let user, let kind, let granted):
      ["user": .string(user), "kind": .string(kind), "granted": .bool(granted)]
    case .setRiskScore(let user, let score): ["user": .string(user), "score": .double(score)]
    case .injectFault(let fault): fault.document
    case .setPayment(let order, let isRefused):
      order.map { ["order": .string($0), "refused": .bool(isRefused)] }
        ?? ["refused": .bool(isRefused)]
    case .delivered(let token, let notification):
      ["token": .string(token), "notification": .string(notification)]
    case .audit(let user): user.map { ["user": .string($0)] } ?? [:]
    case .commitLog(let kept): kept.map { ["kept": .bool($0)] } ?? [:]
    case .loadSampleWorld, .endFaults, .outbox, .counters: [:]
    }
  }
}
