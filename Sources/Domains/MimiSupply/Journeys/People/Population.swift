import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Everybody of one city, and what the operator loads before they live.
public struct Population: Sendable {
  public private(set) var people: [(name: String, life: @Sendable () -> any Life<MimiSupply>)] = []
  public private(set) var fixtures: [Fixture] = []

  public init(_ plan: CityPlan) {
    settleCustomers(plan)
    settleAdversaries(plan)
  }

  private mutating func settleCustomers(_ plan: CityPlan) {
    let between = plan.parameters.span("betweenSessions")
    let thinking = plan.parameters.span("thinking")
    for index in plan.share(plan.population.count("customers")) {
      let name = "customer-\(index + 1)"
      var stream = plan.stream(name, 0)
      let begins = plan.starts + stream.sample(.exponential(mean: between))
      let device = "\(plan.path)/\(name)"
      people.append(
        (
          name,
          {
            Browser(begins: begins, betweenSessions: between, thinking: thinking, device: device)
          }
        ))
    }
  }

  /// A share of extra persons, at least one in every city, because a rule that nobody tries to break has not been
  /// checked.
  private mutating func settleAdversaries(_ plan: CityPlan) {
    guard plan.adversaries > 0 else { return }
    let count = max(1, Int((plan.adversaries * Double(people.count)).rounded()))
    let every = plan.parameters.span("mischiefEvery")
    for number in 1...count {
      let name = "adversary-\(number)"
      let corner = Corner(name: name, number: number, at: plan.starts)
      var stream = plan.stream(name, 0)
      let begins = plan.starts + stream.sample(.uniform(from: .minutes(1), to: .minutes(10)))
      fixtures.append(corner.fixture)
      people.append(
        (name, { Adversary(corner, turn: (number - 1) * 17, begins: begins, every: every) }))
    }
  }
}
