import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// Somebody who tries what the rules forbid, and what they just allow, one act after the other.
///
/// Anybody may log in as anybody, so an adversary goes by the names of inherited fratelli, who have no device, and plans tornate
/// of his own, which are gone when the act is over.
public final class Adversary: Behaviour {
  public typealias Contract = Kilwinning

  let seed: AdversarySeed
  var lodge: LodgeTraits { seed.lodge }
  private var turn: Int
  /// How often all acts have come, which decides what kind of them comes.
  var round: Int { turn / Self.acts }
  static let acts = 16
  private var keys = 0
  private var hasSeenUnlikeDays = false

  public init(_ seed: AdversarySeed) { (self.seed, turn) = (seed, seed.turn) }

  public var begins: Instant? { seed.begins }

  public func session(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Instant? {
    if !hasSeenUnlikeDays, areDaysUnlike(after: me.now) {
      hasSeenUnlikeDays = true
      try await confirmAtTheDeadline(as: me)
      return me.now + .minutes(1)
    }
    defer { turn += 1 }
    switch turn % Self.acts {
    case 0: try await forgeSessions(as: me)
    case 1: try await logInWrongly(as: me)
    case 2: try await readTheFigures(as: me)
    case 3: try await errTwice(as: me)
    case 4: try await writeTogether(as: me)
    case 5: try await endSessions(as: me)
    case 6: try await trespass(as: me)
    case 7: try await planAndUnplan(as: me)
    case 8: try await probeAnni(as: me)
    case 9: try await sendRubbish(as: me)
    case 10: try await confirmBadly(as: me)
    case 11: try await changeDegrees(as: me)
    case 12: try await confirmAtTheDeadline(as: me)
    case 13: try await flood(as: me)
    case 14: try await attendFifty(as: me)
    default: try await outliveASession(as: me)
    }
    return me.now
      + me.draw(.mischief) { $0.sample(.exponential(mean: lodge.habits.mischiefEvery)) }
  }

  // MARK: Tools

  /// What the inherited fratello of a number is called.
  var strangers: [Fratello] {
    Array(lodge.fixture.fratelli.suffix(Inheritance.strangers.count))
  }

  var inherited: [Tornata] { Array(lodge.fixture.tornate.suffix(Inheritance.count)) }

  /// Whether one of the next five days is longer or shorter than others, so that midnights do not lie whole days apart (KW-070).
  private func areDaysUnlike(after now: Instant) -> Bool {
    let today = lodge.zone.civil(at: now).date.daysSinceEpoch
    let midnights = [0, 5].map { lodge.zone.instant(CivilDate(daysSinceEpoch: today + $0)) }
    return midnights[1] - midnights[0] != .days(5)
  }

  var admin: Fratello? { lodge.fixture.fratelli.first { lodge.isAdmin($0.nome) } }

  func pause(_ me: Person<Kilwinning>) async throws(JourneyEnded) {
    try await me.think(.uniform(from: .milliseconds(400), to: .seconds(2)))
  }

  @discardableResult
  func ask(
    _ request: Kilwinning.Request, _ credential: Kilwinning.Credential?,
    as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Outcome<Kilwinning> {
    try await pause(me)
    return try await me.ask(request, with: credential)
  }

  /// A new session of a fratello, with its header.
  func session(
    of nome: String, claimingToBeAdmin isAdmin: Bool? = nil, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Kilwinning.Credential? {
    let outcome = try await ask(
      .logIn(LogIn(nome, adminAccess: isAdmin)), Kilwinning.Credential(peer: seed.name), as: me)
    return outcome.reply?.loggedIn.map { bearer($0.token) }
  }

  func bearer(_ token: String) -> Kilwinning.Credential {
    Kilwinning.Credential(peer: seed.name, authorization: .bearer(token))
  }

  func token(of credential: Kilwinning.Credential) -> String {
    if case .bearer(let token)? = credential.authorization { token } else { "" }
  }

  /// The same session, shown by its cookie.
  func cookie(_ credential: Kilwinning.Credential) -> Kilwinning.Credential {
    Kilwinning.Credential(peer: credential.peer, cookie: token(of: credential))
  }

  /// A key that is new in this lodge; other lodges have the same ones.
  func newKey() -> String {
    keys += 1
    return "\(seed.turn % Self.acts)-\(keys)"
  }

  func malformed(_ request: Kilwinning.Request, _ fault: Unread.Fault) -> Kilwinning.Request {
    .unread(.malformed(operation: Kilwinning.operation(of: request), fault))
  }

  /// One of each operation that needs a session.
  func everything(of stranger: Fratello) -> [Kilwinning.Request] {
    [
      .tornate(TornateQuery()), .presenze(PresenzeQuery(stranger.id)),
      .statistiche(PresenzeQuery(stranger.id)), .riepilogo(.absent),
      .confirm(Confirmation(tornataID: inherited[0].id, presente: true)),
    ] + administrative(of: stranger)
  }

  /// One of each operation that needs an administrator; none of them would do any harm.
  func administrative(of stranger: Fratello) -> [Kilwinning.Request] {
    let past = NewTornata(data: lodge.starts.inWholeSeconds - .days(90), discussione: "Abusiva")
    return [
      .createTornata(past), .updateTornata(TornataUpdate(inherited[0].id) { _ in }),
      .deleteTornata(Serial(999_999)), .exportRiepilogo(.absent),
      .updateFratello(FratelloUpdate(stranger.id, FratelloChange(grado: stranger.grado))),
    ]
  }
}
