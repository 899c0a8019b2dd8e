import Foundation
import RunFolders
import Synchronization
import Testing

@Suite(.serialized) struct `A file that is written` {
  init() {
    // As every command does; without it a reader that goes away would end the tests.
    signal(SIGPIPE, SIG_IGN)
  }

  private func inScratch(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/output-file-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func list(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func kind(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test func `stays as it was until the new one is whole`() throws {
    try inScratch { scratch in
      let path = scratch + "/events.jsonl"
      try OutputFile.write(Array("old".utf8), to: path)
      chmod(path, 0o640)
      let file = try OutputFile(path)
      #expect(file.write(Array("new".utf8)))
      #expect(try text(path) == "old")
      try file.close()
      #expect(try text(path) == "new")
      #expect(try list(scratch) == ["events.jsonl"])
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }
  }

  @Test func `leaves nothing when it is discarded, or forgotten`() throws {
    try inScratch { scratch in
      let file = try OutputFile(scratch + "/a")
      file.write([1])
      file.discard()
      do { try OutputFile(scratch + "/b").write([1]) }
      #expect(try list(scratch) == [])
      let open = try OutputFile(scratch + "/c")
      TemporaryFiles.remove()
      #expect(try list(scratch) == [])
      open.discard()
    }
  }

  @Test(arguments: ["target", "../target", "nowhere"])
  func `is what a link leads to, and the link stays`(target: String) throws {
    try inScratch { scratch in
      try FileManager.default.createDirectory(
        atPath: scratch + "/in", withIntermediateDirectories: false)
      if target != "nowhere" { try OutputFile.write([1], to: scratch + "/in/" + target) }
      let link = scratch + "/in/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      try OutputFile.write(Array("new".utf8), to: link)
      #expect(kind(link) == S_IFLNK)
      #expect(try text(scratch + "/in/" + target) == "new")
    }
  }

  @Test func `is never one that the command reads, by whatever name`() throws {
    try inScratch { scratch in
      let input = scratch + "/scenario.yaml"
      try OutputFile.write(Array("mine".utf8), to: input)
      try FileManager.default.createSymbolicLink(
        atPath: scratch + "/soft", withDestinationPath: "scenario.yaml")
      link(input, scratch + "/hard")
      for path in [input, scratch + "/soft", scratch + "/hard", scratch + "/./scenario.yaml"] {
        #expect(throws: OutputProblem.isInput(path: path, input: input)) {
          try OutputFile.write([], to: path, sparing: ["/nowhere", input])
        }
      }
      #expect(try text(input) == "mine")
    }
  }

  @Test func `a folder or a place that is not there is refused with what to do`() throws {
    try inScratch { scratch in
      #expect(throws: OutputProblem.isFolder(path: scratch)) { try OutputFile(scratch) }
      #expect(throws: OutputProblem.missingFolder(path: scratch + "/no/file")) {
        try OutputFile(scratch + "/no/file")
      }
      try FileManager.default.createSymbolicLink(
        atPath: scratch + "/loop", withDestinationPath: "loop")
      #expect(throws: OutputProblem.self) { try OutputFile(scratch + "/loop") }
    }
  }

  @Test func `a FIFO is written into as it is, as it comes`() throws {
    try inScratch { scratch in
      let path = scratch + "/fifo"
      mkfifo(path, 0o600)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      var waited = false
      let file = try OutputFile(path, waiting: { waited = true })
      #expect(file.write(Array("line\n".utf8)))
      var bytes = [UInt8](repeating: 0, count: 16)
      #expect(read(reader, &bytes, 16) == 5, "nothing is kept back")
      try file.close()
      #expect(kind(path) == S_IFIFO && !waited)
    }
  }

  @Test func `a reader that stalls is told of once, and loses nothing`() throws {
    try inScratch { scratch in
      let path = scratch + "/fifo"
      mkfifo(path, 0o600)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      // A pipe holds far less; whoever is told that it is full begins to read.
      let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0) }
      final class Seen: Sendable {
        let stalls = Mutex(0)
        let got = Mutex<[UInt8]>([])
      }
      let seen = Seen()
      let done = DispatchSemaphore(value: 0)
      @Sendable func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while seen.got.withLock({ $0.count }) < bytes.count {
          let count = Foundation.read(reader, &buffer, buffer.count)
          if count > 0 { seen.got.withLock { $0 += buffer.prefix(count) } }
        }
        done.signal()
      }
      let file = try OutputFile(
        path,
        patience: .init(milliseconds: 20) {
          // A busy machine may let it wait once more while it is read.
          let isFirst = seen.stalls.withLock { stalls in
            stalls += 1
            return stalls == 1
          }
          if isFirst { DispatchQueue.global().async { read() } }
        })
      #expect(file.write(bytes))
      done.wait()
      try file.close()
      #expect(seen.stalls.withLock { $0 } >= 1 && seen.got.withLock { $0 } == bytes)
    }
  }

  @Test func `a reader that goes away is no problem`() throws {
    try inScratch { scratch in
      let path = scratch + "/fifo"
      mkfifo(path, 0o600)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      let file = try OutputFile(path)
      close(reader)
      #expect(!file.write(Array("line\n".utf8)))
      #expect(!file.write(Array("line\n".utf8)))
      try file.close()
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here"))
  func `a full disk is named as one, and a device stays a device`() throws {
    let file = try OutputFile("/dev/full")
    #expect(!file.write([1, 2, 3]))
    #expect(throws: OutputProblem.diskFull(path: "/dev/full")) { try file.close() }
    #expect(kind("/dev/full") == S_IFCHR)
  }

  @Test(arguments: [
    (ENOSPC, "free some"), (EDQUOT, "free some"), (EACCES, "permissions"), (EROFS, "read-only"),
    (ENOENT, "create it first"), (EFBIG, "ulimit"), (EISDIR, "folder"), (EIO, "cannot be written"),
    (ENAMETOOLONG, "shorter"),
  ])
  func `every error says the path and what to do`(number: Int32, advice: String) {
    let text = OutputProblem(errno: number, path: "out/x\u{1B}").description
    #expect(text.hasPrefix("out/x⟨U+1B⟩: ") && text.contains(advice))
  }
}

@Suite struct `Blocks on disk` {
  @Test func `come back as they were, and their places are used again`() throws {
    let file = BlockFile(blockBytes: 4)
    let numbers = (0..<3).map { file.store([$0, 1, 2, 3]) }
    #expect(numbers == [0, 1, 2])
    #expect(file.load(1) == [1, 1, 2, 3])
    #expect(file.store([9, 9, 9, 9]) == 1 && file.count == 3)
    #expect(file.load(1) == [9, 9, 9, 9] && file.load(2) == [2, 1, 2, 3])
    #expect(file.problem == nil)
  }

  @Test func `have no name, so that nothing is left of them`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/blocks-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let file = BlockFile(blockBytes: 2, in: folder)
    #expect(file.store([1, 2]) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    try FileManager.default.removeItem(atPath: folder)
    #expect(file.load(0) == [1, 2])
  }

  @Test func `that cannot be kept say why`() {
    let file = BlockFile(blockBytes: 2, in: "/nowhere")
    #expect(file.store([1, 2]) == nil)
    #expect(file.problem == .missingFolder(path: "/nowhere"))
  }
}
