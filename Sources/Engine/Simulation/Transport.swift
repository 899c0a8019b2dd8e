import Backends
import Contracts
import Observations
import Timekeeping

/// What lies between a region and its backend: it carries calls, commands and looks there, and tells the region what comes of them.
///
/// There are three: `ModelledTransport` in virtual time, `InProcessTransport` in real time, and `ServerTransport` over HTTP. The region
/// lets faults act before one and behind it, so that they do in all of them.
///
/// Closures, each made where the domain's types are known: they call specialised code, where a protocol's witnesses would look every
/// type up at run time.
struct Transport<Domain: Backend> {
  typealias Contract = Domain.Contract

  /// How long a call that leaves is under way, and its answer again, without faults.
  let send: (_ call: InFlightCall<Contract>) -> Span
  /// A call has arrived: the backend answers it, now or later.
  let answer: (_ call: InFlightCall<Contract>, Region<Domain>) -> Void
  /// Something is due that it asked the region's loop for.
  let happen: (RegionEvent<Contract>, Region<Domain>) -> Void
  /// Does what the operator does; what comes of it becomes a record.
  let command: (Contract.Request, _ cell: Int, Region<Domain>) -> Void
  /// Looks at every cell, for the censuses.
  let inspect: (Region<Domain>) -> Void
  /// Takes in what the backend has sent of its own accord, where it does not come by itself.
  var hear: (Region<Domain>) -> Void = { _ in }
  /// What was sent up to a signal of this number is heard already.
  var hearAfter: (_ number: Int) -> Void = { _ in }
  /// What the cells tell those of other regions.
  var publications: (Instant) -> [Domain.Model.Publication] = { _ in [] }
  var read: ([Domain.Model.Publication]) -> Void = { _ in }
  /// The twin in process that gives services in place of the server obeys what loads a population, or refuses it.
  var obey: (Contract.Request) -> Outcome<Contract> = { _ in
    programFault("only a server that nobody can load stands beside a twin in process")
  }
  /// Whether nothing is unanswered that was asked on the region's own behalf.
  var isResolved: () -> Bool = { true }
  /// The run is over: the calls that are under way outside the loop, in the order in which they left.
  var abandon: () -> [InFlightCall<Contract>] = { [] }
  /// Adds what is known of the way itself, and takes out what could not be heard.
  var close: (inout WorldTally, _ naming: (Finding.Location) -> String) -> Void = { _, _ in }
}
