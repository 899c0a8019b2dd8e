import KantineKoningContract
import Timekeeping

/// O14: the diensten of one enrollment's visible teams inside a window.
extension KantineKoningTwin {
  /// The values that `past_days` and `future_days` may have.
  private static let days = 0...1000

  mutating func list(_ query: DienstenQuery, for session: Session, at now: Instant) -> Answer {
    if let refusal = judge(tenant: query.tenant, of: session) { return .failure(refusal) }
    guard let window = window(of: query, at: now) else {
      return .refused(.invalidParameter, "past_days and future_days are whole numbers, 0 to 1000")
    }
    // Another tenant than the token's gets here only with KK-36 off.
    let club = query.tenant.flatMap { clubBySlug[$0] } ?? session.club
    var entries = entries(of: listedCodes(for: session, in: club), in: club, window)
    if !rules.binds(query.tenant == nil ? .kk37 : .kk38) {
      for row in scope(of: session) where row != session.row {
        let more = self.entries(of: enrollments[row].teamCodes, in: enrollments[row].club, window)
        entries += more.filter { new in !entries.contains { $0.row == new.row } }
      }
    }
    // One team's roster is in order already.
    if entries.count > 1 {
      entries.sort { a, b in
        a.start != b.start ? a.start < b.start : diensten[a.row].shown.id < diensten[b.row].shown.id
      }
    }
    work.rowsRead += entries.count
    return .success(.diensten(entries.map { diensten.shown($0.row) }))
  }

  private func entries(
    of codes: [TeamName], in club: Int, _ window: (from: Instant, to: Instant)
  ) -> [Roster.Entry] {
    codes.compactMap { clubs[club].teamByCode[$0] }
      .flatMap { teams[$0].roster.within(window.from, window.to) }
  }

  /// The teams that a request is shown (KK-48). With the rule off also those that the token does not name; what the
  /// enrollment has lost stays hidden (KK-40), and so does what is another enrollment's of the phone (KK-37).
  private func listedCodes(for session: Session, in club: Int) -> [TeamName] {
    let visible = visibleCodes(of: session)
    guard !rules.binds(.kk48) else { return visible }
    let others = (phoneKey(of: session.row).map { enrollments.phone($0) } ?? .init())
    let known = (others.active + others.past).filter { enrollments[$0].club == club }
      .flatMap { enrollments[$0].teamCodes }
    let hidden = Set(session.tokenCodes + known).subtracting(visible)
    return clubs[club].teams.map { teams[$0].code }.filter { !hidden.contains($0) }
  }

  /// Days of 24 hours, both ends included; `nil` for a value that is not accepted.
  private func window(of query: DienstenQuery, at now: Instant) -> (from: Instant, to: Instant)? {
    guard rules.binds(.kk47) else {
      return (
        now - .days(Int64(configuration.pastDays)), now + .days(Int64(configuration.futureDays))
      )
    }
    var from = rules.binds(.kk45) ? now - .days(Int64(configuration.pastDays)) : .distantPast
    var to = rules.binds(.kk46) ? now + .days(Int64(configuration.futureDays)) : .distantFuture
    if let text = query.pastDays {
      guard let days = Self.days(text) else { return nil }
      from = now - .days(days)
    }
    if let text = query.futureDays {
      guard let days = Self.days(text) else { return nil }
      to = now + .days(days)
    }
    return (from, to)
  }

  private static func days(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), days.contains(number)
    else { return nil }
    return Int64(number)
  }
}
