import Backends
import Contracts
import Replays
import Rooms
import Timekeeping

/// Asks one domain's twin what nobody in their senses would, at many moments of a story.
///
/// A pass lives the story of one cell. At fixed places of it the twin is copied, and the copy is asked a branch of bent
/// requests, one after the other; then it is dropped, and the story goes on unharmed. So every branch begins in a deep
/// and sound state, and its requests depend on seed and number alone: the n-th request is repeated by living the story
/// up to its branch.
struct RequestFuzz<Room: Backend> {
  typealias Agreement = Room.Agreement

  /// Requests of one branch.
  static var perBranch: Int { 50 }
  /// Branches of one pass.
  static var perPass: Int { 200 }

  static var perPassRequests: Int { perPass * perBranch }

  /// Something that must not be.
  struct Finding: Error {
    let number: Int
    let what: String
  }

  private let room: Room
  private let seed: UInt64
  private let stories: [Story<Agreement>]
  private let commands: [ControlDeclaration]
  private let seeds: [(name: String, parameters: JSON)]
  /// Called before each request with its number and a function that shows it.
  private let announce: (Int, () -> String) -> Void
  private(set) var coverage: Coverage

  init(
    _ room: Room, seed: UInt64, announce: @escaping (Int, () -> String) -> Void
  ) {
    self.room = room
    self.seed = seed
    self.announce = announce
    stories = Story.record(of: room).filter { !$0.asked.isEmpty }
    commands = TwinSession<Room>.controls
    seeds = Seeds.commands(of: Agreement.domain)
    coverage = Coverage(
      operations: Agreement.operations.filter { $0.kind == .product }.map(\.name),
      commands: commands.map(\.name))
  }

  /// Lives one pass and asks the branches of it that are wanted.
  ///
  /// - Parameter numbers: Of the requests wanted; a branch is begun at its first, and left after its last.
  mutating func pass(_ pass: Int, numbers: Range<Int>, found: (Finding) -> Void) {
    let story = stories[pass % stories.count]
    var session = TwinSession(room, setup: story.setup, starts: story.starts)
    session.schedule(story.calendar)
    var pool = Pool()
    for (_, parameters) in seeds { pool.gather(parameters) }

    let offset = Int(avalanche(seed ^ UInt64(pass)) % UInt64(Self.perPass))
    var branch = 0
    for (index, asked) in story.asked.enumerated() {
      while branch < Self.perPass,
        (branch * story.asked.count + offset * story.asked.count / Self.perPass) / Self.perPass
          <= index
      {
        let first = (pass * Self.perPass + branch) * Self.perBranch
        if numbers.overlaps(first..<first + Self.perBranch) {
          run(
            first..<min(first + Self.perBranch, numbers.upperBound), at: index, of: story,
            session, pool, found)
        }
        branch += 1
      }
      guard (pass * Self.perPass + branch) * Self.perBranch < numbers.upperBound else { return }
      live(asked, in: &session, &pool)
    }
  }

  /// Takes one step of the story.
  private mutating func live(
    _ asked: Story<Agreement>.Asked, in session: inout TwinSession<Room>, _ pool: inout Pool
  ) {
    do throws(ControlProblem) {
      _ = try session.advance(to: max(session.now, asked.at))
    } catch {
      preconditionFailure("the story runs back in time: \(error)")
    }
    let wire = Agreement.write(
      asked.request, credential: asked.credential, tokens: Rooms.tokens)
    if let body = JSON(parsing: wire.body) { pool.gather(body) }
    if case .answered(let answer) = session.react(to: wire) { gather(answer, &pool) }
    _ = session.takeLateAnswers()
  }

  private func gather(_ answer: TwinSession<Room>.Answer, _ pool: inout Pool) {
    if let body = answer.response.body { pool.gather(body) }
    for signal in answer.signals { pool.gather(signal) }
  }

  // MARK: - Branches

  private mutating func run(
    _ numbers: Range<Int>, at place: Int, of story: Story<Agreement>,
    _ session: TwinSession<Room>, _ pool: Pool, _ found: (Finding) -> Void
  ) {
    var branch = Branch(
      story: story, place: place, session: session, pool: pool, commands: commands, seeds: seeds,
      stream: RandomStream(
        seed: seed, owner: stableHash(Agreement.domain) ^ UInt64(numbers.lowerBound), purpose: 0))
    for number in numbers {
      let act = branch.next()
      announce(number) { act.text }
      if let problem = branch.perform(act, &coverage) {
        found(Finding(number: number, what: "\(problem)\n\(act.text)"))
      }
    }
  }
}
