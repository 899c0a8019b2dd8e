import Foundation
import Testing

/// What is compiled anew where types of a lower module have changed (`Sources/Packaging/layouts`).
@Suite struct `An incremental build` {
  private let folder: URL

  /// Four modules, one upon the other but for the last, all made long ago.
  init() throws {
    folder = try CommandLineRun.folder()
    try write("Engine/Low/Low.swift", "public struct Low {\n  let a: Int\n  let b: Int\n}\n")
    try write("Adapters/Middle/Middle.swift", "import Low\nfunc f() {\n    let x = 1\n}\n")
    try write("Domains/Toy/Twin/High.swift", "public import Middle\nlet high = 1\n")
    try write("Engine/Other/Other.swift", "import Foundation\n")
    _ = try touched()
  }

  private func write(_ name: String, _ text: String) throws {
    let file = folder.appendingPathComponent("Sources/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// Runs it, and says which sources it touched.
  private func touched() throws -> [String] {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.sorted()
    for source in sources {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
        ofItemAtPath: folder.path + "/" + source)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "bash", CommandLineRun.root.path + "/Sources/Packaging/layouts", "layouts",
    ]
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try sources.filter { source in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.path + "/" + source)
      return (attributes[.modificationDate] as? Date ?? .distantPast).timeIntervalSince1970
        > 2_000_000
    }.compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  @Test(arguments: [
    "public struct Low {\n  let a: Int\n  let b: String\n}\n",
    "public struct Low {\n  let b: Int\n  let a: Int\n}\n",
    "public struct Low {\n  let a: Int\n  let b: Int\n  enum Kind {\n    case one\n  }\n}\n",
    "public final class Low {\n  let a: Int\n  let b: Int\n}\n",
  ])
  func `compiles all that is built upon a type whose layout changed`(text: String) throws {
    try write("Engine/Low/Low.swift", text)
    #expect(try touched() == ["Middle.swift", "High.swift", "Low.swift"])
    #expect(try touched() == [])
  }

  @Test func `compiles nothing more where only bodies changed`() throws {
    try write("Adapters/Middle/Middle.swift", "import Low\nfunc f() {\n    let y = 2\n}\n")
    try write(
      "Engine/Low/Low.swift",
      "public struct Low {\n  let a: Int\n  let b: Int\n  var c: Int { a }\n}\n")
    #expect(try touched() == [])
  }
}
