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
