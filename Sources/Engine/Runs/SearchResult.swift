/// The work of a backend's searches, over all replications; what they took is among the machine's figures.
public struct SearchResult: Hashable, Sendable {
  public var world: String
  public var name: String
  public var title: String
  /// Calls and timers in which attempts ran.
  public var calls: Int
  public var attempts: Int
  /// Candidates that were looked at.
  public var examined: Int

  public init(
    world: String, name: String, title: String, calls: Int, attempts: Int, examined: Int
  ) {
    self.world = world
    self.name = name
    self.title = title
    self.calls = calls
    self.attempts = attempts
    self.examined = examined
  }
}
