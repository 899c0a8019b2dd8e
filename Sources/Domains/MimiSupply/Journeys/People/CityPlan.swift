import Contracts
import MimiSupplyContract
import Timekeeping

/// What a region's people are made of: one city, all of it in one cell, because everybody may meet everybody there.
public struct CityPlan: Sendable {
  /// From 1, as path names count.
  public let region: Int
  /// `mimi-supply/2`: devices are named by it.
  public let path: String
  /// The city's share of the world's customers; other numbers are shared by the same way.
  public let share: @Sendable (Int) -> Range<Int>
  public let population: Settings
  public let parameters: Settings
  public let quirks: Set<String>
  /// The share of persons who break rules on purpose.
  public let adversaries: Double
  public let rules: Rules<MimiSupply.Rule>
  public let starts: Instant
  public let ends: Instant
  public let tokens: any TokenCodec
  /// The stream that shapes one thing by its name.
  public let stream: @Sendable (_ name: String, _ purpose: UInt32) -> RandomStream

  public init(
    region: Int, path: String, share: @escaping @Sendable (Int) -> Range<Int>,
    population: Settings, parameters: Settings, quirks: Set<String>, adversaries: Double,
    rules: Rules<MimiSupply.Rule>, starts: Instant, ends: Instant, tokens: any TokenCodec,
    stream: @escaping @Sendable (_ name: String, _ purpose: UInt32) -> RandomStream
  ) {
    self.region = region
    self.path = path
    self.share = share
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
}
