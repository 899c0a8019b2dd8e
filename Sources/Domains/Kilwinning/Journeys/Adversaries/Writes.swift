import Contracts
import Journeys
import KilwinningContract
import Timekeeping

extension Adversary {
  /// Administration by whoever has no right to it: near misses of a name, high offices, everybody else (KW-020 to KW-024, KW-027,
  /// KW-133).
  func trespass(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let officers = lodge.fixture.fratelli.filter {
      [.venerabile, .segretario].contains($0.caricaFissa) && !lodge.isAdmin($0.nome)
    }
    let named = lodge.fixture.fratelli.filter { lodge.isAdmin($0.nome) }
    let former = lodge.fixture.fratelli.prefix(2).filter { !lodge.isAdmin($0.nome) }
    for one in [strangers[0], strangers[1]] + officers + former + named {
      guard let session = try await session(of: one.nome, as: me) else { continue }
      let isAdmin = lodge.isAdmin(one.nome)
      for request in administrative(of: strangers[0]) {
        let made = try await ask(request, session, as: me).reply?.tornata
        if isAdmin, let made, made.discussione == "Abusiva" {
          try await ask(.deleteTornata(made.id), session, as: me)
        }
      }
      try await ask(.me, session, as: me)
      try await ask(.logOut, session, as: me)
    }
  }

  /// Confirmations for others, for nothing, for what was cancelled or came before; repeats with and without a key; at once: KW-060 to KW-068,
  /// KW-071, KW-072 and KW-127.
  func confirmBadly(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let (one, other) = (strangers[2], strangers[3])
    let youngest = strangers[Inheritance.yesterday]
    guard let mine = try await session(of: one.nome, as: me),
      let his = try await session(of: other.nome, as: me),
      let young = try await session(of: youngest.nome, as: me), let admin,
      let right = try await session(of: admin.nome, as: me)
    else { return }
    let (first, second) = (inherited[0].id, inherited[1].id)
    func confirm(
      _ id: Tornata.ID, _ presente: Bool, for brother: Fratello.ID? = nil, key: String? = nil,
      _ session: Kilwinning.Credential
    ) async throws(JourneyEnded) {
      let written = Confirmation(
        tornataID: id, presente: presente, fratelloID: brother, idempotencyKey: key)
      try await ask(.confirm(written), session, as: me)
    }
    func read() async throws(JourneyEnded) {
      for brother in [one, other] {
        try await ask(.presenze(PresenzeQuery(brother.id)), mine, as: me)
      }
      try await ask(.statistiche(PresenzeQuery(one.id)), mine, as: me)
      try await ask(.riepilogo(.absent), mine, as: me)
    }
    try await confirm(first, true, mine)
    try await confirm(first, false, his)
    try await read()
    try await confirm(first, true, for: one.id, mine)
    try await confirm(first, true, for: other.id, mine)
    try await confirm(first, true, for: Serial(888_888), mine)
    try await confirm(Serial(999_999), true, mine)
    try await confirm(Serial(0), true, mine)
    try await confirm(inherited[4].id, true, mine)
    try await confirm(inherited[5].id, true, mine)
    try await confirm(first, true, young)
    try await confirm(inherited[4].id, true, young)
    try await read()
    // The registry: for whom it is kept decides, and a key is for one body.
    let kept = newKey()
    try await confirm(first, false, for: other.id, key: kept, right)
    try await confirm(first, false, for: one.id, key: kept, right)
    try await confirm(first, true, for: youngest.id, right)
    try await confirm(first, true, for: Serial(888_888), right)
    try await read()
    // Every look shows what was just written.
    for presente in [true, false, true] {
      try await confirm(second, presente, mine)
      try await ask(.riepilogo(.absent), mine, as: me)
      try await ask(.statistiche(PresenzeQuery(one.id)), mine, as: me)
    }
    // The same again, unchanged, and replayed with its key while another device writes.
    try await confirm(second, true, mine)
    try await me.think(.minutes(1))
    try await confirm(second, true, mine)
    try await read()
    let (key, forgotten) = (newKey(), newKey())
    try await confirm(first, false, key: forgotten, mine)
    try await confirm(second, false, key: key, mine)
    let keyed = me.now
    try await read()
    try await confirm(second, true, mine)
    try await me.think(.seconds(3))
    try await confirm(second, false, key: key, mine)
    try await read()
    try await confirm(second, true, key: key, mine)
    try await confirm(first, false, key: key, mine)
    try await confirm(Serial(999_999), false, key: key, mine)
    try await confirm(second, true, key: key, his)  // Another's key is another's.
    let refused = newKey()
    try await confirm(inherited[4].id, true, key: refused, mine)
    try await confirm(second, true, key: refused, mine)  // A refusal uses up no key.
    try await me.think(.seconds(20))
    let burst = (0..<4).map { number in
      Ask<Kilwinning>(
        .confirm(Confirmation(tornataID: second, presente: number % 2 == 0)), with: mine)
    }
    let begun = me.now
    _ = try await me.ask(all: burst)
    // Where nothing takes time nobody can tell which of them came last.
    if me.now == begun { try await confirm(second, false, mine) }
    try await read()
    try await me.think(.seconds(3))
    // Within seconds, one after the other: the last one holds.
    try await confirm(second, true, mine)
    try await confirm(second, false, mine)
    try await read()
    // Many more keys do not wash it away, nor does another session, for a day to the second; then it is forgotten.
    for _ in 0..<110 {
      try await me.think(.milliseconds(200))
      let written = Confirmation(tornataID: first, presente: true, idempotencyKey: newKey())
      _ = try await me.ask(.confirm(written), with: his)
    }
    try await me.think(until: keyed + .hours(24) - .minutes(10))
    guard let late = try await session(of: one.nome, as: me) else { return }
    try await confirm(second, true, late)
    try await confirm(second, false, key: key, late)
    let again = Confirmation(tornataID: second, presente: false, idempotencyKey: key)
    for instant in [keyed + .hours(24), keyed + .hours(24) + .minutes(1)] {
      try await me.think(until: instant)
      _ = try await me.ask(.confirm(again), with: late)
      try await ask(.presenze(PresenzeQuery(one.id)), late, as: me)
    }
    // What is asked at the very end of the day may have been answered from memory, and begins no new day then. This key
    // was not used since.
    try await confirm(first, true, late)
    try await confirm(first, false, key: forgotten, late)
    try await ask(.presenze(PresenzeQuery(one.id)), late, as: me)
  }

  /// Around the end of the fifth civil day before a tornata (KW-070), and after it has begun.
  func confirmAtTheDeadline(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let zone = lodge.zone
    let evening = zone.instant(zone.civil(at: me.now).date, .minutes(23 * 60 + 58))
    try await me.think(until: max(me.now, evening))
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let mine = try await session(of: strangers[2].nome, as: me)
    else { return }
    // Of the fifth day the first and the last hour: it is the civil day that counts.
    var made: [Tornata.ID] = []
    let today = zone.civil(at: me.now).date.daysSinceEpoch
    for (days, minutes) in [(4, 720), (5, 30), (5, 1_410), (6, 720)] as [(Int64, Int64)] {
      let data = zone.instant(CivilDate(daysSinceEpoch: today + days), .minutes(minutes))
      let asked = NewTornata(data: data, discussione: "Termine \(days)")
      if let tornata = try await ask(.createTornata(asked), right, as: me).reply?.tornata {
        made.append(tornata.id)
      }
    }
    let begins = (me.now + .minutes(4)).inWholeSeconds
    let next = begins + .minutes(1)
    for data in [begins, next] {
      let soon = NewTornata(data: data, discussione: "Ora")
      if let tornata = try await ask(.createTornata(soon), right, as: me).reply?.tornata {
        made.append(tornata.id)
      }
    }
    guard made.count == 6 else { return }
    let key = newKey()
    let keyed = Confirmation(tornataID: made[2], presente: true, idempotencyKey: key)
    let looks: [Kilwinning.Request] = [
      .statistiche(PresenzeQuery(strangers[2].id)), .riepilogo(.absent), .tornate(TornateQuery()),
    ]
    let writes = [keyed] + made.map { Confirmation(tornataID: $0, presente: true) }
    let midnight = zone.startOfDay(of: evening + .minutes(10))
    // What somebody looks at, and what he writes, at the very instant, where nothing takes time: not both of them at once.
    for (instant, isWriting) in [
      (midnight - .seconds(1), false), (midnight, true), (midnight + .milliseconds(200), false),
      (begins - .seconds(1), false), (begins, false), (next, true), (midnight + .minutes(6), false),
    ] {
      try await me.think(until: max(me.now, instant))
      if !isWriting {
        _ = try await me.ask(all: looks.map { Ask($0, with: mine) })
        try await me.think(.milliseconds(1))
      }
      _ = try await me.ask(all: writes.map { Ask(.confirm($0), with: mine) })
      try await ask(looks[0], mine, as: me)
    }
    try await ask(.presenze(PresenzeQuery(strangers[2].id)), mine, as: me)
    // Its answer outlives that its tornata is cancelled, and gone (§3.3).
    let cancelled = TornataUpdate(made[2]) { $0.stato = .to(.annullata) }
    try await ask(.updateTornata(cancelled), right, as: me)
    try await ask(.confirm(keyed), mine, as: me)
    for id in made { try await ask(.deleteTornata(id), right, as: me) }
    try await ask(.confirm(keyed), mine, as: me)
  }

  /// Dates that stay, go and come, in and out of order; keys that change nothing (KW-019, KW-033 to KW-036).
  func changeDegrees(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let one = strangers[3]
    guard let admin, let right = try await session(of: admin.nome, as: me),
      let his = try await session(of: one.nome, as: me)
    else { return }
    func change(_ change: FratelloChange) async throws(JourneyEnded) {
      try await ask(.updateFratello(FratelloUpdate(one.id, change)), right, as: me)
      try await ask(.me, his, as: me)
      try await ask(.statistiche(PresenzeQuery(one.id)), his, as: me)
      try await ask(.presenze(PresenzeQuery(one.id)), his, as: me)
      try await ask(.fratelli, his, as: me)
    }
    let day = inherited[0].data
    try await change(FratelloChange(grado: .maestro, dataPassaggio: .to(day - .days(90))))
    try await change(FratelloChange(grado: .maestro, dataElevazione: .to(day - .days(30))))
    try await change(FratelloChange(grado: .maestro))
    try await change(FratelloChange(grado: .apprendista, dataElevazione: .to(day - .days(900))))
    try await change(FratelloChange(grado: .compagno, dataPassaggio: .to(day + .days(60))))
    try await change(FratelloChange(grado: .maestro, dataPassaggio: .to(nil)))
    try await change(FratelloChange(grado: .compagno, dataElevazione: .to(day - .days(900))))
    // All on one day, at one hour: that is in order (§2.1).
    try await change(
      FratelloChange(
        grado: .compagno, dataIniziazione: .to(day), dataPassaggio: .to(day),
        dataElevazione: .to(day)))
    try await change(
      FratelloChange(
        grado: .compagno, dataPassaggio: .to(nil), dataElevazione: .to(nil),
        nome: "Tutt'altro Nome", adminAccess: true))
    try await change(FratelloChange(grado: .compagno, dataIniziazione: .to(day + .minutes(1))))
    try await change(FratelloChange(grado: .compagno, dataIniziazione: .to(day + .days(1))))
    try await change(FratelloChange(grado: one.grado, dataIniziazione: .to(one.dataIniziazione)))
    // For whom it is written decides, not who writes: who was initiated later keeps the registry of those before him (KW-066).
    func initiate(
      _ iniziazione: Instant?, _ passaggio: Instant?, _ elevazione: Instant?
    ) async throws(JourneyEnded) {
      let dates = FratelloChange(
        grado: admin.grado, dataIniziazione: .to(iniziazione), dataPassaggio: .to(passaggio),
        dataElevazione: .to(elevazione))
      try await ask(.updateFratello(FratelloUpdate(admin.id, dates)), right, as: me)
    }
    try await initiate(day + .days(1), nil, nil)
    for brother in [one, admin] {
      let written = Confirmation(
        tornataID: inherited[0].id, presente: true, fratelloID: brother.id)
      try await ask(.confirm(written), right, as: me)
    }
    try await initiate(admin.dataIniziazione, admin.dataPassaggio, admin.dataElevazione)
    try await ask(.fratelli, right, as: me)
    let update = FratelloUpdate(Serial(777_777), FratelloChange(grado: .maestro))
    try await ask(.updateFratello(update), right, as: me)
    for fault in [Unread.Fault.missing("grado"), .invalid("grado"), .invalid("data_passaggio")] {
      try await ask(.updateFratello(FratelloUpdate(one.id, .failure(fault))), right, as: me)
      try await ask(
        .updateFratello(FratelloUpdate(Serial(777_777), .failure(fault))), right, as: me)
    }
    try await ask(malformed(.updateFratello(update), .invalid("fratelloId")), right, as: me)
  }
}
