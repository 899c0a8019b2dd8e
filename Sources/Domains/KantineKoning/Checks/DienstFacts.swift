import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What the operator's commands say about one dienst.
final class DienstFacts: Facts {
  static var scope: Scope<KantineKoning> { .dienst }
  static let concerns: Set<Concern> = [.controls]

  let id: DienstID
  private(set) var tenant: Slug?
  private(set) var initialNames: [String] = []
  private var start = Register<Instant>()

  init(_ subject: Subject<Nothing<KantineKoning>>) { id = DienstID(subject.name) }

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    switch command {
    case .load(let fixture):
      if let entry = fixture.diensten.first(where: { $0.id == id }) { take(entry, at: moment.time) }
    case .scheduleDienst(let entry): take(entry, at: moment.time)
    case .changeDienst(let change):
      if let moved = change.startTijd { start.follow(moved, at: moment.time) }
    default: break
    }
  }

  private func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    tenant = entry.tenantSlug
    initialNames = entry.aanmeldingen
    start.follow(entry.startTijd, at: instant - .seconds(2))
  }

  /// Whether it had begun throughout a call (`true`), was still to begin throughout (`false`), or neither.
  func hasBegun(during call: KKCall) -> Bool? {
    guard let start = start.value(during: call.sent...max(call.sent, call.answered))
    else { return nil }
    if start < call.sent { return true }
    return start >= call.answered ? false : nil
  }
}

extension Scope<KantineKoning> {
  /// The diensten that somebody asks about, or that the operator loads, schedules or changes.
  static var dienst: Self {
    .each(
      "dienst", by: DienstID.self,
      asked: { call, tell in if let id = call.dienstID { tell(id) } },
      commanded: { command, tell in
        switch command {
        case .load(let fixture): for entry in fixture.diensten { tell(entry.id) }
        case .scheduleDienst(let entry): tell(entry.id)
        case .changeDienst(let change): tell(change.id)
        default: break
        }
      })
  }
}
