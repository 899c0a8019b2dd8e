import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-103: who signs in gets the profile of the identity, with a role, seen just now; a returning user gets no second
/// one.
struct SignIns: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private let profiles: ProfilesOfIdentities
  /// By name: each profile as an answer showed it last.
  private var profilesShown: [RecordName: Sight] = [:]
  /// Profiles that were new to somebody.
  private var news: Set<UserName> = []

  private struct Sight {
    let record: CloudRecord
    let answered: Instant
    /// Whether it may have been written since.
    var isWritten = false
  }

  init(_ profiles: ProfilesOfIdentities) { self.profiles = profiles }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    profiles.judge(call, &judge)
    judgeWrites(call, &judge)
    for profile in call.shown where profile.type == .userProfile {
      judgeActivity(profile, call, &judge)
    }
    guard case .signIn(let asked) = call.request, case .signedIn(let answer)? = call.content
    else { return }
    if let problem = problem(with: answer, to: asked) {
      judge.violated(problem)
    } else {
      judge.held()
    }
    if answer.isNewUser {
      judge.expect(
        news.insert(answer.userRecordName).inserted,
        "\(answer.userRecordName) was new more than once")
    }
  }

  /// The steps of the seed: identity, user, profile, role.
  private func problem(with answer: SignInAnswer, to asked: SignIn) -> String? {
    let profile = answer.userProfile
    if profile.name != answer.userRecordName.profile {
      return "\(answer.userRecordName) was shown the profile \(profile.name)"
    }
    if let identity = SimulatedIdentity(asked.identityToken),
      profile[UserProfile.appleUser] != identity.appleUserID
    {
      return "\(identity.appleUserID) was shown the profile of another identity"
    }
    guard profile[UserProfile.role].flatMap(Role.init) != nil else {
      return "the profile \(profile.name) says no role"
    }
    if answer.isNewUser, asked.role == nil, !answer.requiresRoleSelection {
      return "a new user without a role need not select one"
    }
    return nil
  }

  // MARK: Profiles

  /// `lastActiveAt` never goes back; a sign-in says that of its commit, and leaves texts alone that are there (§3.8).
  private mutating func judgeActivity(
    _ profile: CloudRecord, _ call: SeenCall, _ judge: inout Judge
  ) {
    guard let at = profile[UserProfile.lastActiveAt] else { return }
    let former = profilesShown[profile.name].flatMap { $0.answered < call.sent ? $0 : nil }
    if let before = former?.record[UserProfile.lastActiveAt] {
      judge.expect(at >= before, "lastActiveAt of \(profile.name) went back")
    }
    if case .signIn(let asked) = call.request {
      judge.expect(
        at >= call.sent.toMilliseconds, "\(profile.name) signed in and was active last at \(at)")
      for (field, sent) in [
        (UserProfile.email, asked.email), (UserProfile.fullName, asked.fullName),
      ] {
        guard let sent, let former, !former.isWritten, let text = former.record[field],
          !text.isEmpty, text != sent
        else { continue }
        judge.expect(profile[field] != sent, "a sign-in replaced \(text) of \(profile.name)")
      }
    }
    if call.answered >= profilesShown[profile.name]?.answered ?? .distantPast {
      profilesShown[profile.name] = Sight(record: profile, answered: call.answered)
    }
  }

  /// A push token that is set counts as activity (§2.4).
  private mutating func judgeWrites(_ call: SeenCall, _ judge: inout Judge) {
    guard case .modify(_, let modification) = call.request, !profilesShown.isEmpty else { return }
    for (index, item) in modification.items.enumerated() {
      guard let name = item.record.name, let shown = profilesShown[name]?.record else { continue }
      let result = call.writes.isEmpty ? nil : call.writes[index].result
      if result?.failure == nil { profilesShown[name]!.isWritten = true }
      guard let saved = result?.record, let token = item.record.fields.written[.deviceToken],
        item.record.fields[.lastActiveAt] == nil, item.record.changeTag == shown.changeTag,
        shown.fields[.deviceToken] != token, let at = saved[UserProfile.lastActiveAt]
      else { continue }
      judge.expect(
        at >= call.sent.toMilliseconds, "\(name) set a push token and was active last at \(at)")
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) { profiles.judgeRest(&judge) }
}

/// What a simulated identity token says (§3.8).
struct SimulatedIdentity: Hashable, Sendable {
  let appleUserID: String
  let nonceHash: String
  let issuedAt: Instant

  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "sim", let issued = Int64(parts[3]),
      Bounds.moments.contains(issued)
    else { return nil }
    appleUserID = String(parts[1])
    nonceHash = String(parts[2])
    issuedAt = Instant(unixMilliseconds: issued)
  }
}

/// MS-104. No hash is computed here: one that was accepted for a nonce is that nonce's, and no other's.
struct IdentityTokens: History {
  static let scope = Scope<MimiSupply>.cell

  private var deployment = InForce<MimiSupply.Deployment>()

  /// Nonces that were accepted or may have been: between when and when.
  private var used: [String: (sent: Instant, answered: Instant)] = [:]
  private var mayBeUsed: Set<String> = []
  private var hashOfNonce: [String: String] = [:]
  private var nonceOfHash: [String: String] = [:]

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    guard case .signIn(let asked) = call.request else { return }
    switch call.outcome {
    case .replied: judgeAccepted(asked, call, &judge)
    case .refused(let refusal): judgeRefused(asked, refusal.failure, call, &judge)
    case .unknown: mayBeUsed.insert(asked.nonce)
    case .unsent: break
    }
  }

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    if case .configure(let adjustment) = command { deployment.adjust(adjustment, at: moment.time) }
  }

  /// How long an identity token may have been good meanwhile.
  private func lifetimes(during interval: ClosedRange<Instant>) -> [Span] {
    deployment.all(during: interval).map(\.identityTokenLifetime)
  }

  private mutating func judgeAccepted(
    _ asked: SignIn, _ call: SeenCall, _ judge: inout Judge
  ) {
    guard let identity = SimulatedIdentity(asked.identityToken), asked.nonce.utf8.count == 32 else {
      judge.violated("a malformed identity token or nonce was accepted")
      return
    }
    // A nonce stays used for what was in force when it was.
    if let former = used[asked.nonce],
      let shortest = lifetimes(during: former.sent...former.answered).min(),
      call.answered - former.sent < shortest
    {
      judge.violated("a nonce was accepted twice within the lifetime of identity tokens")
    } else if let longest = lifetimes(during: call.during).max(),
      call.sent - identity.issuedAt >= longest
    {
      judge.violated("an identity token of \(identity.issuedAt) was accepted")
    } else if let other = nonceOfHash[identity.nonceHash], other != asked.nonce {
      judge.violated("the hash of another nonce was accepted")
    } else if let hash = hashOfNonce[asked.nonce], hash != identity.nonceHash {
      judge.violated("two hashes of one nonce were accepted")
    } else {
      judge.held()
    }
    used[asked.nonce] = (call.sent, call.answered)
    hashOfNonce[asked.nonce] = identity.nonceHash
    nonceOfHash[identity.nonceHash] = asked.nonce
  }

  /// A refusal for an identity has its reason in it.
  private func judgeRefused(
    _ asked: SignIn, _ failure: Failure, _ call: SeenCall, _ judge: inout Judge
  ) {
    guard failure.code == .authenticationFailed, let reason = failure.mimiReason else { return }
    switch reason {
    case "nonce_reused":
      judge.expect(
        used[asked.nonce] != nil || mayBeUsed.contains(asked.nonce),
        "a nonce was refused as used, and nobody had used it")
    case "token_expired":
      let issuedAt = SimulatedIdentity(asked.identityToken)?.issuedAt ?? .distantFuture
      guard let shortest = lifetimes(during: call.during).min() else { return }
      judge.expect(
        call.answered - issuedAt >= shortest, "a young identity token was too old")
    case "invalid_token":
      guard let identity = SimulatedIdentity(asked.identityToken) else {
        judge.held()
        return
      }
      let isRight = hashOfNonce[asked.nonce] == identity.nonceHash
      let isIssued = identity.issuedAt <= call.sent
      judge.expect(!isRight || !isIssued, "the right hash of a nonce was refused")
    default: return
    }
  }
}
