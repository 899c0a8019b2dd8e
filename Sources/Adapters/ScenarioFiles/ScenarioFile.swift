import Contracts
import Scenarios

/// A scenario's YAML file.
public struct ScenarioFile {
  /// The most bytes of a file; the largest scenario that anybody wrote by hand has a few thousand.
  public static let mostBytes = 1_000_000
  /// The most collections inside one another; a scenario needs six.
  public static let deepest = 64

  /// Reads and validates a file.
  ///
  /// - Returns: The scenario, and what is allowed but probably not meant.
  /// - Throws: All problems at once; while the file cannot be read as YAML, that alone.
  public static func load(
    _ path: String, declarations: [WorldDeclaration]
  ) throws(ScenarioErrors) -> (scenario: Scenario, warnings: [ScenarioProblem]) {
    try read(BoundedFile.bytes(of: path), file: path, declarations: declarations)
  }

  /// A file as it is written, before anything in it has a meaning.
  public static func tree(of path: String) throws(ScenarioErrors) -> SourceNode {
    let text = try RawText(BoundedFile.bytes(of: path), file: path).checked()
    return try YAMLTree(file: path).compose(text)
  }

  /// Reads and validates a file's bytes; `file` is its name in messages.
  public static func read(
    _ bytes: [UInt8], file: String, declarations: [WorldDeclaration]
  ) throws(ScenarioErrors) -> (scenario: Scenario, warnings: [ScenarioProblem]) {
    let text = try RawText(bytes, file: file).checked()
    let root = try YAMLTree(file: file).compose(text)
    var digest = Digest()
    digest.mix(text)
    return try ScenarioReader(declarations: declarations).read(
      root, file: file, digest: digest.hexadecimal)
  }
}
