import Contracts
import KantineKoningContract
import Timekeeping

/// The backend of Kantine Koning as a deterministic state machine: no clock, no randomness of its own, no I/O.
///
/// Every answer costs what it touches: enrollments are found by `device_id` and by phone, diensten by identifier and
/// by team in order of start. Only the operator's commands and rules that are switched off look at everything.
public struct KantineKoningTwin: Twin {
  public typealias Contract = KantineKoning
  typealias Answer = Result<KantineKoning.Reply, KantineKoning.Refusal>

  let tokens: any TokenCodec
  var configuration: KantineKoningConfiguration
  private let initialConfiguration: KantineKoningConfiguration
  private let initialRules: Rules<KantineKoning.Rule>
  public internal(set) var rules: Rules<KantineKoning.Rule>
  var identifiers: RandomStream

  var clubs: [Club] = []
  var clubBySlug: [Slug: Int] = [:]
  var teams: [Team] = []
  var teamByID: [TeamName: Int] = [:]
  var enrollments = Enrollments()
  var diensten = Diensten()
  var used = UsedTokens()
  var outbox: Outbox
  var apns = Apns()
  var deliveries: Deliveries
  var notices: Notices
  var reminders = Reminders()
  /// How many events were announced.
  var eventCount = 0
  /// What the leaderboards show.
  var standings = Standings()
  /// What other cells published at the last barrier.
  var neighbours = Neighbours()
  var globalBanners: [Banner] = []
  /// Token texts whose signature was verified, at most `verifiedTokenCapacity`.
  var verified: [String: DeviceClaims] = [:]
  /// The season's end that was computed last.
  var seasonEnd = Instant.distantPast

  /// What the request in hand has cost so far.
  var work = Work()
  /// What the request in hand has sent so far.
  var sent: [Addressed<KantineKoning>] = []

  public init(
    identifiers: RandomStream, rules: Rules<KantineKoning.Rule>, tokens: any TokenCodec,
    configuration: KantineKoningConfiguration = KantineKoningConfiguration()
  ) {
    self.identifiers = identifiers
    self.rules = rules
    initialRules = rules
    self.tokens = tokens
    self.configuration = configuration
    initialConfiguration = configuration
    outbox = Outbox(capacity: configuration.outboxCapacity)
    deliveries = Deliveries(capacity: configuration.deliveryCapacity)
    notices = Notices(capacity: configuration.outboxCapacity)
  }

  public mutating func handle(
    _ request: KantineKoning.Request, from caller: Caller<KantineKoning>, at now: Instant
  ) -> Handled<KantineKoning> {
    work = Work()
    keepStandings(at: now)
    let answer = answer(to: request, from: caller, at: now)
    return Handled(.now(answer), work: work, effects: takeEffects())
  }

  /// What was sent since the last call.
  mutating func takeEffects() -> Effects<KantineKoning> {
    guard !sent.isEmpty else { return Effects() }
    defer { sent = [] }
    return Effects(signals: sent)
  }

  private mutating func answer(
    to request: KantineKoning.Request, from caller: Caller<KantineKoning>, at now: Instant
  ) -> Answer {
    switch request {
    case .unread(.unrouted(let asked)):  // §3.2 step 1
      return .refused(asked.allowed.isEmpty ? .notFound : .methodNotAllowed)
    case .unread(.malformed(let operation, let fault)):
      if KantineKoning.table.needsCredential(operation),
        case .failure(let refusal) = authenticate(caller, at: now)
      {
        return .failure(refusal)
      }
      return .refused(.invalidRequest, fault.message)  // §3.2 step 7
    case .searchClubs(let query): return searchClubs(matching: query, from: caller)
    case .leaderboard(let query):
      return authenticated(caller, at: now) { $0.tenantBoard(query, for: $1, at: now) }
    case .globalLeaderboard(let query):
      return authenticated(caller, at: now) { $0.globalBoard(query, for: $1, at: now) }
    case .banners(let query): return banners(query, from: caller, at: now)
    case .seasonSummary(let tenant, let team):
      return seasonSummary(of: team, in: tenant, from: caller, at: now)
    case .requestEnrollment(let asked): return requestEnrollment(asked, at: now)
    case .register(let asked): return register(asked, at: now)
    case .searchTeams(let tenant, let query):
      return searchTeams(of: tenant, matching: query, from: caller)
    case .sync(let asked): return authenticated(caller, at: now) { $0.sync(asked, as: $1, at: now) }
    case .status: return authenticated(caller, at: now) { $0.status(of: $1) }
    case .tenants: return authenticated(caller, at: now) { $0.tenantInfo(for: $1) }
    case .diensten(let query):
      return authenticated(caller, at: now) { $0.list(query, for: $1, at: now) }
    case .addVolunteer(let change):
      return authenticated(caller, at: now) { $0.addVolunteer(change, as: $1, at: now) }
    case .removeVolunteer(let change):
      return authenticated(caller, at: now) { $0.removeVolunteer(change, as: $1, at: now) }
    case .removeTeams(let names):
      return authenticated(caller, at: now) { $0.removeTeams(names, as: $1, at: now) }
    case .removeTenant(let slug):
      return authenticated(caller, at: now) { $0.removeTenant(slug, as: $1, at: now) }
    case .removeAll: return authenticated(caller, at: now) { $0.removeAll(as: $1, at: now) }
    case .setEmailPreference(let asked):
      return authenticated(caller, at: now) { $0.setEmailPreference(asked, as: $1) }
    case .updateApnsToken(let update):
      return authenticated(caller, at: now) { $0.updateApnsToken(update, as: $1, at: now) }
    case .availableDiensten(let team):
      return authenticated(caller, at: now) { $0.listAvailable(for: team, as: $1, at: now) }
    case .takeover(let query):
      return authenticated(caller, at: now) { $0.previewTakeover(query, as: $1, at: now) }
    case .claimDienst(let claim):
      return authenticated(caller, at: now) { $0.claim(claim, as: $1, at: now) }
    case .offerTransfer(let offer):
      return authenticated(caller, at: now) { $0.offer(offer, as: $1, at: now) }
    case .answerCallToAction(let call): return answerCallToAction(call, at: now)
    case .apns(let report):
      // A phone reports what iOS does with its own token; what APNs answers is not for phones to say.
      if case .client = caller, case .feedback = report { return .refused(.notFound) }
      return hear(report, at: now)
    case .control(let control):
      guard case .administration = caller else { return .refused(.notFound) }
      return operate(control, at: now)
    case .inspect(let since):
      guard case .client = caller else { return .success(.inspection(inspection(since: since))) }
      return .refused(.notFound)
    }
  }

  private mutating func authenticated(
    _ caller: Caller<KantineKoning>, at now: Instant,
    _ body: (inout KantineKoningTwin, Session) -> Answer
  ) -> Answer {
    switch authenticate(caller, at: now) {
    case .success(let session): body(&self, session)
    case .failure(let refusal): .failure(refusal)
    }
  }

  /// Forgets everything but the identifier stream, so that no identifier is given twice.
  mutating func reset() {
    self = KantineKoningTwin(
      identifiers: identifiers, rules: initialRules, tokens: tokens,
      configuration: initialConfiguration)
  }
}

extension Result where Success == KantineKoning.Reply, Failure == KantineKoning.Refusal {
  static func refused(_ kind: KantineKoning.Refusal.Code, _ message: String? = nil) -> Self {
    .failure(KantineKoning.Refusal(kind, message: message))
  }
}
