import Contracts
import Timekeeping

/// What the checks of one region know and share: facts that are gathered once and lent to whoever goes by them.
///
/// A record comes to those who judge it by what was known before; then to the facts, each after those that it goes by;
/// then to those who judge it by what is known with it.
public final class Library<Agreement: Contract> {
  typealias Visit = (Record<Agreement>, inout [Judge]) -> Void
  typealias Gather = (Record<Agreement>) -> Void
  typealias End = (Instant, inout [Judge]) -> Void

  let classes = ConcernClasses<Agreement>()
  let turn = Turn()
  /// By class of records.
  private var before: [[Visit]]
  private var gathering: [[Gather]]
  private var after: [[Visit]]
  private var ends: [End] = []
  /// One of each type.
  private var things: [ObjectIdentifier: AnyObject] = [:]
  private var rosters: [String: Roster<Agreement>] = [:]

  init() {
    before = Array(repeating: [], count: classes.count)
    gathering = Array(repeating: [], count: classes.count)
    after = before
  }

  // MARK: Furnishing

  /// The one thing of a type, which is made when it is first asked for.
  func only<Thing: AnyObject>(_ make: () -> Thing) -> Thing {
    let type = ObjectIdentifier(Thing.self)
    if let thing = things[type] { return unsafeDowncast(thing, to: Thing.self) }
    let thing = make()
    things[type] = thing
    return thing
  }

  func roster(
    _ name: String, _ find: () -> Roster<Agreement>.Find
  ) -> Roster<Agreement> {
    if let roster = rosters[name] { return roster }
    let roster = Roster(turn, find())
    rosters[name] = roster
    return roster
  }

  func judge(
    _ concerns: Set<Concern>, _ standpoint: Standpoint = .before, _ visit: @escaping Visit
  ) {
    for number in classes.numbers(of: concerns) {
      switch standpoint {
      case .before: before[number].append(visit)
      case .after: after[number].append(visit)
      }
    }
  }

  func gather(_ concerns: Set<Concern>, _ gather: @escaping Gather) {
    for number in classes.numbers(of: concerns) { gathering[number].append(gather) }
  }

  func atEnd(_ end: @escaping End) { ends.append(end) }

  // MARK: Records

  func see(_ record: Record<Agreement>, _ judges: inout [Judge]) {
    turn.number &+= 1
    let number = classes.number(of: record.concern)
    for visit in before[number] { visit(record, &judges) }
    for gather in gathering[number] { gather(record) }
    for visit in after[number] { visit(record, &judges) }
  }

  func end(at instant: Instant, _ judges: inout [Judge]) {
    for end in ends { end(instant, &judges) }
  }
}

/// Whether somebody who judges a record goes by the facts as they were before it, or with it.
public enum Standpoint: Sendable { case before, after }
