import KantineKoningContract
import Observations
import Timekeeping

/// What the operator's commands say about one dienst.
struct DienstFacts: FormerFacts {
  static let concerns: Set<Concern> = [.controls]

  let id: String
  private(set) var tenant: String?
  private(set) var initialNames: [String] = []
  private var start = Timeline<Instant>()

  init(_ key: CheckKey) {
    if case .text(let id) = key { self.id = id } else { id = "" }
  }

  /// The diensten that a record is about.
  static func keys(_ record: KKRecord) -> [CheckKey] {
    switch record.event {
    case .request(let exchange):
      return exchange.dienstID.map { [.text($0)] } ?? []
    case .control(.control(let command), _):
      switch command {
      case .load(let fixture): return fixture.diensten.map { .text($0.id) }
      case .scheduleDienst(let entry): return [.text(entry.id)]
      case .changeDienst(let change): return [.text(change.id)]
      default: return []
      }
    case .control, .signal, .note, .inspection: return []
    }
  }

  mutating func see(_ record: KKRecord) {
    if case .control(.control(let command), _) = record.event { see(command, at: record.time) }
  }

  mutating func see(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture):
      if let entry = fixture.diensten.first(where: { $0.id == id }) { take(entry, at: instant) }
    case .scheduleDienst(let entry): take(entry, at: instant)
    case .changeDienst(let change):
      if let moved = change.startTijd { start.set(moved, at: instant) }
    default: break
    }
  }

  private mutating func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    tenant = entry.tenantSlug
    initialNames = entry.aanmeldingen
    start.set(entry.startTijd, at: instant - .seconds(2))
  }

  /// Whether it had begun throughout an exchange (`true`), was still to begin throughout (`false`), or neither.
  func hasBegun(during exchange: KKExchange) -> Bool? {
    guard let start = start.value(during: exchange.sent...max(exchange.sent, exchange.answered))
    else { return nil }
    if start < exchange.sent { return true }
    return start >= exchange.answered ? false : nil
  }
}
