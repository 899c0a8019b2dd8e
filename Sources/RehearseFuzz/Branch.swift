import Backends
import Contracts
import DomainList
import Replays
import Timekeeping

/// One thing that is asked of a session.
enum Act: Sendable {
  case request(WireRequest)
  case command(String, JSON)

  /// As a line of `replay`, or as near to it as a line can be.
  var text: String {
    switch self {
    case .command(let name, let parameters):
      return JSON.object(["control": .object(JSONObject([(name, parameters)]))]).description
    case .request(let wire):
      var line: JSONObject = ["method": .string(wire.method), "path": .string(wire.target)]
      if !wire.headers.isEmpty {
        line["headers"] = .object(
          JSONObject(wire.headers.map { ($0.name, .string($0.value)) }))
      }
      if !wire.body.isEmpty {
        // Bytes that are no text are named, because no line can hold them.
        let text = String(validating: wire.body, as: UTF8.self)
        line["body"] = .string(
          text ?? wire.body.map { String($0, radix: 16) }.joined(separator: " "))
      }
      return JSON.object(line).description
    }
  }
}

/// A copy of the story's twin, and the requests that it is bent with.
struct Branch<Domain: Backend> {
  typealias Contract = Domain.Contract

  let story: Story<Contract>
  let place: Int
  var stepped: SteppedTwin<Domain>
  var pool: Pool
  let commands: [ControlDeclaration]
  let seeds: [(name: String, parameters: JSON)]
  var stream: RandomStream

  private var good: [WireRequest] = []
  /// Whether a command has asked for faults: errors of the server are wanted from then on.
  private var hasFaults = false

  init(
    story: Story<Contract>, place: Int, stepped: SteppedTwin<Domain>, pool: Pool,
    commands: [ControlDeclaration], seeds: [(name: String, parameters: JSON)], stream: RandomStream
  ) {
    self.story = story
    self.place = place
    self.stepped = stepped
    self.pool = pool
    self.commands = commands
    self.seeds = seeds
    self.stream = stream
  }

  // MARK: - What is asked

  mutating func next() -> Act {
    // Commands cost ten times what requests do, and so come seldom.
    switch stream.pick(0..<100) {
    case 0..<2: return clock()
    case 2..<8: return command()
    case 8..<11: return seed()
    case 11..<18: return .request(fromRoute())
    case 18..<21: return .request(fromAddress())
    case 21..<40 where !good.isEmpty: return .request(bent(stream.pick(good)))
    case 40..<60: return .request(fromStory())
    default: return .request(bent(fromStory()))
    }
  }

  private mutating func bent(_ wire: WireRequest) -> WireRequest {
    var mutation = Mutation(stream: stream, tokens: Domains.tokens, pool: pool)
    defer { stream = mutation.stream }
    return mutation.bend(wire)
  }

  /// What is asked hereabouts, or anywhere in the story of an operation drawn first, so that rare ones come as often.
  private mutating func fromStory() -> WireRequest {
    let asked: Story<Contract>.Asked
    if stream.chance(0.6) {
      let near = max(0, place - 30)..<min(story.asked.count, place + 60)
      asked = story.asked[stream.pick(near)]
    } else {
      asked = story.asked[stream.pick(stream.pick(story.byOperation))]
    }
    return Contract.write(asked.request, credential: asked.credential, tokens: Domains.tokens)
  }

  /// An operation by its route, with what the pool has under the names in it.
  private mutating func fromRoute() -> WireRequest {
    let routes = Contract.operations.compactMap { Contract.route(of: $0) }
    guard !routes.isEmpty else { return fromStory() }
    let route = stream.pick(routes)
    let path = route.path.split(separator: "/").map { segment in
      guard segment.hasPrefix("{") else { return String(segment) }
      let name = String(segment.dropFirst().dropLast())
      return pool.value(named: name, &stream)?.string ?? pool.text(&stream)
    }
    var query = WireForm()
    for name in route.query where stream.chance(0.8) {
      query.append(name, pool.value(named: name, &stream)?.string ?? EdgeValues.text(&stream))
    }
    // Headers and body of somebody who is known.
    var wire = fromStory()
    wire.method = route.method
    wire.target = WireTarget(path, query).text
    wire.service = route.service
    return stream.chance(0.5) ? wire : bent(wire)
  }

  private mutating func fromAddress() -> WireRequest {
    guard let address = pool.address(&stream) else { return fromStory() }
    var wire = fromStory()
    wire.target = WireTarget.withoutOrigin(address)
    if stream.chance(0.7) { wire.method = "GET" }
    return stream.chance(0.5) ? wire : bent(wire)
  }

  private mutating func clock() -> Act {
    let by = stream.chance(0.7) ? stream.pick(["1s", "5min", "1h", "1d", "8d"]) : nil
    let text = by ?? stream.pick(EdgeValues.spans)
    if stream.chance(0.2) {
      return .command("advance", ["to": .string(stream.pick(EdgeValues.instants))])
    }
    return .command("advance", ["by": .string(text)])
  }

  private mutating func command() -> Act {
    let command = stream.pick(commands.filter { $0.name != "advance" })
    var making = CommandMaking(stream: stream, pool: pool)
    defer { stream = making.stream }
    return .command(command.name, making.parameters(of: command))
  }

  private mutating func seed() -> Act {
    guard !seeds.isEmpty else { return command() }
    let (name, parameters) = stream.pick(seeds)
    guard stream.chance(0.8) else { return .command(name, parameters) }
    var mutation = Mutation(stream: stream, tokens: Domains.tokens, pool: pool)
    defer { stream = mutation.stream }
    return .command(name, JSON(parsing: mutation.bend(parameters)) ?? parameters)
  }

  // MARK: - What comes of it

  /// - Returns: What is wrong with the answer.
  mutating func perform(_ act: Act, _ coverage: inout Coverage) -> String? {
    switch act {
    case .command(let name, let parameters): return perform(name, parameters, &coverage)
    case .request(let wire): return perform(wire, &coverage)
    }
  }

  private mutating func perform(
    _ name: String, _ parameters: JSON, _ coverage: inout Coverage
  ) -> String? {
    do throws(ControlProblem) {
      let answer = try stepped.control(name, parameters)
      coverage.commands[name, default: .init()].add(answer.response.status < 400)
      if name.contains("Fault") { hasFaults = true }
      if name == "reset" { hasFaults = false }
      return judge(answer)
    } catch {
      coverage.commands[name, default: .init()].add(false)
      return nil
    }
  }

  private mutating func perform(_ wire: WireRequest, _ coverage: inout Coverage) -> String? {
    let (request, _) = Contract.read(wire)
    let operation = Contract.operations[Contract.operation(of: request)].name
    // What a run writes of its requests is as good a place for a trap as any.
    _ = Contract.show(request).description
    switch stepped.react(to: wire) {
    case .waiting:
      coverage.operations[operation, default: .init()].add(true)
      return lateProblem()
    case .answered(let answer):
      let isGood = answer.response.status < 400
      coverage.operations[operation, default: .init()].add(isGood)
      if isGood {
        good.append(wire)
        // A journey would read it.
        _ = Contract.read(answer.response, to: request)
      }
      return judge(answer, to: request) ?? lateProblem()
    }
  }

  private mutating func judge(
    _ answer: SteppedTwin<Domain>.Answer, to request: Contract.Request? = nil
  ) -> String? {
    let body = answer.response.body
    _ = body?.description
    if let body { pool.gather(body) }
    for signal in answer.signals {
      _ = signal.description
      pool.gather(signal)
    }
    let status = answer.response.status
    guard status >= 500, !hasFaults else { return nil }
    // "Try again later" is a refusal that a contract may state, for a zone that the story's scenario keeps busy.
    if status == 503, let request, case .failure = Contract.read(answer.response, to: request) {
      return nil
    }
    return "answered \(status) \(body?.description ?? "")"
  }

  /// 504 is what a poll is answered when nothing came.
  private mutating func lateProblem() -> String? {
    let wrong = stepped.takeLateAnswers().first {
      $0.response.status >= 500 && ![503, 504].contains($0.response.status)
    }
    guard let wrong, !hasFaults else { return nil }
    return "answered late \(wrong.response.status) \(wrong.response.body?.description ?? "")"
  }
}
