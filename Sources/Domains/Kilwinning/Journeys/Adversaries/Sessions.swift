import Contracts
import Foundation
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Nothing to show, tokens that nobody gave, headers of every shape, cookies beside them (KW-001, KW-010 to KW-012, KW-016).
  func forgeSessions(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let stranger = strangers[0]
    let nothing = Kilwinning.Credential(peer: seed.name)
    let forged = bearer(String(repeating: "0a", count: 16))
    try await ask(.welcome, nothing, as: me)
    try await ask(.fratelli, nothing, as: me)
    for request in everything(of: stranger) + [.me, .logOut] {
      try await ask(request, nothing, as: me)
      try await ask(request, forged, as: me)
    }
    guard let good = try await session(of: stranger.nome, as: me) else { return }
    let token = token(of: good)
    for header in ["Token \(token)", "Bearer  \(token)", "Bearer \(token) x", "Bearer", token] {
      let odd = Kilwinning.Credential(peer: seed.name, authorization: .malformed(header))
      try await ask(.tornate(TornateQuery()), odd, as: me)
      try await ask(
        .tornate(TornateQuery()),
        Kilwinning.Credential(
          peer: seed.name, authorization: .malformed(header), cookie: token), as: me)
    }
    try await ask(
      .tornate(TornateQuery()), Kilwinning.Credential(peer: seed.name, cookie: token), as: me)
    try await ask(
      .tornate(TornateQuery()),
      Kilwinning.Credential(
        peer: seed.name, authorization: forged.authorization, cookie: token), as: me)
    try await ask(.fratelli, good, as: me)
    try await ask(.me, good, as: me)
  }

  /// Names that are nearly somebody's (KW-003), nobody's, or none (KW-002, KW-004, KW-005); a claim that nobody believes (KW-022).
  func logInWrongly(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let nome = strangers[3].nome
    let bare = nome.decomposedStringWithCanonicalMapping.unicodeScalars
      .filter { !$0.properties.isDiacritic }
    let names = [
      nome.uppercased(), String(String.UnicodeScalarView(bare)), "  \(nome)\t",
      nome.decomposedStringWithCanonicalMapping, "Nessuno Conosciuto", nome,
    ]
    let peer = Kilwinning.Credential(peer: seed.name)
    for name in names { try await ask(.logIn(LogIn(name)), peer, as: me) }
    let login = Kilwinning.Request.logIn(LogIn("x"))
    try await ask(malformed(login, .missing("nome")), peer, as: me)
    try await ask(malformed(login, .invalid("nome")), peer, as: me)
    guard let claimed = try await session(of: nome, claimingToBeAdmin: true, as: me) else { return }
    try await ask(.me, claimed, as: me)
    for request in administrative(of: strangers[3]) { try await ask(request, claimed, as: me) }
  }

  /// Two sessions of one fratello: logging out of one leaves the other, and twice is too often (KW-006, KW-016, KW-017). Nothing
  /// is lost by it (KW-018).
  func endSessions(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let stranger = strangers[2]
    guard let first = try await session(of: stranger.nome, as: me),
      let second = try await session(of: stranger.nome, as: me),
      let coming = try await ask(.tornate(TornateQuery(stato: .programmata)), first, as: me).reply?
        .tornate?.first(where: { $0.data > me.now + .hours(1) })
    else { return }
    try await ask(.confirm(Confirmation(tornataID: coming.id, presente: true)), first, as: me)
    try await ask(.logOut, first, as: me)
    try await ask(.logOut, first, as: me)
    try await ask(.me, first, as: me)
    try await ask(.me, second, as: me)
    try await ask(.presenze(PresenzeQuery(stranger.id)), second, as: me)
    try await ask(.confirm(Confirmation(tornataID: coming.id, presente: false)), second, as: me)
  }

  /// Used all the time and verified once, a session ends eight hours after that (KW-013 to KW-016), and costs nothing (KW-018).
  func outliveASession(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let life = Span.hours(8)
    let stranger = strangers[5]
    guard let session = try await session(of: stranger.nome, as: me) else { return }
    let verifies = turnIsEven
    for _ in 0..<3 {
      try await me.think(.hours(2))
      _ = try await me.ask(.statistiche(PresenzeQuery(stranger.id)), with: session)
    }
    var verified = me.now - .hours(6)
    if verifies {
      try await me.think(.minutes(30))
      _ = try await me.ask(.me, with: session)
      verified = me.now
    }
    // To the second before, where the way takes less than that, and just after.
    try await me.think(until: verified + life - .milliseconds(900))
    _ = try await me.ask(.tornate(TornateQuery()), with: session)
    try await me.think(until: verified + life)
    _ = try await me.ask(.tornate(TornateQuery()), with: session)
    try await me.think(.milliseconds(50))
    for request in [Kilwinning.Request.tornate(TornateQuery()), .me, .logOut, .riepilogo(.absent)] {
      _ = try await me.ask(request, with: session)
      try await me.think(.milliseconds(300))
    }
    guard let again = try await self.session(of: stranger.nome, as: me) else { return }
    try await ask(.presenze(PresenzeQuery(stranger.id)), again, as: me)
  }

  /// More than a hundred requests in a minute of one address, where that is too many (KW-163).
  func flood(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard lodge.deployment.limitsRequests else { return }
    let peer = Kilwinning.Credential(peer: seed.name + "-flood")
    for _ in 0..<(lodge.deployment.requestsPerMinute + 5) {
      _ = try await me.ask(.fratelli, with: peer)
      try await me.think(.milliseconds(120))
    }
  }
}
