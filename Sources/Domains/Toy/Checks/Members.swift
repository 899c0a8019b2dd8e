import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a member.
struct MemberFacts {
  /// As the operator gave it.
  var pin: String?
  /// The token that holds: that of the last sign-in, of which one without an answer may have been another.
  var token = Register<Int>()
  /// With which they have borrowed, or may have.
  var keys: Set<String> = []
}

/// Signing in and being known: TY-01, TY-02 and TY-11.
extension WorkshopChecks {
  static let memberRules: [JudgedRule<Toy>] = [
    JudgedRule(.ty01, [.controls, .asks(Toy.signIn)]), JudgedRule(.ty02, withToken),
    JudgedRule(.ty11, withToken),
  ]

  /// Everything that tells whose token holds, and what it is shown for.
  static let withToken: Set<Concern> = [
    .asks(Toy.signIn), .asks(Toy.tools), .asks(Toy.borrow), .asks(Toy.giveBack),
    .asks(Toy.reserve), .asks(Toy.loans),
  ]

  @inline(never)
  func judgeSignIn(_ asking: SignIn, _ asked: Asked) {
    guard asked.isAnswered else { return }
    let isPIN = members.known(asking.member).map { members[$0].pin == asking.pin } ?? false
    expect(
      .ty01, asked.refusal == (isPIN ? nil : .unknownMember),
      "\(asking.member) signed in: \(asked.words)")
  }

  mutating func learn(_ asking: SignIn, _ asked: Asked) {
    if case .replied(.signedIn(let session)) = asked.call.outcome {
      let (token, member) = (tokens.number(of: session.token), members.number(of: session.member))
      tokens[token] = member
      members[member].token.set(token, during: asked.during)
    } else if asked.call.mayHaveWorked {
      members[members.number(of: asking.member)].token.set(
        nobody, during: asked.call.working, isCertain: false)
    }
  }

  /// Whether the token of a call held throughout; `nil` where that is not certain.
  func isCurrent(_ asked: Asked) -> Bool? {
    guard let token = asked.token, let member = asked.member else { return false }
    return members[member].token.holds(during: asked.during) { $0 == token }
  }

  func judgeToken(_ asked: Asked, isCurrent: Bool) {
    expect(
      .ty02, (asked.refusal == .unknownToken) != isCurrent,
      "a token that \(isCurrent ? "holds" : "does not hold") gave: \(asked.words)")
  }

  @inline(never)
  func judgeLoans(_ asking: LoanQuery, _ asked: Asked) {
    let member = members.known(asking.member)
    let isOwn = asked.member == member
    expect(
      .ty11, asked.refusal == (isOwn ? nil : .notYours),
      "the loans of \(asking.member), which are \(isOwn ? "own" : "another's"): \(asked.words)")
    guard case .replied(.loans(let loans)) = asked.call.outcome else { return }
    expect(
      .ty11,
      loans.allSatisfy { $0.due <= asking.dueBy ?? .distantFuture }
        && zip(loans, loans.dropFirst()).allSatisfy { $0.tool < $1.tool },
      "the loans of \(asking.member) are not in order, or not all of those asked for")
    let missing = tools.indices.filter { tool in
      guard let member else { return false }
      return has(member, tool, during: asked.during)
        && !loans.contains { $0.tool == tools.names[tool] }
    }.map { tools.names[$0] }
    expect(
      .ty11,
      loans.allSatisfy { $0.member == asking.member } && (asking.dueBy != nil || missing.isEmpty),
      "the loans of \(asking.member) hold another's, or not tools \(missing.sorted())")
  }

  func name(_ member: Int) -> String { member == nobody ? "nobody" : members.names[member] }
}
