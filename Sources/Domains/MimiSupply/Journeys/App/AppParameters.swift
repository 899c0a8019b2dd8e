import Contracts
import Timekeeping

extension AppSettings {
  /// What a scenario may say about the app and its network (section 7).
  static let declared: [Setting] = [
    Setting(
      "retryProfile", .choice(Backoff.Profile.allCases.map(\.rawValue)),
      .choice(Backoff.Profile.exponential.rawValue),
      "how long the app waits before a retry: exponential with jitter, or by the kind of error as the client has it",
      source: "§7.2, §10 clientRetryProfile"),
    Setting(
      "keepsOwnCopy", .share(0...1), .share(0.5),
      "how often a user decides for the own copy where a conflict is critical",
      source: "§7.3, a coin: assumption"),
    Setting(
      "errandEvery", .span(.seconds(1)...(.days(30))), .span(.minutes(10)),
      "mean time between two errands of a commuter", source: "assumption of this rehearsal"),
    Setting(
      "offlineShare", .share(0...1), .share(0),
      "share of the people who lose the network for a while", source: "scenario input"),
    Setting(
      "offlineFrom", .span(.zero...(.days(30))), .span(.hours(1)),
      "when they lose it, from the start of the run", source: "scenario input"),
    Setting(
      "offlineFor", .span(.seconds(1)...(.days(30))), .span(.minutes(30)),
      "for how long", source: "scenario input"),
  ]
}
