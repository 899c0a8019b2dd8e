import Contracts
import Timekeeping

/// What drives a person: a timeline, virtual or wall. Each call either returns at once or keeps the continuation
/// and resumes it exactly once; an ended journey is resumed too.
public protocol PersonDriver<Agreement>: AnyObject {
  associatedtype Agreement: Contract

  /// Whether the person may move its own clock to an instant without waiting for the region.
  func mayRunAhead(_ person: Person<Agreement>, to instant: Instant) -> Bool

  func sleep(
    _ person: Person<Agreement>, until instant: Instant,
    waking: UnsafeContinuation<Wake, Never>)

  /// Resumes with `nil` when the journey has ended.
  func ask(
    _ person: Person<Agreement>, _ asks: [Ask<Agreement>],
    answering: UnsafeContinuation<[Outcome<Agreement>]?, Never>)

  func wait(
    _ person: Person<Agreement>, until deadline: Instant,
    for wanted: @escaping @Sendable (Agreement.Signal) -> Bool,
    resuming: UnsafeContinuation<Waited<Agreement>, Never>)

  func note(_ person: Person<Agreement>, _ note: Agreement.Note)
  func listen(_ person: Person<Agreement>, at address: Agreement.Address)
}

public enum Wake: Sendable { case due, ended }

public enum Waited<Agreement: Contract>: Sendable {
  case received(Received<Agreement>)
  case deadline
  case ended
}

/// A driver as closures, shared by all people of a region: made where the region's types are known, they call
/// specialised code, where a call through the protocol would look every type up at run time.
public final class PersonCalls<Agreement: Contract> {
  public typealias Wanted = @Sendable (Agreement.Signal) -> Bool

  let mayRunAhead: (Person<Agreement>, Instant) -> Bool
  let sleep: (Person<Agreement>, Instant, UnsafeContinuation<Wake, Never>) -> Void
  let ask:
    (
      Person<Agreement>, [Ask<Agreement>],
      UnsafeContinuation<[Outcome<Agreement>]?, Never>
    ) -> Void
  let wait:
    (Person<Agreement>, Instant, @escaping Wanted, UnsafeContinuation<Waited<Agreement>, Never>) ->
      Void
  let note: (Person<Agreement>, Agreement.Note) -> Void
  let listen: (Person<Agreement>, Agreement.Address) -> Void

  /// Each closure does what the driver's function of that name promises.
  public init(
    mayRunAhead: @escaping (Person<Agreement>, Instant) -> Bool,
    sleep: @escaping (Person<Agreement>, Instant, UnsafeContinuation<Wake, Never>) -> Void,
    ask:
      @escaping (
        Person<Agreement>, [Ask<Agreement>],
        UnsafeContinuation<[Outcome<Agreement>]?, Never>
      ) -> Void,
    wait:
      @escaping (
        Person<Agreement>, Instant, @escaping Wanted, UnsafeContinuation<Waited<Agreement>, Never>
      ) -> Void,
    note: @escaping (Person<Agreement>, Agreement.Note) -> Void,
    listen: @escaping (Person<Agreement>, Agreement.Address) -> Void
  ) {
    self.mayRunAhead = mayRunAhead
    self.sleep = sleep
    self.ask = ask
    self.wait = wait
    self.note = note
    self.listen = listen
  }

  public convenience init(_ driver: some PersonDriver<Agreement>) {
    self.init(
      mayRunAhead: { driver.mayRunAhead($0, to: $1) },
      sleep: { driver.sleep($0, until: $1, waking: $2) },
      ask: { driver.ask($0, $1, answering: $2) },
      wait: { driver.wait($0, until: $1, for: $2, resuming: $3) },
      note: { driver.note($0, $1) }, listen: { driver.listen($0, at: $1) })
  }
}
