import Timekeeping

/// How an app was built (KK-93).
public enum BuildScheme: String, Hashable, Sendable, CaseIterable {
  /// Debug configuration, full logging, entitled to the sandbox.
  case releaseTesting
  /// Release configuration, errors only, entitled to production.
  case release

  /// What the app says of itself (§6.1).
  public var buildEnvironment: String {
    switch self {
    case .releaseTesting: "development"
    case .release: "production"
    }
  }

  /// Where its push token is valid (KK-134).
  public var entitlement: ApnsEnvironment {
    switch self {
    case .releaseTesting: .sandbox
    case .release: .production
    }
  }
}

/// The line that a token update leaves in the log (seed 001 §APNS Token Logging, KK-98).
public struct TokenUpdateLine: Hashable, Sendable {
  /// The push token, shortened.
  public var token: String
  public var buildEnvironment: String
  /// What the app expects the backend to choose.
  public var detectedEnvironment: ApnsEnvironment
  /// Whether it differs from the one that was kept.
  public var isNew: Bool
  /// `nil` for the first.
  public var sinceLastUpdate: Span?
  /// At most 20 characters of the bearer token (KK-43); `nil` when there is none.
  public var bearer: String?
  /// Whether the backend took it.
  public var isTaken: Bool
  public var duration: Span
  public var finalEnvironment: ApnsEnvironment
  /// Whether the token is kept for the next comparison.
  public var isKept: Bool

  public init(
    token: String, buildEnvironment: String, detectedEnvironment: ApnsEnvironment, isNew: Bool,
    sinceLastUpdate: Span?, bearer: String?, isTaken: Bool, duration: Span,
    finalEnvironment: ApnsEnvironment, isKept: Bool
  ) {
    (self.token, self.buildEnvironment) = (token, buildEnvironment)
    (self.detectedEnvironment, self.isNew) = (detectedEnvironment, isNew)
    (self.sinceLastUpdate, self.bearer, self.isTaken) = (sinceLastUpdate, bearer, isTaken)
    (self.duration, self.finalEnvironment, self.isKept) = (duration, finalEnvironment, isKept)
  }
}

/// What the app did with a tapped push.
public struct PushOpening: Hashable, Sendable {
  public var eventNumber: Int
  public var tenant: Slug, team: TeamName
  /// Whether the phone follows that team.
  public var follows: Bool
  public var hasNavigated: Bool
  /// From the tap until something was shown (KK-97).
  public var waited: Span

  public init(
    eventNumber: Int, tenant: Slug, team: TeamName, follows: Bool, hasNavigated: Bool, waited: Span
  ) {
    (self.eventNumber, self.tenant, self.team, self.follows) = (eventNumber, tenant, team, follows)
    (self.hasNavigated, self.waited) = (hasNavigated, waited)
  }
}
