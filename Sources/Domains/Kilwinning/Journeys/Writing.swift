import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// A toggle that waits for the network (§2.8).
struct QueueEntry {
  let opID: String
  let fratelloID: Fratello.ID
  let tornataID: Tornata.ID
  let presente: Bool
}

// Confirmations, toggles, the offline queue and its synchronisation: KW-120 and KW-123 to KW-132.

extension Device {
  /// The confirm button of the dashboard, for one that he has not answered yet.
  func confirmNext(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard isLoggedIn, let userID = secure.userID, chance(habits.confirms, me),
      let list = cache.tornate[Self.planned.selection]?.value
    else { return }
    let answered = Set((cache.presenze(of: .tutti) ?? []).map(\.tornataID))
    let open = next(in: list, at: me.now).filter { !answered.contains($0.id) }
    guard let tornata = open.first, lodge.attends(tornata, userID, seed.propensity) else { return }
    try await write(tornata.id, true, onDashboard: true, as: me)
    if !me.isOnline { try await showDashboard(.shown, as: me) }
  }

  /// Toggles rows of the presenze screen: a coming tornata's, or a past one's that does not say what was.
  func toggle(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard isLoggedIn, let userID = secure.userID,
      let tornate = cache.tornate[TornateSelection(anno.selection)]?.value,
      let records = cache.presenze(of: anno.selection)
    else { return }
    let status = Dictionary(records.map { ($0.tornataID, $0.status) }, uniquingKeysWith: { $1 })
    let present = Set(status.filter { $0.value == .presente }.keys)
    let since = user?.dataIniziazione.map(lodge.zone.startOfDay) ?? .distantPast
    let candidates = tornate.filter {
      $0.stato != .annullata && $0.data >= max(since, me.now - .days(60))
        && $0.data < me.now + .days(20)
        && lodge.attends($0, userID, seed.propensity) != present.contains($0.id)
    }
    let most = me.isOnline ? (chance(seed.propensity.answers, me) ? 1 : 0) : 1 + pick(3, me)
    var toggled = candidates.prefix(most).map { ($0.id, !present.contains($0.id)) }
    // Somebody changes his mind at once, which replaces what waits (KW-123).
    if !me.isOnline, let first = toggled.first, chance(0.3, me) {
      toggled.append((first.0, !first.1))
    }
    for (id, presente) in toggled {
      guard isLoggedIn else { return }
      try await think(as: me)
      try await write(id, presente, onDashboard: false, as: me)
    }
    if !me.isOnline, !toggled.isEmpty { try await showPresenze(.shown, as: me) }
  }

  private func pick(_ count: Int, _ me: Person<Kilwinning>) -> Int {
    me.draw(.habit) { $0.pick(0..<count) }
  }

  /// O10, and after its success O8 once: of all years for the dashboard, of its anno for the presenze (KW-120).
  func write(
    _ tornata: Tornata.ID, _ presente: Bool, onDashboard: Bool, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) {
    guard let userID = secure.userID else { return }
    guard me.isOnline else { return enqueue(tornata, presente, of: userID, as: me) }
    let written = Confirmation(tornataID: tornata, presente: presente)
    let outcome = try await ask(.confirm(written), as: me)
    if outcome.isReplied { cache.age(own: .written(tornata, presente, by: userID)) }
    guard outcome.isReplied, isLoggedIn else { return }
    guard rules.binds(.kw120) else { return }
    let query = PresenzeQuery(userID, anno: onDashboard ? .tutti : anno)
    cache.keep(
      .statistiche(query), try await ask(.statistiche(query), as: me), at: me.now)
  }

  /// KW-123: one entry for a tornata; a newer one goes to the end under a new `op_id`.
  private func enqueue(
    _ tornata: Tornata.ID, _ presente: Bool, of userID: Fratello.ID, as me: Person<Kilwinning>
  ) {
    operations += 1
    let opID = "\(seed.name)-\(operations)"
    let older = queue.firstIndex { $0.fratelloID == userID && $0.tornataID == tornata }
    var replaced: String?
    if let older, rules.binds(.kw123) { replaced = queue.remove(at: older).opID }
    queue.append(
      QueueEntry(opID: opID, fratelloID: userID, tornataID: tornata, presente: presente))
    me.note(
      .queued(
        opID: opID, fratelloID: userID, tornataID: tornata, presente: presente,
        replacing: replaced))
  }

  // MARK: Synchronising

  /// A run of KW-125 over the owner's own entries (KW-128).
  func synchronise(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard let userID = secure.userID, me.isOnline else { return }
    func waiting() -> [QueueEntry] {
      queue.filter { $0.fratelloID == userID || !rules.binds(.kw128) }
    }
    guard !waiting().isEmpty else { return }
    guard isLive(at: me.now) else {
      clearSession(because: .expired, as: me)
      return me.note(.paused(fratelloID: userID, kept: waiting().count))
    }
    me.note(.synchronising(fratelloID: userID, entries: waiting().count))
    // With KW-132 off an entry is lost on the way.
    if !rules.binds(.kw132), waiting().count > 1 { queue.removeFirst() }
    if rules.binds(.kw125), try await !verify(as: me).isReplied {
      return me.note(.paused(fratelloID: userID, kept: waiting().count))
    }
    for entry in waiting() {
      guard try await send(entry, as: me) else {
        return me.note(.paused(fratelloID: userID, kept: waiting().count))
      }
    }
    me.note(.paused(fratelloID: userID, kept: waiting().count))
    try await reload(userID, as: me)
  }

  /// KW-125, 3: all of it again, which also replaces what was refused (KW-126).
  private func reload(_ userID: Fratello.ID, as me: Person<Kilwinning>) async throws(JourneyEnded) {
    let all = Anno("Tutti")
    let requests: [Kilwinning.Request] = [
      .tornate(TornateQuery(anno: all)), .presenze(PresenzeQuery(userID, anno: all)),
      .statistiche(PresenzeQuery(userID, anno: all)),
    ]
    let outcomes = try await ask(all: requests, as: me)
    guard user?.id == userID else { return }
    for (request, outcome) in zip(requests, outcomes) {
      cache.keep(request, outcome, at: me.now)
    }
  }

  /// At most three attempts, after 1 and 2 s (KW-126).
  /// - Returns: Whether the run goes on.
  private func send(
    _ entry: QueueEntry, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Bool {
    let written = Confirmation(
      tornataID: entry.tornataID, presente: entry.presente,
      idempotencyKey: rules.binds(.kw125) ? entry.opID : nil)
    for attempt in 1...(rules.binds(.kw126) ? 3 : 6) {
      if attempt > 1 { try await me.think(.seconds(rules.binds(.kw126) ? 1 << (attempt - 2) : 0)) }
      let outcome = try await ask(all: [.confirm(written)], attempt: attempt, as: me)[0]
      switch outcome {
      case .replied:
        settle(entry, nil, as: me)
        return true
      case .refused(let refusal) where refusal.kind.status == 401: return false
      case .refused(let refusal) where refusal.kind.status != 429:
        settle(entry, refusal.kind, as: me)
        return true
      case .refused, .unknown, .unsent: break
      }
    }
    return false
  }

  private func settle(
    _ entry: QueueEntry, _ conflict: Kilwinning.RefusalKind?, as me: Person<Kilwinning>
  ) {
    queue.removeAll { $0.opID == entry.opID }
    cache.age(
      own: conflict == nil
        ? .written(entry.tornataID, entry.presente, by: entry.fratelloID) : nil)
    me.note(.settled(opID: entry.opID, fratelloID: entry.fratelloID, conflict: conflict))
  }
}

extension Presenza {
  /// What a device knows of a record that it has written.
  static func written(_ tornata: Tornata.ID, _ presente: Bool, by fratello: Fratello.ID) -> Self {
    Presenza(
      id: nil, fratelloID: fratello, tornataID: tornata, status: presente ? .presente : .assente,
      confirmedAt: nil)
  }
}
