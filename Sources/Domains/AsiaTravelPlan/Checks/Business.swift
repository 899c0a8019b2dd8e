import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

extension Concern {
  static func asks(_ endpoint: Endpoint<AsiaTravelPlan>) -> Concern {
    .operation(AsiaTravelPlan.table.index(of: endpoint))
  }
}

/// Times between two things of the agency, and the way of a booking to its trip.
public enum AgencyBusiness {
  public static let all: [BusinessLatency<AsiaTravelPlan>] =
    [assigned] + Booking.Stage.allCases.compactMap(dwell)

  /// A booking came from the website → a manager gave it to somebody (5.4). What is lost before leaves as it leaves the flow, even
  /// where it is given to somebody later.
  private static let assigned = BusinessLatency<AsiaTravelPlan>(
    "assigned", "Booking created → staff assigned",
    notes: BusinessNotes(weight: .first, abandoned: "bookings that were lost before"),
    concerns: [
      .asks(AsiaTravelPlan.requestTrip), .asks(AsiaTravelPlan.assign),
      .asks(AsiaTravelPlan.changeStage),
    ]
  ) { record in
    guard case .request(let call) = record.event else { return [] }
    if let accepted = call.outcome.reply?.accepted(isNew: true) {
      return [.begins(accepted.bookingID, call.answered)]
    }
    guard let booking = call.outcome.reply?.changed else { return [] }
    if booking.stage == .lost { return [.abandoned(booking.id)] }
    return booking.staff == nil ? [] : [.ends(booking.id, call.answered)]
  }

  /// How long a booking stays in a stage, against what the agency promises (2.2).
  private static func dwell(_ stage: Booking.Stage) -> BusinessLatency<AsiaTravelPlan>? {
    guard let sla = stage.sla else { return nil }
    let name = stage.rawValue.lowercased().replacing(scalars: "_", with: "-")
    return BusinessLatency<AsiaTravelPlan>(
      "in-" + name, "In \(stage.rawValue) (SLA \(sla))",
      notes: BusinessNotes(weight: .last),
      concerns: [.asks(AsiaTravelPlan.requestTrip), .asks(AsiaTravelPlan.changeStage)],
      watch: { DwellWatch(stage: stage) })
  }

  public static let flow = Flow<AsiaTravelPlan>(
    Course(
      of: "bookings", steps: ["created", "assigned", "invoiced", "won"],
      reasons: [Course.Reason("lost", .population)]),
    concerns: [
      .asks(AsiaTravelPlan.requestTrip), .asks(AsiaTravelPlan.assign),
      .asks(AsiaTravelPlan.changeStage),
    ], watching: { _ in BookingWatch() })
}

private struct DwellWatch: MilestoneWatch {
  let stage: Booking.Stage
  private var open: Set<String> = []

  init(stage: Booking.Stage) { self.stage = stage }

  mutating func see(
    _ record: Record<AsiaTravelPlan>
  ) -> [BusinessLatency<AsiaTravelPlan>.Milestone] {
    guard case .request(let call) = record.event else { return [] }
    if stage == .new, let accepted = call.outcome.reply?.accepted(isNew: true) {
      open.insert(accepted.bookingID)
      return [.begins(accepted.bookingID, call.answered)]
    }
    guard call.request.changeStage != nil, let booking = call.outcome.reply?.changed else {
      return []
    }
    if booking.stage == stage {
      return open.insert(booking.id).inserted ? [.begins(booking.id, call.answered)] : []
    }
    return open.remove(booking.id) != nil ? [.ends(booking.id, call.answered)] : []
  }
}

/// Bookings that were made in the run; those that were there before have steps behind them that nobody saw.
private struct BookingWatch: FlowWatch {
  private var made: Set<String> = []

  mutating func see(_ record: Record<AsiaTravelPlan>) -> [Flow<AsiaTravelPlan>.Move] {
    guard case .request(let call) = record.event else { return [] }
    if let accepted = call.outcome.reply?.accepted(isNew: true) {
      made.insert(accepted.bookingID)
      return [.reached(accepted.bookingID, step: 0)]
    }
    guard let booking = call.outcome.reply?.changed, made.contains(booking.id) else { return [] }
    switch booking.stage {
    case .lost: return [.left(booking.id, reason: 0)]
    case .won, .postTrip: return [.reached(booking.id, step: 3)]
    case .invoiceSent, .paymentReceived: return [.reached(booking.id, step: 2)]
    default: return booking.staff == nil ? [] : [.reached(booking.id, step: 1)]
    }
  }
}
