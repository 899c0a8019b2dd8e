/// Where this program comes from.
public enum Provenance {
  /// The version of both programs; a release is tagged with it.
  public static let version = "0.1.0"

  /// The commit that it was built from, or `unknown`.
  @inline(never) public static func commit() -> String { commitOfBuild }

  /// What `--version` says of a program: version, commit, and the day of the build, which is `SOURCE_DATE_EPOCH`'s or else the commit's,
  /// so that equal sources give equal programs.
  @inline(never) public static func text(of program: String) -> String {
    "\(program) \(version) (\(commitOfBuild), \(dateOfBuild))"
  }
}
