import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Two administrators who change one tornata or one fratello at once, each another part of it: both hold (KW-033, KW-046). Who deletes
  /// what another one deletes is told that it is gone (KW-051); of two who plan the same, each has planned one (KW-044).
  func writeTogether(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let named = lodge.fixture.fratelli.filter { lodge.isAdmin($0.nome) }
    guard let one = named.first, let other = named.last,
      let first = try await session(of: one.nome, as: me),
      let second = try await session(of: other.nome, as: me),
      let mine = try await session(of: strangers[2].nome, as: me)
    else { return }
    func together(
      _ requests: Kilwinning.Request...
    ) async throws(JourneyEnded) -> [Outcome<Kilwinning>] {
      try await pause(me)
      let asks = zip(requests, [first, second]).map { Ask<Kilwinning>($0, with: $1) }
      let outcomes = try await me.ask(all: asks)
      for look: Kilwinning.Request in [
        .tornate(TornateQuery()), .fratelli, .statistiche(PresenzeQuery(strangers[2].id)),
      ] { try await ask(look, mine, as: me) }
      return outcomes
    }
    let asked = NewTornata(data: (me.now - .days(2)).inWholeSeconds, discussione: "Insieme")
    let made = try await together(.createTornata(asked), .createTornata(asked))
      .compactMap { $0.reply?.tornata?.id }
    guard let id = made.first else { return }
    func change(_ change: (inout TornataChange) -> Void) -> Kilwinning.Request {
      .updateTornata(TornataUpdate(id, change))
    }
    _ = try await together(
      change { $0.discussione = .to("Titolo del primo") }, change { $0.cena = .to(true) })
    _ = try await together(
      change { $0.stato = .to(.completata) }, change { $0.location = .to("In visita") })
    _ = try await together(
      change { $0.data = .to(asked.data - .hours(1)) }, change { $0.tipo = .to(.straordinaria) })
    _ = try await together(
      change { $0.notes = .to("nota") }, change { $0.introducedBy = .to("Fratello Oratore") })
    _ = try await together(
      change { $0.discussione = .to("Del primo") }, change { $0.discussione = .to("Del secondo") })
    let brother = strangers[3]
    let since = (brother.dataIniziazione ?? asked.data - .days(900)).inWholeSeconds
    func record(_ passaggio: Edit<Instant?>, _ elevazione: Edit<Instant?>) -> Kilwinning.Request {
      .updateFratello(
        FratelloUpdate(
          brother.id,
          FratelloChange(
            grado: brother.grado, dataPassaggio: passaggio, dataElevazione: elevazione)))
    }
    _ = try await together(
      record(.to(since + .days(200)), .unchanged), record(.unchanged, .to(since + .days(400))))
    _ = try await together(record(.to(nil), .unchanged), record(.unchanged, .to(nil)))
    for id in made { _ = try await together(.deleteTornata(id), .deleteTornata(id)) }
  }
}
