import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A client whose rate budget is switched off (§7.6): it attacks the limit of the backend (MS-01) with bursts of its
/// own, and believes no retry-after.
public final class Attacker: Behaviour {
  public typealias Contract = MimiSupply

  /// Half as many again as the limit lets through in a second.
  private static let burst = 60

  public let begins: Instant?
  private let corner: Corner
  private let every: Distribution

  /// - Parameter every: Mean of the time between two bursts.
  init(_ corner: Corner, begins: Instant, every: Span) {
    self.corner = corner
    self.begins = begins
    self.every = .exponential(mean: every)
  }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    let look = MimiSupply.Request.lookup(
      Location(database: "public"), Lookup([.init(corner.dish)]))
    _ = try await me.ask(
      all: Array(
        repeating: Ask(look, with: corner.credential(.customer)), count: Self.burst))
    return me.now + me.draw(.mischief) { $0.sample(every) }
  }
}
