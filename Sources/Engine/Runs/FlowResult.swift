import Observations

/// How far the things came that a backend is used for, over all replications, and why some got no further.
public struct FlowResult: Sendable {
  public struct Loss: Sendable {
    public var reason: String
    public var cause: Course.Cause
    public var count: Int

    public init(reason: String, cause: Course.Cause, count: Int) {
      self.reason = reason
      self.cause = cause
      self.count = count
    }
  }

  public struct Step: Sendable {
    public var title: String
    /// How many came as far as this.
    public var reached: Int
    /// Why some of them got no further; reasons that nothing had are left out.
    public var losses: [Loss]
    /// How many were here when the run ended; at the last step these are those that arrived.
    public var open: Int

    public init(title: String, reached: Int, losses: [Loss], open: Int) {
      self.title = title
      self.reached = reached
      self.losses = losses
      self.open = open
    }
  }

  public var world: String
  /// In the plural: `orders`.
  public var things: String
  public var steps: [Step]

  public init(world: String, things: String, steps: [Step]) {
    self.world = world
    self.things = things
    self.steps = steps
  }
}

extension Merged {
  /// `nil` where the domain declares no flow, and where nothing began.
  var flow: FlowResult? {
    guard let tally = whole.flow else { return nil }
    let course = tally.course
    // Whoever left or stayed at a step has come through all before it.
    let here = course.steps.indices.map { tally.stayed[$0] + tally.left[$0].reduce(0, +) }
    guard here.contains(where: { $0 > 0 }) else { return nil }
    return FlowResult(
      world: declaration.domain, things: course.things,
      steps: course.steps.enumerated().map { place, title in
        FlowResult.Step(
          title: title, reached: here[place...].reduce(0, +),
          losses: course.reasons.enumerated().compactMap { index, reason in
            let count = tally.left[place][index]
            return count > 0
              ? FlowResult.Loss(reason: reason.words, cause: reason.cause, count: count) : nil
          }, open: tally.stayed[place])
      })
  }
}
