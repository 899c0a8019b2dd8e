import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What a request has to be answered with, by the order of checks of §3.2, as far as the records tell: the first reason
/// to refuse it that certainly applies, and those that may apply before it.
///
/// It judges both sides: what has a reason to be refused must be refused by its code, and nothing is refused without one.
struct ExpectedAnswer {
  typealias Code = KantineKoning.Refusal.Code
  typealias Rule = KantineKoning.Rule

  private(set) var certain: (code: Code, rule: Rule)?
  private var possible: [Code] = []
  /// Nothing can be said, because what comes first is unknown.
  private(set) var isOpen = false

  /// Whether nothing may be said against the request so far.
  var isSilent: Bool { certain == nil && possible.isEmpty && !isOpen }

  /// The next reason in order: whether it applies, or `nil` when nobody knows.
  mutating func refuse(_ code: Code, _ rule: Rule, if applies: Bool?) {
    guard certain == nil else { return }
    switch applies {
    case true?: certain = (code, rule)
    case nil: possible.append(code)
    case false?: break
    }
  }

  /// From here on anything may be answered, unless something certain came before.
  mutating func leaveOpen() { if certain == nil { isOpen = true } }

  /// What an answer says about a rule; `nil` when it can be right, and no rule was tried.
  func verdict(on call: KKCall) -> Verdict? {
    guard call.outcome.isAnswered else { return nil }
    let code = call.code
    if let certain {
      if code == certain.code { return Verdict(rule: certain.rule, problem: nil) }
      if let code, possible.contains(code) { return nil }
      let answer = code.map { "refused as \($0.rawValue)" } ?? "carried out"
      return Verdict(
        rule: certain.rule,
        problem: "\(call.name) was \(answer), where \(certain.code.rawValue) is due")
    }
    guard let code, !isOpen, !possible.contains(code) else { return nil }
    return Verdict(
      rule: Rule.keeping(code, of: call),
      problem: "\(call.name) was refused as \(code.rawValue) without a reason")
  }

  struct Verdict {
    let rule: Rule
    /// `nil` when the rule held.
    let problem: String?
  }
}

extension KKCall {
  /// What it asks, in a word.
  fileprivate var name: String {
    MobileOperation(rawValue: operation).map { "\($0)" } ?? "a request"
  }
}

extension KantineKoning.Rule {
  /// The rule that a refusal without a reason breaks.
  fileprivate static func keeping(
    _ code: KantineKoning.Refusal.Code, of call: KKCall
  ) -> KantineKoning.Rule {
    let operation = MobileOperation(rawValue: call.operation)
    switch (code, operation) {
    case (.invalidToken, _): return .kk39
    case (.tokenRevoked, _): return .kk41
    case (.deviceNotFound, _): return .kk42
    case (.tenantNotFound, .requestEnrollment), (.tenantNotFound, .allowedTeams): return .kk26
    case (.tenantNotFound, .register): return .kk27
    case (.tenantMismatch, .leaderboard), (.tenantMismatch, .globalLeaderboard),
      (.tenantNotFound, .leaderboard), (.tenantNotFound, .globalLeaderboard):
      return .kk111
    case (.tenantMismatch, .banners), (.tenantNotFound, .banners): return .kk122
    case (.tenantNotFound, .searchTeams): return .kk121
    case (.tenantMismatch, .takeover), (.tenantMismatch, .removeTenant): return .kk53
    case (.tenantMismatch, _), (.tenantNotFound, _): return .kk36
    case (.teamAccessDenied, .addVolunteer), (.teamAccessDenied, .removeVolunteer): return .kk61
    case (.teamAccessDenied, .transferOffer): return .kk119
    case (.teamAccessDenied, .emailPreferences), (.teamNotFound, .emailPreferences): return .kk120
    case (.teamAccessDenied, .availableDiensten): return .kk55
    case (.teamAccessDenied, _), (.ownDienst, _), (.alreadyClaimed, _): return .kk118
    case (.teamNotFound, _), (.seasonDataDeleted, _): return .kk115
    case (.dienstNotFound, _): return .kk53
    case (.dienstInPast, .removeVolunteer): return .kk57
    case (.dienstInPast, .addVolunteer), (.dienstInPast, .shiftVolunteer): return .kk56
    case (.dienstInPast, _): return .kk117
    case (.nameTooLong, _): return .kk58
    case (.volunteerExists, _): return .kk59
    case (.invalidName, _): return .kk60
    case (.volunteerNotFound, _): return .kk64
    case (.enrollmentClosed, _): return .kk23
    case (.invalidEmail, _), (.teamManagerNotFound, _): return .kk26
    case (.invalidTeamCodes, .sync), (.invalidRequest, .sync): return .kk78
    case (.emptyEnrollments, _): return .kk81
    case (.invalidTeamCodes, .register): return .kk27
    case (.invalidTeamCodes, _): return .kk26
    case (.enrollmentLimitExceeded, _): return .kk15
    case (.teamConflict, _): return .kk21
    case (.deviceAlreadyEnrolled, _): return .kk22
    case (.enrollmentExpired, _): return .kk29
    case (.invalidOrExpiredToken, .register): return .kk31
    case (.invalidOrExpiredToken, _): return .kk61
    case (.invalidParameter, .diensten): return .kk47
    case (.invalidParameter, .apnsToken): return .kk90
    case (.invalidParameter, .register): return .kk27
    case (.invalidParameter, _): return .kk109
    case (.tenantOptedOut, _): return .kk105
    case (.unauthorized, _), (.notFound, _), (.methodNotAllowed, _), (.invalidRequest, _):
      return .kk28
    }
  }
}

extension KantineKoningChecks {
  /// Adds to a check of a rule what it judges of answers, if anything.
  static func judgingAnswers(_ check: KKCheck) -> KKCheck {
    var check = check
    let rule = check.rule
    if AnswerFacts.operations[rule] != nil, !AnswerFacts.alone.contains(rule.id) {
      check = check + AnswerFacts.check(rule)
    }
    if DienstFacts.judges(rule) {
      check =
        check
        + .ripe(rule, of: DienstFacts.self) { answered, facts, judge in
          facts.verdict(on: answered)?.judge(rule, &judge)
        }
    }
    return check
  }
}

extension AnswerFacts {
  /// Rules that are judged by answers alone.
  fileprivate static let alone: Set<LimitID> = ["KK-32", "KK-78", "KK-81"]

  /// What answers say about a rule.
  static func check(_ rule: KantineKoning.Rule) -> KKCheck {
    .each(rule, operations[rule] ?? [], by: AnswerFacts.self) { call, facts, judge in
      facts.verdict(on: call)?.judge(rule, &judge)
    }
  }
}

extension ExpectedAnswer.Verdict {
  fileprivate func judge(_ rule: KantineKoning.Rule, _ judge: inout Judge) {
    guard self.rule == rule else { return }
    judge.expect(problem == nil, problem ?? "")
  }
}
