import Contracts
import KilwinningContract
import Timekeeping

extension KilwinningTwin {
  /// The operator's commands and the harness's look (§2.9); nobody else may give them.
  mutating func obey(
    _ command: Kilwinning.Request, from caller: Caller<Kilwinning>, at now: Instant
  ) -> Answer {
    if case .client = caller { return .refused(.rottaNonTrovata) }
    switch command {
    case .load(let fixture): return load(fixture, at: now)
    case .populate(let lodge): return load(lodge.fixture(at: now, deployment), at: now)
    case .configure(let change):
      change.apply(to: &deployment)
      register.tellDays(in: deployment.zone)
      (lists, list) = ([:], nil)
    case .setRule(let change): rules.set(change.rule, binds: change.binds)
    case .inspect(let since): return .success(.inspection(inspection(since: since, at: now)))
    default: return .refused(.rottaNonTrovata)
    }
    return .success(.done)
  }

  // MARK: Loading

  /// All of a fixture, or nothing of it. What may be inherited is stored as it is: presenze of cancelled, coming or early tornate (§2.9).
  private mutating func load(_ fixture: Fixture, at now: Instant) -> Answer {
    var next = register
    for (index, given) in fixture.fratelli.enumerated() {
      let place = "fratelli[\(index)]"
      if next.fratelloIDs.has(given.id) {
        return .refused(.campoNonValido, field: place + ".id")
      }
      if rules.binds(.kw037), next.brother(named: given.nome) != nil {
        return .refused(.campoNonValido, field: place + ".nome")
      }
      var fratello = given
      if fratello.registrationDate == .distantPast {
        fratello.registrationDate = now.inWholeSeconds
      }
      next.add(fratello, in: deployment.zone)
    }
    for (index, tornata) in fixture.tornate.enumerated() {
      if next.tornataIDs.has(tornata.id) {
        return .refused(.campoNonValido, field: "tornate[\(index)].id")
      }
      next.add(tornata)
    }
    for (index, presenza) in fixture.presenze.enumerated() {
      let place = "presenze[\(index)]"
      guard let brother = next.brother(presenza.fratelloID) else {
        return .refused(.campoNonValido, field: place + ".fratello_id")
      }
      guard let tornata = next.place(of: presenza.tornataID),
        !next.brothers[brother].attendance[tornata].isStored
      else { return .refused(.campoNonValido, field: place + ".tornata_id") }
      if let id = presenza.id, next.presenzaIDs.has(id) {
        return .refused(.campoNonValido, field: place + ".id")
      }
      let confirmedAt =
        presenza.status == .nonConfermato ? nil : presenza.confirmedAt ?? now.inWholeSeconds
      next.record(
        presenza.status, of: brother, at: tornata, confirmedAt: confirmedAt, as: presenza.id)
    }
    next.sortBrothers()
    register = next
    (lists, list) = ([:], nil)
    let hasAdmin = register.brothers.contains { deployment.adminNames.contains($0.fratello.nome) }
    let warning = hasAdmin ? nil : "Nessun amministratore: \(deployment.adminNames)"
    return .success(.loaded(Loaded(fixture, warning: warning)))
  }

  // MARK: Inspecting

  private mutating func inspection(since look: Int, at now: Instant) -> Inspection {
    var inspection = register.inspection(since: look)
    inspection.fratelli = inspection.fratelli.map { shown(register.brother($0.id)!) }
    inspection.sessions = sessions.inspection(since: look, from: now - .days(1)).map {
      .init(
        fratelloID: register.brothers[$0.brother].fratello.id, createdAt: $0.createdAt,
        lastVerifiedAt: $0.lastVerifiedAt, isRevoked: $0.isRevoked)
    }
    return inspection
  }
}
