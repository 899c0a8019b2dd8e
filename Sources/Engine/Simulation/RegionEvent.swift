import Contracts
import Journeys

/// What can be due in a region.
enum RegionEvent<Contract: ServiceContract> {
  case session(PersonID)
  /// Somebody is to be there in a closed workload.
  case visit(PersonID)
  /// Somebody comes, because the scenario's load says so.
  case arrival
  /// A person has thought long enough.
  case wake(Person<Contract>, UnsafeContinuation<Wake, Never>)
  /// A request reaches the backend.
  case arrive(InFlightCall<Contract>)
  /// The outcome of a request is known to the person, and those of all that were asked with it.
  case answered(InFlightCall<Contract>)
  /// A request that waits for a server has waited as long as its client does.
  case unserved(InFlightCall<Contract>)
  /// A server may take the next of those who wait.
  case serve
  /// A request that holds a ticket has waited as long as its client does.
  case overdue(InFlightCall<Contract>, Ticket)
  indirect case deliver(PersonID, Contract.Signal)
  /// A person begins to wait, at its own time.
  case wait(Waiting<Contract>)
  case deadline(Waiting<Contract>)
  indirect case environment(Int, Contract.Request)
  case timer(Int)
  case control(Int)
}
