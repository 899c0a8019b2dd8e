import Contracts
import Observations
import Timekeeping
import ToyContract

typealias ToyCall = Call<Toy>

/// What is known of one workshop from what its members and its operator saw, and the checks that judge by it.
///
/// Two requests may overlap, and an outcome may be unknown; so checks judge by what was certainly so throughout a call. What depends on
/// outcomes that are not known yet waits in a `Ripening`, and is judged before anything is learned of the record that shows that it is time.
public struct WorkshopChecks: CellChecks {
  public static let judged = memberRules + lendingRules + reservingRules + appRules
  public let verdicts: RuleVerdicts<Toy.Rule>

  var members = Rows<String, MemberFacts> { MemberFacts() }
  /// Whose each token is.
  var tokens = Rows<String, Int> { nobody }
  var tools = Rows<Int, ToolFacts> { ToolFacts() }
  var loans = Rows<LoanName, LoanFacts> { LoanFacts() }
  /// By person.
  var apps: ContiguousArray<App> = []
  var decided = InForce<Toy.Deployment>()

  /// Calls, once all are known that they may have overlapped.
  var answered = Ripening<Asked>()
  /// Borrowings that were refused because the tool is kept, once its member must have been told.
  var refusedAsKept = Ripening<Asked>()
  /// Loans whose reminder must have come.
  var due = Ripening<(loan: Int, moment: Moment)>()
  var turns = Ripening<Turn>()

  public init(_ verdicts: RuleVerdicts<Toy.Rule>) { self.verdicts = verdicts }

  public mutating func ripen(at now: Instant) {
    while let asked = answered.next(at: now) { judgeAnswered(asked) }
    while let asked = refusedAsKept.next(at: now) { judgeRefusedAsKept(asked) }
    while let (loan, moment) = due.next(at: now) { judgeReminded(loan, at: moment) }
    while let turn = turns.next(at: now) { judgeTurn(turn) }
  }

  public mutating func asked(_ call: Call<Toy>, by person: Int) {
    let asked = recognise(call, by: person)
    switch call.request {
    case .signIn(let it):
      judgeSignIn(it, asked)
      return learn(it, asked)
    case .tools: judgeShownAsFree(asked)
    case .loans: break
    case .borrow(let it):
      judgeBorrowing(it, asked)
      judgeRepeat(it, asked, by: person)
      learn(it, asked)
    case .giveBack:
      judgeGivingBack(asked)
      learnGivenBack(asked)
    case .reserve: learnReserved(asked)
    case .addTool, .addMember, .setRule, .configure, .unread: return
    }
    if asked.isAnswered {
      answered.keep(asked, until: call.answered + Toy.patience + .seconds(1))
    }
  }

  public mutating func askedAgain(_ unheard: Call<Toy>, by person: Int) {
    let asked = recognise(unheard, by: person)
    switch unheard.request {
    case .signIn(let it): learn(it, asked)
    case .borrow(let it): learn(it, asked)
    case .giveBack: learnGivenBack(asked)
    case .reserve: learnReserved(asked)
    case .tools, .loans, .addTool, .addMember, .setRule, .configure, .unread: break
    }
  }

  public mutating func signalled(_ signal: Toy.Signal, to person: Int) {
    switch signal {
    case .ready(let tool, let member, let until):
      learnTold(of: tools.number(of: tool), members.number(of: member), until: until)
    case .due(let loan):
      judgeReminder(of: loan)
      loans[loans.number(of: name(of: loan))].isReminded = true
    }
  }

  public mutating func commanded(_ command: Toy.Request, _ outcome: Outcome<Toy>) {
    guard outcome.isReplied else { return }
    switch command {
    case .addMember(let it): members[members.number(of: it.member)].pin = it.pin
    case .addTool(let it): tools[tools.number(of: it)].exists = true
    case .configure(let it): decided.adjust(it, at: verdicts.moment.time)
    default: break
    }
  }

  @inline(never)
  private func judgeAnswered(_ asked: Asked) {
    verdicts.moment = asked.moment
    let isCurrent = isCurrent(asked)
    if let isCurrent { judgeToken(asked, isCurrent: isCurrent) }
    if asked.refusal == .tooMany { judgeTooMany(asked) }
    guard isCurrent == true else { return }
    switch asked.call.request {
    case .tools: judgeList(asked)
    case .loans(let it): judgeLoans(it, asked)
    case .borrow(let it): judgeRefusedBorrowing(it, asked)
    case .giveBack(let tool): judgeBroughtTool(tool, asked)
    case .reserve(let tool): judgeReservation(tool, asked)
    default: break
    }
  }

  private mutating func recognise(_ call: ToyCall, by person: Int) -> Asked {
    while apps.count <= person { apps.append(App()) }
    var claim: (token: Int, member: Int)?
    if case .bearer(let token)? = call.credential {
      claim = apps[person].number(of: token, among: tokens).map { ($0, tokens[$0]) }
    }
    let tool: Int? =
      switch call.request {
      case .borrow(let it): tools.number(of: it.tool)
      case .giveBack(let it), .reserve(let it): tools.number(of: it)
      default: nil
      }
    return Asked(call, claim, tool: tool ?? nobody, verdicts.moment)
  }
}
