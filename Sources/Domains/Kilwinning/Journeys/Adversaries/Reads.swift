import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Everybody's figures, of all years and of each, with what the riepilogo and the file say of them (KW-030, KW-031, KW-035, KW-041, KW-042,
  /// KW-069, KW-080 to KW-093, KW-095, KW-133 to KW-136).
  func readTheFigures(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let mine = try await session(of: strangers[Inheritance.yesterday].nome, as: me)
    else { return }
    let year = lodge.zone.civil(at: me.now).date.year
    try await ask(.fratelli, mine, as: me)
    try await ask(.tornate(TornateQuery()), mine, as: me)
    for anno in [Anno.absent, .tutti, Anno(year - 2), Anno(year - 1), Anno(year), Anno(year + 1)] {
      try await ask(.riepilogo(anno), mine, as: me)
      try await ask(.exportRiepilogo(anno), right, as: me)
      let some = me.draw(.mischief) { $0.shuffled(lodge.fixture.fratelli) }.prefix(6)
      for fratello in strangers + some {
        try await ask(.statistiche(PresenzeQuery(fratello.id, anno: anno)), mine, as: me)
      }
      try await ask(.presenze(PresenzeQuery(strangers[2].id, anno: anno)), mine, as: me)
    }
    for id in [Serial<Fratello>(666_666), 0] {
      try await ask(.presenze(PresenzeQuery(id)), mine, as: me)
      try await ask(.statistiche(PresenzeQuery(id)), mine, as: me)
      // What is wrong with the anno is said first (§3.3).
      try await ask(.statistiche(PresenzeQuery(id, anno: Anno("mai"))), mine, as: me)
    }
  }

  /// Every spelling of an anno, on every operation that takes one (KW-040, KW-075 to KW-077).
  func probeAnni(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard let admin, let right = try await session(of: admin.nome, as: me) else { return }
    let year = lodge.zone.civil(at: me.now).date.year
    let texts = [
      nil, "", "tutti", "TUTTI", "Tutti", "\(year)", "\(year - 1)", "1900", "9999", " \(year)",
      "\(year) ", "25", "20250", "anno", "２０２５", "-202", "+202", "20.5", "tutto",
    ]
    let one = strangers[2].id
    for anno in texts.map({ Anno($0) }) {
      for request: Kilwinning.Request in [
        .presenze(PresenzeQuery(one, anno: anno)), .statistiche(PresenzeQuery(one, anno: anno)),
        .riepilogo(anno), .tornate(TornateQuery(anno: anno)), .exportRiepilogo(anno),
      ] {
        try await ask(request, right, as: me)
      }
    }
    for stato in Tornata.Stato.allCases {
      for anno in [Anno.absent, Anno(year), Anno(year - 1)] {
        try await ask(.tornate(TornateQuery(anno: anno, stato: stato)), right, as: me)
      }
    }
    let list = Kilwinning.Request.tornate(TornateQuery())
    for fault in [Unread.Fault.invalid("stato"), .repeated("stato"), .repeated("anno")] {
      try await ask(malformed(list, fault), right, as: me)
    }
  }

  /// Requests that cannot be read, and addresses that are none (KW-062, KW-152, KW-153).
  func sendRubbish(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let nothing = Kilwinning.Credential(peer: seed.name)
    guard let mine = try await session(of: strangers[2].nome, as: me) else { return }
    let confirm = Kilwinning.Request.confirm(
      Confirmation(tornataID: inherited[0].id, presente: true))
    for credential in [nothing, mine] {
      for fault in [Unread.Fault.tooLarge, .noDocument] {
        try await ask(malformed(confirm, fault), credential, as: me)
        try await ask(malformed(.logIn(LogIn("x")), fault), credential, as: me)
      }
      for (method, target, allowed) in [
        ("GET", "/api/nulla", []), ("GET", "/api/fratelli/3", ["PUT"]),
        ("DELETE", "/api/presenze", ["POST"]), ("GET", "/api/admin/tornate/1", ["PUT", "DELETE"]),
        ("GET", "/api/tornate/1", []), ("OPTIONS", "/api/tornate", []),
      ] {
        let asked = Unread.Unrouted(method, target, allowed: allowed)
        try await ask(.unread(.unrouted(asked)), credential, as: me)
      }
    }
    for fault in [
      Unread.Fault.missing("tornata_id"), .invalid("tornata_id"), .missing("presente"),
      .invalid("presente"), .invalid("fratello_id"), .invalid("Idempotency-Key"),
    ] {
      try await ask(malformed(confirm, fault), mine, as: me)
      try await ask(malformed(confirm, fault), nothing, as: me)
    }
    for request: Kilwinning.Request in [
      .presenze(PresenzeQuery(1)), .statistiche(PresenzeQuery(1)),
    ] {
      try await ask(malformed(request, .invalid("fratelloId")), mine, as: me)
    }
  }
}
