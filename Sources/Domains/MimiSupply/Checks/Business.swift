import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The latencies between two things of the domain (§6.1, §6.7, §8).
enum MimiSupplyBusiness {
  static let all: [BusinessLatency<MimiSupply>] = [
    order("dispatch", "Search for a driver → driver assigned", .dispatch, notes: searched),
    order(
      "dispatch-first", "First search for a driver → driver assigned", .first, notes: searched),
    order(
      "redispatch", "Order lost its driver → next driver assigned", .redispatch, notes: searched),
    order("match", "Search for a driver → first offer", .match, notes: searched),
    order(
      "order-to-driver", "Order created → driver assigned", .orderToDriver,
      notes: BusinessNotes(
        abandoned: "orders that were cancelled before they had a driver")),
    order(
      "acceptance", "Order confirmed → accepted by its partner", .acceptance, rule: .ms62,
      notes: BusinessNotes(
        abandoned: "orders that were cancelled before their partner accepted them")),
    order(
      "delivery", "Order created → delivered", .delivery,
      notes: BusinessNotes(weight: .first, abandoned: "orders that were cancelled or failed")),
    fanOut("fan-out-orders", "Order changed → its customer or driver is told", .orders),
    fanOut("fan-out-partners", "Order confirmed → its partner is told", .partners),
    fanOut("fan-out-positions", "Position stored → the customer is told", .positions),
    fanOut("fan-out-offers", "Offer made → its driver is told", .offers),
    recovery,
  ]

  private static let searched = BusinessNotes(
    abandoned: "searches for orders that were cancelled meanwhile")

  private static func order(
    _ name: String, _ title: String, _ measure: OrderMilestones.Measure,
    rule: MimiSupply.Rule? = nil,
    notes: BusinessNotes
  ) -> BusinessLatency<MimiSupply> {
    BusinessLatency(
      name, title, rule: rule, notes: notes, concerns: OrderMilestones.concerns,
      watching: { OrderMilestones(measure, by: $0.lender(of: OrderNews.self)(0)) })
  }

  private static func fanOut(
    _ name: String, _ title: String, _ kind: FanOutWatch.Kind
  ) -> BusinessLatency<MimiSupply> {
    BusinessLatency(
      name, title, rule: .ms97, notes: BusinessNotes(weight: .last),
      concerns: FanOutWatch.concerns,
      watching: { FanOutWatch(kind, by: $0.lender(of: OrderNews.self)(0)) })
  }

  private static let recovery = BusinessLatency<MimiSupply>(
    "recovery", "Request without an answer, or backend busy → answered again",
    concerns: .anything, watch: { RecoveryWatch() })
}

/// A person's app loses its backend → it is answered again: what an outage means to one who keeps trying.
private struct RecoveryWatch: MilestoneWatch {
  typealias Contract = MimiSupply

  private var lost: Set<PersonID> = []

  mutating func see(_ record: MSRecord) -> [BusinessLatency<MimiSupply>.Milestone] {
    guard case .request(let call) = record.event, let person = record.person else { return [] }
    switch call.outcome {
    case .unknown(.runEnded): return []
    case .unsent, .unknown: return lose(person, at: call.sent)
    case .refused(let refusal) where refusal.failure.code == .tryAgainLater:
      return lose(person, at: call.sent)
    case .refused, .replied:
      guard lost.remove(person) != nil else { return [] }
      return [.ends("\(person.index)", call.answered)]
    }
  }

  private mutating func lose(
    _ person: PersonID, at instant: Instant
  ) -> [BusinessLatency<MimiSupply>.Milestone] {
    lost.insert(person).inserted ? [.begins("\(person.index)", instant)] : []
  }
}
