import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// An admin (§5.5): monitors, verifies who registered, corrects, audits.
public final class Administrator: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  private let city: City
  private let phone: Installation
  private var work: RandomStream

  init(_ name: String, in city: City) {
    self.city = city
    work = city.luck(name, about: "work", .working)
    phone = Installation(Account(name, .admin), isSignedIn: true, in: city)
    begins =
      city.plan.starts + work.sample(.exponential(mean: city.habits.administrating.monitoringEvery))
  }

  private var habits: Habits.Administrating { city.habits.administrating }
  private var app: AppClient { phone.app }

  /// One round.
  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    let corrects = work.chance(habits.corrects)
    let audits = work.chance(0.3)
    let next = me.now + work.sample(.exponential(mean: habits.monitoringEvery))
    guard try await phone.enter(as: me) else { return next }
    let orders = try await monitor(as: me)
    try await verifyPartners(as: me)
    try await verifyDrivers(as: me)
    if corrects { try await correct(orders, as: me) }
    if audits { try await audit(as: me) }
    return next
  }

  private func first(
    _ limit: Int, of query: RecordQuery, in database: String = "private",
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord] {
    let outcome = try await app.ask(
      .query(Location(database: database), Query(query, resultsLimit: limit)), as: me)
    if case .found(let records, _)? = outcome.reply?.content { return records }
    return []
  }

  /// The oldest orders that are ready and have no driver.
  private func monitor(as me: Person<MimiSupply>) async throws(JourneyEnded) -> [CloudRecord] {
    _ = try await first(
      20, of: RecordQuery(.order, sortedBy: [Sort(.createdAt, ascending: false)]), as: me)
    return try await first(
      20,
      of: RecordQuery(
        .order,
        [
          Filter(.status, .equals, .string(OrderStatus.readyForPickup.rawValue)),
          Filter(.driverId, .equals, nil),
        ], sortedBy: [Sort(.createdAt)]), as: me)
  }

  private func verifyPartners(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let waiting = try await first(
      20, of: RecordQuery(.partner, [Filter(.isVerified, .equals, .int64(0))]), in: "public",
      as: me)
    for partner in waiting {
      _ = try await app.update(partner.name, in: "public", as: me) { _ in
        [.isVerified: .int64(1)]
      }
    }
  }

  private func verifyDrivers(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let waiting = try await first(
      20,
      of: RecordQuery(.driver, [Filter(.verificationStatus, .equals, .string("pending"))]),
      as: me)
    for driver in waiting {
      _ = try await app.update(driver.name, as: me) { _ in
        [.verificationStatus: .string("verified")]
      }
    }
  }

  /// Ends the first order that has waited for a driver too long, so that the customer gets the money back.
  private func correct(
    _ orders: [CloudRecord], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let late = orders.first { order in
      guard let at = order[Order.updatedAt] else { return false }
      return me.now - at > .minutes(20)
    }
    guard let late else { return }
    _ = try await app.move(late.name, to: .cancelled, tries: 1, as: me)  // T12
  }

  private func audit(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    _ = try await first(
      50, of: RecordQuery(.auditEvent, sortedBy: [Sort(.sequence, ascending: false)]), as: me)
  }
}
