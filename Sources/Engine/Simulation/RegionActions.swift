import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// What journeys ask of their region, through `PersonActions`.
extension Region {
  var actions: PersonActions<Contract> {
    PersonActions(
      mayRunAhead: { self.mayRunAhead($0, to: $1) },
      sleep: { self.sleep($0, until: $1, waking: $2) },
      ask: { self.send($1, of: $0, resuming: $2) },
      askOne: { self.send($1, $2, $3, of: $0, resuming: $4) },
      wait: { self.wait($0, until: $1, for: $2, resuming: $3) },
      note: { self.observe(.note($1), at: $0.now, person: $0) },
      listen: { self.people.listen($0.id, at: $1) }, haste: plan.haste)
  }

  /// A person may go ahead of the region while one journey of theirs is all that lives, up to the horizon. Who can be
  /// reached by signals stays with the region: a device reacts when a signal comes, not when its user has thought.
  func mayRunAhead(_ person: Person<Contract>, to instant: Instant) -> Bool {
    instant < loop.horizon && people.isAlone(person.id)
  }

  private func sleep(
    _ person: Person<Contract>, until instant: Instant,
    waking continuation: UnsafeContinuation<Wake, Never>
  ) {
    schedule(.wake(person, continuation), at: max(instant, person.now), by: person.id)
  }

  private func wait(
    _ person: Person<Contract>, until deadline: Instant,
    for wanted: @escaping @Sendable (Contract.Signal) -> Bool,
    resuming continuation: UnsafeContinuation<Waited<Contract>, Never>
  ) {
    let waiting = Waiting(person, until: deadline, for: wanted, continuation)
    guard person.now == loop.now, nothingElseIsDue else {
      return schedule(.wait(waiting), at: person.now, by: person.id)
    }
    // As the event would; it counts, so that the numbers of the person's next ones are the same.
    _ = people.nextEvent(of: person.id)
    look(for: waiting)
  }

  /// Whether an event at the present instant would be the very next thing to happen.
  var nothingElseIsDue: Bool {
    loop.nextDue.map { $0 > loop.now } ?? true && executor.isRunningItsLast
  }
}
