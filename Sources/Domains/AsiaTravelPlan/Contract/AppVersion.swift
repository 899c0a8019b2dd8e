import Contracts

/// A version of the app as text; versions compare by dot-separated numbers, missing parts are 0, a part counts by its leading digits, and
/// one without digits is 0 (ATP-69).
public struct AppVersion: Hashable, Sendable {
  public let text: String

  public init(_ text: String) { self.text = text }

  private var parts: [Int] {
    text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      let digits = part.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return Int(Substring(digits)) ?? (digits.isEmpty ? 0 : .max)
    }
  }

  /// Whether it comes before another; two may be spelt otherwise and be neither.
  public func isOlder(than other: AppVersion) -> Bool {
    let (mine, others) = (parts, other.parts)
    for index in 0..<max(mine.count, others.count) {
      let (a, b) = (
        index < mine.count ? mine[index] : 0, index < others.count ? others[index] : 0
      )
      if a != b { return a < b }
    }
    return false
  }
}

extension Coding where Value == AppVersion {
  static let version = Coding<String>.text.notBlank.converted(
    to: { AppVersion($0) }, from: { version, _ in version.text })
}

/// 2.9.
public struct Bootstrap: Hashable, Sendable {
  public var leastVersion: AppVersion
  public var latestVersion: AppVersion
  public var forcesUpdate: Bool
  public var contractVersion: String
  public var hasBookings: Bool
  public var hasCustomers: Bool
  public var hasTours: Bool

  public init(
    leastVersion: AppVersion, latestVersion: AppVersion, forcesUpdate: Bool = false,
    contractVersion: String = AsiaTravelPlan.contractVersion, hasBookings: Bool = true,
    hasCustomers: Bool = false, hasTours: Bool = false
  ) {
    (self.leastVersion, self.latestVersion, self.forcesUpdate, self.contractVersion) = (
      leastVersion, latestVersion, forcesUpdate, contractVersion
    )
    (self.hasBookings, self.hasCustomers, self.hasTours) = (hasBookings, hasCustomers, hasTours)
  }

  private struct App: Hashable, Sendable {
    var least: AppVersion
    var latest: AppVersion
    var isForced: Bool
    static let shape = Shape(
      App.init, Field("min_supported_version", \.least, .version),
      Field("latest_version", \.latest, .version), Field("force_update", \.isForced, .flag))
  }

  private struct Features: Hashable, Sendable {
    var bookings: Bool
    var customers: Bool
    var tours: Bool
    static let shape = Shape(
      Features.init, Field("bookings", \.bookings, .flag),
      Field("customers", \.customers, .flag), Field("tours", \.tours, .flag))
  }

  static let shape = Shape<Bootstrap>(
    { app, contract, features in
      Bootstrap(
        leastVersion: app.least, latestVersion: app.latest, forcesUpdate: app.isForced,
        contractVersion: contract, hasBookings: features.bookings,
        hasCustomers: features.customers, hasTours: features.tours)
    },
    Field(
      "app", { App(least: $0.leastVersion, latest: $0.latestVersion, isForced: $0.forcesUpdate) },
      App.shape.coding),
    Field("api", \.contractVersion, Coding<String>.text.wrapped(in: "contract_version")),
    Field(
      "features",
      { Features(bookings: $0.hasBookings, customers: $0.hasCustomers, tours: $0.hasTours) },
      Features.shape.coding))
}

/// OP-18.
public struct Health: Hashable, Sendable {
  public var timestamp: String

  public init(timestamp: String) { self.timestamp = timestamp }

  static let shape = Shape(
    { _, timestamp in Health(timestamp: timestamp) },
    Field("ok", { _ in true }, .flag.otherwise(true))
      .then("service", .text, isChecked: false) { _ in AsiaTravelPlan.domain }
      .then("stage_values", .strings, isChecked: false) { _ in
        Booking.Stage.allCases.map(\.rawValue)
      },
    Field("timestamp", \.timestamp, .text.undigested))
}
