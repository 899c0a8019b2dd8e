import Foundation
import PackagePlugin

/// Looks up where each rule lives: the guards of twins and journeys that name it, the journeys that run into it, the
/// checks that judge it. Written anew whenever one of these files changes.
@main
struct PlacesOfRules: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let root = context.package.directoryURL
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("PlacesOfRules.swift")
    let sources = Self.sources(below: root)
    let script = """
      cd "$1" || exit 1
      {
        printf 'let placesOfRules = \"\"\"\\n'
        find Sources/Domains -name '*.swift' \\( -path '*/Twin/*' -o -path '*/Journeys/*' -o -path '*/Checks/*' \\) |
          LC_ALL=C sort | LC_ALL=C xargs awk '\(Self.reader)' | LC_ALL=C sort -u
        printf '\"\"\"\\n'
      } > "$2"
      """
    return [
      .buildCommand(
        displayName: "Looking up where rules live", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", root.path, output.path], inputFiles: sources,
        outputFiles: [output])
    ]
  }

  private static func sources(below root: URL) -> [URL] {
    let base = root.appendingPathComponent("Sources/Domains")
    let found = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return (found ?? []).filter { name in
      name.hasSuffix(".swift")
        && ["/Twin/", "/Journeys/", "/Checks/"].contains(where: name.contains)
    }.sorted().map { base.appendingPathComponent($0) }
  }

  /// Prints `KK-14 enforced Sources/…` for each rule that a line names. In code a rule is `.kk14`; in words it is KK-14,
  /// and "KK-45 to KK-47" names three.
  private static let reader = #"""
    # With as many digits as it is written with, and two at least.
    function say(letters, number, width, what) {
      printf "%s-%0" (width < 2 ? 2 : width) "d %s %s\n", toupper(letters), number, what, FILENAME
    }
    # Rules in code.
    function code(text, what,   name) {
      while (match(text, /\.[a-z]+[0-9]+/)) {
        name = substr(text, RSTART + 1, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH)
        match(name, /[0-9]+/)
        say(substr(name, 1, RSTART - 1), substr(name, RSTART) + 0, RLENGTH, what)
      }
    }
    # Rules in words.
    function words(text, what,   name, letters, number, last, rest, width) {
      while (match(text, /[A-Z]+-[0-9]+/)) {
        name = substr(text, RSTART, RLENGTH)
        rest = substr(text, RSTART + RLENGTH)
        letters = name; sub(/-.*/, "", letters)
        number = name; sub(/.*-/, "", number)
        width = length(number)
        last = number
        if (match(rest, "^ to " letters "-[0-9]+")) {
          last = substr(rest, 1, RLENGTH); sub(/.*-/, "", last)
        }
        for (number += 0; number <= last + 0; number++) say(letters, number, width, what)
        text = rest
      }
    }
    {
      line = $0
      sub(/\/\/.*/, "", line)
      if (FILENAME ~ /\/Checks\//) {
        if (match(line, /(^ *|\()\.[a-z]+[0-9]+[,)]/)) code(substr(line, RSTART, RLENGTH), "judged")
      } else {
        rest = line
        while (match(rest, /binds\([^)]*\)|require\(\.[a-z]+[0-9]+/)) {
          guard = substr(rest, RSTART, RLENGTH)
          rest = substr(rest, RSTART + RLENGTH)
          code(guard, "enforced")
        }
      }
      if (FILENAME ~ /\/Journeys\//) { code(line, "tried"); words($0, "tried") }
    }
    """#
}
