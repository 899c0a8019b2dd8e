/// Where this program comes from.
public enum Provenance {
  /// The commit that it was built from, or `unknown`.
  @inline(never) public static func commit() -> String { commitOfBuild }
}
