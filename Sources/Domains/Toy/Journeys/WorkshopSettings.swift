import Contracts
import Journeys
import Timekeeping
import ToyContract

/// What a scenario may say about the workshops and their members.
public enum WorkshopSettings {
  private static let whole = 0.0...1
  private static let times = Span.minutes(1)...Span.days(1)

  public static let population: [Setting] = [
    Setting(
      "workshops", .count(1...10_000), .count(2), "workshops, divided over the regions"),
    Setting("members", .count(1...500), .count(20), "members of each workshop"),
    Setting("tools", .count(1...500), .count(25), "tools of each workshop"),
  ]

  public static let parameters: [Setting] =
    [
      Setting(
        "visitEvery", .span(times), .span(.minutes(40)), "mean time between two visits of a member"),
      Setting(
        "cellar", .share(whole), .share(0.05), "borrowings tried where there is no network"),
      Setting(
        "doubleTap", .share(whole), .share(0.05), "borrowings sent once more after their answer"),
      Setting(
        "requestLost", .share(whole), .share(0.01), "requests that never arrive"),
      Setting("answerLost", .share(whole), .share(0.01), "answers that never arrive"),
      Setting(
        "mischiefEvery", .span(times), .span(.minutes(20)),
        "mean time between two acts of an adversary"),
    ] + Toy.Deployment.parameters
}

/// Somebody before they live.
public struct MemberSeed: Sendable {
  public let name: String
  public let pin: String
  /// How many members and tools the workshop has; they are numbered from 1.
  public let members: Int
  public let tools: Int
  public let begins: Instant
  // Looked up by name once, and not with every visit.
  let visitEvery: Distribution
  let mischiefEvery: Distribution
  let cellar: Double
  let doubleTap: Double
  /// What the workshop decided.
  let deployment: Toy.Deployment
  public let rules: Rules<Toy.Rule>

  public init(
    number: Int, of members: Int, tools: Int, parameters: Settings, rules: Rules<Toy.Rule>,
    begins: Instant,
    isAdversary: Bool = false, drawing stream: inout RandomStream
  ) {
    name = isAdversary ? "adversary-\(number)" : Self.name(number)
    pin = String(1_000 + stream.pick(0..<9_000))
    (self.members, self.tools, self.rules, self.begins) = (members, tools, rules, begins)
    visitEvery = .exponential(mean: parameters.span("visitEvery"))
    mischiefEvery = .exponential(mean: parameters.span("mischiefEvery"))
    (cellar, doubleTap) = (parameters.share("cellar"), parameters.share("doubleTap"))
    deployment = Toy.Deployment(parameters)
  }

  static func name(_ number: Int) -> String { "member-\(number)" }
}

extension Purpose {
  static let habit = Purpose.domain(0)
  static let mischief = Purpose.domain(1)
}
