import Foundation
import RunFolders
import Testing

@Suite struct `The folder of a run` {
  private static let moment = Date(timeIntervalSince1970: 1_774_069_200)  // 2026-03-21T05:00:00Z

  /// A folder that is gone when the test is over.
  private func inScratch(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/run-folder-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func list(_ path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  private func put(_ text: String, at path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private let files: [(path: String, bytes: [UInt8])] = [
    ("latency/a.b.hgrm", Array("curve".utf8)), ("index.html", Array("<html>".utf8)),
    ("result.json", Array("{}".utf8)),
  ]

  @Test func `a folder that is not there is made, and holds exactly the files written`() throws {
    try inScratch { scratch in
      let folder = try RunFolder.prepare(scratch + "/run")
      #expect(try list(scratch) == [], "a run that is killed leaves nothing")
      try folder.write(files)
      #expect(
        try list(scratch + "/run") == ["index.html", "latency", "latency/a.b.hgrm", "result.json"])
    }
  }

  @Test func `files of a former run are replaced, and what it alone had is gone`() throws {
    try inScratch { scratch in
      try RunFolder.prepare(scratch).write(files + [("summary.md", []), ("latency/old.hgrm", [])])
      let again = try RunFolder.prepare(scratch)
      #expect(
        try list(scratch).contains("latency/old.hgrm"), "nothing is lost before the new run ends")
      try again.write([("result.json", Array("new".utf8))])
      #expect(try list(scratch) == ["result.json"])
    }
  }

  @Test(arguments: ["notes.txt", "latency/notes.txt", ".hidden", "result.json.bak"])
  func `a foreign file is a reason to refuse and is left alone`(name: String) throws {
    try inScratch { scratch in
      try FileManager.default.createDirectory(
        atPath: scratch + "/latency", withIntermediateDirectories: false)
      try put("mine", at: scratch + "/" + name)
      #expect(throws: RunFolderError.foreignFiles(path: scratch, names: [name])) {
        try RunFolder.prepare(scratch)
      }
      #expect(try String(contentsOfFile: scratch + "/" + name, encoding: .utf8) == "mine")
    }
  }

  @Test func `a folder or a link under the name of a file is foreign`() throws {
    try inScratch { scratch in
      try FileManager.default.createDirectory(
        atPath: scratch + "/index.html", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: scratch + "/latency", withDestinationPath: "/")
      #expect(throws: RunFolderError.foreignFiles(path: scratch, names: ["index.html", "latency"]))
      {
        try RunFolder.prepare(scratch)
      }
    }
  }

  @Test func `a file named beside those of a run may lie there and stays`() throws {
    try inScratch { scratch in
      try put("events", at: scratch + "/events.jsonl")
      try RunFolder.prepare(scratch, besides: ["events.jsonl"]).write(files)
      #expect(try list(scratch).contains("events.jsonl"))
    }
  }

  @Test func `a path that cannot be a folder is refused with what to do`() throws {
    try inScratch { scratch in
      try put("", at: scratch + "/file")
      #expect(throws: RunFolderError.isFile(path: scratch + "/file")) {
        try RunFolder.prepare(scratch + "/file")
      }
      #expect(throws: RunFolderError.isFile(path: scratch + "/file/run")) {
        try RunFolder.prepare(scratch + "/file/run")
      }
      try FileManager.default.createSymbolicLink(
        atPath: scratch + "/loop", withDestinationPath: "loop")
      #expect(throws: RunFolderError.deadLink(path: scratch + "/loop")) {
        try RunFolder.prepare(scratch + "/loop")
      }
      #expect(throws: RunFolderError.missingParent(path: scratch + "/no/run")) {
        try RunFolder.prepare(scratch + "/no/run")
      }
      #expect(
        throws: RunFolderError.nameTooLong(path: scratch + "/" + String(repeating: "x", count: 300))
      ) {
        try RunFolder.prepare(scratch + "/" + String(repeating: "x", count: 300))
      }
    }
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `a folder that may not be written is refused before the run`() throws {
    try inScratch { scratch in
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch)
      #expect(throws: RunFolderError.self) { try RunFolder.prepare(scratch) }
      #expect(throws: RunFolderError.notPermitted(path: scratch + "/run")) {
        try RunFolder.prepare(scratch + "/run")
      }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here"))
  func `a full disk is named as one`() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    #expect(throws: RunFolderError.diskFull(path: "result.json")) {
      try RunFolder.write([1, 2, 3], to: full, path: "result.json")
    }
  }

  @Test(arguments: [
    (ENOSPC, "free some"), (EDQUOT, "free some"), (EACCES, "permissions"), (EPERM, "permissions"),
    (EROFS, "read-only"), (ENOENT, "create it first"), (ENOTDIR, "name a folder"),
    (EIO, "cannot be written"),
  ])
  func `every error says the path and what to do`(number: Int32, advice: String) {
    let text = RunFolderError(errno: number, path: "out/run").description
    #expect(text.contains("'out/run'"))
    #expect(text.contains(advice))
  }

  @Test func `an error shows no control character of a path`() {
    let text = RunFolderError.isFile(path: "a\u{1B}[2Jb\u{202E}").description
    #expect(text.contains("⟨U+1B⟩"))
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test(arguments: ["../x", "/etc/x", "", ".x", "a/b/c", "latency/../../x"])
  func `no file leaves the folder`(path: String) throws {
    try inScratch { scratch in
      let folder = try RunFolder.prepare(scratch + "/run")
      #expect(throws: RunFolderLoss.self) { try folder.write([(path, [])]) }
      #expect(try list(scratch) == [])
    }
  }

  @Test func `what cannot be written is named, and the other files are there`() throws {
    try inScratch { scratch in
      try RunFolder.prepare(scratch).write(files + [("summary.md", Array("old".utf8))])
      try FileManager.default.removeItem(atPath: scratch + "/latency")
      let folder = try RunFolder.prepare(scratch)
      try put("in the way", at: scratch + "/latency")
      let new = Array("new".utf8)
      let problem = #expect(throws: RunFolderLoss.self) {
        try folder.write(
          [
            ("latency/a.hgrm", new), ("index.html", new), ("latency/b.hgrm", new),
            ("result.json", new),
          ])
      }
      #expect(problem?.missing == ["latency/a.hgrm", "latency/b.hgrm"])
      #expect(problem?.description.hasSuffix("\nMissing: latency/b.hgrm, latency/a.hgrm") == true)
      #expect(try String(contentsOfFile: scratch + "/result.json", encoding: .utf8) == "new")
      #expect(
        try list(scratch) == ["index.html", "latency", "result.json"],
        "nothing of the former run stands beside the new one")
    }
  }

  @Test func `where nothing can be written, the former run stays as it was`() throws {
    try inScratch { scratch in
      try RunFolder.prepare(scratch).write([("result.json", Array("old".utf8))])
      let folder = try RunFolder.prepare(scratch)
      try put("in the way", at: scratch + "/latency")
      #expect(throws: RunFolderLoss.self) { try folder.write([("latency/a.hgrm", [])]) }
      #expect(try String(contentsOfFile: scratch + "/result.json", encoding: .utf8) == "old")
      #expect(try list(scratch) == ["latency", "result.json"])
    }
  }

  @Test func `of many lost files the last dozen is named and the others are counted`() {
    let names = (1...20).map { "latency/\($0).hgrm" } + ["result.json"]
    let loss = RunFolderLoss(reason: .tooLarge(path: "out/result.json"), missing: names)
    #expect(loss.description.contains("raise the limit (ulimit -f)"))
    #expect(loss.description.contains("Missing: result.json, latency/20.hgrm, "))
    #expect(loss.description.hasSuffix("latency/10.hgrm and 9 more"))
  }

  @Test
  func
    `the default folder is named for its moment and seed, and latest points to the last one written`()
    throws
  {
    try inScratch { scratch in
      let root = scratch + "/reports"
      func prepare() throws -> RunFolder {
        try RunFolder.prepareDefault(name: "saturday", seed: 7, at: Self.moment, below: root)
      }
      let (first, second) = (try prepare(), try prepare())
      #expect(try list(scratch) == [], "a run that is killed leaves nothing")
      try second.write(files)
      #expect(second.path == root + "/saturday/2026-03-21T05-00-00Z-7")
      try first.write(files)
      #expect(first.path == second.path + "-2")
      let link = root + "/saturday/latest"
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: link)
          == "2026-03-21T05-00-00Z-7-2")
      #expect(FileManager.default.fileExists(atPath: link + "/result.json"))
    }
  }

  @Test func `a default folder refuses names that leave it and a latest that is no link`() throws {
    try inScratch { scratch in
      #expect(throws: RunFolderError.self) {
        try RunFolder.prepareDefault(name: "../x", seed: 1, at: Self.moment, below: scratch)
      }
      try FileManager.default.createDirectory(
        atPath: scratch + "/saturday/latest", withIntermediateDirectories: true)
      #expect(throws: RunFolderError.foreignFiles(path: scratch + "/saturday", names: ["latest"])) {
        try RunFolder.prepareDefault(name: "saturday", seed: 1, at: Self.moment, below: scratch)
      }
    }
  }

  @Test func `a failure while writing leaves no folder that was not there`() throws {
    try inScratch { scratch in
      let folder = try RunFolder.prepareDefault(
        name: "saturday", seed: 7, at: Self.moment, below: scratch + "/reports")
      #expect(throws: RunFolderLoss.self) {
        try folder.write([(String(repeating: "x", count: 300) + "/a.hgrm", [])])
      }
      #expect(try list(scratch) == [])
    }
  }

  @Test func `a folder whose files the run reads is refused`() throws {
    try inScratch { scratch in
      try RunFolder.prepare(scratch).write(files)
      #expect(throws: RunFolderError.holdsInput(path: scratch, input: "result.json")) {
        try RunFolder.prepare(scratch, sparing: ["/nowhere", scratch + "/./result.json"])
      }
    }
  }
}
