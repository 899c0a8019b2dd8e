import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// What a scenario may say about agencies and their people; the defaults are the specification's section 5.
public enum AgencySettings {
  private static let assumption = "section 5, assumption"
  private static let ours = "assumption of this rehearsal"
  private static let whole = 0.0...1

  public static let population: [Setting] = [
    Setting(
      "agencies", .count(1...10_000), .count(1), "agencies, divided over the regions",
      source: ours),
    Setting("staff", .count(0...2_000), .count(4), "field staff of each agency", source: "5.9"),
    Setting("managers", .count(0...200), .count(1), "managers of each agency", source: "5.9"),
    Setting("accountants", .count(0...200), .count(1), "accountants of each agency", source: "5.9"),
    Setting(
      "administrators", .count(0...200), .count(1), "administrators of each agency", source: "5.9"),
    Setting(
      "outsiders", .count(0...200), .count(1), "who have the app and no role of the agency",
      source: "5.7"),
    Setting(
      "bookings", .count(0...500_000), .count(500), "bookings that are there at the start",
      source: "5.9"),
    Setting(
      "activities", .count(0...50), .count(5), "further entries of a booking's timeline, at a mean",
      source: "5.9"),
    Setting(
      "unassigned", .share(whole), .share(0.08), "bookings without staff at the start",
      source: "5.9"),
    Setting("tours", .count(0...1_000), .count(32), "tours", source: "section 1"),
  ]

  public static let parameters: [Setting] =
    [
      Setting(
        "sessionsPerDay", .number(1...200), .number(14), "sessions of the app on a working day",
        source: "5.3"),
      Setting(
        "workingDays", .count(1...7), .count(5),
        "days of a week on which people work, from Monday on", source: "5.3"),
      Setting(
        "arrivesWithin", .span(.minutes(1) ... .hours(8)), .span(.minutes(75)),
        "over which time from 07:45 on people come to work", source: "5.3"),
      Setting("notes", .share(whole), .share(0.35), "opened bookings with a note", source: "5.3"),
      Setting(
        "stageChanges", .share(whole), .share(0.15), "opened bookings with a change of stage",
        source: "5.3"),
      Setting(
        "signsOut", .share(whole), .share(0.1), "working days that end with a sign-out",
        source: "5.3"),
      Setting(
        "staleScreens", .share(whole), .share(0.01),
        "bookings opened from an older list, which may have been reassigned", source: "5.3"),
      Setting(
        "newStaffEvery", .span(.minutes(1) ... .days(365)), .span(.days(30)),
        "mean time between two staff records that a desk makes", source: "5.4"),
      Setting(
        "requestsPerDay", .number(0...100_000), .number(12), "bookings from the website",
        source: "5.8"),
      Setting(
        "campaign", .number(1...100), .number(1), "by how much a campaign multiplies them",
        source: "5.8"),
      Setting(
        "resent", .share(whole), .share(0.03), "bookings sent once more with the same key",
        source: "5.8"),
      Setting(
        "oldApps", .share(whole), .share(0), "apps that are older than any version",
        source: ours),
      Setting(
        "mischiefEvery", .span(.milliseconds(10) ... .days(1)), .span(.minutes(20)),
        "mean time between two rounds of an adversary", source: ours),
      Setting(
        "parallelEdits", .count(1...50), .count(5), "notes that an adversary sends at once",
        source: ours),
    ] + AsiaTravelPlan.Deployment.parameters

  /// What is decided of clients; the backend's differences have the names of 8.3.
  public enum Deviation: String, CaseIterable, Hashable, Sendable {
    case refreshOnlyAtStart, keepTokensOnFailure, ignore401, legacyLogoutParameter

    public var meaning: String {
      switch self {
      case .refreshOnlyAtStart: "The app refreshes only at its start (DIF-12)."
      case .keepTokensOnFailure: "A failed refresh leaves the tokens in the store (DIF-13)."
      case .ignore401: "A 401 during a session is only shown (DIF-14)."
      case .legacyLogoutParameter: "The app's logout carries the legacy parameter (DIF-15)."
      }
    }
  }
}

extension Purpose {
  static let habit = Purpose.domain(0)
  static let secrets = Purpose.domain(1)
  static let agenda = Purpose.domain(2)
  static let mischief = Purpose.domain(3)
}

/// Somebody as the provider knows them.
public struct Account: Hashable, Sendable {
  public let username: String
  public let password: String
  public let roles: [String]
  public let realm: String

  var change: UserChange {
    UserChange(
      username: username, email: username + "@example.test", password: password,
      realmRoles: ["offline_access", "default-roles-" + realm] + roles)
  }
}

/// What all people of an agency have in common, looked up once.
public struct AgencyHabits: Sendable {
  let sessionsPerDay: Double
  let workingDays: Int
  let arrivesWithin: Span
  let notes: Double
  let stageChanges: Double
  let signsOut: Double
  let staleScreens: Double
  let newStaffEvery: Span
  let requestsPerDay: Double
  let resent: Double
  let mischiefEvery: Distribution
  let parallelEdits: Int
  let deployment: AsiaTravelPlan.Deployment
  let rules: Rules<AsiaTravelPlan.Rule>
  let deviations: Set<AgencySettings.Deviation>
  let tokens: any TokenCodec

  init(
    _ parameters: Settings, _ rules: Rules<AsiaTravelPlan.Rule>, quirks: Set<String>,
    _ tokens: any TokenCodec
  ) {
    sessionsPerDay = parameters.number("sessionsPerDay")
    workingDays = parameters.count("workingDays")
    arrivesWithin = parameters.span("arrivesWithin")
    (notes, stageChanges) = (parameters.share("notes"), parameters.share("stageChanges"))
    (signsOut, staleScreens) = (parameters.share("signsOut"), parameters.share("staleScreens"))
    newStaffEvery = parameters.span("newStaffEvery")
    requestsPerDay = parameters.number("requestsPerDay") * parameters.number("campaign")
    resent = parameters.share("resent")
    mischiefEvery = .exponential(mean: parameters.span("mischiefEvery"))
    parallelEdits = parameters.count("parallelEdits")
    deployment = AsiaTravelPlan.Deployment(parameters)
    deviations = Set(AgencySettings.Deviation.allCases.filter { quirks.contains($0.rawValue) })
    (self.rules, self.tokens) = (rules, tokens)
  }
}
