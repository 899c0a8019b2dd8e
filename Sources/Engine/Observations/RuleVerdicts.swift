import Contracts
import Timekeeping

/// What the checks of a region have decided, rule by rule: one for all of them.
public final class RuleVerdicts<Rule: Contracts.Rule> {
  /// When and by whom was seen what is judged; a check that judges something seen before says when that was.
  public var moment = Moment(time: .distantPast, person: nil, cell: 0)

  private let rules: [Rule]
  /// What was told of the table of rights and has not been taken.
  private var entries: [AccessMatrix.Entry] = []
  private var judges: ContiguousArray<Judge>
  /// By a rule's place in memory its place among those that are judged; -1 for others.
  private let places: ContiguousArray<Int16>

  /// - Parameter judged: In any order; a rule may stand there more than once.
  init(_ judged: [Rule]) {
    rules = Contracts.sorted(Set(judged))
    judges = ContiguousArray(repeating: Judge(), count: rules.count)
    var places = ContiguousArray<Int16>(
      repeating: -1, count: (Rule.allCases.map { Self.word(of: $0) }.max() ?? 0) + 1)
    for (place, rule) in rules.enumerated() { places[Self.word(of: rule)] = Int16(place) }
    self.places = places
  }

  /// In the order of the rules.
  var all: [(rule: Rule, judge: Judge)] { Array(zip(rules, judges)) }

  /// A case without payload as memory holds it, which tells cases apart without a look at their names.
  @inline(__always)
  private static func word(of rule: Rule) -> Int {
    withUnsafeBytes(of: rule) {
      switch $0.count {
      case 0: 0
      case 1: Int($0.loadUnaligned(as: UInt8.self))
      case 2: Int($0.loadUnaligned(as: UInt16.self))
      default: preconditionFailure("rules are an enumeration without payloads")
      }
    }
  }

  @inline(__always)
  private func place(of rule: Rule) -> Int {
    let place = places[Self.word(of: rule)]
    if place < 0 {
      programFault("a verdict about \(rule.id), which is not among the rules that are judged")
    }
    return Int(place)
  }

  @inline(__always)
  func held(_ rule: Rule) { judges[place(of: rule)].held() }

  @inline(__always)
  func violated(_ rule: Rule, _ what: () -> String) {
    judges[place(of: rule)].violated(what(), at: moment)
  }

  func enter(_ entry: AccessMatrix.Entry) { entries.append(entry) }

  func takeEntries() -> [AccessMatrix.Entry] {
    guard !entries.isEmpty else { return [] }
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  func undecided(_ rule: Rule, _ why: String) { judges[place(of: rule)].undecided(why) }
}
