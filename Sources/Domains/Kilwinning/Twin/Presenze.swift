import Contracts
import KilwinningContract
import Timekeeping

/// The answers to writes with a key, for a day (KW-072).
struct AnsweredKeys {
  struct Key: Hashable { let brother: Int, text: String }

  private struct Entry {
    let asked: Confirmation
    let answer: Acknowledgement
    let at: Instant
  }

  private var entries: [Key: Entry] = [:]
  /// In the order of their answers.
  private var kept: [Key] = []
  private var forgotten = 0

  static let lifetime = Span.hours(24)

  /// What a key was answered, and whether to the same request.
  func answer(to asked: Confirmation, _ key: Key, at now: Instant) -> (
    Acknowledgement, isSame: Bool
  )? {
    guard let entry = entries[key], now - entry.at <= Self.lifetime else { return nil }
    return (entry.answer, entry.asked == asked)
  }

  mutating func keep(
    _ answer: Acknowledgement, to asked: Confirmation, _ key: Key, at now: Instant
  ) {
    while forgotten < kept.count {
      if let oldest = entries[kept[forgotten]], now - oldest.at <= Self.lifetime { break }
      entries[kept[forgotten]] = nil
      forgotten += 1
    }
    if forgotten > 1_000 {
      kept.removeFirst(forgotten)
      forgotten = 0
    }
    entries[key] = Entry(asked: asked, answer: answer, at: now)
    kept.append(key)
  }
}

extension KilwinningTwin {
  // MARK: O7

  /// The stored records that pass iniziazione and anno, the newest tornata's first (KW-068).
  func presenze(of brother: Int, _ year: Int?, at now: Instant) -> Answer {
    let counting = counting(for: brother, at: now)
    let places = places(of: year)
    let found = newestFirst(places).compactMap { place -> Presenza? in
      let data = register.times[place]
      guard counting.isEligible(data) else { return nil }
      if !rules.binds(.kw068), !counting.isHeld(data, register.states[place]) { return nil }
      return register.presenza(of: brother, at: place)
    }
    return .success(.presenze(found))
  }

  // MARK: O10

  /// In the order of §3.3 for O10.
  mutating func confirm(_ asked: Confirmation, as session: Int, at now: Instant) -> Answer {
    let own = sessions[session].brother
    var brother = own
    if let id = asked.fratelloID, id != register.brothers[own].fratello.id {
      if rules.binds(.kw061), !isAdmin(session) { return .refused(.accessoNegato) }
      guard let other = register.brother(id) else { return .refused(.fratelloNonTrovato) }
      brother = other
    } else if !rules.binds(.kw060) {
      brother = 0
    }
    let key = rules.binds(.kw072) ? asked.idempotencyKey : nil
    let answeredKey = key.map { AnsweredKeys.Key(brother: own, text: $0) }
    if let answeredKey, let (answer, isSame) = answered.answer(to: asked, answeredKey, at: now) {
      return isSame ? .success(.confirmed(answer)) : .refused(.chiaveRiusata)
    }
    guard let place = register.place(of: asked.tornataID) else {
      return .refused(.tornataNonTrovata)
    }
    if rules.binds(.kw065), register.states[place] == .annullata {
      return .refused(.tornataAnnullata)
    }
    let begins = register.times[place]
    if rules.binds(.kw066), begins < register.brothers[brother].start ?? .distantPast {
      return .refused(.tornataPreIniziazione)
    }
    write(asked, of: brother, at: place, from: session, now)
    let answer = Acknowledgement(
      message: "Presenza registrata",
      oltreTermine: rules.binds(.kw070) && now < begins
        && now >= deployment.zone.deadline(of: begins))
    if let answeredKey { answered.keep(answer, to: asked, answeredKey, at: now) }
    return .success(.confirmed(answer))
  }

  /// KW-063, KW-064; the last write wins, whoever made it (KW-071, KW-127).
  private mutating func write(
    _ asked: Confirmation, of brother: Int, at place: Int, from session: Int, _ now: Instant
  ) {
    let status: Presenza.Status = asked.presente ? .presente : .assente
    guard !rules.off.isEmpty else {
      return register.record(status, of: brother, at: place, confirmedAt: now.inWholeSeconds)
    }
    let stored = register.brothers[brother].attendance[place]
    if !rules.binds(.kw127), stored.isStored, asked.idempotencyKey != nil { return }
    if !rules.binds(.kw071), stored.isStored, let last = stored.confirmedAt,
      now - last < .seconds(10)
    {
      return
    }
    if !rules.binds(.kw067) {
      bent.delayed.append(
        .init(
          due: now + .seconds(30), brother: brother, tornata: register.tornate[place].id,
          status: status))
      return
    }
    let isUnchanged = !rules.binds(.kw064) && stored.isStored && stored.status == status
    register.record(
      status, of: brother, at: place,
      confirmedAt: isUnchanged ? stored.confirmedAt : now.inWholeSeconds,
      as: rules.binds(.kw063) ? nil : register.presenzaIDs.next)
  }
}
