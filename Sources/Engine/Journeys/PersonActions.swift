import Contracts
import Timekeeping

public enum Wake: Sendable { case due, ended }

public enum Waited<Contract: ServiceContract>: Sendable {
  case received(Received<Contract>)
  case deadline
  case ended
}

/// What a single request comes to.
public enum AskedOne<Contract: ServiceContract>: Sendable {
  case known(Outcome<Contract>)
  /// Whoever asked waits for its outcome: the continuation is resumed exactly once, an ended journey's with `nil`.
  case waits(@Sendable (UnsafeContinuation<Outcome<Contract>?, Never>) -> Void)
}

/// What drives a person: a timeline, virtual or wall. Each call either returns at once or keeps the continuation and resumes it
/// exactly once; an ended journey is resumed too. What can be known without waiting is asked for first: to suspend a journey takes some
/// thousand instructions.
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
    _ attempt: Int
  ) -> AskedOne<Contract>
  public typealias Look = (Person<Contract>, Instant, Wanted) -> Waited<Contract>?

  let askOne: AskOne?
  let look: Look?
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
  ///   - look: What `wait` would resume with at once, if it would; left out, it is always waited.
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
    askOne: AskOne? = nil, look: Look? = nil,
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
    self.look = look
    self.wait = wait
    self.note = note
    self.listen = listen
    self.haste = Int64(haste)
  }
}
