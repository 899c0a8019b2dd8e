import Contracts
import Observations
import Timekeeping
import ToyContract

/// In place of a member's number, where there is none.
let nobody = -1

/// A call with what several checks need of it, found once.
struct Asked {
  let call: ToyCall
  /// The token, if a sign-in gave it.
  let token: Int?
  /// Whose token it is.
  let member: Int?
  let tool: Int
  let moment: Moment
  let refusal: Toy.RefusalKind?

  init(_ call: ToyCall, _ claim: (token: Int, member: Int)?, tool: Int, _ moment: Moment) {
    (self.call, self.tool, self.moment) = (call, tool, moment)
    (token, member) = (claim?.token, claim?.member)
    if case .refused(let it) = call.outcome { refusal = it.kind } else { refusal = nil }
  }

  var isReplied: Bool { call.isReplied }
  var isAnswered: Bool { refusal != nil || call.isReplied }
  var during: ClosedRange<Instant> { call.during }
  var lent: Loan? { if case .replied(.lent(let loan)) = call.outcome { loan } else { nil } }
  var words: String { refusal?.rawValue ?? "granted" }
}
