import MimiSupplyContract
import Timekeeping

/// The orders that a partner has in hand, from the push to ready for pickup (§5.3).
struct Kitchen {
  enum Phase { case deciding, queued, preparing }

  /// What will be done about an order; drawn from the partner's stream for this order, so that it does not depend on
  /// what else happens.
  struct Plan {
    let reaction: Span
    let isOverlooked: Bool
    let declines: Bool
    let givesUp: Bool
    let announcesLater: Bool
    let preparation: Span

    init(_ habits: Habits.Selling, _ category: String, _ luck: inout RandomStream) {
      reaction = luck.span(median: habits.reaction, sigma: habits.reactionSigma)
      isOverlooked = luck.chance(habits.noReaction)
      declines = luck.chance(habits.declines)
      givesUp = luck.chance(habits.cancelsWhilePreparing)
      announcesLater = luck.chance(habits.laterAnnounced)
      let median = habits.preparation[category]!
      preparation = min(
        max(luck.span(median: median, sigma: habits.preparationSigma), .minutes(5)), .minutes(60))
    }
  }

  struct Ticket {
    let order: RecordName
    let plan: Plan
    var phase: Phase
    var due: Instant
  }

  private let capacity: Int
  private var tickets: [Ticket] = []

  init(capacity: Int) { self.capacity = capacity }

  var isEmpty: Bool { tickets.isEmpty }
  func has(_ order: RecordName) -> Bool { tickets.contains { $0.order == order } }

  /// Twice as many orders wait as can be prepared.
  var isOverloaded: Bool { tickets.count(where: { $0.phase == .queued }) > 2 * capacity }

  /// What is to be done next; who is queued waits until a place is free.
  var next: Ticket? {
    let isFull = tickets.count(where: { $0.phase == .preparing }) >= capacity
    return tickets.filter { !(isFull && $0.phase == .queued) }.min { $0.due < $1.due }
  }

  mutating func admit(_ order: RecordName, _ plan: Plan, _ phase: Phase, due: Instant) {
    tickets.append(Ticket(order: order, plan: plan, phase: phase, due: due))
  }

  mutating func set(_ order: RecordName, _ phase: Phase, due: Instant) {
    guard let index = tickets.firstIndex(where: { $0.order == order }) else { return }
    tickets[index].phase = phase
    tickets[index].due = due
  }

  mutating func drop(_ order: RecordName) { tickets.removeAll { $0.order == order } }
}
