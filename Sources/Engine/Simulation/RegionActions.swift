import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// What journeys ask of their region, through `PersonActions`.
extension Region {
  var actions: PersonActions<Contract> {
    PersonActions(
      mayRunAhead: { self.mayRunAhead($0, to: $1) || self.isNext($0, at: $1) },
      sleep: { self.sleep($0, until: $1, waking: $2) },
      ask: { self.send($1, of: $0, resuming: $2) },
      askOne: { self.ask($1, $2, $3, of: $0) },
      look: { self.look($0, until: $1, for: $2) },
      wait: { self.wait($0, until: $1, for: $2, resuming: $3) },
      note: { self.observe(.note($1), at: $0.now, person: $0) },
      listen: { self.people.listen($0.id, at: $1) }, haste: plan.haste)
  }

  /// A person may go ahead of the region while one journey of theirs is all that lives, up to the horizon. Who can be
  /// reached by signals stays with the region: a device reacts when a signal comes, not when its user has thought.
  func mayRunAhead(_ person: Person<Contract>, to instant: Instant) -> Bool {
    instant < loop.horizon && people.isAlone(person.id)
  }

  /// Whether a journey may let happen in its own call what the loop would let happen next: time jumps, and no other journey is ready.
  var mayGoOn: Bool { loop.jumps && !isFinishing && executor.isRunningItsLast }

  /// What would wake a person at an instant is the very next thing to happen: the clock stands there, and the journey goes on. The event
  /// counts, so that the numbers of the person's next ones are the same.
  private func isNext(_ person: Person<Contract>, at instant: Instant) -> Bool {
    guard mayGoOn,
      loop.jump(to: max(instant, person.now), by: person.id, number: people.events(of: person.id))
    else { return false }
    _ = people.nextEvent(of: person.id)
    return true
  }

  private func sleep(
    _ person: Person<Contract>, until instant: Instant,
    waking continuation: UnsafeContinuation<Wake, Never>
  ) {
    schedule(.wake(person, continuation), at: max(instant, person.now), by: person.id)
  }

  /// A request happens at once, up to its outcome, where nothing else happens before it: what the loop would do next, in its order.
  private func ask(
    _ request: Contract.Request, _ credential: Contract.Credential?, _ attempt: Int,
    of person: Person<Contract>
  ) -> AskedOne<Contract> {
    let call = send(request, credential, attempt, of: person)
    while !call.isResumed, mayGoOn, let event = loop.next(of: person.id) { happen(event) }
    if call.isResumed { return .known(call.asked.outcome) }
    let unconfined = Unconfined(call)
    return .waits { unconfined.value.wait($0) }
  }

  /// What a journey that looks for a signal is told at once: the region's time is its own, and nothing else happens before.
  private func look(
    _ person: Person<Contract>, until deadline: Instant, for wanted: (Contract.Signal) -> Bool
  ) -> Waited<Contract>? {
    guard person.now == loop.now, nothingElseIsDue else { return nil }
    let received = people.take(where: wanted, by: person.id)
    guard received != nil || deadline <= loop.now else { return nil }
    // As the events would: to look, and to give up.
    _ = people.nextEvent(of: person.id)
    person.now = max(person.now, loop.now)
    if let received { return .received(received) }
    _ = people.nextEvent(of: person.id)
    return .deadline
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
    _ = people.nextEvent(of: person.id)
    look(for: waiting)
  }

  /// Whether an event at the present instant would be the very next thing to happen.
  var nothingElseIsDue: Bool {
    loop.nextDue.map { $0 > loop.now } ?? true && executor.isRunningItsLast
  }
}
