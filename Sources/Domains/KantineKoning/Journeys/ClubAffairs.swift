import Contracts
import KantineKoningContract
import Timekeeping

/// What the operator does for the boards, the banners and the seasons of a region's clubs.
public struct ClubAffairs: Sendable {
  public private(set) var commands: [(cell: Int, at: Instant, command: KantineKoning.Control)] = []
  private let plan: CanteenPlan

  public init(_ plan: CanteenPlan, _ population: Population, _ calendar: ClubCalendar) {
    self.plan = plan
    for (cell, neighbourhood) in population.neighbourhoods.enumerated() {
      showGlobalBanners(in: cell)
      for (place, club) in neighbourhood.clubs.enumerated() {
        let number = cell * plan.clubsPerCell + place + 1
        var stream = plan.stream("club-\(number)", Shaping.affairs)
        showBanners(of: club, in: cell, &stream)
        optOut(number, club, in: cell, &stream)
        strikeOff(club, in: cell, &stream)
        if let reset = calendar.reset(of: club.slug) {
          let managers = population.clubFixtures[number - 1].fixture.managers
          begin(after: reset, club, managers, in: cell, &stream)
        }
      }
    }
  }

  private func at(_ share: Double) -> Instant {
    plan.starts + Span(seconds: (plan.ends - plan.starts).seconds * share)
  }

  /// Two banners that everybody is shown (O19).
  private mutating func showGlobalBanners(in cell: Int) {
    for number in 1...2 {
      let banner = Banner(
        id: "banner-\(cell + 1)-\(number)", name: "Partner \(number)",
        fileURL: "https://kantinekoning.com/banners/partner-\(number).png", displayOrder: number)
      commands.append((cell, plan.starts, .createBanner(banner)))
    }
  }

  /// None, one or two banners of the club's own sponsors.
  private mutating func showBanners(
    of club: Club, in cell: Int, _ stream: inout RandomStream
  ) {
    for number in 0..<stream.pick(0..<3) {
      let banner = Banner(
        id: "banner-\(club.slug)-\(number + 1)", tenantSlug: club.slug,
        name: "Sponsor \(number + 1)",
        fileURL: "https://kantinekoning.com/banners/\(club.slug)-\(number + 1).png",
        displayOrder: number)
      commands.append((cell, plan.starts, .createBanner(banner)))
    }
  }

  /// Leaves the global leaderboard early in the run; every other club comes back later (KK-104).
  private mutating func optOut(
    _ number: Int, _ club: Club, in cell: Int, _ stream: inout RandomStream
  ) {
    let isLeaving = stream.chance(plan.population.share("clubsOptedOut"))
    let (early, late) = (stream.unit(), stream.unit())
    guard isLeaving else { return }
    commands.append(
      (cell, at(0.02 + 0.1 * early), .setLeaderboardOptOut(tenant: club.slug, optOut: true)))
    guard number % 2 == 0 else { return }
    commands.append(
      (cell, at(0.6 + 0.2 * late), .setLeaderboardOptOut(tenant: club.slug, optOut: false)))
  }

  /// Strikes a dienst of the last two weeks off, which did not take place: it no longer counts (KK-107).
  private mutating func strikeOff(
    _ club: Club, in cell: Int, _ stream: inout RandomStream
  ) {
    let isStriking = stream.chance(plan.population.share("shiftsStruckOff"))
    let when = stream.unit()
    let recent = club.diensten.filter {
      $0.team != nil && $0.eindTijd < plan.starts && $0.startTijd > plan.starts - .days(14)
    }
    guard let dienst = stream.sample(1, of: recent).first, isStriking else { return }
    commands.append((cell, at(0.05 + 0.1 * when), .cancelDienst(id: dienst.id)))
  }

  /// Some minutes after a reset the club has teams, managers and diensten again, all of them new.
  private mutating func begin(
    after reset: Instant, _ club: Club, _ managers: [Fixture.Manager], in cell: Int,
    _ stream: inout RandomStream
  ) {
    let instant = reset + stream.sample(.uniform(from: .minutes(2), to: .minutes(20)))
    var season = Fixture()
    season.teams = club.teams.map { team in
      Fixture.Team(
        tenantSlug: team.tenantSlug, id: stream.uuid(), code: team.code, naam: team.naam)
    }
    season.managers = managers.filter { $0.tenantSlug == club.slug }
    season.diensten = club.diensten.filter { $0.startTijd > instant }.map { dienst in
      var fresh = dienst
      fresh.id = stream.uuid()
      fresh.aanmeldingen = []
      return fresh
    }
    commands.append((cell, instant, .load(season)))
  }
}

extension ClubCalendar {
  /// When a club's season is reset.
  func reset(of club: Slug) -> Instant? {
    commands.first { $0.command == .resetSeason(tenant: club) }?.at
  }
}
