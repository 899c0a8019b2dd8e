/// The parts of a path as text. `NSString` on Linux traps on a relative path of one character.
public enum Path {
  /// The path without its last name; empty for a single name, which lies in the folder in which the program runs.
  public static func folder(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    let name = lastName(of: path.utf8)
    guard let last = path.utf8[..<name.startIndex].lastIndex(where: { $0 != slash }) else {
      return path.utf8.first == slash ? "/" : ""
    }
    return String(Substring(path.utf8[...last]))
  }

  /// The last name of the path; empty for the root.
  public static func name(of path: String) -> String {
    String(Substring(lastName(of: path.utf8)))
  }

  private static func lastName(of path: String.UTF8View) -> Substring.UTF8View {
    let slash = UInt8(ascii: "/")
    guard let last = path.lastIndex(where: { $0 != slash }) else { return path[path.endIndex...] }
    let before = path[...last].lastIndex(of: slash)
    return path[(before.map(path.index(after:)) ?? path.startIndex)...last]
  }
}
