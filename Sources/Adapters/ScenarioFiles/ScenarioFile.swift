import Contracts
import Foundation
import Scenarios

/// A scenario's YAML file.
public struct ScenarioFile {
  /// The most bytes of a file; the largest scenario that anybody wrote by hand has a few thousand.
  public static let mostBytes = 1_000_000
  /// The most collections inside one another; a scenario needs six.
  public static let deepest = 64

  /// Standard input in place of a file.
  public static let standardInput = "-"

  /// Reads and validates a file.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - environment: The variables that the scenario may name.
  /// - Returns: The scenario, and what is allowed but probably not meant.
  /// - Throws: All problems at once; while the file cannot be read as YAML, that alone.
  public static func load(
    _ path: String, declarations: [WorldDeclaration],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ScenarioErrors) -> (scenario: Scenario, warnings: [ScenarioProblem]) {
    try read(bytes(of: path), file: path, declarations: declarations, environment: environment)
  }

  /// What a file says, and all that it takes from outside: from it the same scenario is read elsewhere.
  public struct Source: Sendable {
    public var bytes: [UInt8]
    /// The variables of the environment that the text names, as far as they are set.
    public var variables: [String: String]

    public init(bytes: [UInt8], variables: [String: String]) {
      self.bytes = bytes
      self.variables = variables
    }
  }

  public static func source(
    of path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ScenarioErrors) -> Source {
    let bytes = try bytes(of: path)
    let text = try RawText(bytes, file: path).checked()
    let names = Variables.names(in: text)
    return Source(bytes: bytes, variables: environment.filter { names.contains($0.key) })
  }

  /// A file as it is written, its variables filled in, before anything in it has a meaning.
  public static func tree(
    of path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ScenarioErrors) -> SourceNode {
    try composed(bytes(of: path), file: path, environment: environment).root
  }

  /// Reads and validates a file's bytes; `file` is its name in messages.
  public static func read(
    _ bytes: [UInt8], file: String, declarations: [WorldDeclaration],
    environment: [String: String] = [:]
  ) throws(ScenarioErrors) -> (scenario: Scenario, warnings: [ScenarioProblem]) {
    let (root, text) = try composed(bytes, file: file, environment: environment)
    var digest = Digest()
    digest.mix(text)
    return try ScenarioReader(declarations: declarations).read(
      root, file: file, digest: digest.hexadecimal)
  }

  private static func bytes(of path: String) throws(ScenarioErrors) -> [UInt8] {
    try path == standardInput ? StandardInput.bytes() : BoundedFile.bytes(of: path)
  }

  /// The tree, and the text that took effect.
  private static func composed(
    _ bytes: [UInt8], file: String, environment: [String: String]
  ) throws(ScenarioErrors) -> (root: SourceNode, text: String) {
    let text = try RawText(bytes, file: file).checked()
    var tree = YAMLTree(
      file: file, variables: try Variables(text, environment: environment, file: file))
    return (try tree.compose(), tree.variables.effective)
  }
}
