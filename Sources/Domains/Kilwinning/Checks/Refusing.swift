import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// What a request has to come to: of all that is wrong with it the first check of §3.3 decides.
struct Due {
  /// What says so.
  let rule: Kilwinning.Rule
  /// `nil`: it is granted.
  var code: Code?
  /// The member that the refusal names.
  var field: String?

  init(by rule: Kilwinning.Rule, _ code: Code? = nil, field: String? = nil) {
    (self.rule, self.code, self.field) = (rule, code, field)
  }
}

/// Whether a request was granted or refused as it had to be, and with the right code, for all operations: both sides of every right,
/// session, path, query, body and state.
enum RefusalChecks {
  /// Those that nothing else judges.
  private static let ownRules: [Kilwinning.Rule] = [
    .kw001,
    .kw002,
    .kw012,
    .kw016,
    .kw023,
    .kw024,
    .kw034,
    .kw054,
    .kw061,
    .kw062,
    .kw065,
    .kw066,
    .kw069,
    .kw077,
    .kw133,
  ]
  /// Those of which other files judge what was answered.
  private static let sharedRules: [[Kilwinning.Rule]] = [
    [.kw004, .kw017, .kw019, .kw033, .kw040, .kw043], [.kw046, .kw051, .kw072, .kw095, .kw134],
  ]

  static let all: [KWCheck] = (ownRules + sharedRules.joined()).map { rule in
    .reading(rule) { it, judge in
      guard let due = it.due, due.rule == rule else { return }
      judge.expect(
        it.code == due.code
          && (due.field == nil || it.call.outcome.refusal?.field == due.field),
        "\(it.operationName): \(it.words) of \(it.call.outcome.refusal?.field ?? "-") instead of "
          + "\(due.code?.rawValue ?? "an answer") of \(due.field ?? "-")")
    }
  }
}

/// The records leave it open.
private struct Undecided: Error {}

extension Reading {
  var operationName: String { Kilwinning.operations[operation].name }

  /// Of a request that could not be read, the one that it was meant for.
  private var operation: Int {
    if case .unread(.malformed(let index, _)) = request { index } else { call.operation }
  }

  /// `nil` where the records leave it open, and for frames and routes, which KW-152 and KW-153 judge.
  var foundDue: Due? {
    if isFrameBroken { return nil }
    switch Result(catching: dueInOrder) {
    case .success(let due): return due
    case .failure: return nil
    }
  }

  /// In the order of §3.3.
  private func dueInOrder() throws(Undecided) -> Due? {
    if let due = try dueToCaller() { return due }
    if let due = dueToQuery() { return due }
    return try dueToBody()
  }

  /// Steps 5 and 6: session and right.
  private func dueToCaller() throws(Undecided) -> Due? {
    let right = Kilwinning.right(of: operation)
    if case .none = right { return nil }
    switch caller {
    case .live: break
    case .nobody:
      let shown = call.credential
      let showsNothing = shown?.authorization == nil && shown?.cookie == nil
      return Due(by: showsNothing ? .kw012 : .kw016, .nonAutenticato)
    case .revoked: return Due(by: .kw017, .nonAutenticato)
    case .expired: return Due(by: .kw016, .sessioneScaduta)
    case .unclear: throw Undecided()
    }
    guard case .administrator(let rule) = right else { return nil }
    return try certain(hasRight) ? nil : Due(by: rule, .accessoNegato)
  }

  /// Step 7: identifiers of the path and the query.
  private func dueToQuery() -> Due? {
    if let anno, anno.selection == .unreadable { return Due(by: .kw077, .annoNonValido) }
    guard case .unread(.malformed(_, let fault)) = request else { return nil }
    switch (fault.path, operationName) {
    case ("anno", _): return Due(by: .kw077, .annoNonValido)
    case ("stato", "tornate"): return Due(by: .kw077, .statoNonValido)
    case (_, "logIn"): return due(to: fault, by: .kw004)
    case (_, "confirm"): return due(to: fault, by: .kw062)
    case (_, "createTornata"): return due(to: fault, by: .kw043)
    case (_, "updateTornata"), (_, "deleteTornata"): return due(to: fault, by: .kw054)
    case (_, "updateFratello"): return due(to: fault, by: .kw033)
    default: return due(to: fault, by: .kw069)
    }
  }

  private func due(to fault: Unread.Fault, by rule: Kilwinning.Rule) -> Due {
    let isMissing = fault.kind == .member(.missing)
    return Due(by: rule, isMissing ? .campoMancante : .campoNonValido, field: fault.path)
  }

  /// Steps 8 to 10: what is named exists, the body can be read, and nothing stands against it.
  private func dueToBody() throws(Undecided) -> Due {
    switch request {
    case .logIn(let asked):
      let isKnown = lodge.brother(named: asked.nome.trimmed) != nil
      return isKnown ? Due(by: .kw002) : Due(by: .kw004, .credenzialiNonValide)
    case .welcome: return Due(by: .kw012)
    case .fratelli: return Due(by: .kw001)
    case .me: return Due(by: .kw019)
    case .logOut: return Due(by: .kw017)
    case .presenze(let query), .statistiche(let query):
      return Due(by: .kw069, lodge.brothers[query.fratelloID] == nil ? .fratelloNonTrovato : nil)
    case .riepilogo: return Due(by: .kw095)
    case .exportRiepilogo: return Due(by: .kw134)
    case .tornate: return Due(by: .kw040)
    case .createTornata: return Due(by: .kw043)
    case .updateFratello(let asked): return try due(to: asked)
    case .updateTornata(let asked):
      if try !exists(asked.id) { return Due(by: .kw054, .tornataNonTrovata) }
      return asked.change.fault.map { due(to: $0, by: .kw046) } ?? Due(by: .kw046)
    case .deleteTornata(let id):
      // Of which it is certain that nobody ever planned it is another rule's.
      guard lodge.tornate[id] != nil else {
        return try exists(id) ? Due(by: .kw051) : Due(by: .kw054, .tornataNonTrovata)
      }
      return Due(by: .kw051, try certain(tornataBefore) == nil ? .tornataNonTrovata : nil)
    case .confirm(let asked): return try due(to: asked)
    default: throw Undecided()
    }
  }

  private func due(to asked: FratelloUpdate) throws(Undecided) -> Due {
    guard lodge.brothers[asked.id] != nil else { return Due(by: .kw033, .fratelloNonTrovato) }
    switch asked.change {
    case .failure(let fault): return due(to: fault, by: .kw033)
    case .success(let change):
      guard let before = try certain(fratelloBefore) else { throw Undecided() }
      return change.applied(to: before).hasItsDatesInOrder
        ? Due(by: .kw033) : Due(by: .kw034, .dateNonCoerenti)
    }
  }

  /// The order of O10: for whom, its key, which tornata, and when that is.
  private func due(to asked: Confirmation) throws(Undecided) -> Due {
    guard let owner = live?.owner else { throw Undecided() }
    let brother = asked.fratelloID ?? owner
    if brother != owner, try !certain(hasRight) { return Due(by: .kw061, .accessoNegato) }
    guard lodge.brothers[brother] != nil else { return Due(by: .kw061, .fratelloNonTrovato) }
    switch key {
    case .answered: return Due(by: .kw072)
    case .reused: return Due(by: .kw072, .chiaveRiusata)
    case .unclear: throw Undecided()
    case .fresh: break
    }
    if try !exists(asked.tornataID) { return Due(by: .kw062, .tornataNonTrovata) }
    guard let (_, tornata, isEarly) = writeOfATornata else { throw Undecided() }
    if tornata.stato == .annullata { return Due(by: .kw065, .tornataAnnullata) }
    return isEarly ? Due(by: .kw066, .tornataPreIniziazione) : Due(by: .kw065)
  }

  private func certain<Value>(_ value: Value?) throws(Undecided) -> Value {
    guard let value else { throw Undecided() }
    return value
  }

  /// Whether there was a tornata throughout, whatever became of it meanwhile.
  private func exists(_ id: Tornata.ID) throws(Undecided) -> Bool {
    guard let register = lodge.tornate[id] else {
      if lodge.mayHideATornata(during: during) { throw Undecided() }
      return false
    }
    return try certain(register.holds(during: during) { $0 != nil })
  }
}
