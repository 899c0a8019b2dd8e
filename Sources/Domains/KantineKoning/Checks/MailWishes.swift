import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-120: what a manager wishes for one team's mails holds for that team alone, and for none while push does not work:
/// the effective value is `wish OR NOT (push_enabled AND has_apns_token)` (§3.4, O9).
struct MailWishes: History {
  static let scope = Scope<KantineKoning>.each(
    "enrollment at work", by: EnrollmentID.self,
    asked: { call, tell in if let claims = call.claims { tell(claims.deviceID) } })

  private let clubs: Clubs
  /// What was wished; `nil` where nobody knows. Without a word mails are wanted (§2.4).
  private var wishes: [TeamName: Bool?] = [:]
  private var wishedUntil = Instant.distantPast

  init(_ clubs: Clubs) { self.clubs = clubs }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .setEmailPreference(let wish): take(wish, call, &judge)
    case .status:
      guard let status = call.status, wishedUntil < call.sent else { return }
      let works = status.pushEnabled && status.hasApnsToken
      let wrong = status.teamEmailPreferences.first { shown in
        guard let wish = wish(for: shown.teamCode) else { return false }
        return shown.emailEnabled != (wish || !works)
      }
      judge.expect(
        wrong == nil && status.teamEmailPreferences.map(\.teamCode) == status.teamCodes,
        "mails of \(wrong?.teamCode ?? "") are \(wrong?.emailEnabled ?? false ? "on" : "off")")
    default: break
    }
  }

  private func wish(for team: TeamName) -> Bool? { wishes[team] ?? true }

  private mutating func take(_ wish: EmailPreference, _ call: KKCall, _ judge: inout Judge) {
    guard call.isReplied || call.isUnknown, let tenant = call.claims?.tenantSlug,
      let code = clubs[tenant]?.code(of: wish.team)
    else { return }
    let isAlone = wishedUntil < call.sent
    wishes[code] = .some(call.isReplied && isAlone ? wish.enabled : nil)
    wishedUntil = max(wishedUntil, call.during.upperBound)
    guard case .replied(.emailPreferences(let shown)) = call.outcome, isAlone else { return }
    // All are on while push does not work.
    let isAsWished = shown.allSatisfy { team in
      self.wish(for: team.teamCode).map { $0 == team.emailEnabled } ?? true
    }
    judge.expect(
      (isAsWished || shown.allSatisfy(\.emailEnabled)) && shown.contains { $0.teamCode == code },
      "mails of \(code) were switched \(wish.enabled ? "on" : "off"), and others with them")
  }
}
