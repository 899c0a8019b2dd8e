import Contracts
import MimiSupplyContract
import Timekeeping

// The frame of §3.1: the first failing check decides the answer.
extension MimiSupplyTwin {
  mutating func serve(
    _ request: MimiSupply.Request, _ credential: MimiSupply.Credential?, at now: Instant
  ) -> Handled<MimiSupply>.Answer {
    let operation = MimiSupply.mobileOperation(of: request)
    asker = nil
    switch request {
    case .unread(.unrouted(let asked)):  // 1.
      return .now(wrap(.failure(MimiSupply.routeProblem(asked)), operation))
    case .unread(.malformed(_, let fault)):
      return .now(wrap(.failure(.invalid(fault.description)), operation))
    case .control, .inspect:
      return .now(
        wrap(.failure(Failure(.notFound, .unknownItem, "there is no such path")), operation))
    // These addresses are their own credential, and no request of them counts (MS-01).
    case .poll(let poll): return wait(poll, at: now)
    case .upload(let upload): return .now(wrap(receive(upload, at: now), operation))
    case .download(let path): return .now(wrap(download(path, at: now), operation))
    default: break
    }
    switch identify(request, credential, at: now) {  // 2. to 4.
    case .failure(let failure): return .now(wrap(.failure(failure), operation))
    case .success(let identity):
      return meetFaults(request, operation, identity, at: now)
    }
  }

  // MARK: 2. to 4.

  private mutating func identify(
    _ request: MimiSupply.Request, _ credential: MimiSupply.Credential?, at now: Instant
  ) -> Result<Identity, Failure> {
    guard let apiToken = credential?.apiToken, accounts.knows(apiToken: apiToken) else {
      return .failure(.unauthenticated("the API token is missing or unknown"))
    }
    var identity = Identity.anonymous
    if case .signIn = request {
      // Who signs in proves an identity, not a session.
    } else if let token = credential?.userToken {
      guard let session = accounts.sessions[token], now < session.expiresAt else {
        return .failure(.unauthenticated("the session is unknown, over or signed out"))
      }
      if accounts.locked.contains(session.user) {
        return .failure(.unauthenticated("the account is locked", "account_locked"))  // MS-117
      }
      identity = .user(
        session.user, device: credential?.deviceID ?? session.device, session: token)
    } else if !isPublicReading(request), rules.binds(.ms101) {
      return .failure(
        Failure(
          .authenticationRequired, .notAuthenticated, "this needs a sign-in",
          mimiError: "authenticationRequired"))  // MS-101
    }
    asker = identity.user
    let payer = payer(identity, apiToken, credential)
    if let failure = throttle(payer, at: now) { return .failure(failure) }
    counters.admit(identity.user)
    return .success(identity)
  }

  /// Whose budget pays (MS-03). Switched off, every device of a user has one of its own.
  private func payer(
    _ identity: Identity, _ apiToken: String, _ credential: MimiSupply.Credential?
  ) -> RateLimiter.Payer {
    guard let user = identity.user else {
      return .anonymous(
        apiToken: apiToken, device: credential?.deviceID ?? DeviceName(credential?.peer ?? ""))
    }
    return rules.binds(.ms03) ? .user(user) : .device(identity.device ?? "", of: user)
  }

  /// What nobody needs to sign in for (MS-102).
  private func isPublicReading(_ request: MimiSupply.Request) -> Bool {
    switch request {
    case .query, .lookup, .listZones, .lookupZones, .changedZones:
      request.location.database == "public" && rules.binds(.ms102)
    default: false
    }
  }

  private mutating func throttle(_ payer: RateLimiter.Payer, at now: Instant) -> Failure? {
    guard rules.binds(.ms01) else { return nil }
    guard
      let wait = limiter.admit(
        payer, limit: settings.requestsPerSecondPerUser, window: settings.rateWindow, at: now)
    else { return nil }
    return Failure(
      .throttled, .requestRateLimited,
      "more than \(settings.requestsPerSecondPerUser) requests in \(settings.rateWindow)",
      retryAfter: rules.binds(.ms02) ? wait : nil)  // MS-02
  }

  // MARK: 5.

  private mutating func meetFaults(
    _ request: MimiSupply.Request, _ operation: MimiSupply.MobileOperation, _ identity: Identity,
    at now: Instant
  ) -> Handled<MimiSupply>.Answer {
    guard !faults.isEmpty,
      let fault = faults.meet(
        user: identity.user, zone: zone(of: request)?.zoneName ?? Zone.defaultName,
        operation: operation, at: now)
    else { return .now(wrap(perform(request, as: identity, at: now), operation)) }
    let wait = fault.retryAfter ?? settings.busyWait
    switch fault.kind {
    case .zoneBusy:  // MS-12: without effect
      if !rules.binds(.ms12) { _ = perform(request, as: identity, at: now) }
      return .now(
        wrap(
          .failure(Failure(.tryAgainLater, .zoneBusy, "the zone is busy", retryAfter: wait)),
          operation))
    case .serviceOutage:
      return .now(
        wrap(
          .failure(
            Failure(
              .tryAgainLater, .serviceUnavailable, "the service is unavailable", retryAfter: wait)),
          operation))
    case .quota:
      return .now(
        wrap(.failure(Failure(.quotaExceeded, .quotaExceeded, "the database is full")), operation))
    case .internalError:
      return .now(
        wrap(.failure(Failure(.internalError, .internalError, "an injected defect")), operation))
    case .networkLoss: return .later(nextTicket())
    case .answerLost:
      _ = perform(request, as: identity, at: now)
      return .later(nextTicket())
    case .latency:
      let result = wrap(perform(request, as: identity, at: now), operation)
      let ticket = nextTicket()
      delayed.append(Delayed(due: now + (fault.delay ?? .zero), ticket: ticket, result: result))
      return .later(ticket)
    }
  }

  func zone(of request: MimiSupply.Request) -> Zone? {
    switch request {
    case .query(_, let asked): asked.zone
    case .lookup(_, let asked): asked.zone
    case .modify(_, let asked): asked.zone
    case .changes(_, let asked): asked.zone
    case .requestUploads(_, let asked): asked.zone
    default: nil
    }
  }

  // MARK: 6. and 7.

  private mutating func perform(
    _ request: MimiSupply.Request, as identity: Identity, at now: Instant
  ) -> Answer {
    switch request {
    case .signIn(let asked): return signIn(asked, at: now)
    case .selectRole(let role): return selectRole(role, as: identity, at: now)
    case .refresh: return refresh(as: identity, at: now)
    case .signOut: return signOut(as: identity)
    case .exportAccount: return exportAccount(as: identity, at: now)
    case .deleteAccount: return deleteAccount(as: identity, at: now)
    case .partnerStats(let partner): return stats(of: partner, as: identity, at: now)
    default: break
    }
    let location = request.location
    if let failure = misplacement(location) { return .failure(failure) }
    let database = Database(rawValue: location.database ?? "") ?? .private
    let place = Place(
      database: database, zone: zone(of: request), identity: identity,
      numbersAsStrings: hasNumbersAsStrings(request))
    if let failure = zoneFailure(of: request, at: place) { return .failure(failure) }
    if let failure = excess(of: request) { return .failure(failure) }
    return perform(request, at: place, now)
  }

  private func hasNumbersAsStrings(_ request: MimiSupply.Request) -> Bool {
    switch request {
    case .query(_, let asked): asked.numbersAsStrings
    case .modify(_, let asked): asked.numbersAsStrings
    default: false
    }
  }

  /// 6.: container, environment, database.
  private func misplacement(_ location: Location) -> Failure? {
    if location.container != Location.container {
      return Failure(.notFound, .badContainer, "no container \(printable(location.container))")
    }
    if !["development", "production"].contains(location.environment) {
      return Failure(
        .notFound, .badContainer, "no environment \(printable(location.environment))")
    }
    if let database = location.database, Database(rawValue: database) == nil {
      return Failure(.notFound, .badDatabase, "no database \(printable(database))")
    }
    return nil
  }

  /// 7.: sizes and numbers (MS-07).
  private func excess(of request: MimiSupply.Request) -> Failure? {
    guard rules.binds(.ms07) else { return nil }
    let location = request.location
    let bytes = location.body.bytes ?? estimatedBytes(of: request)
    if bytes > settings.maxRequestBytes {
      return .excess("the body has \(bytes) bytes, more than \(settings.maxRequestBytes)")
    }
    let (count, most) =
      switch request {
      case .modify(_, let asked): (asked.items.count, settings.maxOperationsPerRequest)
      case .modifyZones(_, let asked): (asked.count, settings.maxOperationsPerRequest)
      case .modifySubscriptions(_, let asked): (asked.count, settings.maxOperationsPerRequest)
      case .lookup(_, let asked): (asked.items.count, settings.maxRecordsPerResponse)
      case .requestUploads(_, let asked): (asked.items.count, settings.maxTokensPerRequest)
      default: (0, 0)
      }
    return count > most ? .excess("\(count) operations are more than \(most)") : nil
  }

  /// The body's length where nobody sent one: only a batch can come near the limit.
  private func estimatedBytes(of request: MimiSupply.Request) -> Int {
    guard case .modify(_, let asked) = request else { return 0 }
    let atMost = asked.items.reduce(256) { sum, item in
      let fields = item.record.fields
      let names = 64 * fields.count + 6 * fields.names.bytesOfTexts
      return fields.written.values.reduce(sum + 512 + names) { $0 + 6 * $1.sentBytes }
    }
    guard atMost > settings.maxRequestBytes else { return atMost }
    return MimiSupply.document(of: request).bytes.count
  }

  private mutating func perform(
    _ request: MimiSupply.Request, at place: Place, _ now: Instant
  ) -> Answer {
    switch request {
    case .query(_, let asked): return query(asked, at: place, now)
    case .lookup(_, let asked): return lookup(asked, at: place, now)
    case .modify(_, let asked): return modify(asked, at: place, now)
    case .changes(_, let asked): return changes(asked, at: place, now)
    case .listZones: return listZones(at: place, now)
    case .lookupZones(_, let asked): return lookupZones(asked, at: place, now)
    case .modifyZones(_, let asked): return modifyZones(asked, at: place, now)
    case .changedZones(_, let token): return changedZones(since: token, at: place, now)
    case .listSubscriptions: return listSubscriptions(at: place)
    case .lookupSubscriptions(_, let names): return lookupSubscriptions(names, at: place)
    case .modifySubscriptions(_, let asked): return modifySubscriptions(asked, at: place, now)
    case .createToken(_, let environment): return createToken(environment, as: place.identity)
    case .registerToken(_, let environment, let token):
      return registerToken(token, environment, as: place.identity)
    case .requestUploads(_, let asked): return requestUploads(asked, at: place, now)
    case .currentUser: return currentUser(as: place.identity)
    default: preconditionFailure("a request without a database was sent to one")
    }
  }
}

/// Where a request goes, and who asks.
struct Place: Sendable {
  let database: Database
  /// As it was named; `nil` is the default zone.
  let zone: Zone?
  let identity: Identity
  /// Whether the request's numbers may be texts (§2.1).
  var numbersAsStrings = false

  var zoneName: String { zone?.zoneName ?? Zone.defaultName }

  /// Whether one failing operation undoes all (§2.12).
  var isAtomic: Bool { database != .public && zoneName != Zone.defaultName }
}

enum Database: String, Hashable, Sendable, Comparable {
  case `public`, `private`, shared

  static func < (a: Database, b: Database) -> Bool { a.rawValue < b.rawValue }
}

extension Failure {
  static func unauthenticated(_ text: String, _ reason: String? = nil) -> Failure {
    Failure(
      .authenticationFailed, .notAuthenticated, text, mimiError: "authenticationRequired",
      mimiReason: reason)
  }

  static func excess(_ text: String, _ reason: String? = nil) -> Failure {
    Failure(.badRequest, .limitExceeded, text, mimiReason: reason)
  }

  static let missing = Failure(.notFound, .unknownItem, "there is no such record")
}

extension FieldValue {
  /// About how long a value is as JSON, before escaping.
  fileprivate var sentBytes: Int {
    switch self {
    case .string(let text), .bytes(let text), .untyped(let text), .mistyped(_, let text):
      text.utf8.count
    case .identifier(let name), .reference(let name): name.byteCount
    case .int64, .double, .timestamp: 24
    case .position: 64
    case .asset: 256
    case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count + 4 }
    case .assets(let assets): assets.count * 256
    }
  }
}
