import Backends
import Contracts
import Timekeeping

/// One twin behind its wire mapping with a clock that only its user moves: what `replay` drives line by line.
public struct TwinSession<Room: Backend> {
  public typealias Agreement = Room.Agreement

  private let room: Room
  private let setup: TwinSetup
  private var twin: Room.Copy
  /// What the twin's clock shows.
  public private(set) var now: Instant

  public init(_ room: Room, setup: TwinSetup, starts: Instant) {
    self.room = room
    self.setup = setup
    twin = room.twin(setup)
    now = starts
  }

  /// What came of one line: the answer, and the signals that left the backend until it was given.
  public struct Answer {
    public var response: WireResponse
    public var signals: [JSON]
  }

  /// Commands that every session understands beside those of its domain.
  public static var commonControls: [ControlDeclaration] {
    [
      ControlDeclaration(
        "advance", "Moves the clock; everything that is due meanwhile happens.",
        [
          .init("by", "span", optional: true, "how far, e.g. 1h"),
          .init("to", "instant", optional: true, "until when, e.g. 2026-03-21T09:00:00Z"),
        ]),
      ControlDeclaration("reset", "Empties the twin; the clock stays."),
      ControlDeclaration(
        "setRule", "Switches a rule of the twin off or on.",
        [
          .init("id", "limit", "the rule, e.g. KK-58"),
          .init("binds", "bool", "whether its guard is obeyed"),
        ]),
      ControlDeclaration("inspect", "Shows the state that the censuses judge."),
    ]
  }

  /// Moves the clock; an earlier instant is refused.
  public mutating func advance(to instant: Instant) throws(ControlProblem) -> [JSON] {
    guard instant >= now else {
      throw ControlProblem("\(instant) lies before \(now): time does not run back")
    }
    var signals: [JSON] = []
    while let due = twin.nextDue, due <= instant {
      now = max(now, due)
      signals += show(twin.advance(to: now).signals)
    }
    now = instant
    return signals
  }

  /// Answers a request as the served backend would.
  public mutating func answer(_ wire: WireRequest) -> Answer {
    let (request, credential) = Agreement.read(wire)
    return perform(request, from: .client(credential))
  }

  /// Carries out a control command by its name.
  public mutating func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Answer
  {
    switch name {
    case "advance":
      let signals = try advance(to: target(of: parameters))
      return Answer(
        response: WireResponse(200, body: ["now": .string(now.description)]), signals: signals)
    case "reset":
      twin = room.twin(setup)
      return Answer(response: WireResponse(200, body: [:]), signals: [])
    case "setRule":
      guard let id = parameters["id"]?.string, let binds = parameters["binds"]?.bool else {
        throw ControlProblem("setRule needs {\"id\": \"KK-58\", \"binds\": false}")
      }
      guard Agreement.limits.contains(where: { $0.id == LimitID(id) }) else {
        throw ControlProblem("there is no limit '\(id)'; 'rehearse limits' lists them")
      }
      return perform(room.setRule(LimitID(id), binds: binds), from: .administration)
    case "inspect":
      guard let inspection = room.inspection else {
        throw ControlProblem("\(Agreement.domain) has nothing to inspect")
      }
      return perform(inspection, from: .harness)
    default: return perform(try Agreement.control(name, parameters), from: .administration)
    }
  }

  private func show(_ signals: [Addressed<Agreement>]) -> [JSON] {
    signals.map { Agreement.show($0.signal, to: $0.address, tokens: setup.tokens) }
  }

  private func target(of parameters: JSON) throws(ControlProblem) -> Instant {
    if let text = parameters["by"]?.string, let span = Span(text), span >= .zero {
      return now + span
    }
    if let text = parameters["to"]?.string, let instant = Instant(text) { return instant }
    throw ControlProblem(
      "advance needs {\"by\": \"1h\"} or {\"to\": \"2026-03-21T09:00:00Z\"}")
  }

  private mutating func perform(
    _ request: Agreement.Request, from caller: Caller<Agreement>
  ) -> Answer {
    let handled = twin.handle(request, from: caller, at: now)
    var signals = show(handled.effects.signals)
    switch handled.answer {
    case .now(let result):
      return Answer(
        response: Agreement.write(result, to: request, tokens: setup.tokens), signals: signals)
    case .later(let ticket):
      let timeout = Agreement.operations[Agreement.operation(of: request)].timeout
      let result = wait(for: ticket, until: now + timeout, &signals)
      return Answer(
        response: result.map { Agreement.write($0, to: request, tokens: setup.tokens) }
          ?? WireResponse(504, body: ["error": "timed_out"]),
        signals: signals)
    }
  }

  /// Lets time pass until a ticket is answered; `nil` when the client's patience ends first.
  private mutating func wait(
    for ticket: Ticket, until deadline: Instant, _ signals: inout [JSON]
  ) -> Result<Agreement.Reply, Agreement.Refusal>? {
    while let due = twin.nextDue, due <= deadline {
      now = max(now, due)
      let effects = twin.advance(to: now)
      signals += show(effects.signals)
      if let completion = effects.completions.first(where: { $0.ticket == ticket }) {
        return completion.result
      }
    }
    now = deadline
    return nil
  }
}
