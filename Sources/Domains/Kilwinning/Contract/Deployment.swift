import Contracts
import Timekeeping

extension Kilwinning {
  /// Which tornate count (KW-084).
  public enum Conteggio: String, Hashable, Sendable, CaseIterable {
    /// Those that were held (KW-083).
    case svolte
    /// Every one, whatever its state and date.
    case tutte
  }

  /// What whoever installs the backend decides (§2.9).
  public struct Deployment: Contracts.Deployment {
    public var zone = CivilZone.rome
    public var adminNames = ["Paolo Giulio Gazzano", "Emiliano Menicucci"]
    public var conteggio = Conteggio.svolte
    public var limitsRequests = false
    public var requestsPerMinute = 100
    public var requestsPerHour = 1_000

    public init() {}

    public static let settings: [DeploymentSetting<Self>] = [
      DeploymentSetting(
        "zone", \.zone, SettingKind(.zone), "where civil days and years are told", source: "§2.0"),
      DeploymentSetting(
        "adminNames", \.adminNames, SettingKind(.list(.text)),
        "the names that make an administrator", source: "KW-020, KW-027"),
      DeploymentSetting(
        "conteggio", \.conteggio, .word, "which tornate count: those that were held, or all",
        source: "KW-084"),
      DeploymentSetting(
        "limitsRequests", \.limitsRequests, .flag, "whether requests are limited", source: "KW-163"),
      DeploymentSetting(
        "requestsPerMinute", \.requestsPerMinute, .count(1...1_000_000),
        "requests in a minute from one network address, where they are limited", source: "KW-163"),
      DeploymentSetting(
        "requestsPerHour", \.requestsPerHour, .count(1...1_000_000),
        "requests in an hour of one fratello, where they are limited", source: "KW-163"),
    ]
  }
}

extension CivilZone {
  public static let rome = CivilZone("Europe/Rome")!
}

extension Coding where Value == CivilZone {
  fileprivate static let zone = Coding<String>.text.converted(
    to: { (name) throws(Malformed) in
      guard let zone = CivilZone(name) else { throw .invalid("is no time zone: Europe/Rome") }
      return zone
    }, from: { zone, _ in zone.name }
  ).example("Europe/Rome").called("time zone")
}
