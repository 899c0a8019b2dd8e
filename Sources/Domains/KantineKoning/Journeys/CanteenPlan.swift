import Contracts
import KantineKoningContract
import Timekeeping

/// What the clubs and people of one region are made from.
public struct CanteenPlan: Sendable {
  /// From 1, as path names count.
  public let region: Int
  /// How many clubs lie in this region.
  public let clubs: Int
  public let population: Settings
  public let parameters: Settings
  /// Deviations of the client that are switched on (§5.11).
  public let quirks: Set<String>
  /// The share of extra persons who break rules on purpose, in 0...1.
  public let adversaries: Double
  public let rules: Rules<KantineKoning.Rule>
  public let starts: Instant
  public let ends: Instant
  public let tokens: any TokenCodec
  /// The random stream of one thing by its name and purpose.
  public let stream: @Sendable (String, UInt32) -> RandomStream

  public init(
    region: Int, clubs: Int, population: Settings, parameters: Settings, quirks: Set<String>,
    adversaries: Double, rules: Rules<KantineKoning.Rule>, starts: Instant, ends: Instant,
    tokens: any TokenCodec,
    stream: @escaping @Sendable (String, UInt32) -> RandomStream
  ) {
    self.region = region
    self.clubs = clubs
    self.population = population
    self.parameters = parameters
    self.quirks = quirks
    self.adversaries = adversaries
    self.rules = rules
    self.starts = starts
    self.ends = ends
    self.tokens = tokens
    self.stream = stream
  }

  /// How many clubs share a cell.
  public var clubsPerCell: Int { max(1, population.count("neighbourhood")) }
  public var cells: Int { (clubs + clubsPerCell - 1) / clubsPerCell }
  public func cell(ofClub number: Int) -> Int { (number - 1) / clubsPerCell }
}

/// What a stream shapes when the population is planned.
enum Shaping {
  static let club: UInt32 = 1
  static let roster: UInt32 = 2
  static let calendar: UInt32 = 3
  static let phone: UInt32 = 4
  static let adversary: UInt32 = 5
  static let rounds: UInt32 = 6
  static let affairs: UInt32 = 7
  static let edges: UInt32 = 8
}
