import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// A request about a dienst that was answered, with what is known of who asked; what others did to the dienst meanwhile is known later.
struct AnsweredCall {
  let call: KKCall
  let operation: MobileOperation?
  let code: KantineKoning.Refusal.Code?
  let moment: Moment
  /// By who asked.
  fileprivate let expected: ExpectedAnswer
  /// The teams of the enrollment, and those that the phone manages in its tenant; `nil` when nobody knows.
  fileprivate var own: [TeamName]?
  fileprivate var managed: [TeamName]?
  /// The code of the team that it names; `nil` for one that is none of the club's.
  fileprivate var named: TeamName?

  /// `nil` for a request that is refused by who asks already, which is no rule's here.
  init?(_ asked: Asked, _ known: CanteenChecks) {
    var expected = ExpectedAnswer()
    if asked.operation != .shiftVolunteer { known.expect(byWhoAsks: asked, &expected) }
    guard expected.certain == nil, !expected.isOpen else { return nil }
    (call, operation, code) = (asked.call, asked.operation, asked.code)
    (moment, self.expected) = (known.verdicts.moment, expected)
    switch call.request {
    case .addVolunteer, .removeVolunteer:
      own = asked.caller.map { known.phones[$0.phone].rights[$0.right].codes }
    case .claimDienst(let claim):
      named = known.known(asked.claims?.tenantSlug ?? "").flatMap {
        known.clubs[$0].code(of: claim.team)
      }
      managed = known.managed(asked)
    case .takeover, .offerTransfer: managed = known.managed(asked)
    case .answerCallToAction(let action):
      guard case .issued(let claims) = action.token else { return nil }
      named = known.known(claims.tenantSlug).flatMap { known.clubs[$0].code(of: claims.team) }
    default: break
    }
  }
}

extension CanteenChecks {
  fileprivate func managed(_ asked: Asked) -> [TeamName]? {
    asked.caller.map { caller in
      let tenant = phones[caller.phone].rights[caller.right].tenant
      return phones[caller.phone].rights.filter {
        $0.isActive && $0.role == .manager && $0.tenant == tenant
      }.flatMap(\.codes)
    }
  }

  /// Steps 2 to 9 of §3.2.
  fileprivate func expect(byWhoAsks asked: Asked, _ expected: inout ExpectedAnswer) {
    authenticate(asked, &expected)
    switch asked.call.request {
    case .addVolunteer(let it), .removeVolunteer(let it):
      require(it.tenant, .kk36, asked, &expected)
      expected.refuse(.teamAccessDenied, .kk54, if: asked.claims.map { $0.role == .member })
    case .takeover(let query):
      require(query.tenant, .kk53, asked, &expected)
      expected.refuse(.teamAccessDenied, .kk55, if: asked.claims.map { $0.role == .member })
    default:
      expected.refuse(.teamAccessDenied, .kk55, if: asked.claims.map { $0.role == .member })
    }
  }

  /// What a request had to be answered with, now that everything about the dienst is known (§3.2, steps 10 to 13).
  @inline(never)
  func judge(_ answered: AnsweredCall, about dienst: Int) {
    var expected = answered.expected
    if case .answerCallToAction(let action) = answered.call.request {
      judge(action, answered, dienst, &expected)
    } else if case .bearer(.issued(let claims))? = answered.call.credential {
      judge(answered, by: claims, dienst, &expected)
    }
    let moment = verdicts.moment
    verdicts.moment = answered.moment
    judge(expected, code: answered.code, answered.operation)
    verdicts.moment = moment
  }

  private func judge(
    _ answered: AnsweredCall, by claims: DeviceClaims, _ dienst: Int,
    _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    let isThere = isThere(dienst, for: claims.tenantSlug, during: call)
    expected.refuse(.dienstNotFound, .kk53, if: isThere.map { !$0 })
    guard expected.certain == nil else { return }
    switch call.request {
    case .addVolunteer(let change):
      judge(change.naam, true, answered, by: claims, dienst, &expected)
    case .removeVolunteer(let change):
      judge(change.naam, false, answered, by: claims, dienst, &expected)
    case .takeover(let query): judge(query.token, answered, dienst, &expected)
    case .claimDienst(let claim): judge(claim, answered, dienst, &expected)
    case .offerTransfer:
      let isHolder =
        diensten[dienst].team(during: call).map { team in
          team.map { team in answered.managed.map { $0.contains(team) } } ?? false
        } ?? nil
      expected.refuse(.teamAccessDenied, .kk119, if: isHolder.map { !$0 })
      expected.refuse(.dienstInPast, .kk117, if: diensten[dienst].hasBegun(during: call))
    default: break
    }
  }

  /// Whether it is there for a token of a tenant; a dienst of another one is not.
  private func isThere(_ dienst: Int, for tenant: Slug, during call: KKCall) -> Bool? {
    let club = diensten[dienst].club
    guard club != nobody else { return hasUnnamedDiensten ? nil : false }
    guard clubs.names[club] == tenant else { return false }
    let loadedAt = diensten[dienst].loadedAt
    if let reset = clubs[club].resetAt, reset > loadedAt {
      return reset + slack < call.sent ? false : nil
    }
    return loadedAt + slack < call.sent ? true : nil
  }

  // MARK: Names

  private func judge(
    _ name: String, _ isAdding: Bool, _ answered: AnsweredCall, by claims: DeviceClaims,
    _ dienst: Int, _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    var isCovered: Bool?
    if let team = diensten[dienst].team(during: call) {
      if let team, claims.teamCodes.contains(team) {
        isCovered = answered.own.map { $0.contains(team) }
      } else {
        isCovered = false
      }
    }
    expected.refuse(.teamAccessDenied, .kk61, if: isCovered.map { !$0 })
    if isAdding {
      expected.refuse(.teamAccessDenied, .kk61, if: diensten[dienst].isCancelled(during: call))
    }
    expected.refuse(
      .dienstInPast, isAdding ? .kk56 : .kk57, if: diensten[dienst].hasBegun(during: call))
    expect(name, &expected)
    // Who stands on the dienst is judged at the end.
    expected.refuse(isAdding ? .volunteerExists : .volunteerNotFound, .kk64, if: nil)
  }

  private func expect(_ name: String, _ expected: inout ExpectedAnswer) {
    expected.refuse(.invalidName, .kk60, if: !TextLength.isVisible(name))
    expected.refuse(.nameTooLong, .kk58, if: isTooLong(name))
  }

  /// Whether a name has more characters than it may have; `nil` where only the composed text tells.
  private func isTooLong(_ text: String) -> Bool? {
    let most = KantineKoning.longestName.value
    let bytesMost = most * TextLength.bytesPerCharacter
    // Composing makes a text three times as long or as short at the most.
    let (name, composition) = (trimmed(text), 3)
    let bytes = name.utf8.count
    if bytes > bytesMost * composition || name.count > most { return true }
    return bytes * composition <= bytesMost ? false : nil
  }

  /// O25: all names or none; whatever became of the dienst since the mail makes its link useless.
  private func judge(
    _ action: CallToAction, _ answered: AnsweredCall, _ dienst: Int,
    _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    guard case .issued(let claims) = action.token else { return }
    func refuse(_ applies: Bool?, _ rule: KKRule) {
      expected.refuse(.invalidOrExpiredToken, rule, if: applies)
    }
    let isOver = call.sent.unixSeconds >= claims.exp
    refuse(isOver ? true : call.answered.unixSeconds < claims.exp ? false : nil, .kk56)
    refuse(isThere(dienst, for: claims.tenantSlug, during: call).map { !$0 }, .kk61)
    refuse(diensten[dienst].team(during: call).map { $0 != answered.named }, .kk61)
    refuse(diensten[dienst].isCancelled(during: call), .kk61)
    refuse(diensten[dienst].hasBegun(during: call), .kk56)
    if let club = known(claims.tenantSlug), clubs[club].seasonsEnded > claims.season {
      let isLongAgo = clubs[club].endedAt.map { $0 + slack < call.sent } ?? false
      refuse(isLongAgo ? true : nil, .kk113)
    }
    var names: [String] = []
    for name in action.names {
      expect(name, &expected)
      let isTwice = names.contains(trimmed(name))
      expected.refuse(.volunteerExists, .kk59, if: isTwice ? true : nil)
      names.append(trimmed(name))
    }
    expected.refuse(.invalidName, .kk60, if: action.names.isEmpty)
  }

  // MARK: Takeovers

  /// O22.
  private func judge(
    _ token: NotificationToken, _ answered: AnsweredCall, _ dienst: Int,
    _ expected: inout ExpectedAnswer
  ) {
    expected.refuse(.teamAccessDenied, .kk118, if: isForged(token, dienst))
    let holder = diensten[dienst].team(during: answered.call)
    let isOwn = answered.managed.flatMap { managed in
      holder.map {
        $0.map { team in managed.allSatisfy { $0 == team } && !managed.isEmpty } ?? false
      }
    }
    expected.refuse(.ownDienst, .kk118, if: isOwn)
    expected.refuse(.alreadyClaimed, .kk117, if: isTaken(token, dienst, during: answered.call))
  }

  /// O23.
  private func judge(
    _ claim: DienstClaim, _ answered: AnsweredCall, _ dienst: Int,
    _ expected: inout ExpectedAnswer
  ) {
    let call = answered.call
    expected.refuse(.teamAccessDenied, .kk118, if: isForged(claim.token, dienst))
    let team = answered.named
    let isManaged = team.map { team in answered.managed.map { $0.contains(team) } } ?? false
    expected.refuse(.teamAccessDenied, .kk118, if: isManaged.map { !$0 })
    expected.refuse(.dienstInPast, .kk117, if: diensten[dienst].hasBegun(during: call))
    expected.refuse(
      .ownDienst, .kk118, if: diensten[dienst].team(during: call).map { $0 == team })
    expected.refuse(.alreadyClaimed, .kk118, if: isTaken(claim.token, dienst, during: call))
  }

  private func isForged(_ token: NotificationToken, _ dienst: Int) -> Bool? {
    switch token {
    case .issued(let claims):
      let club = diensten[dienst].club
      return claims.dienstID != diensten.names[dienst]
        || (club == nobody ? nil : clubs.names[club]) != claims.tenantSlug
    // Bytes may be genuine when they are as many as a signature takes.
    case .text(let text): return text.utf8.count < 43 ? true : nil
    }
  }

  /// Whether nobody may take it over with a right: it is not available, or the right is of a former offer.
  private func isTaken(
    _ token: NotificationToken, _ dienst: Int, during call: KKCall
  ) -> Bool? {
    let isKept =
      diensten[dienst].team(during: call).map { team in
        team == nil ? false : diensten[dienst].isOffered(during: call).map { !$0 }
      } ?? nil
    let reasons = [
      diensten[dienst].hasBegun(during: call), diensten[dienst].isCancelled(during: call), isKept,
      isOutdated(token, dienst, during: call),
    ]
    if reasons.contains(true) { return true }
    return reasons.contains(nil) ? nil : false
  }

  private func isOutdated(
    _ token: NotificationToken, _ dienst: Int, during call: KKCall
  ) -> Bool? {
    guard case .issued(let claims) = token, let story = diensten[dienst].story,
      let shown = story.shown[claims]
    else { return nil }
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
