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

  /// Two sessions of one fratello, and a dozen more: logging out of one leaves the others, and twice is too often (KW-006, KW-016,
  /// KW-017). Nothing is lost by it (KW-018), and what a session was is known for ever.
  func endSessions(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let stranger = strangers[2]
    guard var first = try await session(of: stranger.nome, as: me),
      let second = try await session(of: stranger.nome, as: me),
      let coming = try await ask(.tornate(TornateQuery(stato: .programmata)), first, as: me).reply?
        .tornate?.first(where: { $0.data > me.now + .hours(1) })
    else { return }
    if round % 2 == 1 { first = cookie(first) }
    for _ in 0..<12 { _ = try await session(of: stranger.nome, as: me) }
    try await ask(.confirm(Confirmation(tornataID: coming.id, presente: true)), first, as: me)
    try await ask(.logOut, first, as: me)
    try await ask(.logOut, first, as: me)
    try await ask(.me, first, as: me)
    try await ask(.me, second, as: me)
    try await ask(.presenze(PresenzeQuery(stranger.id)), second, as: me)
    try await ask(.confirm(Confirmation(tornataID: coming.id, presente: false)), second, as: me)
    // Long after both would have expired.
    try await me.think(.hours(34))
    for request in everything(of: stranger) + [.me, .logOut] {
      for ended in [first, second] { try await ask(request, ended, as: me) }
    }
  }

  /// Used all the time and verified never, once or again and again, a session ends eight hours after the last time (KW-013 to KW-016), and
  /// costs nothing (KW-018): reads and writes, of which one is of the first second of his iniziazione's day and one of the second before
  /// (KW-066). A cookie proves no more than a header, and another session is another one.
  func outliveASession(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let life = Span.hours(8)
    let stranger = strangers[5]
    guard let other = try await session(of: stranger.nome, as: me),
      let officer = try await session(of: lodge.fixture.fratelli[1].nome, as: me),
      var session = try await session(of: stranger.nome, as: me)
    else { return }
    var verified = me.now
    if round % 2 == 1 { session = cookie(session) }
    let verifications = [1, 0, 5][round % 3]
    for verification in 0...verifications {
      for _ in 0..<3 {
        try await me.think(.hours(2))
        for request: Kilwinning.Request in [
          .statistiche(PresenzeQuery(stranger.id)), .riepilogo(.absent), .tornate(TornateQuery()),
          .confirm(Confirmation(tornataID: inherited[8].id, presente: true)),
          .confirm(Confirmation(tornataID: inherited[9].id, presente: true)),
        ] { _ = try await me.ask(request, with: session) }
        // Whether he has the right is told by what the lodge decides now (KW-022).
        try await ask(.exportRiepilogo(.absent), officer, as: me)
      }
      try await me.think(.minutes(30))
      for session in [other, officer] { try await ask(.me, session, as: me) }
      _ = try await self.session(of: stranger.nome, as: me)
      guard verification < verifications else { break }
      _ = try await me.ask(.me, with: session)
      verified = me.now
    }
    // A logout ends a session of hours, too (KW-017).
    for request in [Kilwinning.Request.logOut, .tornate(TornateQuery()), .me] {
      try await ask(request, other, as: me)
    }
    // A second before, where the way takes less than that; a tick before, at and after eight hours, where it takes none; and later.
    for edge in [Span.seconds(-1), .nanoseconds(-1), .zero, .nanoseconds(1)] {
      try await me.think(until: verified + life + edge)
      _ = try await me.ask(.tornate(TornateQuery()), with: session)
      _ = try await me.ask(.presenze(PresenzeQuery(stranger.id)), with: session)
    }
    try await me.think(.milliseconds(50))
    for request in everything(of: stranger) + [.me, .logOut, .riepilogo(.absent)] {
      _ = try await me.ask(request, with: session)
      try await me.think(.milliseconds(300))
    }
    guard let again = try await self.session(of: stranger.nome, as: me) else { return }
    try await ask(.presenze(PresenzeQuery(stranger.id)), again, as: me)
  }

  /// More than a hundred requests in a minute of one address, where that is too many (KW-163).
  func flood(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard lodge.deployment.limitsRequests else { return }
    let most = lodge.deployment.requestsPerMinute
    let peer = Kilwinning.Credential(peer: "flood")
    // A minute that slides: what came 40 s after the first one counts beyond the first one's minute.
    for (count, pause) in [(1, 40), (most + 5, 35), (3, 40), (most / 2, 0)] {
      try await flood(count, peer, as: me)
      try await me.think(.seconds(Int64(pause)))
    }
    guard let mine = try await session(of: strangers[2].nome, as: me) else { return }
    // Of one fratello from ever other addresses.
    for place in 0..<(lodge.deployment.requestsPerHour / (most - 10) + 1) {
      let peer = Kilwinning.Credential(peer: "flood-\(place)", authorization: mine.authorization)
      try await flood(most - 10, peer, as: me)
    }
  }

  private func flood(
    _ count: Int, _ credential: Kilwinning.Credential, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    for _ in 0..<count {
      _ = try await me.ask(.welcome, with: credential)
      try await me.think(.milliseconds(120))
    }
  }
}
