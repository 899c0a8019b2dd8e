import Contracts
import Timekeeping

extension MimiSupply {
  /// The values of section 10 that whoever runs the backend decides.
  public struct Deployment: Contracts.Deployment {
    /// §6.2.
    public enum DispatchMode: String, Hashable, Sendable, CaseIterable {
      case offer, auto, batch, pool
    }

    /// The state whose first entry begins the search for a driver (§6.1).
    public enum DispatchTrigger: String, Hashable, Sendable, CaseIterable {
      case accepted
      case paymentConfirmed = "payment_confirmed"
      case readyForPickup = "ready_for_pickup"
    }

    /// Who says that an order is paid (OP-18).
    public enum PaymentMode: String, Hashable, Sendable, CaseIterable { case client, stub }

    /// The last state in which a customer may cancel (OP-12).
    public enum CustomerCancelUntil: String, Hashable, Sendable, CaseIterable {
      case accepted
      case paymentConfirmed = "payment_confirmed"
      case preparing
    }

    public var dispatchMode = DispatchMode.offer
    public var dispatchTrigger = DispatchTrigger.accepted
    public var dispatchRadius = 10_000
    public var positionMaxAge = Span.seconds(120)
    public var driverCapacity = 1
    public var offerLifetime = Span.seconds(30)
    public var retryInterval = Span.seconds(15)
    public var dispatchGiveUp = Span.minutes(30)
    public var pickupTimeout = Span.minutes(20)
    public var offlineGrace = Span.seconds(120)
    public var batchWindow = Span.seconds(10)
    public var batchAsOffers = true
    public var strictDistance = false
    /// `nil`: every vehicle suits.
    public var requiredVehicle: String?
    public var partnerAcceptTimeout = Span.minutes(2)
    public var unpaidTimeout = Span.minutes(15)
    public var paymentMode = PaymentMode.client
    public var paymentDelay = Span.seconds(2)
    public var feePolicy = FeePolicy.germanDocs
    public var feePolicyEnforcement = false
    public var customerCancelUntil = CustomerCancelUntil.accepted
    public var proofPhotoRequired = false
    public var requestsPerSecondPerUser = 40
    public var sessionLifetime = Span.hours(24)
    public var rateWindow = Span.seconds(1)
    public var maxRecordBytes = 1 << 20
    public var maxAssetBytes = 1 << 30
    public var maxDatabaseBytes = 1 << 50
    public var maxOperationsPerRequest = 400
    public var maxRequestBytes = 2 << 20
    public var maxRecordsPerResponse = 200
    public var maxTokensPerRequest = 200
    /// `nil`: all.
    public var changeHistoryLimit: Int?
    public var courierQueueLimit = 1_000
    public var pushMaxBytes = 4_096
    public var identityTokenLifetime = Span.minutes(10)
    public var assetUrlLifetime = Span.minutes(15)
    public var auditDriverLocation = false
    public var maxLines = 50
    public var maxQuantity = 99
    public var zone = CivilZone.berlin

    public init() {}

    public static let settings: [DeploymentSetting<Self>] = [
      .init("dispatchMode", \.dispatchMode, .word, "how drivers are found", source: "§6.2"),
      .init(
        "dispatchTrigger", \.dispatchTrigger, .word,
        "the state whose first entry begins the search for a driver", source: "§6.1"),
      .init(
        "dispatchRadius", \.dispatchRadius, .count(inScenarios: 0...1_000_000),
        "metres from a partner within which drivers are asked", source: "§6.3"),
      .init(
        "positionMaxAge", \.positionMaxAge, .time, "age of a position that makes no candidate",
        source: "§6.3"),
      .init(
        "driverCapacity", \.driverCapacity, .count(inScenarios: 1...20),
        "active orders of one driver", source: "MS-65, OP-14"),
      .init(
        "offerLifetime", \.offerLifetime, .time, "time for which an offer stands", source: "MS-67"),
      .init(
        "retryInterval", \.retryInterval, .time, "time until a new round",
        source: "§6.3, assumption"),
      .init(
        "dispatchGiveUp", \.dispatchGiveUp, .time, "time after which the search ends",
        source: "§6.6, assumption"),
      .init(
        "pickupTimeout", \.pickupTimeout, .time, "time in which an order is picked up",
        source: "§6.6, assumption"),
      .init(
        "offlineGrace", \.offlineGrace, .time, "silence that loses an order",
        source: "§6.6, assumption"),
      .init(
        "batchWindow", \.batchWindow, .time, "distance of the ticks of mode batch",
        source: "§6.4, assumption"),
      .init(
        "batchAsOffers", \.batchAsOffers, .flag, "whether matches of mode batch become offers",
        source: "§6.2"),
      .init(
        "strictDistance", \.strictDistance, .flag,
        "whether candidates are ranked by whole metres", source: "§6.3"),
      .init(
        "requiredVehicle", \.requiredVehicle, .vehicle, "the only suitable vehicle",
        source: "§6.3"),
      .init(
        "partnerAcceptTimeout", \.partnerAcceptTimeout, .time, "time in which a partner decides",
        source: "MS-62"),
      .init(
        "unpaidTimeout", \.unpaidTimeout, .time, "time in which an order is paid", source: "MS-55"),
      .init(
        "paymentMode", \.paymentMode, .word, "who says that an order is paid", source: "OP-18"),
      .init(
        "paymentDelay", \.paymentDelay, .time, "how long the payment stub takes",
        source: "PaymentServiceImpl.swift"),
      .init(
        "feePolicy", \.feePolicy, .word, "how the app computes fees", source: "§3.6, OP-10"),
      .init(
        "feePolicyEnforcement", \.feePolicyEnforcement, .flag,
        "whether the backend refuses other fees", source: "§3.6"),
      .init(
        "customerCancelUntil", \.customerCancelUntil, .word,
        "the last state in which a customer may cancel", source: "OP-12"),
      .init(
        "proofPhotoRequired", \.proofPhotoRequired, .flag, "whether a delivery needs a photo",
        source: "MS-77"),
      .init(
        "requestsPerSecondPerUser", \.requestsPerSecondPerUser, .count(inScenarios: 1...100_000),
        "admitted requests of a user", source: "MS-01, seed"),
      .init(
        "sessionLifetime", \.sessionLifetime, .time, "how long a session lasts", source: "OP-30"),
      .init(
        "rateWindow", \.rateWindow, .operatorsTime, "in which so many are admitted",
        source: "MS-01"),
      .init(
        "maxRecordBytes", \.maxRecordBytes, .operatorsCount(), "size of a record", source: "MS-04"),
      .init("maxAssetBytes", \.maxAssetBytes, .operatorsCount(), "size of a file", source: "MS-05"),
      .init(
        "maxDatabaseBytes", \.maxDatabaseBytes, .operatorsCount(), "size of the database",
        source: "MS-06"),
      .init(
        "maxOperationsPerRequest", \.maxOperationsPerRequest, .operatorsCount(),
        "operations of a batch", source: "MS-07"),
      .init(
        "maxRequestBytes", \.maxRequestBytes, .operatorsCount(), "size of a body", source: "MS-07"),
      .init(
        "maxRecordsPerResponse", \.maxRecordsPerResponse, .operatorsCount(atLeast: 1),
        "records of an answer", source: "MS-07"),
      .init(
        "maxTokensPerRequest", \.maxTokensPerRequest, .operatorsCount(),
        "files that are asked for at once", source: "§3.2 assets/upload"),
      .init(
        "changeHistoryLimit", \.changeHistoryLimit, .countOrNone(Bounds.settings),
        "how many changes are kept; null keeps all", source: "§3.2 sync tokens"),
      .init(
        "courierQueueLimit", \.courierQueueLimit, .operatorsCount(atLeast: 1),
        "notifications that wait for a device", source: "§3.5"),
      .init("pushMaxBytes", \.pushMaxBytes, .operatorsCount(), "size of a push", source: "MS-100"),
      .init(
        "identityTokenLifetime", \.identityTokenLifetime, .operatorsTime,
        "how long Apple's token proves an identity", source: "MS-104"),
      .init(
        "assetUrlLifetime", \.assetUrlLifetime, .operatorsTime, "how long a file's address is good",
        source: "MS-110"),
      .init(
        "auditDriverLocation", \.auditDriverLocation, .operatorsFlag,
        "whether positions are audited", source: "MS-111"),
      .init("maxLines", \.maxLines, .operatorsCount(), "lines of an order", source: "MS-46"),
      .init("maxQuantity", \.maxQuantity, .operatorsCount(), "pieces of a line", source: "MS-46"),
      .init(
        "timeZone", \.zone, .init(.zone), "whose clocks show opening hours and midnight",
        source: "§0.2"),
    ]
  }
}

// The operator may go as far as sums allow (`Bounds`), a scenario only as far as makes sense.
extension SettingKind where Value == Int {
  fileprivate static func count(inScenarios range: ClosedRange<Int>) -> Self {
    SettingKind(
      .int(Bounds.settings), .count(range), write: { .count($0) },
      read: { value in
        guard case .count(let count) = value else { preconditionFailure("\(value) is no count") }
        return count
      })
  }

  fileprivate static func operatorsCount(atLeast least: Int = 0) -> Self {
    SettingKind(.int(least...Bounds.settings.upperBound))
  }
}

extension SettingKind where Value == Span {
  private static var text: Coding<Span> { .span(Bounds.spans) }
  fileprivate static var operatorsTime: Self { SettingKind(text) }

  fileprivate static var time: Self {
    SettingKind(
      text, .span(.milliseconds(1) ... .days(30)), write: { .span($0) },
      read: { value in
        guard case .span(let span) = value else { preconditionFailure("\(value) is no span") }
        return span
      })
  }
}

extension SettingKind where Value == Bool {
  fileprivate static var operatorsFlag: Self { SettingKind(Coding.flag) }
}

extension SettingKind where Value == String? {
  fileprivate static var vehicle: Self {
    let any = "any"
    return SettingKind(
      .optional(.text(among: Stored.vehicles)), .choice([any] + Stored.vehicles),
      write: { .choice($0 ?? any) },
      read: { value in
        guard case .choice(let word) = value else { preconditionFailure("\(value) is no choice") }
        return word == any ? nil : word
      })
  }
}

extension Coding where Value == CivilZone {
  /// By its IANA name.
  fileprivate static let zone = Coding<String>.text.converted(
    to: { (name) throws(Malformed) in
      guard let zone = CivilZone(name) else {
        throw .invalid("is no time zone such as \"Europe/Berlin\"")
      }
      return zone
    }, from: { zone, _ in zone.name }
  ).example("Europe/Berlin")
}
