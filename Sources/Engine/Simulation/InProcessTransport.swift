import Backends
import Contracts
import Timekeeping

/// Carries calls to twins in the same process, in real time: one is answered when the backend has acted.
struct InProcessTransport<Domain: Backend> {
  let twins: Twins<Domain>

  var erased: Transport<Domain> {
    Transport(
      send: { _ in .zero }, answer: { self.answer($0, in: $1) },
      happen: { twins.happen($0, in: $1) }, command: { twins.command($0, cell: $1, in: $2) },
      inspect: { twins.inspect(in: $0) },
      publications: { twins.publications(at: $0) }, read: { twins.read($0) })
  }

  func answer(_ call: InFlightCall<Domain.Contract>, in region: Region<Domain>) {
    switch twins.ask(call, in: region).answer {
    case .now(let result):
      region.receive(Outcome(result), of: call, leaving: region.loop.present)
    case .later(let ticket): twins.keep(call, for: ticket, in: region)
    }
    if call.met.isDuplicated { _ = twins.askAgain(call, in: region) }
  }
}
