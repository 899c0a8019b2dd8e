import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import MachineShare
import Verdicts

struct RequestsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "requests",
    abstract: "Ask every operation and command of the twins what nobody in their senses would.",
    discussion: """
      The people of each domain's proving scenario live once, and what they asked is written down. Then that story is \
      lived again and again; at many moments of it a copy of the twin is asked for the same things with other values: \
      numbers, instants and lengths at and beyond all edges, wrong kinds, members that are missing or there twice, \
      forged tokens, the operator's commands, a clock that leaps. A request that ends the process, or that is answered \
      5xx without an injected fault, is a failure (exit code 99).

      Requests are made from the seed alone. A failure is repeated, with the requests before it in its branch, by
        rehearse-fuzz requests --seed 5 --domain kantine-koning --only 4711
      """)

  @Option(help: "The seed; another one each time when left out, and printed.")
  var seed: UInt64?

  @Option(help: "How many requests are made of each domain.")
  var count = 100_000

  @Option(help: "Only this domain.")
  var domain: String?

  @Option(
    help: "Make this request alone, after those of its branch that come before it; show them.")
  var only: Int?

  @Option(help: "Processes that share the work; the requests are the same on any number.")
  var workers = MachineShare.current.processors

  @Flag(help: "Print nothing but failures and the summary.")
  var quiet = false

  // What follows is how the processes speak to one another, and how tests see that a failure is found.
  @Option(help: .hidden) var worker: Int?
  @Option(help: .hidden) var journal: String?
  @Option(help: .hidden) var from = 0
  @Option(help: .hidden) var trapAt: Int?

  func validate() throws {
    if let domain, Domains.named(domain) == nil {
      throw ValidationError("no domain '\(domain)'; there are: \(Domains.names)")
    }
    guard count > 0, workers > 0, (only ?? 0) >= 0 else {
      throw ValidationError("--count and --workers are at least 1, --only is not negative")
    }
    if only != nil, domain == nil || seed == nil {
      throw ValidationError("--only needs the --seed and the --domain of its failure")
    }
  }

  func run() throws {
    if let domain, let seed, let backend = Domains.named(domain) {
      if let only { return try repeatRequest(only, of: backend, seed: seed) }
      if let worker { return work(worker, on: backend, seed: seed) }
    }
    let seed = seed ?? .random(in: 0...999_999)
    print("seed \(seed)")
    var failures = 0
    for name in Domains.declarations.map(\.domain) where domain == nil || name == domain {
      failures += try Supervision(
        domain: name, seed: seed, count: count, workers: workers, quiet: quiet, trapAt: trapAt
      ).run()
    }
    guard failures == 0 else { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  // MARK: - In the process that asks

  private func repeatRequest<Domain: Backend>(_ number: Int, of backend: Domain, seed: UInt64)
    throws
  {
    let trapAt = trapAt
    let first = number - number % Numbering.perBranch
    var fuzz = RequestFuzz(backend, seed: seed) { asked, text in
      print("\(asked): \(text())")
      fflush(nil)
      if asked == trapAt { fatalError("planted by --trap-at") }
    }
    var failed = false
    fuzz.pass(first / Numbering.perPass, numbers: first..<number + 1) { finding in
      failed = true
      print("FAILURE \(finding.number): \(finding.what)")
    }
    if failed { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func work<Domain: Backend>(_ worker: Int, on backend: Domain, seed: UInt64) {
    let journal = Journal(writing: journal ?? "/dev/null")
    let parent = getppid()
    let trapAt = trapAt
    var fuzz = RequestFuzz(backend, seed: seed) { number, _ in
      journal.note(number)
      // Nobody listens any more.
      if number % 64 == 0, getppid() != parent { Foundation.exit(0) }
      if number == trapAt { fatalError("planted by --trap-at") }
    }
    let size = Numbering.perPass
    var pass = worker
    while pass * size < count {
      let wanted = max(from, pass * size)..<max(from, min(count, (pass + 1) * size))
      if !wanted.isEmpty {
        fuzz.pass(pass, numbers: wanted) { finding in
          Self.tell(["number": .number(finding.number), "what": .string(finding.what)])
        }
        Self.tell(["coverage": fuzz.coverage.json])
      }
      pass += workers
    }
    Self.tell(["done": true])
  }

  private static func tell(_ line: JSON) {
    FileHandle.standardOutput.write(Data((line.description + "\n").utf8))
  }
}

/// The number of the request that a process has begun last, where its end does not lose it.
struct Journal {
  private let file: Int32

  init(writing path: String) { file = open(path, O_WRONLY | O_CREAT, 0o600) }

  func note(_ number: Int) {
    var number = Int64(number)
    _ = pwrite(file, &number, 8, 0)
  }

  /// `nil` before the first request.
  static func read(_ path: String) -> Int? {
    guard let data = FileManager.default.contents(atPath: path), data.count == 8 else { return nil }
    return data.withUnsafeBytes { Int($0.loadUnaligned(as: Int64.self)) }
  }
}
