import Contracts
import MimiSupplyContract
import Timekeeping

/// What the lives of one city share and none of them changes.
final class City: Sendable {
  let plan: CityPlan
  let habits: Habits
  let partners: [PartnerSeed]
  /// When customers look: for each order they mean to place, some sessions without one (§5.6).
  let curve: DayCurve

  init(_ plan: CityPlan) {
    self.plan = plan
    habits = Habits(plan.parameters)
    curve = DayCurve(
      perDay: plan.population.number("ordersPerDay") * (1 + habits.shopping.sessionsWithoutOrder))
    partners = plan.share(plan.population.count("partners")).map {
      PartnerSeed(number: $0 + 1, plan: plan)
    }
  }

  static let centre = Geography.Point(52.52, 13.405)

  /// The stream from which somebody decides about one thing: two worlds in which the same thing happens to the same
  /// person decide alike, whatever else differs.
  func luck(_ who: String, about what: String, _ purpose: Shaping = .deciding) -> RandomStream {
    plan.stream(who + "/" + what, purpose.rawValue)
  }

  /// How far around a customer the app looks for partners, in metres: as far as a screen can show, 50 of them, and no
  /// farther than anybody delivers.
  var reach: Double {
    let radius = plan.population.number("cityRadius") * 1_000
    let fitting = radius * (50 / Double(max(1, partners.count))).squareRoot()
    return min(max(2_500, fitting), plan.parameters.number("radiusLargest") * 1_000)
  }
}

/// What streams shape, beside the lives' own.
enum Shaping: UInt32 {
  case settling, arriving, deciding, working
}
