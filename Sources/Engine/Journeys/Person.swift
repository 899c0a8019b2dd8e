import Contracts
import Timekeeping

/// One simulated human or device, as its journeys see it: a clock of its own, random streams, and what it may do.
///
/// A person knows no timeline and no target. It belongs to one region, and one thread at a time drives that region.
public final class Person<Contract: ServiceContract>: @unchecked Sendable {
  public let id: PersonID
  /// The stable path name: `canteen/2/phone-0417`.
  public let name: String
  /// The cell in which this person's life stays.
  public let cell: Int
  /// The person's own time: the region's, or ahead of it while thinking.
  public var now: Instant
  /// Whether requests leave the device at all.
  public var isOnline = true

  private let actions: PersonActions<Contract>
  private let seed: UInt64
  private let owner: UInt64
  private var drawn: [UInt32] = []

  public init(
    id: PersonID, name: String, cell: Int, seed: UInt64, actions: PersonActions<Contract>
  ) {
    self.id = id
    self.name = name
    self.cell = cell
    self.seed = seed
    owner = stableHash(name)
    now = .distantPast
    self.actions = actions
  }

  // MARK: What a journey may do

  /// Lets time pass for this person.
  public func think(_ span: Span) async throws(JourneyEnded) {
    try await think(until: thought(for: span))
  }

  /// Lets a drawn time pass for this person.
  public func think(_ distribution: Distribution) async throws(JourneyEnded) {
    try await think(until: thought(for: draw(.thinking) { $0.sample(distribution) }))
  }

  public func think(until instant: Instant) async throws(JourneyEnded) {
    if actions.mayRunAhead(self, instant) {
      now = max(now, instant)
      return
    }
    let wake = await withUnsafeContinuation { actions.sleep(self, instant, $0) }
    guard wake == .due else { throw JourneyEnded() }
  }

  /// When somebody has thought who means to do so for a time.
  private func thought(for span: Span) -> Instant {
    let span = max(.zero, span)
    return now + (actions.haste == 1 ? span : span / actions.haste)
  }

  /// Makes one request and waits for its outcome, at most the operation's time-out.
  public func ask(
    _ request: Contract.Request, with credential: Contract.Credential? = nil, attempt: Int = 1
  ) async throws(JourneyEnded) -> Outcome<Contract> {
    guard let askOne = actions.askOne else {
      return try await ask(all: [Ask(request, with: credential, attempt: attempt)])[0]
    }
    switch askOne(self, request, credential, attempt) {
    case .known(let outcome): return outcome
    case .waits(let wait):
      guard let outcome = await withUnsafeContinuation({ wait($0) }) else { throw JourneyEnded() }
      return outcome
    }
  }

  /// Makes several requests at once and waits for all outcomes, which come in the order of the requests.
  public func ask(all asks: [Ask<Contract>]) async throws(JourneyEnded) -> [Outcome<Contract>] {
    guard !asks.isEmpty else { return [] }
    let outcomes = await withUnsafeContinuation { actions.ask(self, asks, $0) }
    guard let outcomes else { throw JourneyEnded() }
    return outcomes
  }

  /// Waits for the earliest signal that fits and has not been taken; `nil` when the deadline comes first.
  public func wait(
    until deadline: Instant,
    for wanted: @escaping @Sendable (Contract.Signal) -> Bool = { _ in true }
  ) async throws(JourneyEnded) -> Received<Contract>? {
    let result: Waited<Contract>
    if let known = actions.look?(self, deadline, wanted) {
      result = known
    } else {
      result = await withUnsafeContinuation { actions.wait(self, deadline, wanted, $0) }
    }
    switch result {
    case .received(let signal): return signal
    case .deadline: return nil
    case .ended: throw JourneyEnded()
    }
  }

  /// Writes down something that only the device knows, for rules that bind the device.
  public func note(_ note: Contract.Note) {
    actions.note(self, note)
  }

  /// From now on the signals that this person's cell sends to an address reach this person.
  public func listen(at address: Contract.Address) {
    actions.listen(self, address)
  }

  // MARK: Randomness

  /// Draws from this person's stream for a purpose; no other stream moves.
  public func draw<Value>(
    _ purpose: Purpose, _ body: (inout RandomStream) -> Value
  ) -> Value {
    while drawn.count <= Int(purpose.index) { drawn.append(0) }
    var stream = RandomStream(
      seed: seed, owner: owner, purpose: purpose.index, drawn: drawn[Int(purpose.index)])
    defer { drawn[Int(purpose.index)] = stream.drawn }
    return body(&stream)
  }
}

extension Person {
  /// Whether a fault of the scenario meets this person's n-th event. Every fault has a stream of its own, so that
  /// adding or removing one leaves the others where they strike.
  public func meets(fault number: UInt32, share: Double, at count: UInt32) -> Bool {
    var stream = RandomStream(
      seed: seed, owner: owner, purpose: 0x4000_0000 | number, drawn: count)
    return stream.chance(share)
  }
}

/// What a stream of random numbers is for. Engine purposes come first, a domain's follow.
public struct Purpose: Hashable, Sendable {
  public let index: UInt32
  private init(_ index: UInt32) { self.index = index }

  public static let network = Purpose(0)
  public static let faults = Purpose(1)
  public static let thinking = Purpose(2)
  public static let delivery = Purpose(3)
  /// A purpose of a domain, numbered from 0.
  public static func domain(_ number: UInt32) -> Purpose { Purpose(8 + number) }
}

/// One request that a journey wants to make.
public struct Ask<Contract: ServiceContract>: Sendable {
  public let request: Contract.Request
  public let credential: Contract.Credential?
  /// 1 for the first try; retries are requests of their own and count up.
  public let attempt: Int

  public init(
    _ request: Contract.Request, with credential: Contract.Credential? = nil, attempt: Int = 1
  ) {
    self.request = request
    self.credential = credential
    self.attempt = attempt
  }
}

/// A signal with the instant at which it reached the person.
public struct Received<Contract: ServiceContract>: Sendable {
  public let signal: Contract.Signal
  public let at: Instant

  public init(_ signal: Contract.Signal, at: Instant) {
    self.signal = signal
    self.at = at
  }
}
