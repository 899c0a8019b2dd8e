import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Removal and reset: KK-82 to KK-87. What the very last swipe and a reset of client 2.4.2 keep quiet about (Q2, Q3)
/// is not judged (§8, point 28).
enum RemovalChecks {
  static let all: [KKCheck] = [
    .history(.kk82, [.notes, .asks(.removeTeams)]) {
      Promises(noted: { note in
        guard case .swipedAway(let swipe) = note, swipe.level == .team, swipe.isToCall,
          let code = swipe.code, let device = swipe.deviceIDs.last
        else { return [] }
        return [.removeTeam(deviceID: device, code: code)]
      })
    },
    .history(.kk83, [.notes, .asks(.removeTenant)]) {
      Promises(noted: { note in
        guard case .swipedAway(let swipe) = note, swipe.level == .club, swipe.isToCall,
          let newest = swipe.deviceIDs.last
        else { return [] }
        return [.removeClub(deviceID: newest, tenant: swipe.tenant)]
      })
    },
    .history(.kk84, Set<Concern>.authenticated.union([.notes]), EmptiedPhone.init),
    .history(.kk85, [.notes], BackToScanning.init),
    .inCell(.kk86, also: .authenticated) { call, facts, judge in
      judgeCompleteness(call, facts, &judge)
    },
    .history(.kk87, [.notes, .asks(.diensten)]) {
      Promises(noted: { note in
        guard case .pulledToRefresh(let devices) = note else { return [] }
        return devices.map { .ask(deviceID: $0) }
      })
    },
  ]

  /// KK-86: no request sees what its phone removed.
  private static func judgeCompleteness(
    _ call: KKCall, _ facts: CellFacts, _ judge: inout Judge
  ) {
    guard call.outcome.isAnswered, let known = facts.caller(of: call) else { return }
    judgeCount(call, facts, known, &judge)
    if case .removal? = known.right.gone?.why {
      judge.expect(!call.isReplied, "an enrollment that its phone removed still works")
      return
    }
    let removed = known.right.removed
    // What other teams offer (availableDiensten) is no enrollment's.
    if case .diensten = call.request, let list = call.diensten, !removed.isEmpty {
      judge.expect(
        !list.contains { removed.contains($0.team?.code ?? "") },
        "diensten of \(removed.sorted()) are shown after their removal")
    }
    if let status = call.status, known.right.isActive {
      judge.expect(
        known.right.codes == Set(status.teamCodes),
        "\(status.teamCodes) are enrolled for, not \(known.right.codes.sorted())")
    }
    guard let listed = call.tenants else { return }
    let ghosts = removedPairs(of: known.phone)
    guard !ghosts.isEmpty else { return }
    let shown = listed.first { club in
      facts.clubs[club.slug]?.hasEnded(during: call.during) == false
        && club.teams.contains { ghosts.contains(.init(tenant: club.slug, code: $0.code)) }
    }
    judge.expect(shown == nil, "O11 lists teams of \(shown?.slug ?? "") that the phone removed")
  }

  /// What O6 to O8 say that they removed is what there was to remove.
  private static func judgeCount(
    _ call: KKCall, _ facts: CellFacts, _ known: CellFacts.Caller, _ judge: inout Judge
  ) {
    let expected: Int
    switch call.request {
    case .removeTeams(let names):
      let club = facts.clubs[known.right.tenant]
      guard let match = facts.deployments.inForce(during: call.during)?.removeTeamsMatch,
        known.right.isActive
      else { return }
      let codes = match == .codeOnly ? names : names.compactMap { club?.code(of: $0) }
      expected = known.right.codes.intersection(codes).count
    case .removeTenant(let tenant):
      expected = known.phone.rights.count { $0.isActive && $0.tenant == tenant }
    case .removeAll: expected = known.phone.rights.count(where: \.isActive)
    default: return
    }
    let removed: Int
    switch call.outcome {
    case .replied(.teamsRemoved(let removal)): removed = removal.removed
    case .replied(.enrollmentsRevoked(let count)): removed = count
    default: return
    }
    judge.expect(removed == expected, "\(expected) were to be removed, \(removed) are said to be")
  }

  private static func removedPairs(of phone: CellFacts.Phone) -> Set<CellFacts.Pair> {
    guard phone.rights.contains(where: { !$0.removed.isEmpty }) else { return [] }
    let removed = phone.rights.flatMap { right in
      right.removed.map { CellFacts.Pair(tenant: right.tenant, code: $0) }
    }
    return Set(removed).subtracting(phone.pairs)
  }
}

/// KK-84: a reset calls O8 when a token is at hand, and empties the phone whatever came of it.
private struct EmptiedPhone: History {
  static let scope = Scope<KantineKoning>.person
  private var promises = Promises(noted: { note in
    guard case .resetConfirmed(let isToCall) = note else { return [] }
    return isToCall ? [.removeEverything, .emptyItself] : [.emptyItself]
  })
  private var lost: Set<EnrollmentID> = []
  private var emptiedAt = Instant.distantPast

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    promises.noted(note, at: moment, &judge)
    guard case .resetLocally(let devices) = note else { return }
    lost.formUnion(devices)
    emptiedAt = moment.time
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    promises.asked(call, at: moment, &judge)
    guard !lost.isEmpty, call.sent > emptiedAt, let claims = call.claims,
      lost.contains(claims.deviceID)
    else { return }
    judge.violated("a phone used an enrollment after it had been reset")
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    promises.ended(at: instant, &judge)
  }
}

/// KK-85: once nothing is left, the QR screen comes before anything else.
private struct BackToScanning: History {
  static let scope = Scope<KantineKoning>.person
  private var isEmpty = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .swipedAway(let swipe): isEmpty = swipe.leavesNothing
    case .resetLocally: isEmpty = true
    case .reinstalled, .identifierChanged, .appUpdated: isEmpty = false
    case .phase(let phase):
      guard isEmpty else { return }
      isEmpty = false
      judge.expect(phase == .onboarding, "an emptied phone went on as \(phase.rawValue)")
    case .foreground:
      guard isEmpty else { return }
      isEmpty = false
      judge.violated("an emptied phone did not go back to the QR screen")
    default: break
    }
  }
}
