import Contracts
import KantineKoningContract
import Timekeeping

/// O20: what one team did in a season, for everybody to see.
extension KantineKoningTwin {
  /// The season that is running, or the one that the club has ended (KK-114).
  /// - Complexity: O(d) for the diensten of the team in that season.
  mutating func seasonSummary(
    of name: TeamName, in slug: Slug, from caller: Caller<KantineKoning>, at now: Instant
  ) -> Answer {
    guard mayReadInPublic(caller) else { return .refused(.unauthorized) }
    guard let club = clubBySlug[slug] else { return .refused(.tenantNotFound) }
    // With KK-114 off a club whose season has ended is not shown.
    guard !clubs[club].hasSeasonEnded || showsEndedSeasons else {
      return .refused(.tenantNotFound)
    }
    guard let team = team(named: name, in: club) else {
      // KK-115: what was there is told from what never was.
      return .refused(
        clubs[club].formerTeams.contains(name) ? .seasonDataDeleted : .teamNotFound)
    }
    let season = LeaderboardPeriod.season.bounds(around: clubs[club].seasonEndedAt ?? now)
    let worked = teams[team].roster.within(season.starts, season.ends - .nanoseconds(1))
      .map { diensten[$0.row] }
      .filter { credit(of: $0) != nil && $0.shown.eindTijd <= now }
      .map(\.shown)
    work.rowsRead += worked.count
    return .success(
      .seasonSummary(
        SeasonSummary(
          tenantClubName: clubs[club].name, teamNaam: teams[team].naam, teamCode: teams[team].code,
          seasonStats: statistics(of: worked), calculatedAt: now)))
  }

  private func statistics(of worked: [Dienst]) -> SeasonSummary.Statistics {
    let time = worked.reduce(Span.zero) { $0 + ($1.eindTijd - $1.startTijd) }
    let starts = worked.map { CivilZone.amsterdam.civil(at: $0.startTijd) }
    return SeasonSummary.Statistics(
      totalHours: DecimalHours(time), totalShifts: worked.count,
      favoriteLocation: Self.mostFrequent(worked.compactMap(\.locatieNaam).sorted()),
      mostActiveMonth: Self.mostFrequent(starts.map(\.date.month).sorted(by: Self.inSeason))
        .map { Self.months[$0 - 1] },
      achievements: rules.binds(.kk116) ? Self.achievements(time, starts) : [])
  }

  /// The value that occurs most often; of several the first.
  private static func mostFrequent<Value: Hashable>(_ sorted: [Value]) -> Value? {
    var best: (value: Value, count: Int)?
    var run = 0
    for (index, value) in sorted.enumerated() {
      run = index > 0 && sorted[index - 1] == value ? run + 1 : 1
      if run > best?.count ?? 0 { best = (value, run) }
    }
    return best?.value
  }

  /// August comes first, July last.
  private static func inSeason(_ a: Int, _ b: Int) -> Bool { (a + 4) % 12 < (b + 4) % 12 }

  private static let months = [
    "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september",
    "oktober", "november", "december",
  ]

  /// KK-116.
  private static func achievements(
    _ time: Span, _ starts: [CivilTime]
  ) -> [SeasonSummary.Achievement] {
    let early = starts.count { $0.timeOfDay < .hours(10) }
    let weekend = starts.count { $0.date.weekday >= 6 }
    var earned: [SeasonSummary.Achievement] = []
    if time >= .hours(40) {
      earned.append(
        .init(
          title: "Kantine Kampioen", description: "40 uur of meer in de kantine", icon: "trophy"))
    }
    if early >= 5 {
      earned.append(
        .init(title: "Vroege Vogel", description: "5 of meer ochtenddiensten", icon: "sunrise"))
    }
    if weekend >= 10 {
      earned.append(
        .init(
          title: "Weekend Warrior", description: "10 of meer diensten in het weekend",
          icon: "calendar"))
    }
    if starts.count >= 20 {
      earned.append(
        .init(title: "Trouwe Vrijwilliger", description: "20 of meer diensten", icon: "heart"))
    }
    return earned
  }
}
