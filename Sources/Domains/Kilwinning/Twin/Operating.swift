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
    default: return .success(.inspection(inspection(at: now)))
    }
    return .success(.done)
  }

  // MARK: Loading

  /// All of a fixture, or nothing of it. What may be inherited is stored as it is: presenze of cancelled, coming or early tornate (§2.9).
  private mutating func load(_ fixture: Fixture, at now: Instant) -> Answer {
    var next = register
    for (index, given) in fixture.fratelli.enumerated() {
      let place = "fratelli[\(index)]"
      if next.brother(given.id) != nil { return .refused(.campoNonValido, field: place + ".id") }
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
      if next.place(of: tornata.id) != nil {
        return .refused(.campoNonValido, field: "tornate[\(index)].id")
      }
      next.add(tornata)
    }
    var ids: Set<Presenza.ID> = []
    for (index, presenza) in fixture.presenze.enumerated() {
      let place = "presenze[\(index)]"
      guard let brother = next.brother(presenza.fratelloID) else {
        return .refused(.campoNonValido, field: place + ".fratello_id")
      }
      guard let tornata = next.place(of: presenza.tornataID),
        !next.brothers[brother].attendance[tornata].isStored
      else { return .refused(.campoNonValido, field: place + ".tornata_id") }
      if let id = presenza.id, id < 1 || !ids.insert(id).inserted {
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

  private func inspection(at now: Instant) -> Inspection {
    let brothers = register.brothers.indices.sorted {
      register.brothers[$0].fratello.id < register.brothers[$1].fratello.id
    }
    let presenze = brothers.flatMap { brother in
      register.tornate.indices.reversed().compactMap { register.presenza(of: brother, at: $0) }
    }
    return Inspection(
      fratelli: brothers.map { shown($0) }, tornate: register.tornate.sorted { $0.id < $1.id },
      presenze: presenze,
      sessions: sessions.recent(since: now - .days(1)).map {
        .init(
          fratelloID: register.brothers[$0.brother].fratello.id, createdAt: $0.createdAt,
          lastVerifiedAt: $0.lastVerifiedAt, isRevoked: $0.isRevoked)
      })
  }
}
