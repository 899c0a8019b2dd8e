import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Drivers, deliveries and ratings at MimiSupply's market` {
  // MARK: Shifts

  @Test func `setDriverStatus names its reasons in their order`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1, online: false, verification: "pending")
    func shift(_ online: Int64, _ available: Int64) -> String? {
      bazaar.update(
        "d-1", [.isOnline: .int64(online), .isAvailable: .int64(available)],
        by: Bazaar.driver(1))?.essence
    }
    func reason(_ name: String) -> String { "BAD_REQUEST CKErrorConstraintViolation - \(name)" }
    bazaar.market.setConsent(.location, of: "u-driver-1", granted: false)
    #expect(shift(1, 1) == reason("driver_not_verified"))
    #expect(shift(0, 1) == reason("driver_not_verified"))
    bazaar.update("d-1", [.verificationStatus: .string("verified")], by: Bazaar.admin)
    #expect(shift(0, 1) == reason("available_requires_online"))
    #expect(shift(1, 1) == reason("consent_missing"))  // MS-118
    bazaar.market.setConsent(.location, of: "u-driver-1", granted: true)
    #expect(shift(1, 1) == nil)
    #expect(
      bazaar.update(
        "d-1", [.verificationStatus: .string("suspended")], by: Bazaar.driver(1))?.code
        == .accessDenied)
  }

  @Test func `MS-19: one Driver for a user, forced at its beginning`() {
    var bazaar = Bazaar()
    let fields = Bazaar.driverFields(7, rating: 5)
    #expect(bazaar.create("d-7", "Driver", fields, by: Bazaar.driver(1))?.code == .accessDenied)
    #expect(bazaar.create("d-7", "Driver", fields, by: Bazaar.driver(7)) == nil)
    let driver = bazaar.shelf.record("d-7")!
    #expect(driver[Driver.verificationStatus] == "pending")
    #expect(!driver[Driver.isOnline] && driver[Driver.completedDeliveries] == 0)
    #expect(driver[Driver.rating] == 0)
    #expect(
      bazaar.create("d-8", "Driver", fields, by: Bazaar.driver(7))?.essence
        == "BAD_REQUEST CKErrorConstraintViolation - -")
  }

  // MARK: Positions (MS-75)

  @Test func `MS-75: the greatest timestamp counts, late positions are stored alone`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.wait(.seconds(10))
    #expect(bazaar.position(1, Bazaar.north(100)) == nil)
    bazaar.wait(.seconds(5))
    #expect(bazaar.position(1, Bazaar.north(50), at: bazaar.now - .seconds(6)) == nil)
    let driver = bazaar.shelf.record("d-1")!
    #expect(driver.point(Driver.currentLatitude, Driver.currentLongitude) == Bazaar.north(100))
  }

  @Test func `positions: own driver, online, at most a minute ahead`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.loadDriver(2, online: false)
    #expect(bazaar.position(1, Bazaar.restaurant, at: bazaar.now + .seconds(60)) == nil)
    #expect(
      bazaar.position(1, Bazaar.restaurant, at: bazaar.now + .seconds(60) + .milliseconds(1))?
        .essence == "BAD_REQUEST CKErrorConstraintViolation - timestamp_in_future")
    #expect(
      bazaar.position(2, Bazaar.restaurant, at: bazaar.now + .hours(1))?.mimiReason
        == "driver_offline")
    let fields: Fields = [
      .driverId: .string("d-1"), .latitude: .double(52), .longitude: .double(13),
      .timestamp: .timestamp(bazaar.now),
    ]
    #expect(
      bazaar.create("x", "DriverLocation", fields, by: Bazaar.driver(2))?.code == .accessDenied)
    for (field, value) in [
      (.latitude, 90.1), (.longitude, -180.1), (.heading, 360.1), (.heading, -0.1),
      (.speed, -1), (.accuracy, -1),
    ] as [(FieldName, Double)] {
      #expect(
        bazaar.create(
          "x", "DriverLocation", fields.merged([field: .double(value)]), by: Bazaar.driver(1))?
          .essence == "BAD_REQUEST CKErrorInvalidArguments - -", "\(field)")
    }
    bazaar.create("x", "DriverLocation", fields, by: Bazaar.driver(1))
    #expect(
      bazaar.update("x", [.speed: .double(1)], by: Bazaar.driver(1))?.code == .accessDenied)
  }

  @Test func `MS-107: customers and partners see the driver from assignment to the end`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.position(1, Bazaar.restaurant, name: "before")
    bazaar.wait(.seconds(1))
    bazaar.order()
    bazaar.move(to: "accepted", by: Bazaar.partner)
    #expect(!bazaar.sees("d-1", Bazaar.customer))
    bazaar.answer("accepted")
    bazaar.position(1, Bazaar.restaurant, name: "after")
    for actor in [Bazaar.customer, Bazaar.partner] {
      #expect(bazaar.sees("d-1", actor))
      #expect(bazaar.sees("after", actor))
      #expect(!bazaar.sees("before", actor))
    }
    #expect(!bazaar.sees("d-1", Bazaar.stranger))
    #expect(!bazaar.sees("after", Bazaar.otherPartner))
    #expect(bazaar.sees("before", Bazaar.driver(1)))
    bazaar.move(to: "cancelled", by: Bazaar.customer)
    for actor in [Bazaar.customer, Bazaar.partner] {
      #expect(!bazaar.sees("d-1", actor))
      #expect(!bazaar.sees("after", actor))
    }
  }

  // MARK: Completion (MS-77, MS-78) and rating (MS-80, MS-81)

  @Test func `MS-77: delivered needs the completion, and its photo where it is required`() {
    var bazaar = Bazaar.enRoute()
    #expect(
      bazaar.move(to: "delivered", by: Bazaar.driver(1))?.essence
        == "BAD_REQUEST CKErrorConstraintViolation - completion_missing")
    bazaar.wait(.seconds(2))
    #expect(bazaar.complete() == nil)
    let at = bazaar.now
    bazaar.wait(.seconds(2))
    #expect(bazaar.move(to: "delivered", by: Bazaar.driver(1)) == nil)
    #expect(bazaar.shelf.record("o-1")?.fields[.actualDeliveryTime] == .timestamp(at))
    #expect(bazaar.shelf.record("d-1")?[Driver.completedDeliveries] == 101)  // MS-79
    #expect(bazaar.shelf.record("d-1")?.fields[.isAvailable] == .int64(1))
    var settings = MarketSettings()
    settings.proofPhotoRequired = true
    bazaar = Bazaar.enRoute(settings)
    bazaar.complete()
    #expect(
      bazaar.move(to: "delivered", by: Bazaar.driver(1))?.mimiReason == "completion_missing")
  }

  @Test func `MS-78: one completion, en route, by the assigned driver`() {
    var bazaar = Bazaar.assigned()
    bazaar.loadDriver(2, at: nil)
    #expect(bazaar.complete()?.mimiReason == "illegal_transition")
    bazaar = Bazaar.enRoute()
    bazaar.loadDriver(2, at: nil)
    // An order that the driver cannot see looks as if it did not exist (MS-24, MS-106).
    let unseen = "VALIDATING_REFERENCE_ERROR CKErrorReferenceViolation - -"
    #expect(bazaar.complete(by: 2)?.essence == unseen)
    #expect(bazaar.complete("o-9")?.essence == unseen)
    #expect(
      bazaar.complete("o-1", [.driverId: .string("d-2")])?.essence
        == "ACCESS_DENIED CKErrorPermissionFailure - not_your_order")
    #expect(bazaar.complete("o-1", [.customerRating: .int64(5)])?.code == .accessDenied)
    #expect(bazaar.complete() == nil)
    var again = bazaar.shelf.record("c-o-1")!.fields
    again[.notes] = .string("twice")
    #expect(
      bazaar.create("c-2", "DeliveryCompletion", again, by: Bazaar.driver(1))?.mimiReason
        == "completion_exists")
  }

  @Test func `MS-80, MS-81: the customer rates once, and both means move`() {
    var bazaar = Bazaar.enRoute()
    bazaar.complete()
    func rate(_ stars: Int64, by actor: Actor = Bazaar.customer) -> String? {
      bazaar.update("c-o-1", [.customerRating: .int64(stars)], by: actor)?.essence
    }
    func reason(_ name: String) -> String { "BAD_REQUEST CKErrorConstraintViolation - \(name)" }
    #expect(rate(4) == reason("not_delivered"))
    bazaar.move(to: "delivered", by: Bazaar.driver(1))
    for actor in [Bazaar.driver(1), Bazaar.partner, Bazaar.admin] {
      #expect(rate(4, by: actor)?.hasPrefix("ACCESS_DENIED") == true)
    }
    #expect(rate(0) == reason("rating_out_of_range"))
    #expect(rate(6) == reason("rating_out_of_range"))
    #expect(
      bazaar.update("c-o-1", [.customerFeedback: .string("gut")], by: Bazaar.customer) == nil)
    #expect(rate(4) == nil)
    #expect(rate(5) == reason("already_rated"))
    #expect(
      bazaar.update("c-o-1", [.customerFeedback: .string("!")], by: Bazaar.customer)?.mimiReason
        == "already_rated")
    #expect(bazaar.shelf.record("d-1")?[Partner.rating] == 4)
    #expect(bazaar.shelf.record("p-1")?[Partner.rating] == 49.0 / 11)
    #expect(bazaar.shelf.record("p-1")?[Partner.reviewCount] == 11)
  }

  // MARK: Figures and leaving

  @Test func `a partner's figures count the local day (3.4)`() {
    var bazaar = Bazaar.enRoute()
    bazaar.complete()
    bazaar.move(to: "delivered", by: Bazaar.driver(1))
    bazaar.order("o-2")
    func figures(_ actor: Actor) -> JSON? {
      guard
        case .success(let figures) = bazaar.market.stats(
          of: "p-1", to: actor, on: bazaar.shelf, at: bazaar.now)
      else { return nil }
      return figures
    }
    #expect(figures(Bazaar.otherPartner) == nil)
    #expect(figures(Bazaar.partner)?["ordersToday"] == 2)
    #expect(figures(Bazaar.admin)?["revenueTodayCents"] == 1_000)  // MS-35
    #expect(figures(Bazaar.admin)?["activeOrders"] == 1)
    bazaar.run(until: Instant("2026-03-03T00:00+01:00")!)
    #expect(figures(Bazaar.partner)?["ordersToday"] == 0)
    #expect(figures(Bazaar.partner)?["totalRevenueCents"] == 1_000)
  }

  @Test func `MS-116: who leaves takes what is personal along`() {
    var bazaar = Bazaar.enRoute()
    bazaar.order("o-2")
    bazaar.move("o-2", to: "cancelled", by: Bazaar.customer)
    #expect(
      bazaar.market.refusal(ofLeaving: "u-driver-1", on: bazaar.shelf)?.mimiReason == "driver_busy")
    let announced = bazaar.market.ordersToAnnounce(ofLeaving: "u-customer", on: bazaar.shelf)
    #expect(announced.map(\.order) == ["o-1"])
    bazaar.apply(
      bazaar.market.leave(
        "u-customer", placeholder: "gone-1", on: bazaar.shelf, at: bazaar.now))
    for name: RecordName in ["o-1", "o-2"] {
      #expect(bazaar.shelf.record(name)?[Order.customer] == "gone-1")
      #expect(!bazaar.sees(name, Bazaar.customer))
      #expect(bazaar.shelf.record(name)?[Order.totalCents] == 1_199)
    }
    func street(_ name: RecordName) -> Bool {
      bazaar.shelf.record(name)![Order.deliveryAddress]!.contains("Chausseestraße")
    }
    #expect([street("o-1"), street("o-2")] == [true, false])
    bazaar.complete()
    #expect(bazaar.move(to: "delivered", by: Bazaar.driver(1)) == nil)
    #expect(!street("o-1"))
    #expect(bazaar.market.refusal(ofLeaving: "u-driver-1", on: bazaar.shelf) == nil)
    bazaar.apply(
      bazaar.market.leave(
        "u-driver-1", placeholder: "gone-2", on: bazaar.shelf, at: bazaar.now))
    #expect(bazaar.shelf.record("d-1") == nil)
    #expect(bazaar.market.grid.count == 0)
  }

  @Test(arguments: ["delivered", "failed"])
  func `MS-116: the order of a customer who has left ends as ever, whatever its instructions say`(
    end: String
  ) throws {
    var bazaar = Bazaar.assigned()
    bazaar.update("o-1", [.deliveryInstructions: .string("Ring twice")], by: Bazaar.customer)
    bazaar.move(to: "preparing", by: Bazaar.partner)
    bazaar.move(to: "ready_for_pickup", by: Bazaar.partner)
    bazaar.wait(.seconds(1))
    bazaar.apply(
      bazaar.market.leave(
        "u-customer", placeholder: "gone-1", on: bazaar.shelf, at: bazaar.now))
    #expect(
      bazaar.shelf.record("o-1")?.fields[.updatedAt] == .timestamp(bazaar.now.toMilliseconds))
    bazaar.move(to: "picked_up", by: Bazaar.driver(1))
    bazaar.move(to: "en_route", by: Bazaar.driver(1))
    bazaar.complete()
    #expect(bazaar.shelf.record("o-1")?[Order.deliveryInstructions] == "Ring twice")

    #expect(bazaar.move(to: end, by: Bazaar.driver(1)) == nil)

    let order = try #require(bazaar.shelf.record("o-1"))
    #expect(order.fields[.deliveryInstructions] == nil)
    #expect(order[Order.deliveryAddress]?.contains("Chausseestraße") == false)
  }
}
