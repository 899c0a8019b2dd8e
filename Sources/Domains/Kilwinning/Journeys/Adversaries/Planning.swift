import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Tornate of every kind, created, changed, cancelled, held and deleted, and after each step what others see of it (KW-043 to KW-046,
  /// KW-048 to KW-051, KW-054).
  func planAndUnplan(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let mine = try await session(of: strangers[2].nome, as: me)
    else { return }
    func look() async throws(JourneyEnded) {
      try await ask(.tornate(TornateQuery()), mine, as: me)
      try await ask(.statistiche(PresenzeQuery(strangers[2].id)), mine, as: me)
      try await ask(.presenze(PresenzeQuery(strangers[2].id)), mine, as: me)
    }
    func create(_ asked: NewTornata) async throws(JourneyEnded) -> Tornata.ID? {
      try await ask(.createTornata(asked), right, as: me).reply?.tornata?.id
    }
    func change(
      _ id: Tornata.ID, _ change: (inout TornataChange) -> Void
    ) async throws(JourneyEnded) {
      try await ask(.updateTornata(TornataUpdate(id, change)), right, as: me)
      try await look()
    }
    let yesterday = (me.now - .days(1)).inWholeSeconds
    var made: [Tornata.ID] = []
    for (place, asked) in [
      NewTornata(data: yesterday, discussione: "Prova", cena: true),
      NewTornata(data: yesterday, discussione: "Gemella", tipo: .straordinaria),
      NewTornata(data: yesterday + .hours(30), discussione: "Futura", tipo: .cerimonia),
      NewTornata(
        data: yesterday - .days(1), discussione: String(repeating: "è", count: 255),
        location: "In visita", stato: .annullata),
    ].enumerated() {
      guard let id = try await create(asked) else { continue }
      made.append(id)
      let written = Confirmation(tornataID: id, presente: place != 1)
      try await ask(.confirm(written), mine, as: me)
      try await look()
    }
    try await faults(of: made.first ?? 1, with: right, as: me)
    // The first and the last instant of which a clock of 64 bits knows the whole year (KW-043, KW-076).
    for (begins, year) in [
      (CivilZone.utc.year(1_678).lowerBound, 1_678),
      (CivilZone.utc.year(2_261).upperBound - .hours(6), 2_261),
    ] {
      guard let id = try await create(NewTornata(data: begins, discussione: "Anno \(year)"))
      else { continue }
      try await ask(.tornate(TornateQuery(anno: Anno(year))), mine, as: me)
      let own = PresenzeQuery(strangers[2].id, anno: Anno(year))
      for request: Kilwinning.Request in [.presenze(own), .statistiche(own)] {
        try await ask(request, mine, as: me)
      }
      try await look()
      try await ask(.deleteTornata(id), right, as: me)
    }
    if made.count == 4 {
      try await change(made[0]) { $0.discussione = .to("Altra prova") }
      try await change(made[0]) { _ in }
      // All six ways between the three states.
      for stato in [
        Tornata.Stato.completata, .annullata, .programmata, .annullata, .completata, .programmata,
      ] {
        try await change(made[0]) { $0.stato = .to(stato) }
        try await change(made[2]) { $0.stato = .to(stato) }
      }
      try await ask(
        .confirm(Confirmation(tornataID: made[0], presente: false)), mine, as: me)
      try await change(made[1]) { $0.tipo = .to(.ordinaria) }
      // His absence stays, too, when its tornata is cancelled.
      for stato in [Tornata.Stato.annullata, .programmata] {
        try await change(made[1]) { $0.stato = .to(stato) }
      }
      // Away from its twin and back before it (KW-042, KW-087).
      for data in [yesterday + .hours(1), yesterday] {
        try await change(made[0]) { $0.data = .to(data) }
      }
      try await change(made[3]) { $0.data = .to(yesterday - .days(400)) }
      try await change(made[3]) { $0.notes = .to("nota") }
      try await change(made[3]) { $0.introducedBy = .to("Fratello Oratore") }
      try await change(made[3]) { $0.notes = .to(nil) }
    }
    // What nobody touches stays planned, for days (KW-050).
    try await me.think(.hours(7))
    try await look()
    try await me.think(.hours(30))
    guard let again = try await session(of: admin.nome, as: me) else { return }
    try await ask(.tornate(TornateQuery()), again, as: me)
    for id in made {
      try await ask(.deleteTornata(id), again, as: me)
      try await ask(.deleteTornata(id), again, as: me)
      try await ask(.updateTornata(TornataUpdate(id) { $0.cena = .to(true) }), again, as: me)
      try await ask(.tornate(TornateQuery()), again, as: me)
      try await ask(.presenze(PresenzeQuery(strangers[2].id)), again, as: me)
      try await ask(.statistiche(PresenzeQuery(strangers[2].id)), again, as: me)
    }
  }

  private func faults(
    of id: Tornata.ID, with right: Kilwinning.Credential, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    let create = Kilwinning.Request.createTornata(
      NewTornata(data: lodge.starts.inWholeSeconds, discussione: "x"))
    for member in ["data", "discussione", "location", "cena", "tipo"] {
      try await ask(malformed(create, .missing(member)), right, as: me)
      try await ask(malformed(create, .invalid(member)), right, as: me)
      for unknown in [id, Serial(999_999)] {
        try await ask(
          .updateTornata(TornataUpdate(unknown, .failure(.invalid(member)))), right, as: me)
      }
    }
    try await ask(
      .updateTornata(TornataUpdate(id, .failure(.invalid("stato")))), right, as: me)
    try await ask(
      malformed(.updateTornata(TornataUpdate(id) { _ in }), .invalid("tornataId")), right, as: me)
    try await ask(.deleteTornata(Serial(999_999)), right, as: me)
    try await ask(.updateTornata(TornataUpdate(Serial(0)) { _ in }), right, as: me)
  }
}
