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
  let isReplied: Bool
  /// It was granted, or nobody knows: it may have changed something.
  let mayHaveWorked: Bool
  let isAnswered: Bool
  let refusal: Toy.RefusalKind?
  /// From when it was sent to when its effect was certain to be over.
  let during: ClosedRange<Instant>

  init(_ call: ToyCall, _ claim: (token: Int, member: Int)?, tool: Int, _ moment: Moment) {
    (self.call, self.tool, self.moment, during) = (call, tool, moment, call.during)
    (token, member) = (claim?.token, claim?.member)
    switch call.outcome {
    case .replied: (isReplied, mayHaveWorked, isAnswered, refusal) = (true, true, true, nil)
    case .refused(let it):
      (isReplied, mayHaveWorked, isAnswered, refusal) = (false, false, true, it.kind)
    case .unsent: (isReplied, mayHaveWorked, isAnswered, refusal) = (false, false, false, nil)
    case .unknown: (isReplied, mayHaveWorked, isAnswered, refusal) = (false, true, false, nil)
    }
  }

  /// When it worked, if it did; a backend that does not answer acts within a minute or not at all.
  var working: ClosedRange<Instant> {
    call.sent...(isReplied ? call.answered : call.answered + .minutes(1))
  }

  var lent: Loan? { if case .replied(.lent(let loan)) = call.outcome { loan } else { nil } }
  var words: String { refusal?.rawValue ?? "granted" }
}
