import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges every request of a city that was answered by the frame of §3.1: who may ask, what may be asked for, and with
/// which code it is refused. What is refused has a cause that the records know; what has one is refused.
///
/// What it finds is told to the rule whose refusal it is; a problem when all answers are known that may explain it.
final class RefusalFacts: Facts {
  static let concerns = Set<Concern>.anything.union([.controls])
  static var sorts: Int { MimiSupply.Rule.allCases.count }
  static func sort(of finding: Finding) -> Int { RefusalChecks.numbers[finding.rule]! }
  static func moment(of finding: Finding) -> Moment? { finding.moment }

  struct Finding {
    let rule: MimiSupply.Rule
    /// Without one the rule held.
    let problem: String?
    let moment: Moment
    /// What a problem rests on.
    fileprivate var premise = Premise()
  }

  /// What was known of a request's session and of a record, and may turn out to have been otherwise when the answers of
  /// others are known that were under way.
  fileprivate struct Premise {
    var session: AccountFacts.Session?
    var isGood: Bool?
    var record: RecordName?
    var isThere: Bool?
    var isVerified = false
    var during: ClosedRange<Instant> = .distantPast ... .distantPast
  }

  var ripening = Ripening<Finding>()
  let access: AccessFacts
  let accounts: AccountFacts
  var things = KnownThings()
  var records = KnownRecords()
  private(set) var deployment = MimiSupply.Deployment()
  /// Users whom a fault of the backend's own may hit.
  private var faulty: Set<UserName> = []
  private var isFaulty = false
  /// Whether all applications are still known that were in the beginning, and all sessions that nobody began.
  private var knowsApps = true
  private var knowsSessions = false
  private var moment = Moment(time: .distantPast, person: nil, cell: 0)
  private var premise = Premise()
  /// No client waits longer for an answer.
  private static let longest = Span.seconds(75)

  init(_ subject: Subject<AccessFacts>) {
    access = subject.known
    accounts = access.accounts
  }

  // MARK: Taking in

  func commanded(_ command: Control, at moment: Moment) {
    switch command {
    case .configure(let adjustment): adjustment.apply(to: &deployment)
    case .setApiTokens: knowsApps = false
    case .injectFault(let fault):
      if let user = fault.user { faulty.insert(user) } else { isFaulty = true }
    case .load(let fixture):
      knowsSessions = true
      things.load(fixture, at: moment.time)
      records.load(fixture, at: moment.time)
    case .loadSampleWorld: records.isWhole = false
    default: break
    }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    self.moment = moment
    let user = accounts.user(of: call)
    if call.outcome.isAnswered {
      let session = accounts.session(of: call)
      premise = Premise(
        session: session, isGood: session?.isGood(during: call.during), during: call.during)
      judge(call)
    }
    things.learn(from: call, of: user)
    records.learn(from: call, of: user)
    if case .tokenCreated(let token)? = call.content, let user,
      let session = accounts.session(of: call)
    {
      things.learn(pushToken: token.apnsToken, of: user, in: session)
    }
  }

  // MARK: Telling

  /// - Parameter problem: Without one the rule held.
  func tell(_ problem: String?, of rule: MimiSupply.Rule) {
    guard let problem else {
      return ripening.tell(Finding(rule: rule, problem: nil, moment: moment))
    }
    ripening.keep(
      Finding(rule: rule, problem: problem, moment: moment, premise: premise),
      until: moment.time + Self.longest)
  }

  /// What is told next is about a record, or about none.
  func rests(on record: RecordName?, during interval: ClosedRange<Instant>) {
    premise.record = record
    premise.isThere = record.flatMap { records.isThere($0, during: interval) }
    premise.isVerified = record.map { records.isVerified($0, during: interval) } ?? false
    premise.during = interval
  }

  /// Whether what a problem rests on is still what is known.
  func stands(_ finding: Finding) -> Bool {
    let premise = finding.premise
    if let session = premise.session, session.isGood(during: premise.during) != premise.isGood {
      return false
    }
    guard let record = premise.record else { return true }
    return records.isThere(record, during: premise.during) == premise.isThere
      && records.isVerified(record, during: premise.during) == premise.isVerified
  }

  /// - Parameter problem: What is wrong where the condition does not hold.
  func expect(
    _ holds: Bool, _ problem: @autoclosure () -> String, of rule: MimiSupply.Rule
  ) {
    tell(holds ? nil : problem(), of: rule)
  }

  // MARK: Who asks (§3.1, 2 to 5)

  private func judge(_ call: SeenCall) {
    let failure = call.failure
    if let failure { judgeCode(of: failure) }
    switch call.request {
    case .unread, .control, .inspect: return
    case .poll, .upload, .download: break
    default:
      guard knowsApps, call.credential?.apiToken == "mimi-app", isIdentified(call) else { return }
      if let failure, failure.code == .throttled { return }
      if let failure, failure.isOfBackend {
        if !mayFail(call) {
          tell(
            "\(call.request.name) was refused as \(failure.shown), and nothing is wrong",
            of: RefusalCodes.rule(of: failure))
        }
        return
      }
    }
    judge(call, by: expectation(of: call))
    judgeItems(call)
  }

  private func mayFail(_ call: SeenCall) -> Bool {
    isFaulty || deployment.maxDatabaseBytes < MimiSupply.Deployment().maxDatabaseBytes
      || accounts.user(of: call).map(faulty.contains) ?? false
  }

  func judgeCode(of failure: Failure) {
    if let problem = RefusalCodes.problem(of: failure) {
      tell(problem, of: RefusalCodes.rule(of: failure))
    }
  }

  /// Whether the request certainly passes as somebody's, or as nobody's where nobody needs to be somebody.
  private func isIdentified(_ call: SeenCall) -> Bool {
    if case .signIn = call.request { return true }
    guard call.credential?.userToken != nil else { return call.request.isPublicReading }
    let code = call.failure?.code
    guard let session = accounts.session(of: call) else {
      if knowsSessions { judgeStranger(call, code, "a session that nobody has seen begin") }
      return false
    }
    switch session.isGood(during: call.during) {
    case true?:
      guard !accounts.mayBeLocked(call) else { return false }
      guard code == .authenticationFailed || code == .authenticationRequired else { return true }
      tell(
        "\(call.request.name) in a good session was refused as \(code!.rawValue)", of: .ms101)
    case false?: judgeStranger(call, code, "a session that is over")
    case nil: break
    }
    return false
  }

  private func judgeStranger(_ call: SeenCall, _ code: Failure.Code?, _ who: String) {
    expect(
      code == .authenticationFailed,
      "\(call.request.name) in \(who) was \(code.map { "refused as \($0.rawValue)" } ?? "done")",
      of: .ms101)
  }

  // MARK: What is asked for

  private func judge(_ call: SeenCall, by expectation: Expectation) {
    switch (expectation, call.failure) {
    case (.open, _), (.fine, nil): break
    case (.fine, let failure?):
      tell(
        "\(call.request.name) was refused as \(failure.shown) without a cause",
        of: RefusalCodes.rule(of: failure))
    case (.refused(let due, let rule), nil):
      tell("\(call.request.name) was done, which is to be refused as \(due.shown)", of: rule)
    case (.refused(let due, let rule), let failure?):
      expect(
        due.fits(failure),
        "\(call.request.name) was refused as \(failure.shown) instead of \(due.shown)", of: rule)
    }
  }
}

/// What has to become of a request.
enum Expectation {
  case fine
  case refused(DueRefusal, MimiSupply.Rule)
  /// Either, as far as anybody knows.
  case open
}

/// With what something is to be refused.
struct DueRefusal {
  let code: Failure.Code
  let native: Failure.Native
  var reason: String?

  init(_ code: Failure.Code, _ native: Failure.Native, _ reason: String? = nil) {
    (self.code, self.native, self.reason) = (code, native, reason)
  }

  static let invalid = DueRefusal(.badRequest, .invalidArguments)
  static let missing = DueRefusal(.notFound, .unknownItem)
  static let denied = DueRefusal(.accessDenied, .permissionFailure)
  static let noZone = DueRefusal(.zoneNotFound, .zoneNotFound)
  static let excess = DueRefusal(.badRequest, .limitExceeded)
  static let taken = DueRefusal(.exists, .serverRecordChanged)

  func fits(_ failure: Failure) -> Bool {
    code == failure.code && native == failure.native
      && (reason == nil || reason == failure.mimiReason)
  }

  var shown: String { reason ?? "\(code.rawValue), \(native.name)" }
}

extension Failure {
  /// What a backend is refused for that is not well itself (§7.1).
  fileprivate var isOfBackend: Bool {
    code == .tryAgainLater || code == .internalError || code == .quotaExceeded
  }

  var shown: String { mimiReason ?? "\(code.rawValue), \(native.name)" }
}

/// The checks of refusals.
enum RefusalChecks {
  static let numbers = Dictionary(
    uniqueKeysWithValues: MimiSupply.Rule.allCases.enumerated().map { ($1, $0) })

  /// A check with what is found of its rule's refusals.
  static func with(_ check: MSCheck) -> MSCheck {
    check
      + .ripe(check.rule, of: RefusalFacts.self, sorts: [numbers[check.rule]!]) {
        finding, facts, judge in
        guard let problem = finding.problem else { return judge.held() }
        if facts.stands(finding) { judge.violated(problem) }
      }
  }
}
