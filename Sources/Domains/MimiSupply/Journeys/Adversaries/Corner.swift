import Contracts
import MimiSupplyContract
import Timekeeping

/// A corner of the city that belongs to one adversary: two partners that never close, products of every kind, drivers,
/// customers and an admin, so far from everybody else that nobody outside is offered anything here.
///
/// What an act breaks here, it breaks for nobody else.
public struct Corner: Sendable {
  /// Who acts; each has a profile and a session from the start.
  public enum Role: String, CaseIterable, Sendable {
    case customer, stranger, owner, rival, driver, relief, admin
    /// A customer whose budget of requests is used up and whose own zone is busy; nobody else is hit by it.
    case subject
    /// A customer whose account is locked (MS-117).
    case suspect
    /// A driver who consents neither to location nor to notifications (MS-118).
    case hermit
  }

  /// `adversary-3`; all names begin with it.
  public let name: String
  public let point: Geography.Point
  public let fixture: Fixture

  /// - Parameter number: Counts the adversaries of a city from 1; each gets its own place.
  init(name: String, number: Int, at now: Instant) {
    self.name = name
    // A grid with steps of half a degree, far north of every city: no dispatch radius reaches a neighbour.
    point = Geography.Point(60 + Double((number - 1) % 40) / 2, Double((number - 1) / 40) / 2)
    fixture = Self.fixture(of: name, at: point, now)
  }

  public func user(_ role: Role) -> UserName { "user-\(name)-\(role.rawValue)" }
  public func session(_ role: Role) -> String { "session-\(name)-\(role.rawValue)" }
  public func device(_ role: Role) -> DeviceName { "device-\(name)-\(role.rawValue)" }

  /// Verified, active, open day and night, within 5 km, from 1,000 cents; its owner is `owner`.
  var partner: RecordName { "\(name)-partner" }
  /// The same of `rival`.
  var rivalPartner: RecordName { "\(name)-rival" }
  /// Unlimited, 1,200 cents.
  var dish: RecordName { "\(name)-dish" }
  /// Five pieces, 1,500 cents.
  var scarce: RecordName { "\(name)-scarce" }
  /// Not available.
  var gone: RecordName { "\(name)-gone" }
  /// The rival's: unlimited, 1,200 cents.
  var rivalDish: RecordName { "\(name)-rival-dish" }
  /// Of `owner`, 14 km north: no driver of the corner is asked for its orders.
  var remotePartner: RecordName { "\(name)-remote" }
  /// The remote partner's: unlimited, 1,200 cents.
  var remoteDish: RecordName { "\(name)-remote-dish" }
  /// Of `driver`: verified, offline.
  var driver: RecordName { "\(name)-driver" }
  /// Of `relief`: verified, offline.
  var relief: RecordName { "\(name)-relief" }

  /// What the operator does to this corner's people before they live: faults, locks and consents (§11).
  public var controls: [Control] {
    [
      .injectFault(
        InjectedFault(
          .zoneBusy, user: user(.subject), zone: Self.zone.zoneName,
          retryAfter: .milliseconds(2_500))),  // MS-12
      .setRiskScore(user: user(.suspect), score: 0.81),  // MS-117
      .setRiskScore(user: user(.subject), score: 0.8),
      .setConsent(user: user(.hermit), kind: "location", granted: false),  // MS-118
      .setConsent(user: user(.hermit), kind: "notifications", granted: false),
    ]
  }

  /// The zone in which batches are atomic (§2.12).
  static let zone = Zone("MimiSupplyZone")

  /// Sessions of the customer's that end while the corner's people live, by how long they are good.
  static let brief: [Span] = [.minutes(40), .hours(3), .hours(7)]

  /// Sessions of the stranger's that end so soon unless somebody refreshes them.
  static let renewable: [Span] = (1...8).map { Span.minutes(45 * Int64($0)) }

  /// A session of the customer's that is good for a while and on a device of its own.
  func brief(_ number: Int) -> MimiSupply.Credential { own("brief-\(number)") }

  /// A session of the stranger's that is to be refreshed, on a device of its own.
  func renewable(_ number: Int) -> MimiSupply.Credential { own("renewable-\(number)") }

  private func own(_ suffix: String) -> MimiSupply.Credential {
    MimiSupply.Credential(
      apiToken: "mimi-app", userToken: "session-\(name)-\(suffix)",
      deviceID: "device-\(name)-\(suffix)")
  }

  public func credential(_ role: Role, device: DeviceName? = nil) -> MimiSupply.Credential {
    MimiSupply.Credential(
      apiToken: "mimi-app", userToken: session(role), deviceID: device ?? self.device(role))
  }

  /// Nobody, on a device of this corner.
  public var nobody: MimiSupply.Credential {
    MimiSupply.Credential(apiToken: "mimi-app", deviceID: "device-\(name)-nobody")
  }

  /// A point so many metres north of the partner.
  func north(metres: Double) -> Geography.Point { Self.north(of: point, metres: metres) }

  private static func north(of point: Geography.Point, metres: Double) -> Geography.Point {
    Geography.Point(
      point.latitude + metres / (Geography.earthRadius * Geography.radians(1)), point.longitude)
  }

  private static func fixture(
    of name: String, at point: Geography.Point, _ now: Instant
  ) -> Fixture {
    var fixture = Fixture()
    for role in Role.allCases {
      let user: UserName = "user-\(name)-\(role.rawValue)"
      fixture.users.append(
        Fixture.User(user, appleUserID: "apple-\(name)-\(role.rawValue)", role: role.stored))
      fixture.sessions.append(
        Fixture.Session(
          "session-\(name)-\(role.rawValue)", user: user,
          deviceID: "device-\(name)-\(role.rawValue)", expiresAt: now + .days(400)))
    }
    let ending: [(kind: String, role: Role, spans: [Span])] = [
      ("brief", .customer, brief), ("renewable", .stranger, renewable),
    ]
    for (kind, role, spans) in ending {
      for (number, lasting) in spans.enumerated() {
        fixture.sessions.append(
          Fixture.Session(
            "session-\(name)-\(kind)-\(number)", user: "user-\(name)-\(role.rawValue)",
            deviceID: "device-\(name)-\(kind)-\(number)", expiresAt: now + lasting))
      }
    }
    for (partner, role) in [("partner", Role.owner), ("rival", .rival)] {
      fixture.records.append(
        Fixture.Entry(
          "\(name)-\(partner)", type: .partner, creator: "user-\(name)-\(role.rawValue)",
          fields: partnerFields("\(partner) of \(name)", at: point)))
    }
    fixture.records.append(
      Fixture.Entry(
        "\(name)-remote", type: .partner, creator: "user-\(name)-owner",
        fields: partnerFields("remote of \(name)", at: north(of: point, metres: 14_000))))
    func product(_ suffix: String, of partner: String, _ role: Role, _ fields: Fields) {
      let common: Fields = [
        .partnerId: .string("\(name)-\(partner)"), .name: .string("Dish \(suffix)"),
        .description: .string(""), .category: .string("food"), .priceCents: .int64(1_200),
        .isAvailable: .int64(1),
      ]
      fixture.records.append(
        Fixture.Entry(
          "\(name)-\(suffix)", type: .product, creator: "user-\(name)-\(role.rawValue)",
          fields: common.merging(fields)))
    }
    product("dish", of: "partner", .owner, [:])
    product(
      "scarce", of: "partner", .owner, [.priceCents: .int64(1_500), .stockQuantity: .int64(5)])
    product("gone", of: "partner", .owner, [.isAvailable: .int64(0)])
    product("rival-dish", of: "rival", .rival, [:])
    product("remote-dish", of: "remote", .owner, [:])
    for role in [Role.driver, .relief, .hermit] {
      fixture.records.append(
        Fixture.Entry(
          "\(name)-\(role.rawValue)", type: .driver, creator: "user-\(name)-\(role.rawValue)",
          fields: [
            .userId: .string("user-\(name)-\(role.rawValue)"),
            .name: .string("Driver of \(name)"),
            .phoneNumber: .string("+49 30 5550"), .vehicleType: .string("bicycle"),
            .licensePlate: .string("M-S 1"), .isOnline: .int64(0), .isAvailable: .int64(0),
            .verificationStatus: .string("verified"),
          ]))
    }
    return fixture
  }

  /// All fields that a partner needs (§2.2).
  static func partnerFields(_ title: String, at point: Geography.Point) -> Fields {
    [
      .name: .string(title), .category: .string("restaurant"),
      .description: .string("A partner"), .street: .string("Musterstraße 1"),
      .city: .string("Berlin"), .state: .string("Berlin"), .postalCode: .string("10117"),
      .country: .string("DE"), .latitude: .double(point.latitude),
      .longitude: .double(point.longitude), .phoneNumber: .string("+49 30 5550"),
      .email: .string("partner@example.com"), .isVerified: .int64(1), .isActive: .int64(1),
      .deliveryRadius: .double(5), .minimumOrderAmount: .int64(1_000),
      .estimatedDeliveryTime: .int64(30), .openingHours: .string(dayAndNight),
    ]
  }

  static let dayAndNight: String = {
    var week = JSONObject()
    for day in OpeningHours.weekdays {
      week[day] = ["isOpen": true, "openTime": "00:00", "closeTime": "24:00"]
    }
    return JSON.object(week).description
  }()
}

extension Corner.Role {
  /// The profile's role.
  var stored: String {
    switch self {
    case .customer, .stranger, .subject, .suspect: "customer"
    case .owner, .rival: "partner"
    case .driver, .relief, .hermit: "driver"
    case .admin: "admin"
    }
  }
}
