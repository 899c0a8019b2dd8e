import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A customer who only looks around (§5.2, Browsing): no sign-in is needed for it.
public final class Browser: Life {
  public typealias Agreement = MimiSupply

  public let begins: Instant?
  private let betweenSessions: Distribution
  private let thinking: Distribution
  private let credential: MimiSupply.Credential

  /// - Parameters:
  ///   - begins: The first session.
  ///   - betweenSessions: Mean of the time from one session to the next.
  ///   - thinking: Median of the time between requests.
  ///   - device: The installation: anonymous requests are counted by it (MS-01).
  public init(begins: Instant, betweenSessions: Span, thinking: Span, device: String) {
    self.begins = begins
    self.betweenSessions = .exponential(mean: betweenSessions)
    self.thinking = .lognormal(
      median: thinking, p95: Span(seconds: thinking.seconds * MarketSettings.thinkingTail))
    credential = MimiSupply.Credential(apiToken: "mimi-app", deviceID: device)
  }

  public func episode(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    try await look(as: me)
    return me.now + me.draw(.thinking) { $0.sample(betweenSessions) }
  }

  /// One session: partners around, then the products of one to three of them.
  private func look(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard case .found(let partners, _)? = try await ask(Self.partners, as: me) else { return }
    guard !partners.isEmpty else { return }
    let visits = me.draw(.domain(0)) { $0.pick(1..<4) }
    for _ in 0..<visits {
      try await me.think(thinking)
      let partner = me.draw(.domain(0)) { $0.pick(partners) }
      _ = try await ask(Self.products(of: partner.name), as: me)
    }
  }

  private func ask(
    _ query: Query, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ReplyContent? {
    let outcome = try await me.ask(
      .query(Location(database: "public"), query), with: credential)
    return outcome.reply?.content
  }

  /// `fetchPartners(in:)` around the middle of Berlin (§3.4).
  private static let partners = Query(
    RecordQuery(
      "Partner",
      [
        Filter("isActive", .equals, .int64(1)),
        Filter(
          "location", .near, .position(latitude: 52.52, longitude: 13.405), distance: 5_000),
      ], sortedBy: [Sort("rating", ascending: false)]), resultsLimit: 50)

  /// `fetchProducts(for:)`.
  private static func products(of partner: String) -> Query {
    Query(
      RecordQuery(
        "Product", [Filter("partnerId", .equals, .string(partner))], sortedBy: [Sort("name")]))
  }
}
