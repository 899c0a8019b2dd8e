import Contracts
import Timekeeping

/// What is due in a region, one thing after the other, and the region's clock: it jumps from each to the next, or goes on by itself.
struct EventLoop<Event>: ~Copyable {
  /// Who causes an event. At one instant this is the order of what happens; then persons follow, by their numbers.
  enum Source: UInt32 { case timers, control, environment }

  /// The region's own time: that of the event at hand.
  private(set) var now: Instant
  /// Up to where it may go: the next barrier, or the end.
  private(set) var horizon: Instant
  private var queue = EventQueue<Event>()
  /// How many events each source caused so far.
  private var timers: UInt32 = 0
  private var controls: UInt32 = 0
  private var environment: UInt32 = 0

  private let clock: WallTime?

  /// - Parameter clock: What goes on by itself; without it time jumps.
  init(from starts: Instant, by clock: WallTime? = nil) {
    self.clock = clock
    now = starts
    horizon = starts
  }

  mutating func schedule(_ event: Event, at time: Instant, from source: Source) {
    let sequence: UInt32
    switch source {
    case .timers:
      sequence = timers
      timers &+= 1
    case .control:
      sequence = controls
      controls &+= 1
    case .environment:
      sequence = environment
      environment &+= 1
    }
    queue.push(event, at: EventKey(time: time, source: source.rawValue, sequence: sequence))
  }

  /// - Parameter number: Of the events that this person causes.
  mutating func schedule(_ event: Event, at time: Instant, by person: PersonID, number: UInt32) {
    queue.push(
      event, at: EventKey(time: time, source: Self.persons + person.index, sequence: number))
  }

  private static var persons: UInt32 { 3 }

  /// Whether it jumps, and does not go on by itself.
  var jumps: Bool { clock == nil }

  /// The time of what reaches the backend: the clock's, however late an event is looked at.
  var present: Instant { clock.map { max(now, $0.now) } ?? now }

  /// Lets the clock go on, up to an instant.
  mutating func go(to horizon: Instant) { self.horizon = horizon }

  /// The next event before the horizon, with the clock at its instant; `nil`, with the clock at the horizon, when there is none.
  mutating func next() -> Event? {
    guard let next = queue.first, next.time < horizon else {
      now = horizon
      return nil
    }
    let (key, event) = queue.pop()!
    now = key.time
    return event
  }

  /// The next event before the horizon, as long as it is one that this person causes; the clock waits where it is not.
  mutating func next(of person: PersonID) -> Event? {
    guard let next = queue.first, next.source == Self.persons + person.index, next.time < horizon
    else { return nil }
    return self.next()
  }

  /// The next event before the horizon, if it is one of those; the clock waits where it is not.
  mutating func next(if isWanted: (Event) -> Bool) -> Event? {
    guard let next = queue.first, next.time < horizon, queue.isFirst(isWanted) else { return nil }
    return self.next()
  }

  /// Whether an event of a person would be the next, before the horizon; then the clock stands at it.
  mutating func jump(to time: Instant, by person: PersonID, number: UInt32) -> Bool {
    let key = EventKey(time: time, source: Self.persons + person.index, sequence: number)
    guard time < horizon, queue.first.map({ key < $0 }) ?? true else { return false }
    now = time
    return true
  }

  /// When the next event is due, whether or not before the horizon.
  var nextDue: Instant? { queue.first?.time }

  /// Whatever is still due, in order, without a look at the clock; `nil` when nothing is.
  mutating func drain() -> Event? { queue.pop()?.payload }
}
