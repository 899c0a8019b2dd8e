import Contracts
import Timekeeping

extension AsiaTravelPlan {
  /// What the operator of the agency's backend and of its provider decides.
  public struct Deployment: Contracts.Deployment {
    public var realm = "master"
    /// Scheme, host and port of the issuer; `nil`: as a request names them.
    public var base: String?
    public var accessTokenLifetime: Span?
    public var sessionIdle = Span.seconds(1_800)
    public var sessionMax = Span.seconds(36_000)
    public var codeLifetime = Span.seconds(60)
    public var loginTimeout = Span.seconds(1_800)
    public var rotatesRefreshTokens = false
    public var rejectsLegacyLogoutParameter = false
    public var clockOffset = Span.zero
    public var grantsRefusedFrom: Instant?
    public var isDiscoveryReachable = true
    public var areKeysReachable = true

    public var leastVersion = AppVersion("1.0.0")
    /// `nil`: the least one.
    public var latestVersion: AppVersion?
    public var forcesUpdate = false
    public var transitions = Transitions.all
    public var usesHashes = false
    public var mapsFallbacks = false
    public var blocksInactiveStaff = false
    public var writeTakes = Span.milliseconds(5)

    public init() {}

    /// How long an access token is good: 60 s in the realm `master`, 300 s in others, unless decided otherwise.
    public var lifetime: Span {
      accessTokenLifetime ?? (realm == "master" ? .seconds(60) : .seconds(300))
    }

    public static let settings: [DeploymentSetting<Self>] =
      [
        DeploymentSetting(
          "realm", \.realm, SettingKind(.realm), "the one realm", source: "section 7"),
        DeploymentSetting(
          "base", \.base, SettingKind(.optional(.text.notBlank)),
          "scheme, host and port of the issuer; none: as a request's Host says, else http://127.0.0.1:8788",
          source: "section 7"),
        DeploymentSetting(
          "accessTokenLifetime", \.accessTokenLifetime, SettingKind(.optional(.span(lifetimes))),
          "how long an access token is good; none: 60 s in the realm master, else 300 s",
          source: "7.3"),
        DeploymentSetting(
          "sessionIdle", \.sessionIdle, .span(lifetimes), "after which pause a session ends",
          source: "7.3"),
        DeploymentSetting(
          "sessionMax", \.sessionMax, .span(lifetimes), "how long a session lasts at most",
          source: "7.3"),
        DeploymentSetting(
          "codeLifetime", \.codeLifetime, .span(lifetimes), "how long a code is good",
          source: "7.3"),
        DeploymentSetting(
          "loginTimeout", \.loginTimeout, .span(lifetimes), "how long a login page is good",
          source: "7.3"),
        DeploymentSetting(
          "rotatesRefreshTokens", \.rotatesRefreshTokens, .flag,
          "whether a refresh token is good once", source: "7.3"),
        DeploymentSetting(
          "rejectsLegacyLogoutParameter", \.rejectsLegacyLogoutParameter, .flag,
          "whether a logout with redirect_uri is refused", source: "7.5, O-12"),
        DeploymentSetting(
          "clockOffset", \.clockOffset, .span(-.days(1) ... .days(1)),
          "how far the provider's clock is ahead", source: "7.6"),
        DeploymentSetting(
          "grantsRefusedFrom", \.grantsRefusedFrom, SettingKind(.optional(.moment)),
          "from when the token endpoint refuses every grant", source: "7.6"),
        DeploymentSetting(
          "discoveryReachable", \.isDiscoveryReachable, .flag,
          "whether the discovery document can be had", source: "7.6"),
        DeploymentSetting(
          "keysReachable", \.areKeysReachable, .flag, "whether the published keys can be had",
          source: "7.6"),
      ] + api

    private static let api: [DeploymentSetting<Self>] = [
      DeploymentSetting(
        "leastVersion", \.leastVersion, SettingKind(.version), "the oldest app that may go on",
        source: "2.9"),
      DeploymentSetting(
        "latestVersion", \.latestVersion, SettingKind(.optional(.version)),
        "the newest app; none: the least one", source: "2.9"),
      DeploymentSetting(
        "forcesUpdate", \.forcesUpdate, .flag, "whether every app is stopped at its start",
        source: "2.9, O-21"),
      DeploymentSetting(
        "transitions", \.transitions, .word, "which stages may follow each other",
        source: "2.2, O-02"),
      DeploymentSetting(
        "usesHashes", \.usesHashes, .flag,
        "whether stage and assignment requests have to name the booking's hash", source: "O-01"),
      DeploymentSetting(
        "mapsFallbacks", \.mapsFallbacks, .flag,
        "whether staff are found by sub and e-mail, too", source: "O-10"),
      DeploymentSetting(
        "blocksInactiveStaff", \.blocksInactiveStaff, .flag,
        "whether an inactive staff record gives no access", source: "O-11"),
      DeploymentSetting(
        "writeTakes", \.writeTakes, .span(.zero ... .seconds(10)),
        "how long a store is being written, where it loses updates or tears reads",
        source: "DIF-05, DIF-06"),
    ]

    private static let lifetimes = Span.seconds(1) ... .days(3_650)
  }
}

extension Coding where Value == String {
  /// One segment of a path.
  fileprivate static let realm = Coding.text.checked {
    $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) ? .invalid("is no segment of a path") : nil
  }
}

extension AsiaTravelPlan {
  /// Which stage changes there are (O-02).
  public enum Transitions: String, CaseIterable, Hashable, Sendable {
    /// From each of the nine to each of them.
    case all
    /// The table of older backends.
    case older

    public func allow(_ from: Booking.Stage, _ to: Booking.Stage) -> Bool {
      self == .all || Self.successors[from]?.contains(to) == true
    }

    private static let successors: [Booking.Stage: [Booking.Stage]] = [
      .new: [.qualified, .lost], .qualified: [.proposalSent, .lost],
      .proposalSent: [.negotiation, .won, .lost], .negotiation: [.won, .lost], .won: [.postTrip],
    ]
  }

  /// What the project's own backend did otherwise than documented (8.3): each is off in the profile `documented`, and all are on in
  /// `as-built`.
  public enum Difference: String, CaseIterable, Hashable, Sendable {
    case accountantEdits, accountantAssigns, accountantListsStaff, unassignIgnored, lostUpdates
    case tornReads, noMe, nullBody500

    public var source: String {
      switch self {
      case .accountantEdits: "DIF-01"
      case .accountantAssigns: "DIF-02"
      case .accountantListsStaff: "DIF-03"
      case .unassignIgnored: "DIF-04"
      case .lostUpdates: "DIF-05"
      case .tornReads: "DIF-06"
      case .noMe: "DIF-07"
      case .nullBody500: "DIF-08"
      }
    }

    public var meaning: String {
      switch self {
      case .accountantEdits: "An accountant may create activities."
      case .accountantAssigns: "An accountant may assign staff."
      case .accountantListsStaff: "An accountant may list the staff directory."
      case .unassignIgnored:
        "Taking an assignment back is confirmed and logged, and does not happen."
      case .lostUpdates: "Parallel writes lose confirmed changes."
      case .tornReads: "While a write is under way, reads get 500."
      case .noMe: "/api/v1/me is missing."
      case .nullBody500: "The body null gives 500 with an internal text."
      }
    }

    /// The rules that it breaks.
    public var violates: [Rule] {
      switch self {
      case .accountantEdits: [.atp47]
      case .accountantAssigns: [.atp47, .atp50]
      case .accountantListsStaff: [.atp50]
      case .unassignIgnored: [.atp81]
      case .lostUpdates: [.atp96, .atp97, .atp98]
      case .tornReads, .nullBody500: [.atp99]
      case .noMe: []
      }
    }
  }

  /// The operator's switch of a difference.
  public struct DifferenceSwitch: Hashable, Sendable {
    public var difference: Difference
    public var isOn: Bool

    public init(_ difference: Difference, isOn: Bool) {
      (self.difference, self.isOn) = (difference, isOn)
    }

    static let shape = Shape(
      { DifferenceSwitch($0, isOn: $1) }, Field("name", \.difference, .word, "which difference"),
      Field("on", \.isOn, .flag, "whether the backend behaves so"))
  }
}
