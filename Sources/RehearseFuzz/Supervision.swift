import Contracts
import Foundation

/// Lets processes ask a domain's twin, so that one that ends before its time can be told of.
struct Supervision {
  let domain: String
  let seed: UInt64
  let count: Int
  let workers: Int
  let quiet: Bool
  let trapAt: Int?

  /// Failures after which one share of the work is given up.
  private static let mostFailures = 20
  /// How long one request may take, and the recording of the story with the first.
  private static let patience = 300.0

  /// - Returns: The number of failures.
  func run() throws -> Int {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearse-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let began = Date()
    var shares = (0..<workers).map { Share(index: $0, folder: folder) }
    for index in shares.indices { try start(&shares[index], from: 0) }
    var lastWord = Date()
    while shares.contains(where: { $0.process != nil }) {
      Thread.sleep(forTimeInterval: 0.1)
      for index in shares.indices { try look(after: &shares[index]) }
      if !quiet, Date().timeIntervalSince(lastWord) > 5 {
        lastWord = Date()
        FileHandle.standardError.write(Data((progress(of: shares, since: began) + "\n").utf8))
      }
    }
    return summarise(shares, seconds: Date().timeIntervalSince(began))
  }

  private struct Share {
    let index: Int
    let folder: URL
    var process: Process?
    var starts = 0
    var number: Int?
    var moved = Date()
    var coverage: [Coverage] = []
    var failures: [Int: String] = [:]

    var journal: String { folder.appendingPathComponent("journal-\(index)").path }
    var output: URL { folder.appendingPathComponent("output-\(index)-\(starts)") }
    var problems: URL { folder.appendingPathComponent("problems-\(index)-\(starts)") }
  }

  private func start(_ share: inout Share, from first: Int) throws {
    share.starts += 1
    share.moved = Date()
    share.process = try launch(
      [
        "--count", "\(count)", "--worker", "\(share.index)", "--workers", "\(workers)",
        "--journal", share.journal, "--from", "\(first)",
      ], output: share.output, problems: share.problems)
  }

  private func launch(_ arguments: [String], output: URL, problems: URL) throws -> Process {
    for file in [output, problems] {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments =
      ["requests", "--seed", "\(seed)", "--domain", domain] + arguments
      + (trapAt.map { ["--trap-at", "\($0)"] } ?? [])
    // A backtrace takes longer than all the rest; whoever repeats the request gets it.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: problems)
    try process.run()
    return process
  }

  private func look(after share: inout Share) throws {
    guard let process = share.process else { return }
    let number = Journal.read(share.journal)
    if number != share.number {
      share.number = number
      share.moved = Date()
    }
    var hangs = false
    if process.isRunning {
      guard Date().timeIntervalSince(share.moved) > Self.patience else { return }
      hangs = true
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    share.process = nil
    if try read(&share) { return }

    let end =
      hangs
      ? "took longer than \(Int(Self.patience)) s"
      : process.terminationReason == .uncaughtSignal
        ? "ended the process by signal \(process.terminationStatus)"
        : "ended the process with \(process.terminationStatus)"
    guard let number = Journal.read(share.journal) else {
      share.failures[-1] = "no request was made: it \(end)\n" + Self.text(of: share.problems)
      return
    }
    share.failures[number] =
      end + "\n" + (hangs ? "" : Self.text(of: share.problems)) + (try request(number, share))
    guard share.failures.count < Self.mostFailures else { return }
    // The rest of its branch goes with it: what a trap leaves behind is no state to go on from.
    try start(&share, from: (number / 50 + 1) * 50)
  }

  /// Reads what a share has told. Returns whether it is done.
  private func read(_ share: inout Share) throws -> Bool {
    var coverage: Coverage?
    var isDone = false
    for line in Self.text(of: share.output).split(separator: "\n") {
      guard let told = JSON(parsing: String(line)) else { continue }
      if let number = told["number"]?.int { share.failures[number] = told["what"]?.string }
      if let json = told["coverage"] { coverage = Coverage(json) }
      if told["done"] != nil { isDone = true }
    }
    if let coverage { share.coverage.append(coverage) }
    return isDone
  }

  /// The request of a number, as the process that repeats it shows it before it makes it.
  private func request(_ number: Int, _ share: Share) throws -> String {
    let output = share.folder.appendingPathComponent("repeated-\(number)")
    let problems = share.folder.appendingPathComponent("repeated-problems-\(number)")
    let process = try launch(["--only", "\(number)"], output: output, problems: problems)
    let end = Date(timeIntervalSinceNow: Self.patience)
    while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.05) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let shown = Self.text(of: output).split(separator: "\n").last { $0.hasPrefix("\(number): ") }
    return shown.map { String($0.prefix(4_000)) } ?? "it cannot be repeated"
  }

  private static func text(of file: URL) -> String {
    String(decoding: FileManager.default.contents(atPath: file.path) ?? Data(), as: UTF8.self)
  }

  // MARK: - What is said

  private func progress(of shares: [Share], since began: Date) -> String {
    let size = 10_000
    let made = shares.reduce(0) { made, share in
      guard let number = share.number else { return made }
      return made + (number / size / workers) * size + number % size
    }
    let failures = shares.reduce(0) { $0 + $1.failures.count }
    let rate = Int(Double(made) / max(0.001, Date().timeIntervalSince(began)))
    return "\(domain): \(made) of \(count) requests, \(rate) a second, \(failures) failures"
  }

  private func summarise(_ shares: [Share], seconds: Double) -> Int {
    var coverage = Coverage(operations: [], commands: [])
    var failures: [Int: String] = [:]
    for share in shares {
      for part in share.coverage { coverage.add(part) }
      failures.merge(share.failures) { a, _ in a }
    }
    for (number, what) in failures.sorted(by: { $0.key < $1.key }) {
      print(
        """
        FAILURE of \(domain) at request \(number) of seed \(seed): \(what)
        repeat it with: rehearse-fuzz requests --seed \(seed) --domain \(domain) --only \(number)

        """)
    }
    print(coverage.summary(of: domain, failures: failures.count, seconds: seconds))
    return failures.count
  }
}
