import Contracts
import Timekeeping

/// Brings each record of a region to the checks that want to see it, and each history to its reducer.
public struct CheckRouter<Agreement: Contract> {
  private let checks: [Check<Agreement>]
  private let byOperation: [[Int]]
  private let ofSignals: [Int]
  private let ofControls: [Int]
  private let ofNotes: [Int]
  private let ofInspections: [Int]
  public private(set) var judges: [Judge]
  private var histories: [Histories]

  /// The reducers of one check, in the order in which their keys were first seen.
  private struct Histories {
    var places: [CheckKey: Int] = [:]
    var reducers: [any History<Agreement>] = []
  }

  public init(_ checks: [Check<Agreement>]) {
    self.checks = checks
    func indices(_ concern: Concern) -> [Int] {
      checks.indices.filter { checks[$0].concerns.contains(concern) }
    }
    byOperation = Agreement.operations.indices.map { indices(.operation($0)) }
    ofSignals = indices(.signals)
    ofControls = indices(.controls)
    ofNotes = indices(.notes)
    ofInspections = indices(.inspections)
    judges = checks.map { _ in Judge() }
    histories = checks.map { _ in Histories() }
  }

  public mutating func see(_ record: Record<Agreement>) {
    let concerned: [Int]
    switch record.event {
    case .request(let exchange): concerned = byOperation[exchange.operation]
    case .signal: concerned = ofSignals
    case .control: concerned = ofControls
    case .note: concerned = ofNotes
    case .inspection: concerned = ofInspections
    }
    for index in concerned { see(record, by: index) }
  }

  private mutating func see(_ record: Record<Agreement>, by index: Int) {
    judges[index].place = Finding.Place(
      time: record.time, person: record.person, cell: record.cell)
    switch checks[index].kind {
    case .reply(let judge): judge(record, &judges[index])
    case .census(let judge):
      if case .inspection(let shown) = record.event { judge(shown, &judges[index]) }
    case .history(let keys, let start):
      for key in keys(record) {
        let place: Int
        if let known = histories[index].places[key] {
          place = known
        } else {
          place = histories[index].reducers.count
          histories[index].places[key] = place
          histories[index].reducers.append(start(key))
        }
        histories[index].reducers[place].see(record, &judges[index])
      }
    }
  }

  /// Ends all histories, in the order in which they began.
  public mutating func end(at instant: Instant) {
    for index in checks.indices {
      judges[index].place = Finding.Place(time: instant, person: nil, cell: 0)
      for place in histories[index].reducers.indices {
        histories[index].reducers[place].end(at: instant, &judges[index])
      }
    }
  }

  public var limits: [LimitID] { checks.map(\.limit) }
}
