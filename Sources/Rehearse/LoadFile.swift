import Contracts
import ScenarioFiles
import Scenarios

/// A file that `rehearse load --write` wrote, as the command line that it stands for.
enum LoadFile {
  private static let keys = [
    "urls", "rate", "phase", "capacity", "pace", "users", "for", "warmup", "connections", "method",
    "header", "body",
    "weight", "expect", "objective", "timeout", "connect-timeout", "drain", "http2", "follow",
    "no-keepalive",
    "insecure", "ca-file", "cert", "key", "max-lateness", "max-stall", "seed",
  ]

  /// - Throws: All problems at once, each with its place.
  static func arguments(_ path: String) throws(ScenarioErrors) -> [String] {
    let root = try ScenarioFile.tree(of: path)
    var reading = Reading(file: path)
    let load = reading.load(in: root)
    let arguments = reading.arguments(load)
    guard reading.problems.isEmpty else { throw ScenarioErrors(reading.problems) }
    return arguments
  }

  /// Whether a file is a load's, and not a scenario's: it names URLs and no worlds. One that cannot be read is neither.
  static func isLoad(_ path: String) -> Bool {
    guard let root = try? ScenarioFile.tree(of: path) else { return false }
    let members = Reading.members(root)
    guard let load = members.first(where: { $0.key.text == "load" })?.value else { return false }
    return !members.contains { $0.key.text == "worlds" }
      && Reading.members(load).contains { $0.key.text == "urls" }
  }

  private struct Reading {
    let file: String
    var problems: [ScenarioProblem] = []

    mutating func note(_ location: SourceLocation, _ what: String, _ remedy: String) {
      problems.append(ScenarioProblem(file: file, at: location, what, remedy))
    }

    static func members(_ node: SourceNode) -> [SourceNode.Member] {
      if case .mapping(let members) = node.content { members } else { [] }
    }

    mutating func load(in root: SourceNode) -> SourceNode? {
      var load: SourceNode?
      for member in Self.members(root) {
        switch member.key.text {
        case "rehearsal" where member.value.text == "1",
          "timeline" where member.value.text == "wall":
          break
        case "load": load = member.value
        case "rehearsal":
          note(member.value.location, "it is \(member.value.inWords)", "rehearsal: 1")
        case "timeline":
          note(member.value.location, "it is \(member.value.inWords)", "timeline: wall, for a load")
        default:
          note(
            member.key.location, "nothing in a load reads \(member.key.inWords)",
            "one of rehearsal, timeline, load; a scenario with worlds is run by 'rehearse run'")
        }
      }
      if load == nil {
        note(root.location, "it has no 'load'", "write one with 'rehearse load URL --write FILE'")
      }
      return load
    }

    mutating func arguments(_ load: SourceNode?) -> [String] {
      guard let load else { return [] }
      guard case .mapping(let members) = load.content else {
        note(
          load.location, "a load cannot be \(load.inWords)",
          "options of 'rehearse load' by their names")
        return []
      }
      var seen: Set<String> = []
      return members.flatMap { member in
        let key = member.key.text ?? ""
        guard LoadFile.keys.contains(key) else {
          let near = nearest(key, among: LoadFile.keys).map { "did you mean '\($0)'?" }
          note(
            member.key.location, "a load has no \(member.key.inWords)",
            near ?? "'rehearse load --help' lists its options")
          return [String]()
        }
        guard seen.insert(key).inserted else {
          note(member.key.location, "'\(key)' is there twice", "keep one")
          return []
        }
        return words(key, member.value)
      }
    }

    private mutating func words(_ key: String, _ value: SourceNode) -> [String] {
      let isList = key == "urls" || LoadOptions.lists.contains(key)
      var texts: [String] = []
      if case .sequence(let items) = value.content, isList {
        for item in items {
          if let text = item.text, !item.isEmpty {
            texts.append(text)
          } else {
            note(item.location, "it is \(item.inWords)", "text")
          }
        }
      } else if let text = value.text, !value.isEmpty {
        texts = [text]
      } else {
        note(
          value.location, "'\(key)' is \(value.inWords)", isList ? "a list of texts" : "one value")
      }
      if key == "urls" { return texts }
      if LoadOptions.flags.contains(key) {
        guard let text = texts.first, ["true", "false"].contains(text) else {
          note(value.location, "'\(key)' is \(value.inWords)", "true or false")
          return []
        }
        return text == "true" ? ["--\(key)"] : []
      }
      // Joined, so that no value is taken for an option.
      return texts.map { "--\(key)=\($0)" }
    }
  }
}
