import Contracts
import Timekeeping

/// What the checks of one region know and share: facts that are gathered once and lent to whoever goes by them.
///
/// A record comes to those who judge it by what was known before; then to the facts, each after those that it goes by;
/// then to those who judge it by what is known with it.
public final class Library<Contract: ServiceContract> {
  /// Takes the record at hand, and the domain's view of it where it is a call: handed on, so that nobody counts references.
  typealias Visit = (Sight<Contract>, _ view: AnyObject?) -> Void
  typealias End = (Instant, Sight<Contract>) -> Void

  let classes = ConcernClasses<Contract>()
  let sight = Sight<Contract>()
  /// By class of records.
  private var before: [[Visit]]
  private var gathering: [[Visit]]
  private var after: [[Visit]]
  private var ends: [End] = []
  /// Makes the view of a call, once somebody looks at calls.
  var viewing: ((Call<Contract>, Moment) -> AnyObject)?
  /// One of each type.
  private var things: [ObjectIdentifier: AnyObject] = [:]
  private var rosters: [String: Roster<Contract>] = [:]

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
    _ name: String, _ find: () -> Roster<Contract>.Find
  ) -> Roster<Contract> {
    if let roster = rosters[name] { return roster }
    let roster = Roster(find())
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

  func gather(_ concerns: Set<Concern>, _ gather: @escaping Visit) {
    for number in classes.numbers(of: concerns) { gathering[number].append(gather) }
  }

  func atEnd(_ end: @escaping End) { ends.append(end) }

  /// Whether anybody looks at records of a class.
  func isWatched(_ concern: Concern) -> Bool {
    let number = classes.number(of: concern)
    return !(before[number].isEmpty && gathering[number].isEmpty && after[number].isEmpty)
  }

  // MARK: Records

  func see(_ record: Record<Contract>) {
    sight.show(record)
    let view = sight.call.flatMap { viewing?($0, sight.moment) }
    sight.view = view
    let number = classes.number(of: record.concern)
    for visit in before[number] { visit(sight, view) }
    for gather in gathering[number] { gather(sight, view) }
    for visit in after[number] { visit(sight, view) }
  }

  func end(at instant: Instant) {
    for end in ends { end(instant, sight) }
  }
}

/// Whether somebody who judges a record goes by the facts as they were before it, or with it.
public enum Standpoint: Sendable { case before, after }
