import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// What journeys ask of their region, through `PersonCalls`.
extension Region {
  var calls: PersonCalls<Agreement> {
    PersonCalls(
      mayRunAhead: { self.mayRunAhead($0, to: $1) },
      sleep: { self.sleep($0, until: $1, waking: $2) },
      ask: { self.ask($0, $1, answering: $2) },
      wait: { self.wait($0, until: $1, for: $2, resuming: $3) },
      note: { self.note($0, $1) }, listen: { self.listen($0, at: $1) })
  }

  /// A person may go ahead of the region while one journey of theirs is all that lives, up to the horizon. Who can be
  /// reached by signals stays with the region: a device reacts when a signal comes, not when its user has thought.
  func mayRunAhead(_ person: Person<Agreement>, to instant: Instant) -> Bool {
    let index = Int(person.id.index)
    return instant < horizon && people[index].journeys == 1 && !people[index].isListening
  }

  func sleep(
    _ person: Person<Agreement>, until instant: Instant,
    waking continuation: UnsafeContinuation<Wake, Never>
  ) {
    schedule(.wake(person, continuation), at: max(instant, person.now), by: person.id)
  }

  func ask(
    _ person: Person<Agreement>, _ asks: [Ask<Agreement>],
    answering continuation: UnsafeContinuation<[Outcome<Agreement>]?, Never>
  ) {
    send(asks, of: person, Asking(person, count: asks.count, continuation))
  }

  func wait(
    _ person: Person<Agreement>, until deadline: Instant,
    for wanted: @escaping @Sendable (Agreement.Signal) -> Bool,
    resuming continuation: UnsafeContinuation<Waited<Agreement>, Never>
  ) {
    let waiting = Waiting(person, until: deadline, for: wanted, continuation)
    schedule(.wait(waiting), at: person.now, by: person.id)
  }

  func note(_ person: Person<Agreement>, _ note: Agreement.Note) {
    observe(.note(note), at: person.now, person: person)
  }

  func listen(_ person: Person<Agreement>, at address: Agreement.Address) {
    if listeners[address]?.contains(person.id) == true { return }
    listeners[address, default: []].append(person.id)
    people[Int(person.id.index)].isListening = true
  }
}
