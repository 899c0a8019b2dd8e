import Contracts
import Timekeeping

/// The record at hand, in one object: whoever looks at it copies nothing but what it looks at.
final class Sight<Contract: ServiceContract> {
  /// Counts the records, so that what is found once a record knows the next from the last.
  private(set) var turn = 0
  private(set) var moment = Moment(time: .distantPast, person: nil, cell: 0)
  // What the record holds, taken out of it once; `nil` while another kind of record is at hand.
  private(set) var call: Call<Contract>?
  private(set) var note: Contract.Note?
  private(set) var signal: Contract.Signal?
  /// A command, with what came of it.
  private(set) var control: (request: Contract.Request, outcome: Outcome<Contract>)?
  private(set) var inspection: Contract.Reply?
  /// The domain's view of the call.
  var view: AnyObject?

  func show(_ record: Record<Contract>) {
    clear(Moment(record))
    switch record.event {
    case .request(let call): self.call = call
    case .note(let note): self.note = note
    case .signal(let signal): self.signal = signal
    case .control(let request, let outcome): control = (request, outcome)
    case .inspection(let reply): inspection = reply
    }
  }

  /// The run is over: no record is at hand any more.
  func end(at instant: Instant) {
    clear(Moment(time: instant, person: nil, cell: 0))
    view = nil
  }

  private func clear(_ moment: Moment) {
    turn &+= 1
    self.moment = moment
    if call != nil { call = nil }
    if note != nil { note = nil }
    if signal != nil { signal = nil }
    if control != nil { control = nil }
    if inspection != nil { inspection = nil }
  }
}
