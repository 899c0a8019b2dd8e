import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// The agency's backend with its identity provider as a deterministic state machine: no clock, no randomness of its own, no I/O.
public struct AgencyTwin: GuardedTwin {
  public typealias Contract = AsiaTravelPlan
  /// By the files whose guards keep them.
  public static let enforced =
    [
      RulesOfFile<AsiaTravelPlan.Rule>(
        .atp31, .atp32, .atp66, .atp73, .atp74, .atp86, .atp95, .atp99), ofCallers, ofStaff,
      ofReading, ofChanges, ofWebsite,
    ] + IdentityProvider.enforced

  let tokens: any TokenCodec
  var identifiers: RandomStream
  public internal(set) var rules: Rules<AsiaTravelPlan.Rule>
  var deployment = AsiaTravelPlan.Deployment()
  /// In which ways it behaves as the project's own backend (8.3).
  var differences: Set<AsiaTravelPlan.Difference> = []

  var provider: IdentityProvider
  var keys = KeyCache()
  /// Calls that wait for the provider's keys.
  private var waiting: [Waiting] = []
  private var tickets: UInt64 = 0

  var staff = StaffDirectory()
  var customers = CustomerBook()
  var bookings = BookingStore()
  var tours = TourStore()
  /// The highest number of an invoice (2.4).
  var invoiceNumber = 0
  /// Since which looks bookings have changed.
  var changes = ChangeLog<Int>()

  /// By booking, what was there before its last write, where that is not seen at once.
  var unseen: [Int: Unseen] = [:]
  /// What was written last, where a store loses updates (DIF-05).
  var undo: Undo?
  /// Until when a store is being written, where reads are torn (DIF-06).
  var busyUntil = Instant.distantPast
  /// What the call at hand costs.
  var work = Work()

  private struct Waiting: Sendable {
    let ticket: Ticket
    let request: AsiaTravelPlan.Request
    let credential: AsiaTravelPlan.Credential?
  }

  public init(
    identifiers: RandomStream, rules: Rules<AsiaTravelPlan.Rule>, tokens: any TokenCodec
  ) {
    (self.identifiers, self.rules, self.tokens) = (identifiers, rules, tokens)
    let seed = self.identifiers.next()
    provider = IdentityProvider(
      identifiers: RandomStream(seed: seed, owner: 0, purpose: 0), rules: rules, tokens: tokens)
  }

  public static func refusal(_ kind: AsiaTravelPlan.RefusalKind) -> AsiaTravelPlan.Refusal {
    .api(kind)
  }

  // MARK: Requests

  public mutating func handle(
    _ request: AsiaTravelPlan.Request, from caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    switch caller {
    case .administration, .harness, .environment:
      if case .keySetArrived(_, let set) = request {
        keys.arrived(set, at: now)
        return .replied(.done, effects: settled(at: now))
      }
      return Handled(
        .now(Result { () throws(AsiaTravelPlan.Refusal) in try obey(request, at: now) }))
    case .client(let credential):
      if request.isOfProvider { return provider.handle(request, from: caller, at: now) }
      if request.needsToken, mustFetchKeys(for: credential, at: now) {
        return hold(request, credential, at: now)
      }
      work = Work(rowsRead: 1)
      let result = answer(request, credential, at: now)
      return Handled(.now(result), work: work)
    }
  }

  private mutating func answer(
    _ request: AsiaTravelPlan.Request, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal> {
    let result = Result { () throws(AsiaTravelPlan.Refusal) in
      request.needsToken
        ? try answer(request, to: caller(behind: credential, at: now), at: now)
        : try answerOpenly(request, credential, at: now)
    }
    if case .failure(let refusal) = result, !rules.binds(.atp86), refusal != .api(.unauthorized),
      let number = request.written.flatMap({ bookings.known($0) })
    {
      bookings.change(number) {
        $0.booking.updatedAt = max($0.booking.updatedAt, now.inMilliseconds)
      }
    }
    return result
  }

  // MARK: What takes no token

  private mutating func answerOpenly(
    _ request: AsiaTravelPlan.Request, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    switch request {
    case .bootstrap:
      try require(rules.binds(.atp31), or: .notFound)
      if !rules.binds(.atp66) { _ = try caller(behind: credential, at: now) }
      return .bootstrap(bootstrap)
    case .requestTrip(let asked): return try requestTrip(asked, at: now)
    case .health: return .health(Health(timestamp: now.inMilliseconds.description))
    case .browserMe: return .identity(Identity(nil))
    case .unread(.malformed(_, let fault)): throw .api(fault.refusal)
    case .unread(.unrouted(let it)):
      if it.method == "OPTIONS", rules.binds(.atp95) { return .options }
      throw it.target.hasPrefix("/api/")
        ? .api(.notFound) : .page(status: 404, message: "Not found")
    default: throw .api(.notFound)
    }
  }

  private var bootstrap: Bootstrap {
    let least = deployment.leastVersion
    let latest = deployment.latestVersion ?? least
    let isSound = !latest.isOlder(than: least) || !rules.binds(.atp74)
    return Bootstrap(
      leastVersion: least, latestVersion: isSound ? latest : least,
      forcesUpdate: deployment.forcesUpdate,
      contractVersion: rules.binds(.atp73) ? AsiaTravelPlan.contractVersion : "2026-02-01.1")
  }

  // MARK: What takes a token

  private mutating func answer(
    _ request: AsiaTravelPlan.Request, to caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    if now < busyUntil, request.written == nil {
      throw .api(.internalServerError, about: "Unexpected end of JSON input")
    }
    try require(rules.binds(.atp31) || !request.isOfApp, or: .notFound)
    switch request {
    case .bookings(let asked): return try list(asked, for: caller)
    case .booking(let id): return try detail(id, for: caller, at: now)
    case .activities(let id): return try timeline(id, for: caller, at: now)
    case .invoices(let id): return try invoices(id, for: caller)
    case .changeStage(let asked): return try changeStage(asked, as: caller, at: now)
    case .assign where !rules.binds(.atp32): throw .api(.notFound)
    case .assign(let asked): return try assign(asked, as: caller, at: now)
    case .addActivity(let asked): return try addActivity(asked, as: caller, at: now)
    case .staff(let withInactive): return try directory(withInactive, for: caller)
    case .addStaff(let asked): return try addStaff(asked, as: caller)
    case .me: return try me(caller)
    case .tours(let asked): return try tours(asked, for: caller)
    case .tour(let id): return try tour(id, for: caller)
    case .addTour(let asked): return try addTour(asked, as: caller, at: now)
    case .changeTour(let asked): return try changeTour(asked, as: caller, at: now)
    case .customers(let asked): return try customers(asked, for: caller)
    case .customer(let id): return try customer(id, for: caller)
    case .addInvoice(let asked): return try addInvoice(asked, as: caller, at: now)
    case .changeInvoice(let asked): return try changeInvoice(asked, as: caller, at: now)
    case .unread(.malformed(let operation, let fault)):
      // Who may not create staff or tours at all is told so before the body is looked at (3.3).
      if let right = AsiaTravelPlan.rightBeforeBody(of: operation) {
        try require(allows(right, caller), or: .forbidden)
      }
      throw .api(fault.refusal)
    default: throw .api(.notFound)
    }
  }

  /// A body `null` acts as an empty one, unless the backend stumbles over it (O-24, DIF-08).
  func requireBody(isNull: Bool) throws(AsiaTravelPlan.Refusal) {
    if isNull, differences.contains(.nullBody500) {
      throw .api(.internalServerError, about: "Cannot read properties of null")
    }
  }

  // MARK: Keys that have to be fetched (7.4)

  private func mustFetchKeys(
    for credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Bool {
    guard let key = token(of: credential)?.key(tokens) else { return false }
    return keys.mustBeFetched(for: key, at: now)
  }

  private mutating func hold(
    _ request: AsiaTravelPlan.Request, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    let ticket = Ticket(tickets)
    tickets += 1
    waiting.append(Waiting(ticket: ticket, request: request, credential: credential))
    guard keys.givenUp == nil else { return Handled(.later(ticket)) }
    keys.fetch(at: now)
    // Where the provider cannot be reached, nothing comes back.
    let fetch = provider.publishedKeys.map {
      Addressed<AsiaTravelPlan>(to: .provider, .keySetFetch(realm: deployment.realm, $0))
    }
    return Handled(.later(ticket), effects: Effects(signals: fetch.map { [$0] } ?? []))
  }

  /// Answers the calls that waited for the keys.
  private mutating func settled(at now: Instant) -> Effects<AsiaTravelPlan> {
    let waited = waiting
    waiting = []
    return Effects(
      completions: waited.map {
        Completion($0.ticket, answer($0.request, $0.credential, at: now))
      })
  }

  public var nextDue: Instant? { keys.givenUp }

  public mutating func advance(to now: Instant) -> Effects<AsiaTravelPlan> {
    guard let due = keys.givenUp, due <= now else { return Effects() }
    keys.arrived(nil, at: due)
    return settled(at: due)
  }

  public mutating func abandon(_ ticket: Ticket) { waiting.removeAll { $0.ticket == ticket } }

  // MARK: The operator

  private mutating func obey(
    _ command: AsiaTravelPlan.Request, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    switch command {
    case .load(let fixture): try load(fixture)
    case .setStaff(let record): try set(record)
    case .setDifference(let it):
      if it.isOn { differences.insert(it.difference) } else { differences.remove(it.difference) }
    case .inspect(let since): return .inspection(inspection(since: since))
    case .setRule(let it):
      rules.set(it.rule, binds: it.binds)
      _ = provider.handle(command, from: .administration, at: now)
    case .configure(let it):
      it.apply(to: &deployment)
      _ = provider.handle(command, from: .administration, at: now)
    case .rotateKeys, .setUser, .setClient, .endSessions:
      _ = provider.handle(command, from: .administration, at: now)
    default: throw .api(.notFound)
    }
    return .done
  }
}

extension AsiaTravelPlan.Request {
  fileprivate var isOfProvider: Bool {
    switch self {
    case .discovery, .authorize, .logIn, .token, .keySet, .endSession, .confirmEndSession: true
    case .unread(.unrouted(let it)): it.service == AsiaTravelPlan.provider
    case .unread(.malformed(let operation, _)):
      AsiaTravelPlan.service(of: operation) == AsiaTravelPlan.provider
    default: false
    }
  }

  /// Every path below `/api/v1/` does (ATP-08), unknown ones included.
  fileprivate var needsToken: Bool {
    switch self {
    case .bootstrap, .requestTrip, .health, .browserMe: false
    case .unread(.unrouted(let it)): it.method != "OPTIONS" && it.target.hasPrefix("/api/v1/")
    case .unread(.malformed(let operation, _)):
      AsiaTravelPlan.table.needsCredential(operation)
    default: true
    }
  }

  /// One of the eight of ATP-31, but for the bootstrap document.
  fileprivate var isOfApp: Bool {
    switch self {
    case .bookings, .booking, .changeStage, .assign, .activities, .addActivity, .invoices: true
    default: false
    }
  }

  /// The booking that the request would change.
  fileprivate var written: String? {
    switch self {
    case .changeStage(let asked): asked.booking
    case .assign(let asked): asked.booking
    case .addActivity(let asked): asked.booking
    default: nil
    }
  }
}

extension Unread.Fault {
  fileprivate var refusal: AsiaTravelPlan.APIRefusal {
    kind == .tooLarge ? .payloadTooLarge : .invalidJSON
  }
}

extension AsiaTravelPlan {
  fileprivate static func service(of operation: Int) -> Int {
    table.endpoints.indices.contains(operation) ? table.endpoints[operation].route.service : 0
  }

  /// What a caller must be allowed to before the body of an operation is read.
  fileprivate static func rightBeforeBody(of operation: Int) -> Right? {
    let name = operations[operation].name
    return [Right.addStaff, .writeTours].first { rights[$0.rawValue].operations.contains(name) }
  }
}

extension Instant {
  /// As the backend keeps instants: in whole milliseconds.
  var inMilliseconds: Instant { Instant(unixMilliseconds: unixMilliseconds) }
}
