import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

@testable import AsiaTravelPlanTwin

/// An agency with a person of each standing, asked over the wire with tokens that its provider gave.
struct Office {
  static let start = Instant("2026-03-01T06:00:00.000Z")!

  /// Field staff are mapped to the record of their letter; una has none, otto no role of the agency.
  static let users: [(name: String, roles: [String])] = [
    ("ada", ["atp_staff"]), ("ben", ["atp_staff"]), ("una", ["atp_staff"]),
    ("mia", ["atp_manager"]), ("carl", ["atp_accountant"]), ("alma", ["atp_admin"]),
    ("otto", ["offline_access", "ATP_ADMIN", "atp_admins"]),
    ("dora", ["atp_staff", "atp_accountant"]),
  ]

  var line: Line<AgencyTwin>
  var now = Self.start
  private var tokens: [String: SignedToken] = [:]

  init(
    without rules: [AsiaTravelPlan.Rule] = [], with differences: [AsiaTravelPlan.Difference] = [],
    configured change: (inout AsiaTravelPlan.Deployment) -> Void = { _ in }
  ) throws {
    line = Line(
      AgencyTwin(
        identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rules: Rules(off: Set(rules)),
        tokens: codec), hearsSignals: false)
    try tell(
      .configure(
        Adjustment {
          $0.realm = "agency"
          $0.accessTokenLifetime = .hours(9)
          change(&$0)
        }))
    try tell(.load(Self.fixture))
    for difference in differences { try tell(.setDifference(.init(difference, isOn: true))) }
    for user in Self.users {
      try tell(
        .setUser(
          UserChange(
            username: user.name, id: user.name + "-id", email: user.name + "@example.test",
            password: "p", realmRoles: user.roles)))
    }
  }

  static let fixture = Fixture(
    staff: [
      StaffRecord(id: "staff_b", name: "ben Beta", usernames: ["ben"]),
      StaffRecord(id: "staff_a", name: "Ada Alpha", usernames: [" ADA ", "ada", "dora"]),
      StaffRecord(id: "staff_z", name: "Zoe Zeta", isActive: false, usernames: ["zoe"]),
    ],
    customers: [Customer(id: "cust_1", name: "Grace Hopper", email: "grace@example.test")],
    bookings: [
      booking("booking_a", "staff_a", "Ada Alpha", at: 0, .negotiation),
      booking("booking_b", "staff_b", "ben Beta", at: 1, .new),
      booking("booking_c", nil, nil, at: 2, .won),
    ],
    tours: [
      Tour(id: "tour_1", title: "Laos by river", destinationCountries: ["Laos"], styles: ["Food"])
    ])

  static func booking(
    _ id: String, _ staff: String?, _ name: String?, at minutes: Int64, _ stage: Booking.Stage
  ) -> Booking {
    let made = start - .days(1) + .minutes(minutes)
    return Booking(
      id: id, customerID: "cust_1", stage: stage, staff: staff, staffName: name,
      slaDueAt: stage.sla.map { made + $0 }, destination: "Laos", style: "Food", travelers: 2,
      notes: "none", createdAt: made, updatedAt: made,
      activities: [
        Activity(
          id: "act_" + id, bookingID: id, type: "BOOKING_CREATED", detail: "x",
          actor: "public_api", createdAt: made)
      ])
  }

  mutating func tell(_ command: AsiaTravelPlan.Request) throws {
    try line.tell(command, from: .administration, at: now)
  }

  mutating func wait(_ span: Span) {
    now += span
    line.advance(to: now)
  }

  // MARK: Asking

  /// As a user, who signs in first, once; `visitor` has no token.
  mutating func ask(
    _ request: AsiaTravelPlan.Request, as user: String
  ) throws -> Outcome<AsiaTravelPlan> {
    try ask(request, with: user == "visitor" ? nil : .bearer(token(of: user)))
  }

  /// Keys that have to be fetched first arrive at once.
  mutating func ask(
    _ request: AsiaTravelPlan.Request, with credential: AsiaTravelPlan.Credential?
  ) throws -> Outcome<AsiaTravelPlan> {
    if let outcome = line.ask(request, with: credential, at: now) { return outcome }
    guard case .keySetFetch(let realm, let keys)? = line.signals.last?.signal else {
      throw ControlProblem("no fetch")
    }
    try line.tell(.keySetArrived(realm: realm, keys.spelt), from: .environment, at: now)
    return try #require(line.late.last?.outcome)
  }

  /// The status of the answer as a server sends it.
  mutating func status(_ request: AsiaTravelPlan.Request, as user: String) throws -> Int {
    let result: Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal>
    switch try ask(request, as: user) {
    case .replied(let reply): result = .success(reply)
    case .refused(let refusal): result = .failure(refusal)
    case .unsent, .unknown: return 500
    }
    return AsiaTravelPlan.write(result, to: request, tokens: codec).status
  }

  mutating func token(of user: String) throws -> SignedToken {
    if let known = tokens[user] { return known }
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let asked = AuthorizationRequest(
      realm: "agency", state: "s", challenge: .of(verifier: verifier))
    guard case .loginPage(let page) = line.ask(.authorize(asked), at: now)?.reply,
      case .redirected(let callback) = line.ask(
        .logIn(LogIn(action: page.action, username: user, password: "p")), at: now)?.reply,
      case .tokens(let set) = line.ask(
        .token(
          TokenRequest(
            realm: "agency", grantType: "authorization_code", redirectURI: callback.target,
            code: callback.code, verifier: verifier)), at: now)?.reply
    else { throw ControlProblem("no login of \(user)") }
    tokens[user] = set.accessToken
    return set.accessToken
  }

  /// The claims of a token, of which something is changed, signed as said: with the provider's key where nothing is.
  mutating func forged(
    of user: String, key: String? = nil, _ change: (inout JSONObject) -> Void
  ) throws -> AsiaTravelPlan.Credential {
    let text = try token(of: user).text(codec)
    let kid = try #require(codec.key(of: text))
    let payload = try #require(codec.verifiedPayload(of: text, key: kid))
    var claims = try #require(JSON(parsing: payload)?.object)
    change(&claims)
    return .bearer(.text(codec.sign(payload: JSON.object(claims).bytes, key: key ?? kid)))
  }

  // MARK: What is there

  mutating func booking(_ id: String) throws -> Booking {
    try #require(try ask(.booking(id: id), as: "alma").reply?.booking?.booking)
  }

  mutating func timeline(_ id: String) throws -> [Activity] {
    try #require(try ask(.activities(booking: id), as: "alma").reply?.activities)
  }

  mutating func list(_ query: BookingQuery, as user: String = "alma") throws -> BookingList {
    try #require(try ask(.bookings(query), as: user).reply?.bookings)
  }
}

extension KeySet {
  /// As it comes over a wire.
  var spelt: KeySet {
    KeySet(keys.map { Key(kid: $0.kid, n: .text(codec.modulus(of: $0.kid))) })
  }
}

extension Outcome<AsiaTravelPlan> {
  var kind: AsiaTravelPlan.APIRefusal? {
    if case .api(let kind, _)? = refusal { kind } else { nil }
  }
}
