import Contracts
import Observations
import Timekeeping
import ToyContract

/// What a request shows of who asks: the token of a sign-in, and the member whose it is.
struct Claim {
  let token: Int
  let member: Int
}

/// What is known of a workshop's members: their PINs from the operator, their tokens from sign-ins; and what the workshop decided.
struct Roll {
  private var members = Numbering<String>()
  private var pins: ContiguousArray<String?> = []
  /// The token that holds, by member: that of the last sign-in, of which one without an answer may have been another.
  private var current: ContiguousArray<Register<Int>> = []
  private var tokens = Numbering<String>()
  /// Whose each token is.
  private var owners: ContiguousArray<Int> = []
  /// By person, the token that was shown last: nearly always it is shown again.
  private var shown: ContiguousArray<(token: String, claim: Claim)?> = []
  var decided = InForce<Toy.Deployment>()
  private static let unknown = -1

  func name(_ member: Int) -> String { members.names[member] }

  mutating func number(of name: String) -> Int {
    let number = members.number(of: name)
    if number == pins.count {
      pins.append(nil)
      current.append(Register())
    }
    return number
  }

  func known(_ name: String) -> Int? { members.known(name) }

  mutating func learn(_ joining: SignIn) { pins[number(of: joining.member)] = joining.pin }

  mutating func learn(_ asked: SignIn, _ call: ToyCall) {
    if case .replied(.signedIn(let session)) = call.outcome {
      let (token, member) = (tokens.number(of: session.token), number(of: session.member))
      if token == owners.count { owners.append(member) }
      owners[token] = member
      current[member].set(token, during: call.during)
    } else if call.isUnknown {
      current[number(of: asked.member)].set(
        Self.unknown, during: call.sent...(call.answered + .minutes(1)), isCertain: false)
    }
  }

  func isPIN(_ asked: SignIn) -> Bool {
    members.known(asked.member).map { pins[$0] == asked.pin } ?? false
  }

  /// What a request shows; `nil` when no sign-in gave its token.
  mutating func claim(of call: ToyCall, by person: Int) -> Claim? {
    guard case .bearer(let token)? = call.credential else { return nil }
    if person < shown.count, let last = shown[person], last.token == token { return last.claim }
    guard let number = tokens.known(token) else { return nil }
    while shown.count <= person { shown.append(nil) }
    let claim = Claim(token: number, member: owners[number])
    shown[person] = (token, claim)
    return claim
  }

  /// Whether the token that a call carried held throughout; `nil` where that is not certain.
  func isCurrent(_ asked: Asked) -> Bool? {
    guard let claim = asked.claim else { return false }
    return current[claim.member].holds(during: asked.during) { $0 == claim.token }
  }
}

/// Signing in and being known: TY-01, TY-02 and TY-11.
extension WorkshopChecks {
  static let memberRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty01, [.controls, .asks(Toy.signIn)]),
    JudgedRule(.ty02, withToken),
    JudgedRule(.ty11, withToken),
  ]

  /// Everything that tells whose token holds, and what it is shown for.
  static let withToken: Set<Concern> = [
    .asks(Toy.signIn), .asks(Toy.tools), .asks(Toy.borrow), .asks(Toy.giveBack),
    .asks(Toy.reserve), .asks(Toy.loans),
  ]

  @inline(never)
  func judgeSignIn(_ asking: SignIn, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    guard asked.isAnswered else { return }
    verdicts.expect(
      .ty01, asked.refusal == (roll.isPIN(asking) ? nil : .unknownMember),
      "\(asking.member) signed in: \(asked.words)")
  }

  @inline(never)
  func judgeToken(_ asked: Asked, isCurrent: Bool, _ verdicts: inout ToyVerdicts) {
    verdicts.expect(
      .ty02, (asked.refusal == .unknownToken) != isCurrent,
      "a token that \(isCurrent ? "holds" : "does not hold") gave: \(asked.words)")
  }

  @inline(never)
  func judgeLoans(_ asking: LoanQuery, _ asked: Asked, _ verdicts: inout ToyVerdicts) {
    let member = roll.known(asking.member)
    let isOwn = asked.member == member && member != nil
    verdicts.expect(
      .ty11, asked.refusal == (isOwn ? nil : .notYours),
      "the loans of \(asking.member), which are \(isOwn ? "own" : "another's"): \(asked.words)")
    guard case .replied(.loans(let loans)) = asked.call.outcome else { return }
    let missing = shelf.held(by: member, during: asked.during).filter { tool in
      !loans.contains { $0.tool == tool }
    }
    verdicts.expect(
      .ty11,
      loans.allSatisfy { $0.due <= asking.dueBy ?? .distantFuture }
        && zip(loans, loans.dropFirst()).allSatisfy { $0.tool < $1.tool },
      "the loans of \(asking.member) are not in order, or not all of those asked for")
    verdicts.expect(
      .ty11,
      loans.allSatisfy { $0.member == asking.member } && (asking.dueBy != nil || missing.isEmpty),
      "the loans of \(asking.member) hold another's, or not tools \(missing.sorted())")
  }
}
