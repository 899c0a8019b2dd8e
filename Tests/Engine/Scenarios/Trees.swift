import Contracts
import Scenarios
import Timekeeping

/// A scenario's tree as Swift writes it; the top-level members stand in lines 1, 2, 3 …
enum Tree: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  case plain(String)
  case quoted(String)
  case list([Tree])
  case mapping([(String, Tree)])

  init(stringLiteral text: String) { self = .plain(text) }
  init(arrayLiteral items: Tree...) { self = .list(items) }
  init(dictionaryLiteral members: (String, Tree)...) { self = .mapping(members) }

  /// Every node of one top-level member stands in its line, one column after the other.
  var node: SourceNode {
    guard case .mapping(let members) = self else { return Places(line: 1).node(self) }
    let numbered = members.enumerated().map { index, member in
      let locations = Places(line: index + 1)
      return SourceNode.Member(
        key: locations.node(.plain(member.0)), value: locations.node(member.1))
    }
    return SourceNode(.mapping(numbered), at: SourceLocation(line: 1, column: 1))
  }

  private final class Places {
    let line: Int
    var column = 0
    init(line: Int) { self.line = line }

    func node(_ tree: Tree) -> SourceNode {
      column += 1
      let location = SourceLocation(line: line, column: column)
      switch tree {
      case .plain(let text): return SourceNode(.scalar(text, quoted: false), at: location)
      case .quoted(let text): return SourceNode(.scalar(text, quoted: true), at: location)
      case .list(let items): return SourceNode(.sequence(items.map(node)), at: location)
      case .mapping(let members):
        let members = members.map {
          SourceNode.Member(key: node(.plain($0.0)), value: node($0.1))
        }
        return SourceNode(.mapping(members), at: location)
      }
    }
  }
}

/// A valid scenario with some members replaced or added.
func scenario(_ changes: (String, Tree)...) -> Tree {
  var members: [(String, Tree)] = [
    ("rehearsal", "1"), ("name", "saturday"), ("starts", "2026-03-21T06:00 Europe/Amsterdam"),
    ("lasts", "18h"), ("worlds", [["domain": "canteen"]]),
  ]
  for (key, value) in changes {
    if let index = members.firstIndex(where: { $0.0 == key }) {
      members[index].1 = value
    } else {
      members.append((key, value))
    }
  }
  return .mapping(members)
}

/// A command that does nothing where nothing is given.
private let loading = {
  var control = ControlDeclaration(
    "load", "Loads",
    [
      .init("tenants", "list", optional: true, "Clubs"),
      .init("teams", "list", optional: true, "Teams"),
    ])
  control.needsSome = true
  return control
}()

let canteen = WorldDeclaration(
  domain: "canteen", title: "Canteen shifts",
  population: [
    Setting("clubs", .count(1...500), .count(20), "Clubs", source: "an assumption"),
    Setting("phonesPerClub", .count(0...5_000), .count(150), "Phones", source: "an assumption"),
  ],
  parameters: [
    Setting("requestLost", .share(0...0.5), .share(0.005), "Lost requests", source: "§9"),
    Setting("reaction", .span(.zero ... .hours(1)), .span(.seconds(4)), "Reaction", source: "§9"),
    Setting("growth", .number(0.5...2), .number(1), "Growth", source: "§9"),
    Setting("night", .flag, .flag(false), "Night traffic", source: "§9"),
    Setting("mode", .choice(["club", "tenant"]), .choice("club"), "Mode", source: "§9"),
  ],
  quirks: [Quirk("Q1", "throttle in memory"), Quirk("Q4", "sends ids")],
  profiles: [Profile("documented", quirks: ["Q4"]), Profile("asBuilt", quirks: ["Q1", "Q4"])],
  operations: [
    Operation("sync", "Reconcile", source: "O4"), Operation("diensten", "List", source: "O14"),
    Operation("inspect", "Inspection", kind: .inspection, source: "§3.5"),
  ],
  business: ["orphan-revoked"],
  limits: [
    Limit("KK-14", Stated("A rule.", source: "§1")),
    Limit("KK-58", Stated("A name is short.", source: "§2")),
    Limit("KK-1", Stated("A shape.", source: "§3", keeper: .nobody)),
  ],
  controls: [
    ControlDeclaration(
      "setEnrollmentOpen", "Opens or closes enrollment",
      [
        .init("club", "slug", "Which"), .init("open", "bool", "Whether"),
        .init("message", "text", optional: true, "Why"),
      ]),
    ControlDeclaration("cleanUp", "Cleans up"), loading,
    ControlDeclaration(
      "advance", "Moves a clock", [.init("by", "span", optional: true, "How far")]),
  ], longestBarrierInterval: .minutes(15), twinServices: ["door"], callers: ["name", "roles"])

let lodge = WorldDeclaration(
  domain: "lodge", title: "Lodge", population: [], parameters: [], quirks: [], profiles: [],
  operations: [Operation("confirm", "Confirm", source: "1")], business: ["confirmed-synced"],
  limits: [], controls: [])

/// What a reader says to a tree, each problem without its file: `3:2: what; right`.
func problems(_ tree: Tree) -> [String] {
  do {
    _ = try ScenarioReader(declarations: [canteen, lodge]).read(
      tree.node, file: "s.yaml", digest: "d")
    return []
  } catch {
    return error.problems.map { String($0.description.dropFirst("s.yaml:".count)) }
  }
}

/// The same without places.
func messages(_ tree: Tree) -> [String] {
  problems(tree).map { String($0.drop { $0 != " " }.dropFirst()) }
}

func read(_ tree: Tree) throws -> (scenario: Scenario, warnings: [ScenarioProblem]) {
  try ScenarioReader(declarations: [canteen, lodge]).read(tree.node, file: "s.yaml", digest: "d")
}
