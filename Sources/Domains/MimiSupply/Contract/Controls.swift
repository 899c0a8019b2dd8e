import Contracts
import Timekeeping

/// What the operator, the environment and the harness tell the twin (§11).
public enum Control: Hashable, Sendable {
  case load(Fixture)
  /// The world of section 12.
  case loadSampleWorld
  /// Values of section 10 by their names.
  case configure(Adjustment<MimiSupply.Deployment>)
  case setRule(MimiSupply.Rule, binds: Bool)
  /// Which applications are known; `nil`: every one but `unknown`.
  case setApiTokens([String]?)
  case setConsent(user: UserName, kind: String, granted: Bool)
  case setRiskScore(user: UserName, score: Double)
  case injectFault(InjectedFault)
  case endFaults
  /// What the payment stub answers for an order; `nil` stands for all that come.
  case setPayment(order: RecordName?, isRefused: Bool)
  /// The environment brought a notification to its device: it is fetched (MS-99).
  case delivered(token: String, notification: String)
  /// The push log with queue times.
  case outbox
  case audit(user: UserName?)
  case counters
  /// The commit log; `nil` leaves open whether it goes on being kept.
  case commitLog(kept: Bool?)
}

/// Entities with given names; one that is wrong refuses the whole load.
public struct Fixture: Hashable, Sendable {
  /// A person with a profile.
  public struct User: Hashable, Sendable {
    public var name: UserName
    public var appleUserID, role: String
    /// Further fields of the profile.
    public var fields: Fields

    public init(
      _ name: UserName, appleUserID: String, role: String, fields: Fields = [:]
    ) {
      (self.name, self.appleUserID, self.role, self.fields) = (name, appleUserID, role, fields)
    }

    static let shape = Shape(
      { name, appleUserID, role, fields in
        User(name, appleUserID: appleUserID ?? name.text, role: role, fields: fields)
      }, Field("userRecordName", \.name, .name),
      Field("appleUserID", \.appleUserID, .omittable(.text)),
      Field("role", \.role, .text.otherwise("customer")), Field("fields", \.fields, .loaded))
  }

  /// A session that needs no sign-in.
  public struct Session: Hashable, Sendable {
    public var token: String
    public var user: UserName
    public var deviceID: DeviceName
    /// `nil`: a session lifetime from now.
    public var expiresAt: Instant?

    public init(_ token: String, user: UserName, deviceID: DeviceName, expiresAt: Instant? = nil) {
      (self.token, self.user, self.deviceID, self.expiresAt) = (token, user, deviceID, expiresAt)
    }

    static let shape = Shape(
      { Session($0, user: $1, deviceID: $2, expiresAt: $3) },
      Field("ckWebAuthToken", \.token, .text), Field("userRecordName", \.user, .name),
      Field("deviceID", \.deviceID, .name), Field("expiresAt", \.expiresAt, .omittable(.moment)))
  }

  /// A record as it lies there from now on; nothing is judged but the schema.
  public struct Entry: Hashable, Sendable {
    public var name: RecordName
    public var type: RecordType
    /// Who created it: its owner.
    public var creator: UserName
    public var zoneName: String
    public var fields: Fields

    public init(
      _ name: RecordName, type: RecordType, creator: UserName, zoneName: String = "_defaultZone",
      fields: Fields
    ) {
      (self.name, self.type, self.creator, self.zoneName) = (name, type, creator, zoneName)
      self.fields = fields
    }

    static let shape = Shape(
      { Entry($0, type: $1, creator: $2, zoneName: $3, fields: $4) },
      Field("recordName", \.name, .name), Field("recordType", \.type, .name),
      Field("createdBy", \.creator, .name),
      Field("zoneName", \.zoneName, .text.otherwise("_defaultZone")),
      Field("fields", \.fields, .loaded))
  }

  public var users: [User]
  public var sessions: [Session]
  public var records: [Entry]

  public init(users: [User] = [], sessions: [Session] = [], records: [Entry] = []) {
    (self.users, self.sessions, self.records) = (users, sessions, records)
  }

  static let shape = Shape(
    Fixture.init,
    Field(
      "users", \.users, .counted(User.shape.closed.coding).called("list"),
      "{userRecordName, appleUserID, role, fields}: a profile each; appleUserID is the name when left out, role customer"
    ),
    Field(
      "sessions", \.sessions, .counted(Session.shape.closed.coding).called("list"),
      "{ckWebAuthToken, userRecordName, deviceID, expiresAt}: signed in without a sign-in"),
    Field(
      "records", \.records, .counted(Entry.shape.closed.coding).called("list"),
      "{recordName, recordType, createdBy, zoneName, fields}: of any type"))
}

/// A fault of the backend's own (§11), met by the requests that fit: selected as by every fault, and by user and zone.
@dynamicMemberLookup
public struct InjectedFault: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// 503 `TRY_AGAIN_LATER`, `CKErrorZoneBusy` (MS-12).
    case zoneBusy
    /// 503 `TRY_AGAIN_LATER`, `CKErrorServiceUnavailable`.
    case serviceOutage
    /// 413 `QUOTA_EXCEEDED` for what writes.
    case quota
    /// The request never arrives: `FaultKind.requestLost`.
    case networkLoss
    /// It happens, and nobody hears of it: `FaultKind.answerLost`.
    case answerLost
    /// The answer takes longer: `FaultKind.delay`.
    case latency
    /// 500 `INTERNAL_ERROR`.
    case internalError
  }

  public var kind: Kind
  /// User record name; `nil`: everybody.
  public var user: UserName?
  /// Zone name; `nil`: every zone.
  public var zone: String?
  /// Of those, which: of an operation, from when (`nil`: now) until before when, how many.
  public var selection: FaultSelection
  public var retryAfter: Span?
  /// For latency.
  public var delay: Span?

  public init(
    _ kind: Kind, user: UserName? = nil, zone: String? = nil, operation: String? = nil,
    from: Instant? = nil, until: Instant? = nil, count: Int? = nil, retryAfter: Span? = nil,
    delay: Span? = nil
  ) {
    (self.kind, self.user, self.zone) = (kind, user, zone)
    selection = FaultSelection(operation: operation, from: from, until: until, count: count)
    self.retryAfter = retryAfter
    self.delay = delay
  }

  private init(
    _ kind: Kind, _ user: UserName?, _ zone: String?, _ selection: FaultSelection,
    _ retryAfter: Span?, _ delay: Span?
  ) {
    self.init(kind, user: user, zone: zone, retryAfter: retryAfter, delay: delay)
    self.selection = selection
  }

  static let shape = Shape(
    InjectedFault.init(_:_:_:_:_:_:), Field("kind", \.kind, .word, "what happens"),
    Field("user", \.user, .omittable(.name.called("record name")), "whose requests; everybody's"),
    Field("zone", \.zone, .omittable(.text.called("zone name")), "of which zone; every one"),
    Field(\.selection, .requests(of: operations)),
    Field(
      "retryAfter", \.retryAfter, .omittable(wait), "what busy zones and outages ask for; 30s"),
    Field("delay", \.delay, .omittable(wait), "how much later answers come, for latency")
  ).checked { fault in
    switch (fault.kind, fault.delay) {
    case (.latency, nil):
      Malformed(
        .missing, "is missing, which the kind 'latency' needs; give one such as \"250ms\"",
        at: "delay")
    case (.latency, _), (_, nil): nil
    case (let kind, _):
      Malformed(.invalid, "has no meaning for the kind '\(kind.rawValue)'", at: "delay")
    }
  }
  private static let operations = MimiSupply.MobileOperation.allCases.map { "\($0)" }
  private static let wait = Coding<Span>.span(.zero ... .days(36_500)).called("span")

  public subscript<Value>(dynamicMember member: WritableKeyPath<FaultSelection, Value>) -> Value {
    get { selection[keyPath: member] }
    set { selection[keyPath: member] = newValue }
  }
}
