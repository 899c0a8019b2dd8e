import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Requests with two mistakes and more, of which the first check of §3.3 decides: who asks, then his right, then path and query, then
  /// whether there is such a thing, then the body, then what stands against it.
  func errTwice(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let one = strangers[2]
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let mine = try await session(of: one.nome, as: me),
      let ended = try await session(of: one.nome, as: me)
    else { return }
    try await ask(.logOut, ended, as: me)
    let nothing = Kilwinning.Credential(peer: seed.name)
    let (noTornata, noFratello) = (Serial<Tornata>(999_999), Serial<Fratello>(888_888))
    let create = Kilwinning.Request.createTornata(
      NewTornata(data: lodge.starts.inWholeSeconds, discussione: "x"))
    let update = Kilwinning.Request.updateTornata(TornataUpdate(noTornata) { _ in })
    let degree = Kilwinning.Request.updateFratello(
      FratelloUpdate(noFratello, FratelloChange(grado: .maestro)))
    let confirm = Kilwinning.Request.confirm(Confirmation(tornataID: noTornata, presente: true))
    let query = PresenzeQuery(noFratello, anno: Anno("mai"))
    let requests: [Kilwinning.Request] = [
      .presenze(query), .statistiche(query), .riepilogo(Anno("mai")), .exportRiepilogo(Anno("mai")),
      .tornate(TornateQuery(anno: Anno("mai"), stato: .annullata)),
      malformed(.presenze(query), .invalid("fratelloId")),
      malformed(.statistiche(query), .repeated("anno")),
      malformed(.riepilogo(.absent), .repeated("anno")),
      malformed(.exportRiepilogo(.absent), .repeated("anno")),
      malformed(.tornate(TornateQuery()), .invalid("stato")),
      malformed(create, .missing("data")), malformed(create, .invalid("tipo")),
      malformed(update, .invalid("tornataId")),
      malformed(.deleteTornata(noTornata), .invalid("tornataId")),
      malformed(degree, .invalid("fratelloId")), update, degree, .deleteTornata(noTornata),
      .updateTornata(TornataUpdate(noTornata, .failure(.invalid("cena")))),
      .updateFratello(FratelloUpdate(noFratello, .failure(.missing("grado")))),
      malformed(confirm, .missing("presente")), confirm,
      .confirm(Confirmation(tornataID: noTornata, presente: true, fratelloID: noFratello)),
      .confirm(Confirmation(tornataID: noTornata, presente: true, fratelloID: strangers[3].id)),
      .confirm(
        Confirmation(tornataID: inherited[4].id, presente: true, fratelloID: strangers[3].id)),
      .confirm(
        Confirmation(
          tornataID: inherited[4].id, presente: true,
          fratelloID: strangers[Inheritance.yesterday].id
        )),
    ]
    for request in requests {
      for credential in [nothing, ended, mine, right] {
        try await ask(request, credential, as: me)
      }
    }
    // Somebody without the right may have the dates of another out of order: that he has none is said first.
    let day = inherited[0].data
    let disordered = FratelloChange(grado: .compagno, dataElevazione: .to(day - .days(20_000)))
    for credential in [mine, right] {
      try await ask(.updateFratello(FratelloUpdate(one.id, disordered)), credential, as: me)
    }
  }
}
