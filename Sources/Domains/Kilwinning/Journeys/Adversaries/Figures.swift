import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Twenty-nine of fifty tornate: 58 %, of which binary fractions make a little less (KW-090). The fifty are those since an iniziazione that
  /// is moved there and gone afterwards (KW-033, KW-035), and reach back over years (KW-065).
  func attendFifty(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let one = strangers[Inheritance.withoutDate]
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let mine = try await session(of: one.nome, as: me),
      let all = try await ask(.tornate(TornateQuery()), mine, as: me).reply?.tornate,
      let records = try await ask(.presenze(PresenzeQuery(one.id)), mine, as: me).reply?.presenze
    else { return }
    let held = all.filter {
      $0.stato == .completata || $0.stato == .programmata && $0.data <= me.now
    }.prefix(50)
    guard held.count == 50, let oldest = held.last else { return }
    func begin(_ date: Instant?) async throws(JourneyEnded) {
      let change = FratelloChange(grado: one.grado, dataIniziazione: .to(date))
      try await ask(.updateFratello(FratelloUpdate(one.id, change)), right, as: me)
    }
    try await begin(oldest.data)
    let written = Dictionary(
      records.map { ($0.tornataID, $0.status) }, uniquingKeysWith: { $1 })
    for (place, tornata) in held.enumerated() {
      // Spread evenly, whatever the order.
      let isThere = place * 29 % 50 < 29
      guard written[tornata.id] != (isThere ? .presente : .assente) else { continue }
      try await ask(
        .confirm(Confirmation(tornataID: tornata.id, presente: isThere)), mine, as: me)
    }
    for request: Kilwinning.Request in [
      .statistiche(PresenzeQuery(one.id)), .presenze(PresenzeQuery(one.id)), .riepilogo(.tutti),
    ] { try await ask(request, mine, as: me) }
    try await ask(.exportRiepilogo(.tutti), right, as: me)
    try await begin(nil)
    try await ask(.statistiche(PresenzeQuery(one.id)), mine, as: me)
  }
}
