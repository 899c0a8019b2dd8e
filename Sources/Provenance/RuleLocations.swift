/// The source files in which a rule lives, relative to the project; read from the sources whenever they are built.
public struct RuleLocations: Sendable {
  /// Files of the twin or of the journeys whose guards keep it; one each.
  public private(set) var enforced: [String] = []
  /// The journeys that run into it, honest or not.
  public private(set) var tried: [String] = []
  /// Files whose checks judge it; one each.
  public private(set) var judged: [String] = []

  private init() {}

  /// By id: `KK-14`. Ids that no contract declares may be among them: whatever looks like one in the sources.
  public static let all: [String: RuleLocations] = placesOfRules.split(separator: "\n").reduce(
    into: [:]
  ) { places, line in
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3 else { return }
    switch words[1] {
    case "enforced": places[words[0], default: RuleLocations()].enforced.append(words[2])
    case "tried": places[words[0], default: RuleLocations()].tried.append(words[2])
    default: places[words[0], default: RuleLocations()].judged.append(words[2])
    }
  }
}
