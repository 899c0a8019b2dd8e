import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The paths that the app takes: KK-24, KK-25, KK-29, KK-33, KK-128.
enum PathChecks {
  static let all: [KKCheck] = [
    .history(
      .kk24, [.notes, .asks(.allowedTeams), .asks(.requestEnrollment), .asks(.register)],
      ManagerPath.init),
    .history(.kk25, [.notes, .asks(.searchTeams), .asks(.register)], MemberPath.init),
    .each(.kk29, [.asks(.register)]) { call, judge in
      guard let claims = call.registration?.token.claims, call.sent.unixSeconds >= claims.exp,
        call.outcome.isAnswered
      else { return }
      if call.isReplied { judge.violated("an enrollment token was taken after its end") }
      if call.code == .enrollmentExpired { judge.held() }
    }
      + .each(.kk29, [.asks(.register)], by: MemberTokenFacts.self) { call, facts, judge in
        guard let person = call.person,
          facts.phones.contains(person), case .member(let claims)? = call.registration?.token
        else { return }
        judgeOwnToken(claims, at: call.sent, facts, &judge)
      },
    .history(.kk33, [.notes], Phases.init),
    .history(.kk128, [.notes, .asks(.tenants), .asks(.diensten)], OneList.init),
  ]

  /// No phone's clock is further off, in seconds.
  private static let clockOffsetMost: Int64 = 3_600

  /// KK-29: the token that the app builds: for a member, for enrolling, ten minutes of its own clock or as long as the
  /// deployment says, used once.
  private static func judgeOwnToken(
    _ claims: EnrollmentClaims, at sent: Instant, _ facts: MemberTokenFacts, _ judge: inout Judge
  ) {
    let fits = facts.deployments.all.contains { deployment in
      let expected = (sent + deployment.memberTokenLifetime).unixSeconds
      return (expected - clockOffsetMost - 1...expected + clockOffsetMost + 1).contains(claims.exp)
    }
    judge.expect(
      claims.role == Role.member.rawValue && claims.purpose == "device-enroll" && fits
        && !facts.isUsed(claims.jti),
      "the app built a token for \(claims.role) that ends at \(claims.exp), or used one again")
  }
}

extension KantineKoning.Note {
  /// Whether only a phone writes it down, which tells it from others who ask as they like.
  var isOfPhone: Bool {
    switch self {
    case .installed, .foreground: true
    default: false
    }
  }
}

/// KK-24: a manager's registration comes after the allowed teams and the request for a link.
private struct ManagerPath: History {
  static let scope = Scope<KantineKoning>.person
  private var isPhone = false
  private var informed: Set<Slug> = []
  private var requested: Set<Slug> = []

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    isPhone = isPhone || note.isOfPhone
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard isPhone else { return }
    if case .requestEnrollment(let asked) = call.request {
      if !asked.teamCodes.isEmpty {
        requested.insert(asked.tenantSlug)
      } else if call.isReplied {
        informed.insert(asked.tenantSlug)
      }
    }
    guard case .link(let claims)? = call.registration?.token else { return }
    judge.expect(
      informed.contains(claims.tenantSlug) && requested.contains(claims.tenantSlug),
      "a manager registered in \(claims.tenantSlug) without having seen the allowed teams")
  }
}

/// KK-25: a member's registration comes after a search in that club.
private struct MemberPath: History {
  static let scope = Scope<KantineKoning>.person
  private var isPhone = false
  private var searched: Set<Slug> = []

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    isPhone = isPhone || note.isOfPhone
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard isPhone else { return }
    if case .searchTeams(let tenant, _) = call.request { searched.insert(tenant) }
    guard case .member(let claims)? = call.registration?.token else { return }
    judge.expect(
      searched.contains(claims.tenantSlug),
      "a member registered in \(claims.tenantSlug) without having searched for a team")
  }
}

/// KK-33: a process begins by launching, and phases follow each other as §5.1 draws them.
private struct Phases: History {
  static let scope = Scope<KantineKoning>.person
  private var phase: KantineKoning.Phase?
  private var process: Int?
  private var hasLaunched = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .phase(let next):
      if next == .launching { hasLaunched = true }
      if let phase, !Self.follow(phase).contains(next) {
        judge.violated("\(phase.rawValue) was followed by \(next.rawValue)")
      }
      phase = next
    case .foreground(let number, _):
      if number != process {
        judge.expect(hasLaunched, "process \(number) of the app did not begin by launching")
      }
      process = number
      hasLaunched = false
    default: break
    }
  }

  private static func follow(_ phase: KantineKoning.Phase) -> [KantineKoning.Phase] {
    switch phase {
    case .launching: [.registered, .onboarding]
    case .onboarding: [.enrollmentPending, .registered, .launching]
    case .enrollmentPending: [.registered, .onboarding, .launching]
    case .registered: [.onboarding, .launching]
    }
  }
}

/// KK-128: one list for the whole app: it holds what every answer of the refresh brought.
private struct OneList: History {
  static let scope = Scope<KantineKoning>.person

  /// Requests that left together: the list is shown when the last of them has its outcome.
  private struct Refresh {
    let sent: Instant
    var ends: Instant
    var answered: [Dienst]
  }

  private var refreshes: [Refresh] = []
  /// What was asked before then may be of teams that are gone.
  private var since = Instant.distantPast
  /// A phone has no more refreshes under way at once.
  private static let most = 8

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    // Tenant info may take teams from the phone, so that older answers count no more.
    if call.operation == MobileOperation.tenants.rawValue { return forget(call.answered) }
    remember(call)
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .listShown(let shown):
      for refresh in refreshes where refresh.ends == moment.time && !refresh.answered.isEmpty {
        judge.expect(
          Self.isShown(refresh.answered, in: shown),
          "a dienst that was answered is not in the one list")
      }
      refreshes.removeAll { $0.ends == moment.time }
    case .swipedAway, .resetLocally, .reinstalled: forget(moment.time)
    default: break
    }
  }

  /// Most lists are short enough to be looked through.
  private static func isShown(
    _ answered: [Dienst], in shown: [KantineKoning.ShownDienst]
  ) -> Bool {
    if shown.count <= 16 {
      return answered.allSatisfy { answer in shown.contains { $0.id == answer.id } }
    }
    let ids = Set(shown.map(\.id))
    return answered.allSatisfy { ids.contains($0.id) }
  }

  private mutating func forget(_ now: Instant) {
    refreshes = []
    since = max(since, now)
  }

  private mutating func remember(_ call: KKCall) {
    guard call.sent >= since else { return }
    let index =
      refreshes.firstIndex { $0.sent == call.sent }
      ?? {
        if refreshes.count == Self.most { refreshes.removeFirst() }
        refreshes.append(Refresh(sent: call.sent, ends: call.answered, answered: []))
        return refreshes.count - 1
      }()
    refreshes[index].ends = max(refreshes[index].ends, call.answered)
    refreshes[index].answered += call.diensten ?? []
  }
}

/// KK-44: a phone asks for diensten by tenant, with a token of that tenant.
struct NamedTenants: History {
  static let scope = Scope<KantineKoning>.person
  private var isPhone = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    isPhone = isPhone || note.isOfPhone
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard isPhone, case .diensten(let query) = call.request else { return }
    judge.expect(
      query.tenant != nil && query.tenant == call.claims?.tenantSlug,
      "a phone asked for the diensten of \(query.tenant ?? "no tenant")")
  }
}
