/// How much of a twin's state a look at it shows: everything, or what has changed since an earlier look.
public struct LookExtent: Hashable, Sendable {
  /// The number of the earlier look; 0: everything is shown.
  public let since: Int
  /// Its own number, by which the next one goes on.
  public let look: Int

  public init(since: Int = 0, look: Int = 0) { (self.since, self.look) = (since, look) }

  public var isWhole: Bool { since == 0 }

  public static let shape = Shape(
    LookExtent.init(since:look:), Field("since", \.since, .int.leftOut(for: 0)),
    Field("look", \.look, .int.otherwise(0)))

  /// The parameters of a command that looks.
  public static let asked = Shape({ $0 }, since { $0 })

  public static func since<Root>(_ get: @escaping @Sendable (Root) -> Int) -> Field<Root, Int> {
    Field(
      "since", get, .int.leftOut(for: 0),
      "the number of an earlier look, to be shown what has changed since; left out: everything")
  }
}
