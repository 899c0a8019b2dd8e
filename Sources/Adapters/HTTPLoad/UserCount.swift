import Timekeeping

/// How many users a closed workload has, as it changes over time: stage after stage, each evenly from its beginning to its end.
public struct UserCount: Sendable, Equatable {
  public struct Stage: Sendable, Equatable {
    public let lasts: Span
    public let from: Int
    public let to: Int

    public init(lasts: Span, from: Int, to: Int) {
      precondition(lasts > .zero && from >= 0 && to >= 0, "a stage has users and a length")
      self.lasts = lasts
      self.from = from
      self.to = to
    }
  }

  public let stages: [Stage]

  public init(_ stages: [Stage]) { self.stages = stages }

  public static func constant(_ users: Int, lasting span: Span) -> UserCount {
    UserCount([Stage(lasts: span, from: users, to: users)])
  }

  /// The most at once.
  public var most: Int { stages.reduce(0) { max($0, $1.from, $1.to) } }

  /// How many there are at a time since the beginning: the whole number next to the line, so that a stage has as many as it begins and ends
  /// with; none are left after the end.
  public func users(at time: Span) -> Int {
    var begins = Span.zero
    for stage in stages {
      let gone = time - begins
      if gone < stage.lasts {
        let climb = Double(stage.to - stage.from) * gone.seconds / stage.lasts.seconds
        return Int((Double(stage.from) + climb).rounded())
      }
      begins += stage.lasts
    }
    return 0
  }
}
