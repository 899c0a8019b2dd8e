import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// A request about a dienst that was answered, with what is known of who asked; what others did to the dienst meanwhile is
/// known later.
struct AnsweredCall {
  let call: KKCall
  let moment: Moment
  /// By who asked alone (§3.2, steps 2 to 9).
  fileprivate let expected: ExpectedAnswer
  /// The teams that the request may see (KK-40); `nil` when nobody knows.
  fileprivate let visible: Set<TeamName>?
  /// The teams that the phone manages in the tenant, by all its enrollments.
  fileprivate let managed: Set<TeamName>?
  /// The code of the team that it names; `nil` for one that is none of the club's.
  fileprivate let named: TeamName?

  init(_ call: KKCall, at moment: Moment, by facts: CellFacts) {
    (self.call, self.moment) = (call, moment)
    var expected = ExpectedAnswer()
    let isOpen = if case .answerCallToAction = call.request { true } else { false }
    if !isOpen {
      expected.authenticate(call, facts)
      let isNaming = call.change != nil
      expected.require(call.namedTenant, of: call, facts, isNaming ? .kk36 : .kk53)
      expected.refuse(
        .teamAccessDenied, isNaming ? .kk54 : .kk55, if: call.claims.map { $0.role == .member })
    }
    self.expected = expected
    named = call.namedTeam.flatMap { tenant, team in facts.clubs[tenant]?.code(of: team) }
    let caller = facts.caller(of: call)
    visible = caller.map { $0.right.codes.intersection(call.claims?.teamCodes ?? []) }
    managed = caller.map { known in
      Set(
        known.phone.active.filter { $0.role == .manager && $0.tenant == known.right.tenant }
          .flatMap(\.codes))
    }
  }
}

extension KKCall {
  fileprivate var namedTeam: (tenant: Slug, team: TeamName)? {
    switch request {
    case .claimDienst(let claim): claims.map { ($0.tenantSlug, claim.team) }
    case .answerCallToAction(let action):
      if case .issued(let claims) = action.token { (claims.tenantSlug, claims.team) } else { nil }
    default: nil
    }
  }

  fileprivate var namedTenant: Slug? {
    switch request {
    case .addVolunteer(let change), .removeVolunteer(let change): change.tenant
    case .takeover(let query): query.tenant
    default: nil
    }
  }
}

extension DienstFacts {
  /// What a request has to be answered with, now that everything about the dienst is known (§3.2, steps 10 to 13).
  func expected(of answered: AnsweredCall) -> ExpectedAnswer {
    var expected = answered.expected
    guard expected.certain == nil, !expected.isOpen else { return expected }
    let call = answered.call
    if case .answerCallToAction(let action) = call.request {
      judge(action, answered, &expected)
      return expected
    }
    guard let claims = call.claims else { return expected }
    expected.refuse(
      .dienstNotFound, .kk53, if: isThere(for: claims.tenantSlug, during: call).map { !$0 })
    guard expected.certain == nil else { return expected }
    switch call.request {
    case .addVolunteer(let change): judge(change, isAdding: true, answered, &expected)
    case .removeVolunteer(let change): judge(change, isAdding: false, answered, &expected)
    case .takeover(let query): judge(query, answered, &expected)
    case .claimDienst(let claim): judge(claim, answered, &expected)
    case .offerTransfer:
      // By every enrollment of the phone, not by the token alone (§3.4).
      let isHolder =
        team(during: call).map { team in
          team.map { team in answered.managed.map { $0.contains(team) } } ?? false
        } ?? nil
      expected.refuse(.teamAccessDenied, .kk119, if: isHolder.map { !$0 })
      expected.refuse(.dienstInPast, .kk117, if: hasBegun(during: call))
    default: break
    }
    return expected
  }

  // MARK: Names

  private func judge(
    _ change: VolunteerChange, isAdding: Bool, _ answered: AnsweredCall,
    _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    expected.refuse(.teamAccessDenied, .kk61, if: isCovered(by: answered).map { !$0 })
    if isAdding { expected.refuse(.teamAccessDenied, .kk61, if: isCancelled(during: call)) }
    expected.refuse(.dienstInPast, isAdding ? .kk56 : .kk57, if: hasBegun(during: call))
    judge(name: change.naam, &expected)
    // Who stands on the dienst is judged by KK-59 and KK-64.
    expected.refuse(isAdding ? .volunteerExists : .volunteerNotFound, .kk64, if: nil)
  }

  private func isCovered(by answered: AnsweredCall) -> Bool? {
    guard let team = team(during: answered.call) else { return nil }
    guard let team, answered.call.claims?.teamCodes.contains(team) ?? false else { return false }
    return answered.visible.map { $0.contains(team) }
  }

  private func judge(name: String, _ expected: inout ExpectedAnswer) {
    expected.refuse(.invalidName, .kk60, if: !TextLength.isVisible(name))
    expected.refuse(.nameTooLong, .kk58, if: VolunteerChecks.isTooLong(name))
  }

  /// O25: all names or none; whatever became of the dienst since the mail makes its link useless.
  private func judge(
    _ action: CallToAction, _ answered: AnsweredCall, _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    guard case .issued(let claims) = action.token else { return expected.leaveOpen() }
    func refuse(if applies: Bool?, _ rule: KantineKoning.Rule) {
      expected.refuse(.invalidOrExpiredToken, rule, if: applies)
    }
    let isOver = call.sent.unixSeconds >= claims.exp
    refuse(if: isOver ? true : call.answered.unixSeconds < claims.exp ? false : nil, .kk56)
    refuse(if: isThere(for: claims.tenantSlug, during: call).map { !$0 }, .kk61)
    refuse(if: team(during: call).map { $0 != answered.named }, .kk61)
    refuse(if: isCancelled(during: call), .kk61)
    refuse(if: hasBegun(during: call), .kk56)
    if let club = cell.clubs[claims.tenantSlug], club.seasonsEnded > claims.season {
      let isLongAgo = club.endedAt.map { $0 + .seconds(1) < call.sent } ?? false
      refuse(if: isLongAgo ? true : nil, .kk113)
    }
    var names: [String] = []
    for name in action.names {
      judge(name: name, &expected)
      let isTwice = names.contains(trimmed(name))
      expected.refuse(.volunteerExists, .kk59, if: isTwice ? true : nil)
      names.append(trimmed(name))
    }
    expected.refuse(.invalidName, .kk60, if: action.names.isEmpty)
  }

  // MARK: Takeovers

  /// O22.
  private func judge(
    _ query: TakeoverQuery, _ answered: AnsweredCall, _ expected: inout ExpectedAnswer
  ) {
    expected.refuse(.teamAccessDenied, .kk118, if: isForged(query.token))
    let holder = team(during: answered.call)
    let isOwn = answered.managed.flatMap { managed in
      holder.map { $0.map { managed == [$0] } ?? false }
    }
    expected.refuse(.ownDienst, .kk118, if: isOwn)
    expected.refuse(
      .alreadyClaimed, .kk117, if: isTaken(query.token, during: answered.call))
  }

  /// O23.
  private func judge(
    _ claim: DienstClaim, _ answered: AnsweredCall, _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    expected.refuse(.teamAccessDenied, .kk118, if: isForged(claim.token))
    let team = answered.named
    let isManaged = team.map { team in answered.managed.map { $0.contains(team) } } ?? false
    expected.refuse(.teamAccessDenied, .kk118, if: isManaged.map { !$0 })
    expected.refuse(.dienstInPast, .kk117, if: hasBegun(during: call))
    expected.refuse(.ownDienst, .kk118, if: self.team(during: call).map { $0 == team })
    expected.refuse(.alreadyClaimed, .kk118, if: isTaken(claim.token, during: call))
  }

  private func isForged(_ token: NotificationToken) -> Bool? {
    switch token {
    case .issued(let claims): claims.dienstID != id || claims.tenantSlug != tenant
    // Bytes may be genuine when they are as many as a signature takes.
    case .text(let text): text.utf8.count < 43 ? true : nil
    }
  }

  /// Whether nobody may take it over with a right: it is not available, or the right is of a former offer.
  private func isTaken(_ token: NotificationToken, during call: KKCall) -> Bool? {
    let isKept =
      team(during: call).map { team in
        team == nil ? false : isOffered(during: call).map { !$0 }
      } ?? nil
    let reasons = [
      hasBegun(during: call), isCancelled(during: call), isKept, isOutdated(token, during: call),
    ]
    if reasons.contains(true) { return true }
    return reasons.contains(nil) ? nil : false
  }

  private func isOutdated(_ token: NotificationToken, during call: KKCall) -> Bool? {
    guard case .issued(let claims) = token, let story, let shown = story.shown[claims] else {
      return nil
    }
    let later = story.endings.filter {
      $0.during.upperBound >= shown.lowerBound && $0.during.lowerBound <= call.during.upperBound
    }
    if later.isEmpty { return false }
    let isCertain = later.contains { ending in
      ending.isCertain && ending.during.lowerBound > shown.upperBound
        && ending.during.upperBound < call.sent
    }
    return isCertain ? true : nil
  }
}
