import Contracts
import KilwinningContract
import Timekeeping
import WireLine

/// Just enough of a lodge to confirm attendance from two devices: no rights, no years, no expiry.
struct LodgeMiniature: Twin {
  typealias Agreement = Kilwinning

  struct Pair: Hashable { var fratello: Int, tornata: Int }
  struct Key: Hashable { var fratello: Int, text: String }

  let fratelli: [Fratello]
  let tornate: Set<Int>
  private(set) var sessions: [String: Int] = [:]
  private(set) var presenze: [Pair: Presenza] = [:]
  private var answered: [Key: (body: Confirmation, answer: Acknowledgement)] = [:]

  init(fratelli: [Fratello], tornate: Set<Int>) {
    self.fratelli = fratelli
    self.tornate = tornate
  }

  mutating func handle(
    _ request: Kilwinning.Request, from caller: Caller<Kilwinning>, at now: Instant
  ) -> Handled<Kilwinning> {
    if case .logIn(let nome) = request { return logIn(nome, at: now) }
    guard case .client(let credential) = caller,
      case .bearer(let token)? = credential?.authorization
        ?? credential?.cookie.map({ .bearer($0) }),
      let id = sessions[token], let fratello = fratelli.first(where: { $0.id == id })
    else { return .refused(.init(.nonAutenticato)) }
    switch request {
    case .logIn, .unread(.unrouted): return .refused(.init(.rottaNonTrovata))
    case .unread(.malformed): return .refused(.init(.campoNonValido))
    case .me: return .replied(.fratello(fratello))
    case .presenze(let query):
      let own = presenze.values.filter { $0.fratelloID == query.fratelloID }
      return .replied(.presenze(own.sorted { $0.tornataID > $1.tornataID }))
    case .confirm(let confirmation): return confirm(confirmation, by: id, at: now)
    }
  }

  private mutating func logIn(_ nome: String, at now: Instant) -> Handled<Kilwinning> {
    guard let fratello = fratelli.first(where: { $0.nome == nome }) else {
      return .refused(.init(.credenzialiNonValide))
    }
    let token = "session-\(sessions.count)"
    sessions[token] = fratello.id
    return .replied(
      .loggedIn(Login(user: fratello, token: token, expiresAt: now + .seconds(28_800))))
  }

  private mutating func confirm(
    _ confirmation: Confirmation, by id: Int, at now: Instant
  ) -> Handled<Kilwinning> {
    let key = confirmation.idempotencyKey.map { Key(fratello: id, text: $0) }
    if let key, let before = answered[key] {
      return before.body == confirmation
        ? .replied(.confirmed(before.answer)) : .refused(.init(.chiaveRiusata))
    }
    guard tornate.contains(confirmation.tornataID) else {
      return .refused(.init(.tornataNonTrovata))
    }
    let pair = Pair(fratello: id, tornata: confirmation.tornataID)
    presenze[pair] = Presenza(
      id: presenze[pair]?.id ?? presenze.count + 1, fratelloID: id,
      tornataID: confirmation.tornataID, status: confirmation.presente ? .presente : .assente,
      confirmedAt: now)
    let answer = Acknowledgement(message: "Registrata", oltreTermine: false)
    if let key { answered[key] = (confirmation, answer) }
    return .replied(.confirmed(answer))
  }
}
