import Contracts
import KilwinningContract
import Timekeeping

/// A token as its 128 bits (§2.7).
struct SessionToken: Hashable {
  private let high, low: UInt64

  init(drawing stream: inout RandomStream) { (high, low) = (stream.next(), stream.next()) }

  /// `nil` for a text that is none: 32 hexadecimal digits in lower case.
  init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy(Self.isDigit),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  var text: String { Self.hex(high) + Self.hex(low) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

struct Session {
  let brother: Int
  let createdAt: Instant
  var lastVerifiedAt: Instant
  var isRevoked = false
  /// Whether he said that he is an administrator (KW-022).
  let claimsAdmin: Bool

  /// KW-013.
  static let lifetime = Span.seconds(28_800)

  var expiresAt: Instant { lastVerifiedAt + Self.lifetime }
  /// At exactly 28 800 s it is still valid.
  func isExpired(at now: Instant) -> Bool { now > expiresAt }
}

/// Every session that ever was: an expired token is told from an unknown one for ever (KW-016).
struct Sessions {
  private var byToken: [SessionToken: Int] = [:]
  private var all: [Session] = []
  private var changes = ChangeLog<Int>()

  subscript(session: Int) -> Session {
    get { all[session] }
    set {
      all[session] = newValue
      changes.note(session)
    }
  }

  func find(_ token: String) -> Int? { SessionToken(token).flatMap { byToken[$0] } }

  mutating func open(_ session: Session, _ token: SessionToken) -> Int {
    byToken[token] = all.count
    changes.note(all.count)
    all.append(session)
    return all.count - 1
  }

  /// Of one fratello, in the order of their logins.
  func indices(of brother: Int) -> [Int] { all.indices.filter { all[$0].brother == brother } }

  /// Those that changed since a look; of all those that began or were verified since an instant.
  mutating func inspection(since look: Int, from recently: Instant) -> [Session] {
    changes.look(since: look)?.sorted().map { all[$0] }
      ?? all.filter { $0.lastVerifiedAt >= recently }
  }
}

extension KilwinningTwin {
  /// The session that a caller proves, by header or cookie (KW-010, KW-011).
  /// - Parameter isVerifying: Whether it is asked whether the session is valid; that revives none (KW-015).
  func prove(
    _ caller: Caller<Kilwinning>, isVerifying: Bool, at now: Instant
  ) -> Result<Int, Kilwinning.Refusal> {
    guard case .client(let credential?) = caller, let session = session(behind: credential),
      !sessions[session].isRevoked
    else { return .failure(Kilwinning.Refusal(.nonAutenticato, field: nil)) }
    let isHeldValid = !rules.binds(.kw013) || (isVerifying && !rules.binds(.kw015))
    guard sessions[session].isExpired(at: now), !isHeldValid else { return .success(session) }
    return .failure(
      Kilwinning.Refusal(rules.binds(.kw016) ? .sessioneScaduta : .nonAutenticato, field: nil))
  }

  func session(behind credential: Kilwinning.Credential) -> Int? {
    switch credential.authorization {
    case .bearer(let token):
      return sessions.find(token) ?? (rules.binds(.kw011) ? nil : ofCookie(credential))
    case .malformed(let header):
      if !rules.binds(.kw010) {
        for word in header.split(separator: " ") {
          if let session = sessions.find(String(word)) { return session }
        }
      }
      return rules.binds(.kw011) ? nil : ofCookie(credential)
    case nil: return ofCookie(credential)
    }
  }

  private func ofCookie(_ credential: Kilwinning.Credential) -> Int? {
    credential.cookie.flatMap { sessions.find($0) }
  }

  // MARK: O3 to O5

  mutating func logIn(_ asked: LogIn, at now: Instant) -> Answer {
    guard rules.binds(.kw002) else { return .refused(.campoMancante, field: "password") }
    guard let brother = brother(named: asked.nome.trimmed) else {
      return .refused(rules.binds(.kw004) ? .credenzialiNonValide : .fratelloNonTrovato)
    }
    if !rules.binds(.kw006) {
      for other in sessions.indices(of: brother) { sessions[other].isRevoked = true }
    }
    let token = SessionToken(drawing: &identifiers)
    let session = sessions.open(
      Session(
        brother: brother, createdAt: now, lastVerifiedAt: now,
        claimsAdmin: asked.adminAccess == true),
      token)
    let user = shown(brother, in: session)
    if !rules.binds(.kw019) { bent.asLoggedIn[session] = user }
    let expiresAt = rules.binds(.kw005) ? sessions[session].expiresAt : now + .days(1)
    return .success(
      .loggedIn(Login(user: user, token: token.text, expiresAt: expiresAt.inWholeSeconds)))
  }

  private func brother(named nome: String) -> Int? {
    guard !rules.binds(.kw003) else { return register.brother(named: nome) }
    return register.brothers.firstIndex { $0.fratello.nome.lowercased() == nome.lowercased() }
  }

  /// The only read that renews a session (KW-014).
  mutating func verify(_ session: Int, at now: Instant) -> Answer {
    sessions[session].lastVerifiedAt = now
    return .success(
      .fratello(bent.asLoggedIn[session] ?? shown(sessions[session].brother, in: session)))
  }

  mutating func logOut(_ session: Int, at now: Instant) -> Answer {
    sessions[session].isRevoked = true
    let brother = sessions[session].brother
    if !rules.binds(.kw017) {
      for other in sessions.indices(of: brother) { sessions[other].isRevoked = true }
    }
    if !rules.binds(.kw018) {
      for place in register.places(from: now, until: .distantFuture) {
        register.forget(brother, at: place)
      }
    }
    return .success(.loggedOut)
  }
}
