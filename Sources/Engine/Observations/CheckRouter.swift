import Contracts
import Timekeeping

/// Brings each record of a region to the checks that want to see it, and each history to its reducer.
public struct CheckRouter<Agreement: Contract> {
  private let checks: [Check<Agreement>]
  private let classes = ConcernClasses<Agreement>()
  /// By class of records, in the order of the checks: those that judge by themselves, the benches of those that
  /// share facts, and those that sit on them.
  private let aloneByClass: [[Int]]
  private let benchesByClass: [[Bench<Agreement>]]
  private let informedByClass: [[Int]]
  public private(set) var judges: [Judge]
  private var histories: [Histories]

  /// The reducers of one check, in the order in which their keys were first seen.
  private struct Histories {
    /// A person's number is its place in an array; other keys are looked up.
    private var ofPersons: ContiguousArray<Int32> = []
    private var places: [CheckKey: Int] = [:]
    var reducers: [any History<Agreement>] = []

    /// Where the key's reducer is, which is begun when it is new.
    mutating func place(
      of key: CheckKey, _ start: (CheckKey) -> any History<Agreement>
    ) -> Int {
      if case .person(let id) = key {
        let number = Int(id.index)
        while ofPersons.count <= number { ofPersons.append(-1) }
        if ofPersons[number] < 0 {
          ofPersons[number] = Int32(reducers.count)
          reducers.append(start(key))
        }
        return Int(ofPersons[number])
      }
      if let known = places[key] { return known }
      places[key] = reducers.count
      reducers.append(start(key))
      return reducers.count - 1
    }
  }

  public init(_ checks: [Check<Agreement>]) {
    self.checks = checks
    judges = checks.map { _ in Judge() }
    histories = checks.map { _ in Histories() }
    var benches: [ObjectIdentifier: Bench<Agreement>] = [:]
    var benchesByClass: [[Bench<Agreement>]] = Array(repeating: [], count: classes.count)
    for (index, check) in checks.enumerated() {
      guard case .informed(let informed) = check.kind else { continue }
      let bench = benches[informed.facts] ?? informed.found()
      benches[informed.facts] = bench
      informed.join(bench, index, check.concerns)
      for number in classes.numbers(of: check.concerns.union(informed.concerns))
      where !benchesByClass[number].contains(where: { $0.gathering === bench.gathering }) {
        benchesByClass[number].append(bench)
      }
    }
    self.benchesByClass = benchesByClass
    aloneByClass = classes.distributed(checks.map { $0.isInformed ? [] : $0.concerns })
    informedByClass = classes.distributed(checks.map { $0.isInformed ? $0.concerns : [] })
  }

  public mutating func see(_ record: Record<Agreement>) {
    let number = classes.number(of: record.concern)
    for index in aloneByClass[number] { see(record, by: index) }
    guard !benchesByClass[number].isEmpty else { return }
    for bench in benchesByClass[number] { bench.see(record, number, &judges) }
    for index in informedByClass[number] { judges[index].place(Finding.Place(record)) }
  }

  private mutating func see(_ record: Record<Agreement>, by index: Int) {
    switch checks[index].kind {
    case .reply(let judge): judge(record, &judges[index])
    case .census(let judge):
      if case .inspection(let shown) = record.event { judge(shown, &judges[index]) }
    case .informed: break
    case .history(let keys, let start):
      for key in keys(record) {
        let place = histories[index].place(of: key, start)
        histories[index].reducers[place].see(record, &judges[index])
      }
    }
    judges[index].place(Finding.Place(record))
  }

  /// Ends all histories, in the order in which they began.
  public mutating func end(at instant: Instant) {
    for index in checks.indices {
      for place in histories[index].reducers.indices {
        histories[index].reducers[place].end(at: instant, &judges[index])
      }
      judges[index].place(Finding.Place(time: instant, person: nil, cell: 0))
    }
  }

  public var limits: [LimitID] { checks.map(\.limit) }
}

extension Finding.Place {
  fileprivate init<Agreement: Contract>(_ record: Record<Agreement>) {
    self.init(time: record.time, person: record.person, cell: record.cell)
  }
}

extension Check {
  fileprivate var isInformed: Bool { if case .informed = kind { true } else { false } }
}
