import KantineKoningContract
import Timekeeping

/// One club as the operator sets it up: its teams, its roster and who manages what.
public struct Club: Sendable {
  public let slug: Slug
  public let name: String
  public let teams: [Fixture.Team]
  public let diensten: [Fixture.DienstEntry]

  /// The slug of a club by its number in a region: scenarios name it `kantine-koning/1/club-3`.
  public static func slug(region: Int, number: Int) -> Slug { "club-\(region)-\(number)" }

  public var codes: [TeamName] { teams.map(\.code) }

  init(number: Int, plan: CanteenPlan) {
    slug = Self.slug(region: plan.region, number: number)
    var stream = plan.stream("club-\(number)", Shaping.club)
    name = "\(stream.pick(Self.prefixes)) \(stream.pick(Self.names)) \(plan.region).\(number)"
    let median = plan.population.number("teamsPerClub")
    let drawn = stream.sample(
      .lognormal(median: Span(seconds: median), p95: Span(seconds: median * Self.p95OfSigma075)))
    let count = min(110, max(3, Int(drawn.seconds.rounded())))
    let slug = slug
    teams = (0..<count).map { index in
      let code = Self.code(at: index)
      return Fixture.Team(tenantSlug: slug, id: stream.uuid(), code: code, naam: code.text)
    }
    var roster = Roster(
      club: slug, codes: teams.map(\.code), starts: plan.starts,
      stream: plan.stream("club-\(number)", Shaping.roster))
    let hasCrew = stream.chance(plan.population.share("clubsWithCrew"))
    diensten = roster.diensten() + (hasCrew ? roster.mornings(of: teams[0].code) : [])
  }

  /// The 95th percentile of a log-normal with median 1 and sigma 0.75: e^(1.645 × 0.75).
  private static let p95OfSigma075 = 3.434

  /// Team codes from the first teams of each age down to the tenth, unique for 110 teams.
  private static func code(at index: Int) -> TeamName {
    let rank = index / ages.count + 1
    let age = ages[index % ages.count]
    return age.isEmpty ? "\(rank)" : age.hasPrefix("VR") ? "VR\(rank)" : "\(age)-\(rank)"
  }

  private static let ages = [
    "", "JO13", "JO11", "JO15", "VR", "JO9", "JO17", "MO13", "JO19", "MO15", "MO17",
  ]
  private static let prefixes = ["vv", "sv", "SC", "FC", "RKVV", "DVV"]
  private static let names = [
    "Wilhelmus", "De Meeuwen", "Oranje Zwart", "Sparta", "De Eendracht", "Rijnvogels", "Vitesse",
    "Hercules", "Excelsior", "De Zwaluwen", "Concordia", "Olympia",
  ]
}

/// First names that people sign up with, all at most 15 characters.
enum FirstNames {
  static let all = [
    "Fatima", "Jan", "Piet", "Sanne", "Youssef", "Emma", "Daan", "Lotte", "Bram", "Noor", "Ruben",
    "Fleur", "Sem", "Anouk", "Thijs", "Maud", "Kees", "Ilse", "Joris", "Marieke", "Tim", "Yara",
    "Hugo", "Liesbeth", "Mohammed", "Eva", "Gijs", "Roos", "Willem", "Naomi", "André", "Zoë",
    "Chloé", "Jürgen", "Ayşe", "Mees", "Tess", "Lars", "Saar", "Floor", "Stijn", "Hanneke",
  ]
}
