import Contracts
import Timekeeping

/// What a scenario may say about the people.
public enum MarketSettings {
  public static let population: [Setting] = [
    Setting(
      "customers", .count(0...1_000_000), .count(100),
      "customers who browse, divided over the world's regions; each region is one city",
      source: "§5.6, scenario input")
  ]

  public static let parameters: [Setting] = people + AppSettings.declared

  private static let people: [Setting] = [
    Setting(
      "betweenSessions", .span(.seconds(1)...(.days(30))), .span(.minutes(30)),
      "mean time from one session of a customer to the next; exponential",
      source: "assumption of this rehearsal"),
    Setting(
      "thinking", .span(.milliseconds(1)...(.hours(1))), .span(.seconds(6)),
      "median time between the requests of a session; log-normal with sigma 0.7",
      source: "§5.6, assumption"),
    Setting(
      "mischiefEvery", .span(.seconds(1)...(.days(30))), .span(.minutes(10)),
      "mean time between two acts of an adversary", source: "assumption of this rehearsal"),
  ]

  /// Where the 95th percentile of a log-normal with sigma 0.7 lies, by its median.
  static let thinkingTail = 3.16
}
