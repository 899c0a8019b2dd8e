import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// A session as its login and its uses tell of it (§2.7).
final class Session {
  static let lifetime = Span.seconds(28_800)

  let owner: Fratello.ID
  let claimsAdmin: Bool
  let began: ClosedRange<Instant>
  /// When it certainly was, and when it may have been verified; the login is the first.
  private var verified: [ClosedRange<Instant>]
  private var mayBeVerified: [ClosedRange<Instant>] = []
  private var revoked: ClosedRange<Instant>?
  private var mayBeRevokedFrom: Instant?
  /// When it was last used for anything but a verification.
  private(set) var lastUsed = Instant.distantPast

  init(of owner: Fratello.ID, claimsAdmin: Bool, began: ClosedRange<Instant>) {
    (self.owner, self.claimsAdmin, self.began) = (owner, claimsAdmin, began)
    verified = [began]
  }

  func take(_ call: KWCall) {
    let interval = call.sent...call.answered
    switch (call.request, call.outcome) {
    case (.me, .replied):
      verified.append(interval)
      // What was asked minutes ago has been judged, but for what ripens in a quiet lodge with the verification before this one.
      while verified.count > 3, verified[2].upperBound < call.sent - .minutes(5) {
        verified.removeFirst()
      }
    case (.me, .unknown): mayBeVerified.append(call.acting)
    case (.logOut, .replied): revoked = revoked ?? interval
    case (.logOut, .unknown): mayBeRevokedFrom = mayBeRevokedFrom ?? call.sent
    default: lastUsed = max(lastUsed, call.sent)
    }
  }

  enum State { case live, expired, revoked, unclear }

  func state(during interval: ClosedRange<Instant>) -> State {
    if let revoked, revoked.lowerBound <= interval.upperBound {
      // At one instant either may have come first.
      return revoked.upperBound < interval.lowerBound ? .revoked : .unclear
    }
    if let from = mayBeRevokedFrom, from <= interval.upperBound { return .unclear }
    if interval.upperBound - sinceAtLeast(interval.lowerBound) <= Self.lifetime { return .live }
    return interval.lowerBound - sinceAtMost(interval.upperBound) > Self.lifetime
      ? .expired : .unclear
  }

  /// Whether anything but what lasted so long may have verified it.
  func wasVerified(
    within interval: ClosedRange<Instant>, besides own: ClosedRange<Instant>
  ) -> Bool {
    (verified + mayBeVerified).contains { $0 != own && $0.overlaps(interval) }
  }

  /// It was certainly verified then or later.
  private func sinceAtLeast(_ instant: Instant) -> Instant {
    var since = Instant.distantPast
    for interval in verified where interval.upperBound <= instant {
      since = max(since, interval.lowerBound)
    }
    return since
  }

  private func sinceAtMost(_ instant: Instant) -> Instant {
    var since = Instant.distantPast
    for intervals in [verified, mayBeVerified] {
      for interval in intervals where interval.lowerBound <= instant {
        since = max(since, interval.upperBound)
      }
    }
    return since
  }

  /// Whether it certainly ended by a logout.
  func isRevoked(during interval: ClosedRange<Instant>) -> Bool {
    revoked.map { $0.upperBound < interval.lowerBound } ?? false
  }

  /// When it certainly ended, if that was before an instant.
  func ended(before instant: Instant) -> Instant? {
    if let revoked, revoked.upperBound <= instant { return revoked.lowerBound }
    let end = (verified + mayBeVerified).map(\.upperBound).max().map { $0 + Self.lifetime }
    return end.flatMap { $0 < instant ? $0 : nil }
  }

  /// Whether it lives through a verification alone, its login being too long ago (KW-014).
  func livesByVerification(at instant: Instant) -> Bool {
    instant - began.upperBound > Self.lifetime
  }

  /// Whether it was used after it was last verified, less than a life ago (KW-014).
  func wasUsedInVain(before instant: Instant) -> Bool {
    lastUsed > sinceAtMost(instant) && instant - lastUsed <= Self.lifetime
  }
}

/// Who asked.
enum Asker {
  /// Nothing was shown, or nothing that a login gave.
  case nobody
  case live(Session)
  case expired(Session)
  case revoked(Session)
  case unclear

  var session: Session? {
    switch self {
    case .live(let it), .expired(let it), .revoked(let it): it
    case .nobody, .unclear: nil
    }
  }
}

/// The sessions of a lodge by their tokens.
struct SessionBook {
  private var byToken: [String: Session] = [:]
  /// By fratello, in the order of their logins.
  private var byOwner: [Fratello.ID: [Session]] = [:]
  /// When logins without an answer may have worked.
  private var lost: [ClosedRange<Instant>] = []

  mutating func take(_ call: KWCall) {
    if case .logIn(let asked) = call.request, let login = call.outcome.reply?.loggedIn {
      let session = Session(
        of: login.user.id, claimsAdmin: asked.adminAccess == true,
        began: call.sent...call.answered)
      byToken[login.token] = session
      byOwner[login.user.id, default: []].append(session)
    } else if case .logIn = call.request {
      if call.isUnknown { lost.append(call.acting) }
    } else {
      session(of: call.credential)?.take(call)
    }
  }

  /// The header alone decides where there is one (KW-011).
  func session(of credential: Kilwinning.Credential?) -> Session? {
    switch credential?.authorization {
    case .bearer(let token): byToken[token]
    case .malformed: nil
    case nil: credential?.cookie.flatMap { byToken[$0] }
    }
  }

  func hasToken(_ token: String) -> Bool { byToken[token] != nil }

  /// His latest ones.
  func all(of owner: Fratello.ID) -> ArraySlice<Session> { (byOwner[owner] ?? []).suffix(12) }

  /// Whether a login of his may have been answered at an instant (KW-004).
  func mayHaveBegun(_ owner: Fratello.ID, at instant: Instant) -> Bool {
    byOwner[owner]?.contains { $0.began.contains(instant) } ?? false
      || lost.contains { $0.contains(instant) }
  }
}
