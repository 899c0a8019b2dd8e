import Contracts
import Observations
import Timekeeping
import ToyContract

typealias ToyCall = Call<Toy>
public typealias ToyVerdicts = RuleVerdicts<Toy.Rule>

extension Concern {
  static func asks(_ endpoint: Endpoint<Toy>) -> Concern {
    .operation(Toy.table.index(of: endpoint))
  }
}

/// What is known of one workshop from what its members and its operator saw, and the checks that go by it.
///
/// Two requests may overlap, and an outcome may be unknown; so checks go by what was certainly so throughout a call. What depends on
/// calls whose outcomes are not known yet waits (`ripening`), and is judged before anything is learned of the record that shows that it
/// is time.
public struct WorkshopChecks: CellChecks {
  public static let judged = memberRules + lendingRules + appRules

  var roll = Roll()
  var shelf = Shelf()
  var apps: ContiguousArray<App> = []
  var answered = Ripening<Asked>()
  var keptRefusals = Ripening<Asked>()
  var reminders = Ripening<Int>()
  var turns = Ripening<Turn>()

  public init() {}

  public mutating func asked(_ call: Call<Toy>, by person: Int, _ verdicts: inout ToyVerdicts) {
    judgeAnswered(&verdicts)
    let asked = Asked(call, roll.claim(of: call, by: person), verdicts.moment)
    switch call.request {
    case .signIn(let asking):
      judgeSignIn(asking, asked, &verdicts)
      roll.learn(asking, call)
      return
    case .tools: judgeShown(asked, &verdicts)
    case .loans: break
    case .borrow(let asking):
      judgeKeptRefusals(&verdicts)
      judgeReminders(&verdicts)
      judgeTurns(&verdicts)
      judgeBorrowing(asking, asked, &verdicts)
      judgeApp(asking, asked, by: person, &verdicts)
      learn(asking, asked)
    case .giveBack(let tool):
      judgeReminders(&verdicts)
      judgeTurns(&verdicts)
      judgeGivingBack(tool, asked, &verdicts)
      shelf.learnGivenBack(tool, asked)
      if asked.isReplied, asked.member != nil {
        let due = Turn.What.due(from: call.sent, unlessBorrowedSince: call.sent)
        turns.keep(
          Turn(tool: tool, moment: asked.moment, what: due), until: call.answered + .minutes(2))
      }
    case .reserve(let tool):
      judgeTurns(&verdicts)
      shelf.learnReserved(tool, asked)
    case .addTool, .addMember, .setRule, .configure, .unread: return
    }
    keep(asked)
  }

  public mutating func signalled(
    _ signal: Toy.Signal, to person: Int, _ verdicts: inout ToyVerdicts
  ) {
    judgeKeptRefusals(&verdicts)
    judgeReminders(&verdicts)
    judgeTurns(&verdicts)
    switch signal {
    case .ready(let tool, let name, let until):
      let member = roll.number(of: name)
      judgeKeeping(of: tool, until: until, &verdicts)
      keepTurns(of: tool, for: member, until: until, verdicts.moment)
      let passedOver = shelf.learnKept(tool, for: member, until: until, at: verdicts.moment.time)
      if let passedOver { judgeLine(of: tool, told: name, before: passedOver, &verdicts) }
    case .due(let loan):
      judgeReminder(of: loan, &verdicts)
      shelf.learnReminded(loan, of: roll.number(of: loan.member))
    }
  }

  public mutating func commanded(
    _ command: Toy.Request, _ outcome: Outcome<Toy>, _ verdicts: inout ToyVerdicts
  ) {
    guard outcome.isReplied else { return }
    switch command {
    case .addMember(let joining): roll.learn(joining)
    case .addTool(let tool): shelf.learnTool(tool)
    case .configure(let adjustment): roll.decided.adjust(adjustment, at: verdicts.moment.time)
    default: break
    }
  }

  public mutating func ended(_ verdicts: inout ToyVerdicts) {
    judgeAnswered(&verdicts)
    judgeKeptRefusals(&verdicts)
    judgeReminders(&verdicts)
    judgeTurns(&verdicts)
  }

  /// A borrowing is granted, perhaps, and then its member is to be reminded.
  private mutating func learn(_ asking: Borrowing, _ asked: Asked) {
    var lent: (loan: Loan, member: Int)?
    if case .replied(.lent(let loan)) = asked.call.outcome {
      lent = (loan, roll.number(of: loan.member))
    }
    if let fresh = shelf.learnBorrowed(asking, asked, lent: lent) {
      reminders.keep(fresh, until: shelf.loans[fresh].loan.due + .minutes(2))
    }
  }

  /// A member is told of a tool, and the next in line is to be told when it was kept long enough.
  private mutating func keepTurns(
    of tool: Int, for member: Int, until: Instant, _ moment: Moment
  ) {
    let told = Turn.What.told(member, after: shelf.lastTold(member, of: tool))
    turns.keep(
      Turn(tool: tool, moment: moment, what: told), until: moment.time + .minutes(2))
    let due = Turn.What.due(
      from: until - .seconds(5), unlessBorrowedSince: moment.time - .minutes(1))
    turns.keep(Turn(tool: tool, moment: moment, what: due), until: until + .minutes(2))
  }

  /// What was answered is judged once all calls are known that it may have overlapped.
  private mutating func keep(_ asked: Asked) {
    guard asked.isAnswered else { return }
    answered.keep(asked, until: asked.call.answered + Toy.patience + .seconds(1))
    if asked.refusal == .kept, case .borrow = asked.call.request {
      keptRefusals.keep(asked, until: asked.call.answered + .minutes(1))
    }
  }
}

/// Who is to be told of a tool, and whether they are.
struct Turn {
  let tool: Int
  let moment: Moment
  let what: What

  enum What {
    /// The next in line is to be told from then on, unless somebody borrows the tool.
    case due(from: Instant, unlessBorrowedSince: Instant)
    /// A member was told, who had been told before at an instant.
    case told(Int, after: Instant)
  }
}

/// A call with what the checks need of it, found once.
struct Asked {
  let call: ToyCall
  let claim: Claim?
  let moment: Moment
  let isReplied: Bool
  /// Whether it may have changed something: it was granted, or nobody knows.
  let mayHaveWorked: Bool
  let isAnswered: Bool
  let refusal: Toy.RefusalKind?
  /// From when it was sent to when its effect was certain to be over.
  let during: ClosedRange<Instant>
  /// The member who asked, if a sign-in gave the token.
  var member: Int? { claim?.member }
  var isUnknown: Bool { mayHaveWorked && !isReplied }

  init(_ call: ToyCall, _ claim: Claim?, _ moment: Moment) {
    (self.call, self.claim, self.moment) = (call, claim, moment)
    switch call.outcome {
    case .replied: (isReplied, mayHaveWorked, isAnswered, refusal) = (true, true, true, nil)
    case .refused(let it):
      (isReplied, mayHaveWorked, isAnswered, refusal) = (false, false, true, it.kind)
    case .unsent: (isReplied, mayHaveWorked, isAnswered, refusal) = (false, false, false, nil)
    case .unknown: (isReplied, mayHaveWorked, isAnswered, refusal) = (false, true, false, nil)
    }
    during = call.during
  }

  /// When it worked, if it did; a backend that does not answer acts within a minute or not at all.
  var working: ClosedRange<Instant> {
    call.sent...(isReplied ? call.answered : call.answered + .minutes(1))
  }

  var words: String { refusal?.rawValue ?? "granted" }
}
