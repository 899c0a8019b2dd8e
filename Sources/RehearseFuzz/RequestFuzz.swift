import Backends
import Contracts
import DomainList
import Replays
import Timekeeping

/// How requests are numbered: pass by pass, branch by branch.
enum Numbering {
  /// Requests of one branch.
  static let perBranch = 100
  /// Branches of one pass.
  static let branches = 500
  /// Requests of one pass.
  static let perPass = branches * perBranch
}

/// Asks one domain's twin what nobody in their senses would, at many moments of a story.
///
/// A pass lives the story of one cell. At fixed places of it the twin is copied, and the copy is asked a branch of bent
/// requests, one after the other; then it is dropped, and the story goes on unharmed. So every branch begins in a deep
/// and sound state, and its requests depend on seed and number alone: the n-th request is repeated by living the story
/// up to its branch.
struct RequestFuzz<Domain: Backend> {
  typealias Contract = Domain.Contract

  /// Something that must not be.
  struct Finding: Error {
    let number: Int
    let what: String
  }

  private let backend: Domain
  private let seed: UInt64
  private let stories: [Story<Contract>]
  private let commands: [ControlDeclaration]
  private let seeds: [(name: String, parameters: JSON)]
  /// Called before each request with its number and a function that shows it.
  private let announce: (Int, () -> String) -> Void
  private(set) var coverage: Coverage

  init(
    _ backend: Domain, seed: UInt64, announce: @escaping (Int, () -> String) -> Void
  ) {
    self.backend = backend
    self.seed = seed
    self.announce = announce
    stories = Story.record(of: backend).filter { !$0.asked.isEmpty }
    commands = SteppedTwin<Domain>.controls
    seeds = Seeds.commands(of: Contract.domain)
    coverage = Coverage(
      // Requests that no route takes are asked for, too, and never granted.
      operations: Contract.operations.filter { Contract.route(of: $0) != nil }.map(\.name),
      commands: commands.map(\.name))
  }

  /// Lives one pass and asks the branches of it that are wanted.
  ///
  /// - Parameter numbers: Of the requests wanted; a branch is begun at its first, and left after its last.
  mutating func pass(_ pass: Int, numbers: Range<Int>, found: (Finding) -> Void) {
    let story = stories[pass % stories.count]
    var stepped = SteppedTwin(backend, setup: story.setup, starts: story.starts)
    stepped.schedule(story.calendar)
    var pool = Pool()
    for (_, parameters) in seeds { pool.gather(parameters) }

    // Passes begin their branches at other places.
    let offset = Int(avalanche(seed ^ UInt64(pass)) % UInt64(Numbering.branches))
    var branch = 0
    for (index, asked) in story.asked.enumerated() {
      while branch < Numbering.branches,
        (branch * story.asked.count + offset * story.asked.count / Numbering.branches)
          / Numbering.branches
          <= index
      {
        let first = (pass * Numbering.branches + branch) * Numbering.perBranch
        if numbers.overlaps(first..<first + Numbering.perBranch) {
          run(
            first..<min(first + Numbering.perBranch, numbers.upperBound), at: index, of: story,
            stepped, pool, found)
        }
        branch += 1
      }
      guard (pass * Numbering.branches + branch) * Numbering.perBranch < numbers.upperBound else {
        return
      }
      live(asked, in: &stepped, &pool)
    }
  }

  /// Takes one step of the story.
  private mutating func live(
    _ asked: Story<Contract>.Asked, in stepped: inout SteppedTwin<Domain>, _ pool: inout Pool
  ) {
    do throws(ControlProblem) {
      _ = try stepped.advance(to: max(stepped.now, asked.at))
    } catch {
      preconditionFailure("the story runs back in time: \(error)")
    }
    let wire = Contract.write(
      asked.request, credential: asked.credential, tokens: Domains.tokens)
    if let body = JSON(parsing: wire.body) { pool.gather(body) }
    if case .answered(let answer) = stepped.react(to: wire) { gather(answer, &pool) }
    _ = stepped.takeLateAnswers()
  }

  private func gather(_ answer: SteppedTwin<Domain>.Answer, _ pool: inout Pool) {
    if let body = answer.response.body { pool.gather(body) }
    for signal in answer.signals { pool.gather(signal) }
  }

  // MARK: - Branches

  private mutating func run(
    _ numbers: Range<Int>, at place: Int, of story: Story<Contract>,
    _ stepped: SteppedTwin<Domain>, _ pool: Pool, _ found: (Finding) -> Void
  ) {
    var branch = Branch(
      story: story, place: place, stepped: stepped, pool: pool, commands: commands, seeds: seeds,
      stream: RandomStream(
        seed: seed, owner: stableHash(Contract.domain) ^ UInt64(numbers.lowerBound), purpose: 0))
    for number in numbers {
      let act = branch.next()
      announce(number) { act.text }
      if let problem = branch.perform(act, &coverage) {
        found(Finding(number: number, what: "\(problem)\n\(act.text)"))
      }
    }
  }
}
