import Contracts
import MimiSupplyContract
import Timekeeping

// Values of section 10 that a scenario may set for its cities; the operator configures the backend with those that
// differ from the specification's, before anybody lives.
extension MarketSettings {
  static let backend: [Setting] = [
    choice("dispatchMode", ["offer", "auto", "batch", "pool"], "how drivers are found", "§6.2"),
    choice(
      "dispatchTrigger", ["accepted", "payment_confirmed", "ready_for_pickup"],
      "the state whose first entry begins the search for a driver", "§6.1"),
    Setting(
      "dispatchRadius", .count(0...1_000_000), .count(10_000),
      "metres from a partner within which drivers are asked", source: "§6.3"),
    span("positionMaxAge", .seconds(120), "age of a position that makes no candidate", "§6.3"),
    Setting(
      "driverCapacity", .count(1...20), .count(1), "active orders of one driver",
      source: "MS-65, OP-14"),
    span("offerLifetime", .seconds(30), "time for which an offer stands", "MS-67"),
    span("retryInterval", .seconds(15), "time until a new round", "§6.3, assumption"),
    span("dispatchGiveUp", .minutes(30), "time after which the search ends", "§6.6, assumption"),
    span("pickupTimeout", .minutes(20), "time in which an order is picked up", "§6.6, assumption"),
    span("offlineGrace", .seconds(120), "silence that loses an order", "§6.6, assumption"),
    span("batchWindow", .seconds(10), "distance of the ticks of mode batch", "§6.4, assumption"),
    Setting(
      "batchAsOffers", .flag, .flag(true), "whether matches of mode batch become offers",
      source: "§6.2"),
    Setting(
      "strictDistance", .flag, .flag(false), "whether candidates are ranked by whole metres",
      source: "§6.3"),
    choice(
      "requiredVehicle", ["any"] + Stored.vehicles, "the only suitable vehicle", "§6.3"),
    span("partnerAcceptTimeout", .minutes(2), "time in which a partner decides", "MS-62"),
    span("unpaidTimeout", .minutes(15), "time in which an order is paid", "MS-55"),
    choice("paymentMode", ["client", "stub"], "who says that an order is paid", "OP-18"),
    span(
      "paymentDelay", .seconds(2), "how long the payment stub takes", "PaymentServiceImpl.swift"),
    choice(
      "feePolicy", FeePolicy.allCases.map(\.rawValue), "how the app computes fees", "§3.6, OP-10"),
    Setting(
      "feePolicyEnforcement", .flag, .flag(false), "whether the backend refuses other fees",
      source: "§3.6"),
    choice(
      "customerCancelUntil", ["accepted", "payment_confirmed", "preparing"],
      "the last state in which a customer may cancel", "OP-12"),
    Setting(
      "proofPhotoRequired", .flag, .flag(false), "whether a delivery needs a photo",
      source: "MS-77"),
    Setting(
      "requestsPerSecondPerUser", .count(1...100_000), .count(40), "admitted requests of a user",
      source: "MS-01, seed"),
    span("sessionLifetime", .hours(24), "how long a session lasts", "OP-30"),
  ]

  private static func choice(
    _ name: String, _ choices: [String], _ meaning: String, _ source: String
  ) -> Setting {
    Setting(name, .choice(choices), .choice(choices[0]), meaning, source: source)
  }

  private static func span(
    _ name: String, _ standard: Span, _ meaning: String, _ source: String
  ) -> Setting {
    Setting(name, .span(anySpan), .span(standard), meaning, source: source)
  }

  /// What the operator sets at the start: the values that are not the specification's. `nil`: all of them are.
  public static func configuration(_ parameters: Settings) -> [String: JSON]? {
    var values: [String: JSON] = [:]
    for setting in backend where parameters[setting.name] != setting.standard {
      switch parameters[setting.name] {
      case .count(let count): values[setting.name] = .number(count)
      case .span(let span): values[setting.name] = .string("\(span.nanoseconds)ns")
      case .flag(let flag): values[setting.name] = .bool(flag)
      case .choice(let choice): values[setting.name] = .string(choice)
      case .share, .number, nil: preconditionFailure("\(setting.name) has no such kind")
      }
    }
    return values.isEmpty ? nil : values
  }
}
