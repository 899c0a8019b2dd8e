extension AsiaTravelPlan {
  /// What the app writes down about itself while it signs in (5.1).
  public enum Note: Hashable, Sendable {
    /// The user agent was redirected to the app; whether the state was the one that was sent.
    case callback(stateMatches: Bool)
    /// The secure store now holds a session, or none (ATP-16, ATP-19, ATP-22).
    case secureStore(holdsSession: Bool)
    /// The app refused a token without an allowed role (ATP-09).
    case gateClosed
    case screen(Screen)
  }

  public enum Screen: String, Hashable, Sendable {
    case signedOut, authorizing, list, detail
  }
}
