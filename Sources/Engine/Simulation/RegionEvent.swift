import Contracts
import Journeys

/// What can be due in a region.
enum RegionEvent<Agreement: Contract> {
  case episode(PersonID)
  /// Somebody's place in a closed workload is theirs.
  case visit(PersonID)
  /// Somebody comes, because the scenario's load says so.
  case arrival
  /// A person has thought long enough.
  case wake(Person<Agreement>, UnsafeContinuation<Wake, Never>)
  /// A request reaches the backend.
  case arrive(Call<Agreement>)
  /// All outcomes of a question are known to the person.
  case answered(Asking<Agreement>)
  /// A request that waits for a server has waited as long as its client does.
  case unserved(Call<Agreement>)
  /// A server may take the next of those who wait.
  case serve
  /// A request that holds a ticket has waited as long as its client does.
  case overdue(Call<Agreement>, Ticket)
  indirect case deliver(PersonID, Agreement.Signal)
  /// A person begins to wait, at its own time.
  case wait(Waiting<Agreement>)
  case deadline(Waiting<Agreement>)
  indirect case environment(Int, Agreement.Request)
  case timer(Int)
  case control(Int)
}
