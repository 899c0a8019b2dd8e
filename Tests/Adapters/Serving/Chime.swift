import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// A backend of long polls: who waits is answered when somebody rings, when a timer does, or never.
enum Chime: WireContract {
  enum Request: Hashable, Sendable {
    case wait
    case waitBriefly
    case ring
    /// Rings by itself after so many milliseconds.
    case ringLater(Int64)
    /// Needs a key that the world outside has.
    case unlock
    case key
    case peek
  }
  enum Reply: Hashable, Sendable {
    case rang(Instant)
    case done
  }
  struct Refusal: RefusalCode { let code: String }
  enum Signal: Hashable, Sendable { case keyWanted }
  typealias Note = String
  typealias Credential = String
  typealias Address = String

  static let domain = "chime"
  static let services = ["tower", "keeper"]
  static let operations = [
    Operation("wait", "Wait", source: "C1"),
    Operation("waitBriefly", "Wait briefly", source: "C2", timeout: .milliseconds(100)),
    Operation("ring", "Ring", source: "C3"), Operation("ringLater", "Ring later", source: "C4"),
    Operation("unlock", "Unlock", source: "C5"), Operation("key", "Key", source: "C6"),
    Operation("peek", "Peek", kind: .inspection, source: "C7"),
  ]

  static func operation(of request: Request) -> Int {
    switch request {
    case .wait: 0
    case .waitBriefly: 1
    case .ring: 2
    case .ringLater: 3
    case .unlock: 4
    case .key: 5
    case .peek: 6
    }
  }

  static func fingerprint(of reply: Reply, into digest: inout Digest) {}
  static let controls: [ControlDeclaration] = []

  static func read(_ wire: WireRequest) -> (request: Request, credential: String?) {
    let words = wire.target.split(separator: "/")
    switch words.first {
    case "wait": return (.wait, nil)
    case "brief": return (.waitBriefly, nil)
    case "later": return (.ringLater(Int64(words[1]) ?? 0), nil)
    case "unlock": return (.unlock, nil)
    default: return (.ring, "\(wire.service)")
    }
  }

  static func write(
    _ request: Request, credential: String?, tokens: any TokenCodec
  ) -> WireRequest { WireRequest("GET", "/\(operations[operation(of: request)].name)") }

  static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    switch result {
    case .success(.rang(let at)): WireResponse(200, body: ["rang": .string(at.description)])
    case .success(.done): WireResponse(204)
    case .failure(let refusal): WireResponse(422, body: ["error": .string(refusal.code)])
    }
  }

  static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>? { nil }
  static func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Request {
    throw ControlProblem("a chime has no command '\(name)'")
  }
  static func show(_ signal: Signal) -> JSON { "keyWanted" }
  static func show(_ signal: Signal, to address: String, tokens: any TokenCodec) -> JSON {
    "keyWanted"
  }
  static func show(_ note: Note) -> JSON { .string(note) }
  static func show(_ request: Request) -> JSON { .string("\(request)") }
  static func show(_ reply: Reply) -> JSON { .string("\(reply)") }
}

struct ChimeTwin: Twin {
  typealias Contract = Chime
  private var waiting: [Ticket] = []
  private var locked: [Ticket] = []
  private var tickets: UInt64 = 0
  private(set) var nextDue: Instant?

  mutating func handle(
    _ request: Chime.Request, from caller: Caller<Chime>, at now: Instant
  ) -> Handled<Chime> {
    switch request {
    case .wait, .waitBriefly:
      waiting.append(ticket())
      return Handled(.later(waiting.last!))
    case .ring: return .replied(.done, effects: rung(at: now))
    case .ringLater(let milliseconds):
      nextDue = now + .milliseconds(milliseconds)
      return .replied(.done)
    case .unlock:
      locked.append(ticket())
      return Handled(
        .later(locked.last!), effects: Effects(signals: [Addressed(to: "keeper", .keyWanted)]))
    case .key:
      defer { locked = [] }
      return .replied(
        .done, effects: Effects(completions: locked.map { Completion($0, .success(.rang(now))) }))
    case .peek: return .replied(.done)
    }
  }

  mutating func advance(to now: Instant) -> Effects<Chime> {
    guard let due = nextDue, due <= now else { return Effects() }
    nextDue = nil
    return rung(at: due)
  }

  private mutating func ticket() -> Ticket {
    tickets += 1
    return Ticket(tickets)
  }

  private mutating func rung(at instant: Instant) -> Effects<Chime> {
    defer { waiting = [] }
    return Effects(completions: waiting.map { Completion($0, .success(.rang(instant))) })
  }
}

struct ChimeBackend: Backend {
  typealias Contract = Chime
  let checks: [Check<Chime>] = []
  let business: [BusinessLatency<Chime>] = []
  let provingScenario = ""
  func inspection(after last: Chime.Reply?) -> Chime.Request? { .peek }

  var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: "chime", title: "Chime", population: [], parameters: [], quirks: [], profiles: [],
      operations: Chime.operations, business: [], limits: [], controls: [])
  }
  func twin(_ setup: TwinSetup) -> ChimeTwin { ChimeTwin() }
  func populate(_ region: RegionPlan) -> PopulationPlan<Chime> {
    PopulationPlan(cells: 1, persons: [], controls: [])
  }
  func persons(in population: Settings) -> Int { 0 }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Chime>] { [] }
  func transit(of signal: Chime.Signal, in plan: RegionPlan) -> Distribution {
    .constant(.seconds(1))
  }
  func environment(on signal: Chime.Signal, at address: String) -> [Chime.Request] { [.key] }
}
