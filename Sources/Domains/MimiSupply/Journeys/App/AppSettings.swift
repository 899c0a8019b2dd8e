import Contracts
import MimiSupplyContract
import Timekeeping

/// How one installation of the app behaves, and what it lives in.
struct AppSettings: Sendable {
  /// Rules that bind the app and are switched off for a proof.
  var rules = Rules<MimiSupply.Rule>()
  /// `false`: a client that attacks the limit of the backend (§7.6).
  var keepsBudget = true
  var backoff = Backoff()
  /// How often the user keeps the own copy, where a conflict is critical (§7.3).
  var keepsOwnCopy = 0.5
  var coverage = Coverage()

  init() {}
}

extension AppSettings {
  /// The installation of a person of a city, who may lose the network for a while.
  init(_ plan: CityPlan, of name: String) {
    self.init()
    rules = plan.rules
    backoff = Backoff(
      profile: Backoff.Profile(rawValue: plan.parameters.choice("retryProfile")) ?? .exponential)
    keepsOwnCopy = plan.parameters.share("keepsOwnCopy")
    var stream = plan.stream(name, 7)
    if stream.chance(plan.parameters.share("offlineShare")) {
      let gone = plan.starts + plan.parameters.span("offlineFrom")
      coverage = Coverage(without: [gone..<gone + plan.parameters.span("offlineFor")])
    }
  }
}
