import Foundation
import PackagePlugin

/// Writes down which commit is being built, and of which day, whenever that changes; without a checkout or git they are `unknown`.
@main
struct CommitOfBuild: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let root = context.package.directoryURL
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("CommitOfBuild.swift")
    // A commit and a checkout of another one both write to these; most builds find them as they were.
    let watched = ["HEAD", "logs/HEAD"].map { root.appendingPathComponent(".git/" + $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    // Only the package's own checkout counts, not one that it happens to lie in; whose it is does not matter.
    let script = """
      commit=unknown day=unknown
      if [ -e "$1/.git" ]; then
        found=$(TZ=UTC git -c safe.directory='*' -C "$1" log -1 --abbrev=12 --format='%h %cd' --date=format-local:%Y-%m-%d 2>/dev/null) &&
          commit=${found% *} day=${found#* }
      fi
      [ -z "$3" ] || day=$(date -u -d "@$3" +%Y-%m-%d) || exit
      printf 'let commitOfBuild = "%s"\\nlet dateOfBuild = "%s"\\n' "$commit" "$day" > "$2"
      """
    // https://reproducible-builds.org/specs/source-date-epoch
    let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"] ?? ""
    return [
      .buildCommand(
        displayName: "Noting the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", root.path, output.path, epoch], inputFiles: watched,
        outputFiles: [output])
    ]
  }
}
