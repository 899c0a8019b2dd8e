import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Edits at the same time, and edits that are refused or mean something else (4.9, 4.10).
extension Adversary {
  static let ofEdits = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp05, .atp33, .atp34, .atp35, .atp51, .atp56, .atp75, .atp76, .atp77, .atp78, .atp79, .atp80,
    .atp81,
    .atp82, .atp83, .atp84, .atp85, .atp86, .atp87, .atp93, .atp96, .atp97, .atp98, .atp99,
    in: "AsiaTravelPlanJourneys/Adversaries/Edits.swift")

  /// Notes, a stage and an assignment at once; then everything is read.
  func editInParallel(as me: Me) async throws(JourneyEnded) {
    guard let token = try await token(.manager, me) else { return }
    let booking = pick(own + others, me)
    var calls = (0..<corner.habits.parallelEdits).map { _ in
      AsiaTravelPlan.Request.addActivity(.note(fresh("At once"), on: booking))
    }
    // Two people may write the same.
    calls.append(calls[0])
    calls.append(.changeStage(StageChange(booking, to: pick(Booking.Stage.allCases, me))))
    calls.append(.assign(Assignment(booking, to: assignee(of: booking))))
    calls.append(.booking(id: booking))
    calls.append(.changeStage(StageChange(booking, to: pick(Booking.Stage.allCases, me))))
    _ = try await me.ask(all: calls.map { Ask($0, with: .bearer(token)) })
    try await me.think(.seconds(1))
    try await look(booking, me)
  }

  private func assignee(of booking: String) -> String {
    own.contains(booking) ? corner.record : corner.colleague
  }

  private func look(_ booking: String, _ me: Me) async throws(JourneyEnded) {
    _ = try await ask(.booking(id: booking), as: .accountant, me)
    _ = try await ask(.activities(booking: booking), as: .manager, me)
  }

  func misuseEdits(as me: Me) async throws(JourneyEnded) {
    let booking = pick(own, me)
    let (record, colleague) = (corner.record, corner.colleague)
    for stage in Booking.Stage.allCases {
      _ = try await ask(
        .changeStage(
          StageChange(
            booking: booking, stage: " \(stage.rawValue.lowercased()) ", staff: colleague,
            notes: "no note")), as: .own, me)
    }
    try await look(booking, me)
    for stage in [nil, "", "SOLD", "NEW2"] {
      let change = StageChange(booking: booking, stage: stage)
      _ = try await ask(.changeStage(change), as: .own, me)
    }
    let assignments = [
      Assignment(booking, to: colleague), Assignment(booking: booking, ownerID: .to(record)),
      Assignment(booking: booking, staff: .to(colleague), ownerID: .to(record)),
      Assignment(booking: booking, staff: .to(colleague), ownerID: .to("")),
      Assignment(booking, to: nil), Assignment(booking: booking, ownerID: .to(record)),
      Assignment(booking, to: ""), Assignment(booking, to: record),
      Assignment(booking: booking), Assignment(booking: booking, ownerID: .to(nil)),
      Assignment(booking, to: "staff_unknown"), Assignment(booking, to: corner.inactive),
      Assignment(booking, to: record.uppercased()),
      Assignment(booking: booking, staff: .to(record), stage: "LOST", notes: "no note"),
    ]
    for assignment in assignments {
      _ = try await ask(.assign(assignment), as: .manager, me)
      _ = try await ask(.booking(id: booking), as: .own, me)
    }
    let entries = [
      NewActivity(booking: booking, type: " call ", detail: "  called  ", actor: "mallory"),
      NewActivity(booking: booking, type: nil, detail: "no type"),
      NewActivity(booking: booking, type: "  ", detail: "no type"),
    ]
    for entry in entries { _ = try await ask(.addActivity(entry), as: .own, me) }
    let missing = "booking_unknown"
    for request in [
      AsiaTravelPlan.Request.booking(id: missing), .activities(booking: missing),
      .invoices(booking: missing), .changeStage(StageChange(missing, to: .won)),
      .changeStage(StageChange(booking: missing, stage: "SOLD")),
      .assign(Assignment(missing, to: record)), .addActivity(.note("x", on: missing)),
      .addActivity(NewActivity(booking: missing, type: nil, detail: "x")),
    ] {
      _ = try await ask(request, as: .manager, me)
      _ = try await ask(request, as: .own, me)
    }
    _ = try await ask(
      .changeStage(StageChange(booking: booking, stage: nil, isNull: true)), as: .own, me)
    _ = try await ask(
      .addActivity(NewActivity(booking: booking, type: nil, detail: nil, isNull: true)), as: .own,
      me)
    try await look(booking, me)
    // Who reads what was just taken from them, or given to them (ATP-56).
    _ = try await ask(.assign(Assignment(booking, to: colleague)), as: .admin, me)
    _ = try await ask(.booking(id: booking), as: .own, me)
    _ = try await ask(.bookings(BookingQuery(pageSize: 100)), as: .own, me)
    _ = try await ask(.assign(Assignment(booking, to: record)), as: .admin, me)
    _ = try await ask(.booking(id: booking), as: .own, me)
  }
}
