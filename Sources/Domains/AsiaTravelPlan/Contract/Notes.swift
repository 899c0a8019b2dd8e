extension AsiaTravelPlan {
  /// What the app writes down about itself (5.1). A client that never says that it was started is none of the apps.
  public enum Note: Hashable, Sendable {
    /// The app was launched, as this version.
    case started(AppVersion)
    /// The user agent was redirected to the app; whether the state was the one that was sent.
    case callback(stateMatches: Bool)
    /// The secure store now holds a session, or none (ATP-16, ATP-19, ATP-22).
    case secureStore(holdsSession: Bool)
    /// Tokens were kept anywhere else (ATP-19).
    case plainStore
    /// The app refused a token without an allowed role (ATP-09).
    case gateClosed
    /// What the role service says of the token that the app has now (ATP-63).
    case roles(RoleAnswers)
    case screen(Screen)
    /// What a booking's screen lets its user do (ATP-58 to ATP-61).
    case controls(booking: String, [Control])
    /// Pages of the provider are opened: in the system's session, or in a view of the app's own (ATP-18).
    case browser(isSystems: Bool)
  }

  public enum Screen: String, Hashable, Sendable {
    case updateRequired, startupFailed, signedOut, authorizing, list, detail, settings
    /// No screen of the first version (ATP-62).
    case tours
  }

  public enum Control: String, CaseIterable, Hashable, Sendable { case stage, note, assign, tours }

  /// The five questions of ATP-63.
  public struct RoleAnswers: Hashable, Sendable {
    public var isAdmin: Bool
    public var isManager: Bool
    public var isAccountant: Bool
    public var isStaff: Bool
    public var isAllowed: Bool

    public init(_ roles: [Role]) {
      isAdmin = roles.contains(.admin)
      isManager = roles.contains(.manager)
      isAccountant = roles.contains(.accountant)
      isStaff = roles.contains(.staff)
      isAllowed = !roles.isEmpty
    }
  }
}
