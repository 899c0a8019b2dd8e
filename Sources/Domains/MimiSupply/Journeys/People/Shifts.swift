import Contracts
import MimiSupplyContract
import Timekeeping

/// A driver before the run: where, with what, how well.
struct DriverSeed: Sendable {
  /// The record: `driver-3`; also the person.
  let name: RecordName
  let vehicle: String
  let home: Geography.Point
  let rating: Double
  let deliveries: Int64
  let isNewcomer: Bool

  var user: UserName { "user-\(name)" }

  init(number: Int, plan: CityPlan) {
    name = "driver-\(number)"
    var stream = plan.stream(name.text, Shaping.settling.rawValue)
    vehicle = stream.choose(
      Stored.vehicles.map {
        (value: $0, weight: plan.parameters.number(CitySettings.vehicleName($0)))
      })
    home = stream.point(
      within: plan.population.number("cityRadius") * 1_000, of: City.centre)
    isNewcomer = stream.chance(plan.population.share("newcomers"))
    rating = (4.2 + 0.8 * stream.unit()).rounded(decimals: 1)
    deliveries = Int64(stream.pick(0..<400))
  }

  var fields: Fields {
    [
      .userId: .name(user), .name: .string("Fahrer \(name)"),
      .phoneNumber: .string("+49 170 5550"), .vehicleType: .string(vehicle),
      .licensePlate: .string("B-MS 1"), .isOnline: .int64(0), .isAvailable: .int64(0),
      .rating: .double(rating), .completedDeliveries: .int64(deliveries),
      .verificationStatus: .string("verified"),
    ]
  }
}

/// When a driver works: one of the documented shifts (§5.4), or four hours of the driver's own.
struct Shifts: Sendable {
  let plan: CityPlan
  let driver: RecordName

  /// The next shift that is not over at an instant.
  func next(after instant: Instant) -> (begins: Instant, ends: Instant)? {
    let today = CivilZone.berlin.civil(at: instant).date.daysSinceEpoch
    for number in today - 1...today + 14 {
      if let shift = shift(on: CivilDate(daysSinceEpoch: number)), instant < shift.ends {
        return shift
      }
    }
    return nil
  }

  private func shift(on day: CivilDate) -> (begins: Instant, ends: Instant)? {
    var stream = plan.stream("\(driver)/day-\(day.daysSinceEpoch)", Shaping.working.rawValue)
    guard stream.chance(plan.parameters.share("worksPerDay")) else { return nil }
    // Nobody comes on the minute.
    let late = Span(seconds: 300 * stream.unit())
    if stream.chance(plan.parameters.share("ownHours")) {
      let begins = DayCurve.instant(of: day, &stream) - .hours(1)
      return (begins + late, begins + .hours(4))
    }
    let shift = stream.choose(day.weekday >= 6 ? Self.weekend : Self.workdays)
    return (
      CivilZone.berlin.instant(day, .minutes(shift.lowerBound)) + late,
      CivilZone.berlin.instant(day, .minutes(shift.upperBound))
    )
  }

  /// Minutes since midnight; most want the evening, which has most orders (an assumption of this rehearsal).
  private static let workdays: [(value: ClosedRange<Int64>, weight: Double)] = [
    (600...840, 20), (690...930, 20), (1_020...1_320, 60),
  ]
  private static let weekend = workdays + [(720...1_380, 100)]
}
