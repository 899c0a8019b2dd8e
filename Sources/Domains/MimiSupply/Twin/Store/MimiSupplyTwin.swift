import Contracts
import MimiSupplyContract
import Timekeeping

/// MimiSupply's backend: the store keeps records, sessions, feeds and pushes; its market knows the rules.
public struct MimiSupplyTwin: Twin {
  public typealias Contract = MimiSupply

  let tokens: any TokenCodec
  let initialRules: Rules<MimiSupply.Rule>
  var identifiers: RandomStream
  var rules: Rules<MimiSupply.Rule>
  var settings = StoreSettings()

  var market: Market
  var shelf = RecordShelf()
  var accounts = Accounts()
  var limiter = RateLimiter()
  var faults = InjectedFaults()
  var zones = CustomZones()
  var feeds = Feeds()
  var subscriptions = Subscriptions()
  var pushQueues = PushQueues()
  var files = Files()
  var audit = AuditLog()
  var counters = Counters()
  /// `nil` as long as nobody wants it.
  var commitLog: CommitLog?
  /// Answers that come later because of a fault.
  var delayed: [Delayed] = []
  /// Whether the payment stub refuses whatever comes.
  var refusesPayments = false
  /// When retention is applied next (MS-114).
  var retentionDue: Instant?

  /// The commit sequence number (§0.2).
  var csn = 0
  /// How many tickets, refusals and notifications have been given a name.
  var given: UInt64 = 0
  /// Makes markers and addresses that nobody can guess or change.
  let secret: UInt64

  /// How the call in hand gives addresses out.
  var addresses: FileAddresses
  /// Who makes the call in hand, once the session is known; `nil` for everybody without one.
  var asker: UserName?
  /// What the call in hand has cost and caused so far.
  var work = Work()
  var effects = Effects<MimiSupply>()

  struct Delayed: Sendable {
    let due: Instant
    let ticket: Ticket
    let result: Result<MimiSupply.Reply, MimiSupply.Refusal>
  }

  public init(identifiers: RandomStream, rules: Rules<MimiSupply.Rule>, tokens: any TokenCodec) {
    self.init(identifiers: identifiers, rules: rules, tokens: tokens, market: MarketSettings())
  }

  init(
    identifiers: RandomStream, rules: Rules<MimiSupply.Rule>, tokens: any TokenCodec,
    market: MarketSettings
  ) {
    self.identifiers = identifiers
    self.tokens = tokens
    self.rules = rules
    initialRules = rules
    self.market = Market(market, rules: rules)
    secret = self.identifiers.next()
    addresses = FileAddresses(secret: secret)
  }

  // MARK: Calls

  public mutating func handle(
    _ request: MimiSupply.Request, from caller: Caller<MimiSupply>, at now: Instant
  ) -> Handled<MimiSupply> {
    if !request.prepares { catchUp(to: now) }
    work = Work()
    scheduleRetention(after: now)
    audit.appVersion = nil
    let answer: Handled<MimiSupply>.Answer
    switch caller {
    case .client(let credential):
      addresses.host = credential?.host ?? "127.0.0.1:8080"
      audit.appVersion = credential?.appVersion
      answer = serve(request, credential, at: now)
    case .administration, .environment, .harness:
      answer = .now(wrap(operate(request, at: now), nil))
    }
    return Handled(answer, work: work, effects: takeEffects())
  }

  /// What was caused since the last call.
  mutating func takeEffects() -> Effects<MimiSupply> {
    effects.searches = market.work.untold()
    guard !effects.isEmpty else { return Effects() }
    defer { effects = Effects() }
    return effects
  }

  mutating func nextTicket() -> Ticket {
    given += 1
    return Ticket(given)
  }

  public mutating func abandon(_ ticket: Ticket) {
    pushQueues.abandon(ticket)
    delayed.removeAll { $0.ticket == ticket }
  }

  // MARK: Answers

  typealias Answer = Result<ReplyContent, Failure>

  /// An answer as the caller gets it, with the last commit that it shows (§3.1).
  mutating func wrap(
    _ answer: Answer, _ operation: MimiSupply.MobileOperation?
  ) -> Result<MimiSupply.Reply, MimiSupply.Refusal> {
    switch answer {
    case .success(let content): return .success(MimiSupply.Reply(content, csn: csn))
    case .failure(let failure):
      if operation != nil { counters.refuse(failure, of: asker) }
      let needsSignIn = failure.code == .authenticationRequired
      return .failure(
        MimiSupply.Refusal(
          failure, uuid: uuid(),
          redirectURL: needsSignIn ? addresses.origin + "/mimi/1/auth/apple" : nil,
          csn: csn))
    }
  }

  /// Unique per answer, in the shape of RFC 9562.
  private mutating func uuid() -> String {
    given += 1
    var digest = Digest()
    digest.mix(secret)
    digest.mix(given)
    let digits = digest.hexadecimal
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
      let start = digits.index(digits.startIndex, offsetBy: range.lowerBound)
      return String(digits[start..<digits.index(start, offsetBy: range.count)])
    }
    return parts.joined(separator: "-")
  }

  /// A name out of the identifier stream that no record has.
  mutating func freshName(_ prefix: String) -> RecordName {
    while true {
      let name = RecordName(prefix + hexadecimal(identifiers.next()))
      if shelf.record(name) == nil { return name }
    }
  }

  /// 32 hexadecimal digits that nobody can guess.
  mutating func freshSecret(_ prefix: String) -> String {
    prefix + hexadecimal(identifiers.next()) + hexadecimal(identifiers.next())
  }

  private func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: Who acts

  /// A user as the market sees him: the role is that of the profile now.
  func actor(of user: UserName, on device: DeviceName?) -> Actor {
    let role = shelf.record(user.profile)?[UserProfile.role].flatMap(Role.init) ?? .customer
    return .user(name: user, role: role, device: device)
  }

  func actor(of identity: Identity) -> Actor {
    switch identity {
    case .anonymous: .anonymous
    case .user(let name, let device, _): actor(of: name, on: device)
    }
  }

  /// Forgets everything but the identifier stream, so that no name is given twice.
  mutating func reset() {
    self = MimiSupplyTwin(
      identifiers: identifiers, rules: initialRules, tokens: tokens, market: MarketSettings())
  }
}
