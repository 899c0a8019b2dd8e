import Contracts
import KilwinningContract
import Timekeeping

/// The lodge's backend as a deterministic state machine: no clock, no randomness of its own, no I/O.
public struct KilwinningTwin: Twin {
  public typealias Contract = Kilwinning
  typealias Answer = Result<Kilwinning.Reply, Kilwinning.Refusal>

  var rules: Rules<Kilwinning.Rule>
  var identifiers: RandomStream
  var deployment = Kilwinning.Deployment()

  var register = Register()
  var sessions = Sessions()
  var answered = AnsweredKeys()
  var limit = RequestLimit()
  /// Answers of O11 by what was asked, until a tornata changes.
  var lists: [TornateSelection: SharedList<Tornata>] = [:]
  /// The answer of O2, until a fratello or the lodge's settings change.
  var list: SharedList<Fratello>?
  /// What rules that are switched off need.
  var bent = BentState()

  public init(identifiers: RandomStream, rules: Rules<Kilwinning.Rule>) {
    (self.identifiers, self.rules) = (identifiers, rules)
  }

  public mutating func handle(
    _ request: Kilwinning.Request, from caller: Caller<Kilwinning>, at now: Instant
  ) -> Handled<Kilwinning> {
    let answer = answer(to: request, from: caller, at: now)
    return Handled(.now(answer), work: work(of: request, answer))
  }

  private func work(of request: Kilwinning.Request, _ answer: Answer) -> Work {
    guard case .success(let reply) = answer else { return Work(rowsRead: 1) }
    return switch reply {
    case .fratelli(let all): Work(rowsRead: 1 + all.count)
    case .presenze(let all): Work(rowsRead: 1 + all.count)
    case .tornate(let all): Work(rowsRead: 1 + all.count)
    case .statistiche(let it): Work(rowsRead: 1 + it.total)
    case .riepilogo(let rows): Work(rowsRead: rows.reduce(1) { $0 + $1.tornateDisponibili })
    case .confirmed, .tornata, .deleted, .loggedIn, .loggedOut: Work(rowsRead: 2, rowsWritten: 1)
    default: Work(rowsRead: 1)
    }
  }

  /// §3.3: the first check that fails decides.
  private mutating func answer(
    to request: Kilwinning.Request, from caller: Caller<Kilwinning>, at now: Instant
  ) -> Answer {
    switch request {
    case .load, .populate, .configure, .setRule, .inspect:
      return obey(request, from: caller, at: now)
    case .unread(.unrouted(let asked)): return unrouted(asked)
    case .unread(.malformed(_, let fault)):
      if let refusal = ofFrame(fault) { return .failure(refusal) }
    default: break
    }
    bendTime(at: now)
    let operation = Kilwinning.operation(of: request)
    let proof = prove(caller, isVerifying: request == .me, at: now)
    if let refusal = refusalByLimit(caller, proof, at: now) { return .failure(refusal) }
    switch Kilwinning.right(of: operation) {
    case .none: return answerAnybody(request, proof, at: now)
    case .session: break
    case .administrator(let rule):
      guard case .success(let session) = proof else { return refused(proof) }
      if bindsRight(rule), !isAdmin(session) { return .refused(.accessoNegato) }
    }
    switch proof {
    case .success(let session):
      if !rules.binds(.kw014) { sessions[session].lastVerifiedAt = now }
      return answer(to: request, as: session, at: now)
    case .failure(let refusal):
      return answerWithoutSession(request, at: now) ?? .failure(refusal)
    }
  }

  /// Each of the three rules has a switch of its own.
  private func bindsRight(_ rule: Kilwinning.Rule) -> Bool {
    switch rule {
    case .kw023: rules.binds(.kw023)
    case .kw024: rules.binds(.kw024)
    default: rules.binds(.kw133)
    }
  }

  private func refused(_ proof: Result<Int, Kilwinning.Refusal>) -> Answer {
    proof.map { _ in .done }
  }

  /// Requests that no operation takes: unknown paths, wrong methods, and `OPTIONS` of any path (O16, KW-153).
  private func unrouted(_ asked: Unread.Unrouted) -> Answer {
    if asked.method == "OPTIONS" { return .success(.preflight) }
    guard !asked.allowed.isEmpty, rules.binds(.kw153) else { return .refused(.rottaNonTrovata) }
    return .failure(Kilwinning.Refusal(.metodoNonConsentito, allowed: asked.allowed))
  }

  /// Steps 1 and 2 of §3.3, before anything else is looked at (KW-152).
  private func ofFrame(_ fault: Unread.Fault) -> Kilwinning.Refusal? {
    let kind: Kilwinning.RefusalKind
    switch fault.kind {
    case .tooLarge: kind = .corpoTroppoGrande
    case .noDocument, .noQuery: kind = .jsonNonValido
    case .member: return nil
    }
    return Kilwinning.Refusal(rules.binds(.kw152) ? kind : .campoNonValido, field: nil)
  }

  private mutating func answerAnybody(
    _ request: Kilwinning.Request, _ proof: Result<Int, Kilwinning.Refusal>, at now: Instant
  ) -> Answer {
    switch request {
    case .logIn(let asked): return logIn(asked, at: now)
    case .fratelli:
      if !rules.binds(.kw001), case .failure = proof { return refused(proof) }
      return .success(.fratelli(listed()))
    case .unread(.malformed(_, let fault)): return .failure(refusal(of: fault))
    default: return .success(.welcome("Benvenuti nelle tornate della loggia"))
    }
  }

  /// What the session's fratello asks, his right having been looked at.
  private mutating func answer(
    to request: Kilwinning.Request, as session: Int, at now: Instant
  ) -> Answer {
    switch request {
    case .me: return verify(session, at: now)
    case .logOut: return logOut(session, at: now)
    case .updateFratello(let asked): return update(asked)
    case .presenze(let asked):
      return ofBrother(asked, as: session) { $0.presenze(of: $1, $2, at: now) }
    case .statistiche(let asked):
      return ofBrother(asked, as: session) { $0.statistics(of: $1, $2, at: now) }
    case .riepilogo(let anno):
      return within(anno) { .success(.riepilogo($0.riepilogo($1, at: now))) }
    case .exportRiepilogo(let anno): return within(anno) { $0.export(anno, $1, at: now) }
    case .tornate(let asked):
      return within(asked.anno) { twin, year in
        .success(.tornate(twin.tornate(year, asked.stato, for: session)))
      }
    case .confirm(let asked): return confirm(asked, as: session, at: now)
    case .createTornata(let asked): return create(asked, as: session)
    case .updateTornata(let asked): return update(asked)
    case .deleteTornata(let id): return delete(id)
    case .unread(.malformed(let operation, let fault)):
      if !rules.binds(.kw062), Kilwinning.operations[operation].name == "confirm" {
        return .success(.confirmed(Acknowledgement(oltreTermine: false)))
      }
      return .failure(refusal(of: fault))
    default: return .refused(.rottaNonTrovata)
    }
  }

  /// With KW-012 switched off whoever proves nothing may read.
  private mutating func answerWithoutSession(
    _ request: Kilwinning.Request, at now: Instant
  ) -> Answer? {
    guard !rules.binds(.kw012) else { return nil }
    switch request {
    case .presenze(let asked):
      return ofBrother(asked, as: nil) { $0.presenze(of: $1, $2, at: now) }
    case .statistiche(let asked):
      return ofBrother(asked, as: nil) { $0.statistics(of: $1, $2, at: now) }
    case .riepilogo(let anno):
      return within(anno) { .success(.riepilogo($0.riepilogo($1, at: now))) }
    default: return nil
    }
  }

  /// What is wrong with a member of a request that could not be read (§3.3).
  private func refusal(of fault: Unread.Fault) -> Kilwinning.Refusal {
    switch fault.path {
    case "anno": Kilwinning.Refusal(.annoNonValido, field: fault.path)
    case "stato": Kilwinning.Refusal(.statoNonValido, field: fault.path)
    default: refusal(ofBody: fault)
    }
  }

  func refusal(ofBody fault: Unread.Fault) -> Kilwinning.Refusal {
    Kilwinning.Refusal(
      fault.kind == .member(.missing) ? .campoMancante : .campoNonValido, field: fault.path)
  }
}

extension Result where Success == Kilwinning.Reply, Failure == Kilwinning.Refusal {
  static func refused(_ kind: Kilwinning.RefusalKind, field: String? = nil) -> Self {
    .failure(Kilwinning.Refusal(kind, field: field))
  }
}

extension Kilwinning.Refusal {
  /// In the words of its kind.
  init(
    _ kind: Kilwinning.RefusalKind, field: String?, retryAfterSeconds: Int? = nil
  ) {
    self.init(kind, kind.message, field: field, retryAfterSeconds: retryAfterSeconds)
  }

  init(_ kind: Kilwinning.RefusalKind, allowed: [String]) {
    self.init(kind, kind.message, allowed: allowed)
  }
}
