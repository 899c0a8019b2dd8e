import Foundation
import PackagePlugin

/// Puts the files of a target's folder `Files` into the program, as text by name: a bundle of resources beside it would break the
/// single file that the program is.
@main
struct EmbeddedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appendingPathComponent("Files")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }.sorted().map { folder.appendingPathComponent($0) }
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedFiles.swift")
    // A last line that ends in a line feed stays one: the literal's own is another.
    let script = """
      output=$1
      shift
      {
        printf 'enum EmbeddedFiles {\\n  static let texts: [String: String] = [\\n'
        for file; do
          printf '"%s": ##\"""\\n' "${file##*/}"
          cat "$file"
          printf '\\n\"""##,\\n'
        done
        printf '  ]\\n}\\n'
      } > "$output"
      """
    return [
      .buildCommand(
        displayName: "Embedding files", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", output.path] + files.map(\.path), inputFiles: files,
        outputFiles: [output])
    ]
  }
}
