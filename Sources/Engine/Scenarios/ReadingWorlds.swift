import Contracts
import Timekeeping

/// The worlds of a scenario, each judged by what its domain declares.
extension Reading {
  static let worldKeys = [
    "domain", "regions", "population", "parameters", "profile", "quirks", "adversaries", "haste",
    "rulesOff",
  ]

  static let regionRange = 1...1_024
  static let hasteRange = 1...1_000

  func worlds(
    _ node: SourceNode, _ declarations: [WorldDeclaration]
  ) -> [(world: World, declaration: WorldDeclaration, node: SourceNode)] {
    let example = "[{domain: \(declarations.first?.domain ?? "DOMAIN")}]"
    guard let items = list(node, "worlds", example: example) else { return [] }
    if items.isEmpty {
      refuse(
        node, "worlds", "nobody would live there", wanted: "at least one world, e.g. \(example)")
    }
    var worlds: [(world: World, declaration: WorldDeclaration, node: SourceNode)] = []
    for item in items {
      guard let (world, declaration) = world(item, declarations, example: example) else { continue }
      if let first = worlds.first(where: { $0.world.domain == world.domain }) {
        wrong(
          item, "\(world.domain) has a world already, in line \(first.node.location.line)",
          "merge the two and raise 'regions' or the population")
        continue
      }
      worlds.append((world, declaration, item))
    }
    return worlds
  }

  private func world(
    _ node: SourceNode, _ declarations: [WorldDeclaration], example: String
  ) -> (World, WorldDeclaration)? {
    guard
      let members = members(
        of: node, "a world", keys: Self.worldKeys, required: ["domain"],
        example: String(example.dropFirst().dropLast())),
      let domain = members["domain"],
      let declaration = declaration(domain, declarations)
    else { return nil }

    let population = settings(
      members["population"], "population", declared: declaration.population,
      domain: declaration.domain)
    let parameters = settings(
      members["parameters"], "parameters", declared: declaration.parameters,
      domain: declaration.domain)
    let profile = profile(members["profile"], declaration)
    let quirks = quirks(members["quirks"], declaration, profile)
    let world = World(
      domain: declaration.domain,
      regions: members["regions"].flatMap { whole($0, "regions", in: Self.regionRange, example: 4) }
        ?? 1,
      population: population.settings, parameters: parameters.settings, profile: profile.name,
      quirks: quirks.on,
      adversaries: members["adversaries"].flatMap { share($0, "adversaries", example: "0.5%") }
        ?? 0,
      haste: members["haste"].flatMap { whole($0, "haste", in: Self.hasteRange, example: 20) } ?? 1,
      rulesOff: members["rulesOff"].map { rulesOff($0, declaration) } ?? [],
      differing: population.differing + parameters.differing
        + profileDifference(profile, declaration) + quirks.differing, line: node.location.line)
    return (world, declaration)
  }

  private func declaration(
    _ node: SourceNode, _ declarations: [WorldDeclaration]
  ) -> WorldDeclaration? {
    let names = declarations.map(\.domain)
    guard let name = text(node, "domain", wanted: "a domain: \(names.joined(separator: ", "))")
    else { return nil }
    guard let declaration = declarations.first(where: { $0.domain == name }) else {
      unknown(node, "there is no domain \(node.inWords)", among: names)
      return nil
    }
    return declaration
  }

  // MARK: - Profile and quirks

  private static let standardProfile = "documented"

  static func standard(of declaration: WorldDeclaration) -> Profile {
    declaration.profiles.first { $0.name == standardProfile } ?? declaration.profiles.first
      ?? Profile(standardProfile, quirks: [])
  }

  private func profile(_ node: SourceNode?, _ declaration: WorldDeclaration) -> Profile {
    let standard = Self.standard(of: declaration)
    guard let node else { return standard }
    var known = declaration.profiles
    if known.isEmpty { known = [standard] }
    guard let name = choice(node, "profile", among: known.map(\.name)) else { return standard }
    return known.first { $0.name == name } ?? standard
  }

  private func profileDifference(
    _ profile: Profile, _ declaration: WorldDeclaration
  ) -> [World.Difference] {
    let standard = Self.standard(of: declaration).name
    guard profile.name != standard else { return [] }
    return [World.Difference(name: "profile", value: profile.name, standard: standard)]
  }

  /// `quirks: {Q1: on, Q4: off}` on top of the profile's.
  private func quirks(
    _ node: SourceNode?, _ declaration: WorldDeclaration, _ profile: Profile
  ) -> (on: Set<String>, differing: [World.Difference]) {
    guard let node else { return (profile.quirks, []) }
    let ids = declaration.quirks.map(\.id)
    let example = "{\(ids.first ?? "Q1"): on}"
    guard
      let members = members(
        of: node, "'quirks' of \(declaration.domain)", keys: ids, example: example)
    else { return (profile.quirks, []) }
    var on = profile.quirks
    var differing: [World.Difference] = []
    for id in ids {
      guard let given = members[id], let isOn = flag(given, id) else { continue }
      guard isOn != profile.quirks.contains(id) else { continue }
      if isOn { on.insert(id) } else { on.remove(id) }
      differing.append(
        World.Difference(name: id, value: isOn ? "on" : "off", standard: isOn ? "off" : "on"))
    }
    return (on, differing)
  }

  // MARK: - Rules that are off

  private func rulesOff(_ node: SourceNode, _ declaration: WorldDeclaration) -> Set<LimitID> {
    let switchable = declaration.limits.filter { $0.keeper != .nobody }
    let example = "[\(switchable.first?.id.text ?? "KK-58")]"
    var off: Set<LimitID> = []
    for item in list(node, "rulesOff", example: example) ?? [] {
      guard let name = text(item, "rulesOff", wanted: "limits by their ids, e.g. \(example)") else {
        continue
      }
      guard let limit = declaration.limits.first(where: { $0.id.text == name }) else {
        unknown(
          item, "\(declaration.domain) has no limit \(item.inWords)",
          among: switchable.map(\.id.text))
        continue
      }
      guard limit.keeper != .nobody else {
        wrong(item, "\(limit.id) follows from the contract's shape and has no switch", "remove it")
        continue
      }
      if !off.insert(limit.id).inserted {
        wrong(item, "\(limit.id) is listed twice", "remove one of them")
      }
    }
    return off
  }
}
