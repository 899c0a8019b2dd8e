import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// All visitors of the website, one after the other: each asks for a trip (5.8).
public final class Visitor: Behaviour {
  public typealias Contract = AsiaTravelPlan
  public static let tried = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp88, .atp89, .atp90, .atp91, .atp103)

  public let begins: Instant?
  private let habits: AgencyHabits
  private var sent = 0
  private var isAsking = false

  public init(_ habits: AgencyHabits, begins: Instant) {
    (self.habits, self.begins) = (habits, begins)
  }

  /// The first one only looks at the calendar.
  public func session(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) -> Instant? {
    guard habits.requestsPerDay > 0 else { return nil }
    if isAsking { try await visit(as: me) }
    isAsking = true
    let rate = habits.requestsPerDay * WorkingHours.traffic(at: me.now)
    // The rate changes within hours: whoever would come later is drawn again then.
    let gap = me.draw(.agenda) { $0.sample(.exponential(mean: .days(1) * (1 / rate))) }
    isAsking = gap <= .hours(1)
    return me.now + min(gap, .hours(1))
  }

  public func visit(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) {
    sent += 1
    let asked = trip(as: me)
    let outcome = try await me.ask(.requestTrip(asked))
    let isResent = me.draw(.habit) { $0.chance(habits.resent) }
    guard !outcome.isAnswered || isResent else { return }
    try await me.think(.uniform(from: .seconds(1), to: .seconds(10)))
    _ = try await me.ask(.requestTrip(asked), attempt: 2)
  }

  private func trip(as me: Me) -> TripRequest {
    me.draw(.habit) { stream in
      let isReturning = sent > 1 && stream.chance(0.15)
      let person = isReturning ? 1 + stream.pick(0..<(sent - 1)) : sent
      let (from, to) = stream.choose([
        (value: (1, 1), weight: 0.12), ((2, 2), 0.5), ((3, 4), 0.25), ((5, 6), 0.09),
        ((7, 30), 0.04),
      ])
      return TripRequest(
        idempotencyKey: "\(me.name)-\(sent)",
        name: "Visitor \(String(avalanche(UInt64(person)), radix: 16))",
        email: "visitor-\(person)@example.test",
        destination: stream.choose(AgencyRecords.destinations),
        style: stream.pick(AgencyRecords.styles), travelMonth: "2026-\(10 + sent % 3)",
        travelers: from + stream.pick(0..<(to - from + 1)), duration: "6-8 days",
        phone: "+49 40 \(20_000_000 + person)", language: stream.choose(AgencyRecords.languages),
        budget: "$900-$1,400", notes: stream.chance(0.3) ? "We travel with our parents." : nil)
    }
  }
}
