import Foundation
import PackagePlugin

/// Writes down which commit is being built, whenever that changes; without a checkout or git it is `unknown`.
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
      commit=unknown
      if [ -e "$1/.git" ]; then
        commit=$(git -c safe.directory='*' -C "$1" rev-parse --short=12 HEAD 2>/dev/null) || commit=unknown
      fi
      printf 'let commitOfBuild = "%s"\\n' "$commit" > "$2"
      """
    return [
      .buildCommand(
        displayName: "Noting the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", root.path, output.path], inputFiles: watched,
        outputFiles: [output])
    ]
  }
}
