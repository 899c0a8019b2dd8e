import Contracts

/// What has been asked how often, and how often it was granted.
struct Coverage {
  struct Count {
    var asked = 0
    var granted = 0

    mutating func add(_ isGranted: Bool) {
      asked += 1
      if isGranted { granted += 1 }
    }
  }

  var operations: [String: Count]
  var commands: [String: Count]

  init(operations: [String], commands: [String]) {
    self.operations = Dictionary(operations.map { ($0, Count()) }, uniquingKeysWith: { a, _ in a })
    self.commands = Dictionary(commands.map { ($0, Count()) }, uniquingKeysWith: { a, _ in a })
  }

  mutating func add(_ other: Coverage) {
    operations.merge(other.operations, uniquingKeysWith: Self.sum)
    commands.merge(other.commands, uniquingKeysWith: Self.sum)
  }

  private static func sum(_ a: Count, _ b: Count) -> Count {
    Count(asked: a.asked + b.asked, granted: a.granted + b.granted)
  }

  /// One line of totals, and of what was never granted, where there is something.
  func summary(of domain: String, failures: Int, seconds: Double) -> String {
    let all = Array(operations.values) + Array(commands.values)
    let asked = all.reduce(0) { $0 + $1.asked }
    let granted = all.reduce(0) { $0 + $1.granted }
    var gaps = ""
    for (name, counts) in [("operations", operations), ("commands", commands)] {
      // What no route takes is never granted.
      let never = counts.filter { $0.value.granted == 0 && $0.key != "unrouted" }.keys.sorted()
      if !never.isEmpty { gaps += "\n  \(name) never granted: \(never.joined(separator: ", "))" }
    }
    return
      "\(domain): \(asked) requests and commands, \(granted) granted, \(operations.count) operations, "
      + "\(commands.count) commands, \(failures) failures, \(Int(seconds.rounded())) s\(gaps)"
  }

  var json: JSON { ["operations": Self.json(operations), "commands": Self.json(commands)] }

  init?(_ json: JSON) {
    guard let operations = Self.counts(json["operations"]),
      let commands = Self.counts(json["commands"])
    else { return nil }
    self.operations = operations
    self.commands = commands
  }

  private static func json(_ counts: [String: Count]) -> JSON {
    .object(
      JSONObject(
        counts.sorted { $0.key < $1.key }.map {
          ($0.key, [.number($0.value.asked), .number($0.value.granted)])
        }))
  }

  private static func counts(_ json: JSON?) -> [String: Count]? {
    guard let members = json?.object?.members else { return nil }
    return Dictionary(
      members.map {
        ($0.name, Count(asked: $0.value[0]?.int ?? 0, granted: $0.value[1]?.int ?? 0))
      }, uniquingKeysWith: { a, _ in a })
  }
}
