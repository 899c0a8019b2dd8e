import Contracts
import Observations
import Timekeeping
import ToyContract

/// Who is to be told of a tool, and whether they are: when it comes back, and when it was kept for a member who did not come.
final class Turns: Facts {
  typealias Contract = Toy
  typealias Known = Roll
  static let concerns = MemberChecks.everything

  struct Turn {
    let tool: Int
    let moment: Moment
    let what: What

    enum What {
      /// The next in line is to be told from then on, unless somebody borrows the tool.
      case due(from: Instant, unlessBorrowedSince: Instant)
      /// A member was told, who had been told before at an instant.
      case told(String, after: Instant)
    }
  }
  static func moment(of turn: Turn) -> Moment? { turn.moment }

  var ripening = Ripening<Turn>()
  private let roll: Roll
  /// By tool, who has certainly reserved it, and when that was answered.
  private var waiting: [Int: [String: Instant]] = [:]
  /// By tool, when each member asked for it, as far as it may have worked.
  private var reservations: [Int: [String: [Instant]]] = [:]
  /// By tool, when each member was told last, when anybody was, and until when somebody may have borrowed it.
  private var toldLast: [Int: [String: Instant]] = [:]
  private var told: [Int: Instant] = [:]
  private var borrowed: [Int: Instant] = [:]

  init(_ subject: Subject<Roll>) { roll = subject.known }

  func asked(_ call: ToyCall, at moment: Moment) {
    guard let member = roll.caller(of: call), call.mayHaveWorked else { return }
    if let tool = call.request.reserve {
      reservations[tool, default: [:]][member, default: []].append(call.sent)
      // Told before the answer came: the line has moved on.
      guard call.isReplied, toldLast[tool]?[member] ?? .distantPast < call.sent else { return }
      let since = waiting[tool]?[member] ?? call.answered
      waiting[tool, default: [:]][member] = since
    } else if let tool = call.request.borrow?.tool {
      waiting[tool]?[member] = nil
      borrowed[tool] = max(borrowed[tool] ?? .distantPast, call.working.upperBound)
    } else if let tool = call.request.giveBack, call.isReplied {
      ripening.keep(
        Turn(
          tool: tool, moment: moment,
          what: .due(from: call.sent, unlessBorrowedSince: call.sent)),
        until: call.answered + .minutes(2))
    }
  }

  func signalled(_ signal: Toy.Signal, at moment: Moment) {
    guard case .ready(let tool, let member, let until) = signal else { return }
    let last = toldLast[tool]?[member] ?? .distantPast
    ripening.keep(
      Turn(tool: tool, moment: moment, what: .told(member, after: last)),
      until: moment.time + .minutes(2))
    ripening.keep(
      Turn(
        tool: tool, moment: moment,
        what: .due(
          from: until - .seconds(5), unlessBorrowedSince: moment.time - .minutes(1))),
      until: until + .minutes(2))
    toldLast[tool, default: [:]][member] = moment.time
    told[tool] = moment.time
    waiting[tool]?[member] = nil
  }

  /// Whether somebody was told since an instant.
  func isTold(of tool: Int, since instant: Instant) -> Bool {
    told[tool] ?? .distantPast >= instant
  }

  func mayBeBorrowed(_ tool: Int, since instant: Instant) -> Bool {
    borrowed[tool] ?? .distantPast >= instant
  }

  /// Whether somebody certainly stands in line since before an instant.
  func isAwaited(_ tool: Int, before instant: Instant) -> Bool {
    waiting[tool]?.values.contains { $0 < instant } ?? false
  }

  func mayHaveReserved(_ tool: Int, _ member: String, in interval: ClosedRange<Instant>) -> Bool {
    reservations[tool]?[member]?.contains(where: interval.contains) ?? false
  }
}
