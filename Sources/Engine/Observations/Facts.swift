import Contracts
import Timekeeping

/// What is certain about one key from the records so far.
///
/// Many rules are judged by the same knowledge; it is gathered once, whatever the number of checks that go by it. A
/// check sees the facts as they were before the record that it judges.
public protocol Facts<Agreement>: Sendable {
  associatedtype Agreement: Contract
  /// The records that can change them.
  static var concerns: Set<Concern> { get }
  /// The keys that a record is about.
  static func keys(_ record: Record<Agreement>) -> [CheckKey]
  init(_ key: CheckKey)
  mutating func see(_ record: Record<Agreement>)
}

extension Check {
  /// Judges records of some classes in the light of facts that other checks share.
  public static func informed<Known: Facts<Agreement>>(
    _ limit: LimitID, by facts: Known.Type, concerns: Set<Concern>,
    _ judge: @escaping @Sendable (Record<Agreement>, Known, inout Judge) -> Void
  ) -> Check {
    let informed = Informed<Agreement>(
      facts: ObjectIdentifier(Known.self), concerns: Known.concerns,
      found: {
        // Made here, where the kind of facts is known: a class that overrides a method would look types up in every call.
        let bench = FactsBench<Known>()
        return Bench(gathering: bench) { bench.see($0, as: $1, &$2) }
      },
      join: { bench, index, concerns in
        guard let facts = bench.gathering as? FactsBench<Known> else {
          preconditionFailure("a bench of other facts")
        }
        facts.add(judge, index, concerns)
      })
    return Check(limit, concerns: concerns, .informed(informed))
  }
}

/// How a check joins those that go by the same facts.
public struct Informed<Agreement: Contract>: Sendable {
  let facts: ObjectIdentifier
  let concerns: Set<Concern>
  let found: @Sendable () -> Bench<Agreement>
  let join: @Sendable (Bench<Agreement>, _ index: Int, Set<Concern>) -> Void
}

/// The checks of one region that go by one kind of facts.
struct Bench<Agreement: Contract> {
  /// The facts and who goes by them.
  let gathering: AnyObject
  let see: (_ record: Record<Agreement>, _ concern: Int, _ judges: inout [Judge]) -> Void

  init(
    gathering: AnyObject,
    see: @escaping (_ record: Record<Agreement>, _ concern: Int, _ judges: inout [Judge]) -> Void
  ) {
    self.gathering = gathering
    self.see = see
  }
}

/// The same where the kind of facts is known.
final class FactsBench<Known: Facts> {
  typealias Body = @Sendable (Record<Known.Agreement>, Known, inout Judge) -> Void

  private var places: [CheckKey: Int] = [:]
  private var known: [Known] = []
  /// By class of records: which checks judge it.
  private var bodies: [[(index: Int, body: Body)]]
  private let learns: [Bool]

  init() {
    let classes = ConcernClasses<Known.Agreement>()
    bodies = Array(repeating: [], count: classes.count)
    let learned = classes.numbers(of: Known.concerns)
    learns = (0..<classes.count).map { learned.contains($0) }
  }

  func add(_ body: @escaping Body, _ index: Int, _ concerns: Set<Concern>) {
    let classes = ConcernClasses<Known.Agreement>()
    for number in classes.numbers(of: concerns) { bodies[number].append((index, body)) }
  }

  func see(_ record: Record<Known.Agreement>, as concern: Int, _ judges: inout [Judge]) {
    for key in Known.keys(record) {
      let place: Int
      if let old = places[key] {
        place = old
      } else {
        place = known.count
        places[key] = place
        known.append(Known(key))
      }
      judge(record, by: known[place], bodies[concern], &judges)
      if learns[concern] { known[place].see(record) }
    }
  }

  /// One copy of what is known serves all, and is gone before it changes.
  private func judge(
    _ record: Record<Known.Agreement>, by known: Known, _ bodies: [(index: Int, body: Body)],
    _ judges: inout [Judge]
  ) {
    for (index, body) in bodies { body(record, known, &judges[index]) }
  }
}
