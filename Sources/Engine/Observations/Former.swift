import Contracts
import Timekeeping

// The former ways to say a check, for a domain that is not converted yet. They go with the last of them.

extension Check {
  public enum FormerKind: Sendable {
    case reply(@Sendable (Record<Agreement>, inout Judge) -> Void)
    case history(
      keys: @Sendable (Record<Agreement>) -> [CheckKey],
      start: @Sendable (CheckKey) -> any FormerHistory<Agreement>)
    case census(@Sendable (Agreement.Reply, inout Judge) -> Void)
  }

  public init(_ limit: LimitID, concerns: Set<Concern>, _ kind: FormerKind) {
    self.init(limit, concerns) { library, index in
      switch kind {
      case .reply(let judge):
        library.judge(concerns) { record, judges in
          judge(record, &judges[index])
          judges[index].place(Moment(record))
        }
      case .census(let judge):
        library.judge(concerns) { record, judges in
          guard case .inspection(let shown) = record.event else { return }
          judge(shown, &judges[index])
          judges[index].place(Moment(record))
        }
      case .history(let keys, let start):
        let histories = FormerHistories(start)
        library.judge(concerns) { record, judges in
          for key in keys(record) { histories.see(record, of: key, &judges[index]) }
          judges[index].place(Moment(record))
        }
        library.atEnd { instant, judges in
          histories.end(at: instant, &judges[index])
          judges[index].place(Moment(time: instant, person: nil, cell: 0))
        }
      }
    }
  }

  public static func informed<Known: FormerFacts<Agreement>>(
    _ limit: LimitID, by facts: Known.Type, concerns: Set<Concern>,
    _ judge: @escaping @Sendable (Record<Agreement>, Known, inout Judge) -> Void
  ) -> Check {
    Check(limit, concerns) { library, index in
      library.only { FormerBench<Known>(in: library) }.add(
        judge, index, concerns, in: library)
    }
  }
}

public enum CheckKey: Hashable, Sendable {
  case text(String)
  case person(PersonID)
  case number(Int)
}

public protocol FormerHistory<Agreement>: Sendable {
  associatedtype Agreement: Contract
  mutating func see(_ record: Record<Agreement>, _ judge: inout Judge)
  mutating func end(at instant: Instant, _ judge: inout Judge)
}

extension FormerHistory {
  public mutating func end(at instant: Instant, _ judge: inout Judge) {}
}

public protocol FormerFacts<Agreement>: Sendable {
  associatedtype Agreement: Contract
  static var concerns: Set<Concern> { get }
  static func keys(_ record: Record<Agreement>) -> [CheckKey]
  init(_ key: CheckKey)
  mutating func see(_ record: Record<Agreement>)
}

private final class FormerHistories<Agreement: Contract> {
  private let start: (CheckKey) -> any FormerHistory<Agreement>
  private var places: [CheckKey: Int] = [:]
  private var reducers: [any FormerHistory<Agreement>] = []

  init(_ start: @escaping (CheckKey) -> any FormerHistory<Agreement>) { self.start = start }

  func see(_ record: Record<Agreement>, of key: CheckKey, _ judge: inout Judge) {
    let place = places[key] ?? reducers.count
    if place == reducers.count {
      places[key] = place
      reducers.append(start(key))
    }
    reducers[place].see(record, &judge)
  }

  func end(at instant: Instant, _ judge: inout Judge) {
    for place in reducers.indices { reducers[place].end(at: instant, &judge) }
  }
}

private final class FormerBench<Known: FormerFacts> {
  typealias Body = @Sendable (Record<Known.Agreement>, Known, inout Judge) -> Void

  private var places: [CheckKey: Int] = [:]
  private var known: [Known] = []
  private var bodies: [[(index: Int, body: Body)]]
  private let classes = ConcernClasses<Known.Agreement>()
  private var judged: Set<Int> = []

  init(in library: Library<Known.Agreement>) {
    bodies = Array(repeating: [], count: classes.count)
    library.gather(Known.concerns) { [self] record in
      for key in Known.keys(record) { known[place(of: key)].see(record) }
    }
  }

  func add(
    _ body: @escaping Body, _ index: Int, _ concerns: Set<Concern>,
    in library: Library<Known.Agreement>
  ) {
    for concern in concerns {
      let number = classes.number(of: concern)
      bodies[number].append((index, body))
      guard judged.insert(number).inserted else { continue }
      library.judge([concern]) { [self] record, judges in
        for key in Known.keys(record) {
          let place = place(of: key)
          for (index, body) in bodies[number] {
            body(record, known[place], &judges[index])
            judges[index].place(Moment(record))
          }
        }
      }
    }
  }

  private func place(of key: CheckKey) -> Int {
    if let old = places[key] { return old }
    places[key] = known.count
    known.append(Known(key))
    return known.count - 1
  }
}
