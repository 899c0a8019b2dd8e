import Contracts
import Timekeeping

extension MimiSupply {
  /// A value of section 10 that `configure` sets.
  public struct SettingName: Sendable {
    public enum Kind: Hashable, Sendable {
      case count
      /// Null lifts the bound.
      case countOrNull
      case span
      case flag
      case choice([String])
      /// Null switches it off.
      case choiceOrNull([String])
      /// A civil time zone by its IANA name.
      case zone

      /// What is taken, for whoever wrote something else.
      var wanted: String {
        let (least, most) = (Bounds.settings.lowerBound, Bounds.settings.upperBound)
        let numbers = "a whole number from \(least) to \(most)"
        return switch self {
        case .count: numbers
        case .countOrNull: numbers + ", or null"
        case .span: "a span of more than 0s and at most \(Bounds.spans.upperBound), such as \"30s\""
        case .flag: "true or false"
        case .choice(let choices): "one of \(choices.joined(separator: ", "))"
        case .choiceOrNull(let choices): "one of \(choices.joined(separator: ", ")), or null"
        case .zone: "a time zone such as \"Europe/Berlin\""
        }
      }
    }

    public let name: String
    public let kind: Kind
    public let meaning: String

    init(_ name: String, _ kind: Kind, _ meaning: String) {
      self.name = name
      self.kind = kind
      self.meaning = meaning
    }

    /// The kind in words, for the declaration.
    var type: String {
      switch kind {
      case .count: "int"
      case .countOrNull: "int or null"
      case .span: "span"
      case .flag: "bool"
      case .choice(let choices): choices.joined(separator: ", ")
      case .choiceOrNull(let choices): choices.joined(separator: ", ") + " or null"
      case .zone: "time zone"
      }
    }

    /// Whether a value is one for this setting.
    func takes(_ value: JSON) -> Bool {
      switch kind {
      case .count: value.int.map(Bounds.settings.contains) ?? false
      case .countOrNull: value.isNull || value.int.map(Bounds.settings.contains) ?? false
      case .span: value.string.flatMap { Span($0) }.map(Bounds.spans.contains) ?? false
      case .flag: value.bool != nil
      case .choice(let choices): value.string.map(choices.contains) ?? false
      case .choiceOrNull(let choices): value.isNull || value.string.map(choices.contains) ?? false
      case .zone: value.string.flatMap { CivilZone($0) } != nil
      }
    }
  }

  /// The values of section 10 that `configure` sets, with their defaults in their meaning.
  public static let settingNames: [SettingName] = [
    .init("requestsPerSecondPerUser", .count, "MS-01; 40"),
    .init("rateWindow", .span, "MS-01; 1s"),
    .init("maxRecordBytes", .count, "MS-04; 1048576"),
    .init("maxAssetBytes", .count, "MS-05; 1073741824"),
    .init("maxDatabaseBytes", .count, "MS-06; 2^50"),
    .init("maxOperationsPerRequest", .count, "MS-07; 400"),
    .init("maxRequestBytes", .count, "MS-07; 2097152"),
    .init("maxRecordsPerResponse", .count, "MS-07; 200"),
    .init("maxTokensPerRequest", .count, "§3.2 assets/upload; 200"),
    .init("changeHistoryLimit", .countOrNull, "§3.2 sync tokens: how many changes are kept; null"),
    .init("courierQueueLimit", .count, "§3.5; 1000"),
    .init("pushMaxBytes", .count, "MS-100; 4096"),
    .init("sessionLifetime", .span, "§3.8; 24h"),
    .init("identityTokenLifetime", .span, "MS-104; 10min"),
    .init("assetUrlLifetime", .span, "MS-110; 15min"),
    .init("auditDriverLocation", .flag, "MS-111; false"),
    .init("paymentMode", .choice(["client", "stub"]), "OP-18; client"),
    .init("paymentDelay", .span, "how long the payment stub takes; 2s"),
    .init(
      "feePolicy", .choice(["german-docs", "checkout", "cart", "distance"]),
      "§3.6; german-docs"),
    .init("feePolicyEnforcement", .flag, "§3.6; false"),
    .init(
      "customerCancelUntil", .choice(["payment_confirmed", "accepted", "preparing"]),
      "OP-12; accepted"),
    .init("maxLines", .count, "MS-46; 50"),
    .init("maxQuantity", .count, "MS-46; 99"),
    .init(
      "dispatchTrigger", .choice(["payment_confirmed", "accepted", "ready_for_pickup"]),
      "§6.1; accepted"),
    .init("dispatchMode", .choice(["offer", "auto", "batch", "pool"]), "§6.2; offer"),
    .init("dispatchRadius", .count, "§6.3, in metres; 10000"),
    .init("positionMaxAge", .span, "§6.3; 120s"),
    .init("driverCapacity", .count, "MS-65; 1"),
    .init("offerLifetime", .span, "MS-67; 30s"),
    .init("retryInterval", .span, "§6.3; 15s"),
    .init("dispatchGiveUp", .span, "§6.6; 30min"),
    .init("pickupTimeout", .span, "§6.6; 20min"),
    .init("offlineGrace", .span, "§6.6; 120s"),
    .init("batchWindow", .span, "§6.4; 10s"),
    .init("batchAsOffers", .flag, "§6.2; true"),
    .init("strictDistance", .flag, "§6.3; false"),
    .init("partnerAcceptTimeout", .span, "MS-62; 2min"),
    .init("unpaidTimeout", .span, "MS-55; 15min"),
    .init("proofPhotoRequired", .flag, "MS-77; false"),
    .init(
      "requiredVehicle",
      .choiceOrNull(["bicycle", "scooter", "motorcycle", "car", "van"]), "§6.3; null"),
    .init("timeZone", .zone, "§0.2: whose clocks show opening hours and midnight; Europe/Berlin"),
  ]
}
