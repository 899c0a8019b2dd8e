import Foundation

/// Where the limits of one domain live, read from its sources.
struct LimitSources {
  /// The domain's folder: `Sources/Domains/KantineKoning`.
  let folder: String
  /// How its ids begin in text; in code they are written in lower case: `KK-58` and `.kk58`.
  let prefix: String
  /// By id: the files with a guard, a journey, a check.
  private(set) var enforced: [Int: [String]] = [:]
  private(set) var tried: [Int: [String]] = [:]
  private(set) var judged: [Int: [String]] = [:]

  init(domain: String, prefix: String) {
    folder = "Sources/Domains/\(domain)"
    self.prefix = prefix
    for file in SourceFile.all(below: folder) {
      let place = file.path.dropFirst(folder.count + 1)
      if place.hasPrefix("Twin/") || place.hasPrefix("Journeys/") {
        note(guards(in: file), file.path, &enforced)
      }
      if place.hasPrefix("Journeys/") { note(Self.named(file.text, prefix), file.path, &tried) }
      if place.hasPrefix("Checks/") { note(checks(in: file), file.path, &judged) }
    }
  }

  private func note(_ ids: Set<Int>, _ path: String, _ places: inout [Int: [String]]) {
    for id in ids { places[id, default: []].append(path) }
  }

  /// Ids within `rules.binds(…)`.
  private func guards(in file: SourceFile) -> Set<Int> {
    let guarded = #/binds\(([^)]*)\)/#
    return file.code.reduce(into: []) { ids, line in
      for match in line.matches(of: guarded) { ids.formUnion(inCode(String(match.1))) }
    }
  }

  /// Ids that are the first argument of a check.
  private func checks(in file: SourceFile) -> Set<Int> {
    let first = try? Regex(
      "(^\\s*|\\()\\.\(prefix.lowercased())([0-9]+)[,)]", as: AnyRegexOutput.self)
    guard let first else { return [] }
    return file.code.reduce(into: []) { ids, line in
      for match in line.matches(of: first) {
        if let number = match.output[2].substring.flatMap({ Int($0) }) { ids.insert(number) }
      }
    }
  }

  private func inCode(_ text: String) -> Set<Int> {
    Set(
      text.split(separator: ".").compactMap { part in
        part.hasPrefix(prefix.lowercased())
          ? Int(part.dropFirst(prefix.count).prefix { $0.isNumber }) : nil
      })
  }

  /// Every id that a text names, in words or in code; `KK-45 to KK-47` names three.
  static func named(_ text: String, _ prefix: String) -> Set<Int> {
    var ids: Set<Int> = []
    let words = text.components(separatedBy: prefix + "-")
    var before: (id: Int, rest: Substring)?
    for word in words.dropFirst() {
      let digits = word.prefix { $0.isNumber }
      guard let id = Int(digits) else { continue }
      ids.insert(id)
      if let before, before.rest == " to ", before.id < id { ids.formUnion(before.id...id) }
      before = (id, word.dropFirst(digits.count))
    }
    for part in text.components(separatedBy: "." + prefix.lowercased()).dropFirst() {
      if let id = Int(part.prefix { $0.isNumber }) { ids.insert(id) }
    }
    return ids
  }

  // MARK: The committed table

  /// The file of the contract that `rehearse limits` shows, as it must be.
  var table: String {
    let ids = Set(enforced.keys).union(tried.keys).union(judged.keys).sorted()
    let entries = ids.map { id in
      let files = (tried[id] ?? []).map { "\"\(short($0))\"" }
      let people =
        files.count > 1
        ? "[\n\(files.map { "        \($0),\n" }.joined())      ]" : "[\(files.first ?? "")]"
      let lists = [
        enforced[id]?.first.map { "      enforced: \"\(short($0))\"," },
        "      tried: \(people),",
        judged[id]?.first.map { "      judged: \"\(short($0))\"" },
      ].compactMap { $0 }.joined(separator: "\n")
      let text = lists.hasSuffix(",") ? String(lists.dropLast()) : lists
      return "    .\(prefix.lowercased())\(id < 10 ? "0" : "")\(id): place(\n\(text)),\n"
    }
    return """
      import Contracts

      extension \(folder.split(separator: "/").last ?? "") {
        /// Where each limit is enforced, tried and judged.
        ///
        /// A test reads the sources, writes this table (`REHEARSAL_GOLDEN=write`) and fails when it is stale.
        static let limitPlaces: [LimitID: LimitPlaces] = [
      \(entries.joined())  ]

        private static func place(
          enforced: String? = nil, tried: [String], judged: String? = nil
        ) -> LimitPlaces {
          let folder = "\(folder)/"
          return LimitPlaces(
            enforced: enforced.map { folder + $0 }, tried: tried.map { folder + $0 },
            judged: judged.map { folder + $0 })
        }
      }

      """
  }

  private func short(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }
}
