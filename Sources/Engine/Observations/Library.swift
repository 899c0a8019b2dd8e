import Contracts
import Timekeeping

/// What the checks of one region know and share: facts that are gathered once and lent to whoever goes by them.
///
/// A record comes to those who judge it by what was known before; then to the facts, each after those that it goes by;
/// then to those who judge it by what is known with it. Of a call that a fault of the scenario had arrive twice, the facts learn first that
/// it may have worked a second time (`Facts.askedAgain`).
public final class Library<Contract: ServiceContract> {
  /// Who wants to see records of one class.
  private final class Stop {
    let before = Chain<Visit<Contract>>()
    let again = Chain<Visit<Contract>>()
    let gathering = Chain<Visit<Contract>>()
    let after = Chain<Visit<Contract>>()
  }

  let classes = ConcernClasses<Contract>()
  let sight = Sight<Contract>()
  /// Those of the checks, by their numbers.
  var seats: [Seat] = []
  /// By class of records.
  private let stops: [Stop]
  private let notedBefore = Chain<NoteVisit<Contract>>()
  private let notedAfter = Chain<NoteVisit<Contract>>()
  private var ends: [(Instant) -> Void] = []
  /// Whether somebody keeps what the records of several people, or commands, tell together.
  private(set) var joinsPeople = false
  /// Makes the view of a call, once somebody looks at calls.
  var viewing: ((Call<Contract>, Moment) -> AnyObject)?
  /// One of each type.
  private var things: [ObjectIdentifier: AnyObject] = [:]
  private var rosters: [String: Roster<Contract>] = [:]

  init() {
    stops = (0..<classes.count).map { _ in Stop() }
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
    _ concerns: Set<Concern>, _ standpoint: Standpoint = .before,
    _ visit: @escaping (Sight<Contract>, _ view: AnyObject?) -> Void
  ) {
    let visit = Visit(run: visit)
    for number in classes.numbers(of: concerns) {
      switch standpoint {
      case .before: stops[number].before.add(visit)
      case .after: stops[number].after.add(visit)
      }
    }
  }

  func judgeNotes(
    _ standpoint: Standpoint = .before, _ visit: @escaping (Contract.Note, Sight<Contract>) -> Void
  ) {
    let chain = standpoint == .before ? notedBefore : notedAfter
    if chain.isEmpty {
      judge([.notes], standpoint) { sight, _ in
        guard let note = sight.note else { return }
        chain.joined?.run(note, sight)
      }
    }
    chain.add(NoteVisit(run: visit))
  }

  func gather(
    _ concerns: Set<Concern>, _ gather: @escaping (Sight<Contract>, _ view: AnyObject?) -> Void
  ) {
    let gather = Visit(run: gather)
    for number in classes.numbers(of: concerns) { stops[number].gathering.add(gather) }
  }

  /// Calls that arrived a second time, of which nobody heard what they did.
  func gatherAgain(
    _ concerns: Set<Concern>, _ gather: @escaping (Sight<Contract>, _ view: AnyObject?) -> Void
  ) {
    let gather = Visit(run: gather)
    for number in classes.numbers(of: concerns) { stops[number].again.add(gather) }
  }

  func atEnd(_ end: @escaping (Instant) -> Void) { ends.append(end) }

  /// Whether anybody looks at records of a class.
  func isWatched(_ concern: Concern) -> Bool {
    let stop = stops[classes.number(of: concern)]
    return !(stop.before.isEmpty && stop.gathering.isEmpty && stop.after.isEmpty)
  }

  /// Something is kept of each of a scope, from several records.
  func keep(_ scope: Scope<Contract>) { if !scope.isOfPerson { joinsPeople = true } }

  // MARK: Records

  func see(_ record: Record<Contract>) {
    let stop = stops[classes.number(of: record.concern)]
    if case .request(let call) = record.event, call.met.isDuplicated {
      let view = show(record.with(call.unheard))
      stop.again.joined?.run(sight, view)
    }
    let view = show(record)
    stop.before.joined?.run(sight, view)
    stop.gathering.joined?.run(sight, view)
    stop.after.joined?.run(sight, view)
  }

  /// - Returns: The domain's view of it, if it is a call.
  private func show(_ record: Record<Contract>) -> AnyObject? {
    sight.show(record)
    let view = sight.call.flatMap { viewing?($0, sight.moment) }
    sight.view = view
    return view
  }

  func end(at instant: Instant) {
    sight.end(at: instant)
    for end in ends { end(instant) }
  }
}

/// Whether somebody who judges a record goes by the facts as they were before it, or with it.
public enum Standpoint: Sendable { case before, after }
