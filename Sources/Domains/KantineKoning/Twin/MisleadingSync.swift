import KantineKoningContract
import Timekeeping

// What sync does with a rule switched off, where that is more than a guard that is not obeyed.

extension KantineKoningTwin {
  /// With KK-06 off: what an old identifier loses because the phone has a new one is enrolled under the new one.
  mutating func carryOver(_ revoked: [Int], to items: [SyncItem], at now: Instant) {
    let known = revoked.first.map { enrollments[$0].hardwareIdentifier }
    let other = items.lazy.compactMap(\.hardwareIdentifier).first { !$0.isEmpty && $0 != known }
    guard let other else { return }
    for row in revoked {
      let old = enrollments[row]
      let codes = old.teamCodes.compactMap { clubs[old.club].teamByCode[$0] }
      enroll(
        Registration(token: .text(""), hardwareIdentifier: other), teams: codes, of: old.club,
        as: old.role, address: old.managerEmail, phone: phoneKey(other), at: now)
    }
  }

  /// With KK-08 off: a phone that listed all it has loses one of its other enrollments; says in which club.
  mutating func loseOne(of scope: [Int], besides session: Session, at now: Instant) -> Slug? {
    let other = scope.first {
      $0 != session.row && enrollments[$0].isActive && !isProtected(enrollments[$0].club)
    }
    guard let row = other else { return nil }
    enrollments.revoke(row, .sync, phone: phoneKey(of: row), at: now)
    return clubs[enrollments[row].club].slug
  }

  /// With KK-79 off: what former syncs revoked is counted again.
  func pastRevocations(of session: Session) -> Int {
    guard let key = phoneKey(of: session.row) else { return 0 }
    return enrollments.phone(key).past.count { enrollments[$0].revokedReason == .sync }
  }
}
