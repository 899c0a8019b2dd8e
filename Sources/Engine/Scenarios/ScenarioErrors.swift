import Contracts

/// One thing that is wrong with a scenario, where, and what would be right.
public struct ScenarioProblem: Hashable, Sendable, CustomStringConvertible {
  public let file: String
  /// `nil` when the file as a whole is meant.
  public let location: SourceLocation?
  public let what: String
  public let remedy: String

  public init(file: String, at location: SourceLocation?, _ what: String, _ remedy: String) {
    self.file = file
    self.location = location
    self.what = what
    self.remedy = remedy
  }

  /// `saturday.yaml:5:8: what is wrong; what would be right`
  public var description: String {
    let path = printable(file, limit: 1_000)
    let prefix = location.map { "\(path):\($0.line):\($0.column)" } ?? path
    return "\(prefix): \(what); \(remedy)"
  }
}

/// Everything that keeps a scenario from being rehearsed, in the file's order.
public struct ScenarioErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many problems are kept: nobody reads more, and a hostile file could hold a hundred thousand.
  public static let most = 100

  public let problems: [ScenarioProblem]
  /// How many more there were.
  public let omitted: Int

  public init(_ problems: [ScenarioProblem]) {
    let sorted = inFileOrder(problems)
    self.problems = Array(sorted.prefix(Self.most))
    omitted = sorted.count - self.problems.count
  }

  public init(file: String, at location: SourceLocation? = nil, _ what: String, _ remedy: String) {
    self.init([ScenarioProblem(file: file, at: location, what, remedy)])
  }

  /// A line for each problem.
  public var description: String {
    let lines = problems.map(\.description)
    return (lines + (omitted > 0 ? ["and \(omitted) more"] : [])).joined(separator: "\n")
  }
}

/// By location; what concerns the whole file comes first, and what was found first stays first within one location.
func inFileOrder(_ problems: [ScenarioProblem]) -> [ScenarioProblem] {
  let start = SourceLocation(line: 0, column: 0)
  return problems.enumerated().sorted { a, b in
    (a.element.location ?? start, a.offset) < (b.element.location ?? start, b.offset)
  }.map(\.element)
}
