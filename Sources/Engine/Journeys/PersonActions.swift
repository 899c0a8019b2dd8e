import Contracts
import Timekeeping

public enum Wake: Sendable { case due, ended }

public enum Waited<Contract: ServiceContract>: Sendable {
  case received(Received<Contract>)
  case deadline
  case ended
}

/// What drives a person: a timeline, virtual or wall. Each call either returns at once or keeps the continuation and resumes it
/// exactly once; an ended journey is resumed too.
///
/// Closures, shared by all people of a region: made where the region's types are known, they call specialised code, where a
/// call through a protocol would look every type up at run time.
public final class PersonActions<Contract: ServiceContract> {
  public typealias Wanted = @Sendable (Contract.Signal) -> Bool

  let mayRunAhead: (Person<Contract>, Instant) -> Bool
  let sleep: (Person<Contract>, Instant, UnsafeContinuation<Wake, Never>) -> Void
  let ask:
    (
      Person<Contract>, [Ask<Contract>],
      UnsafeContinuation<[Outcome<Contract>]?, Never>
    ) -> Void
  public typealias AskOne = (
    _ person: Person<Contract>, _ request: Contract.Request, _ credential: Contract.Credential?,
    _ attempt: Int, _ waiter: UnsafeContinuation<Outcome<Contract>?, Never>
  ) -> Void

  let askOne: AskOne?
  let wait:
    (Person<Contract>, Instant, @escaping Wanted, UnsafeContinuation<Waited<Contract>, Never>) ->
      Void
  let note: (Person<Contract>, Contract.Note) -> Void
  let listen: (Person<Contract>, Contract.Address) -> Void
  let haste: Int64

  /// - Parameters:
  ///   - mayRunAhead: Whether the person may move its own clock to an instant without waiting for the region.
  ///   - sleep: Resumes when the instant has come.
  ///   - ask: Resumes with the outcomes in the order of the requests, or with `nil` when the journey has ended.
  ///   - askOne: The same for a single request; left out, `ask` is given a list of one.
  ///   - wait: Resumes with the earliest signal that is wanted and has not been taken, or when the instant has come.
  ///   - note: Writes down what the device says about itself.
  ///   - listen: From now on signals to that address reach the person.
  ///   - haste: How many times faster people think than they mean to.
  public init(
    mayRunAhead: @escaping (Person<Contract>, Instant) -> Bool,
    sleep: @escaping (Person<Contract>, Instant, UnsafeContinuation<Wake, Never>) -> Void,
    ask:
      @escaping (
        Person<Contract>, [Ask<Contract>],
        UnsafeContinuation<[Outcome<Contract>]?, Never>
      ) -> Void,
    askOne: AskOne? = nil,
    wait:
      @escaping (
        Person<Contract>, Instant, @escaping Wanted, UnsafeContinuation<Waited<Contract>, Never>
      ) -> Void,
    note: @escaping (Person<Contract>, Contract.Note) -> Void,
    listen: @escaping (Person<Contract>, Contract.Address) -> Void, haste: Int = 1
  ) {
    self.mayRunAhead = mayRunAhead
    self.sleep = sleep
    self.ask = ask
    self.askOne = askOne
    self.wait = wait
    self.note = note
    self.listen = listen
    self.haste = Int64(haste)
  }
}
