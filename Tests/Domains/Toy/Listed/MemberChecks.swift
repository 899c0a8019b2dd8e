import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a workshop: its members' PINs and what it decided from the operator, their tokens from sign-ins.
final class Roll: Facts {
  typealias Contract = Toy
  static let concerns: Set<Concern> = [.controls, .asks(Toy.signIn)]

  private(set) var pins: [String: String] = [:]
  private(set) var tools: Set<Int> = []
  private(set) var decided = InForce<Toy.Deployment>()
  private var members: [String: String] = [:]
  /// The token that holds, by member: that of the last sign-in, of which one without an answer may have been another.
  private var current: [String: Register<String>] = [:]

  init(_ subject: Subject<Nothing<Toy>>) {}

  func commanded(_ command: Toy.Request, at moment: Moment) {
    switch command {
    case .addMember(let member): pins[member.member] = member.pin
    case .addTool(let tool): tools.insert(tool)
    case .configure(let adjustment): decided.adjust(adjustment, at: moment.time)
    default: break
    }
  }

  func asked(_ call: ToyCall, at moment: Moment) {
    if case .replied(.signedIn(let session)) = call.outcome {
      members[session.token] = session.member
      current[session.member, default: Register()].set(session.token, during: call.during)
    } else if call.isUnknown, case .signIn(let asked) = call.request {
      current[asked.member, default: Register()].set("", during: call.working, isCertain: false)
    }
  }

  /// Whether the token that a request carries holds; `nil` where that is not certain.
  func isCurrent(_ call: ToyCall) -> Bool? {
    guard case .bearer(let token)? = call.credential, let member = members[token] else {
      return false
    }
    return current[member]?.holds(during: call.during) { $0 == token }
  }

  /// Whose token a request carries; `nil` when no sign-in gave it.
  func caller(of call: ToyCall) -> String? {
    guard case .bearer(let token)? = call.credential else { return nil }
    return members[token]
  }
}

/// Signing in and being known: TY-01, TY-02 and TY-11.
enum MemberChecks {
  static let withToken: Set<Concern> = [
    .asks(Toy.tools), .asks(Toy.borrow), .asks(Toy.giveBack), .asks(Toy.reserve), .asks(Toy.loans),
  ]

  /// What waits is judged when the next record of a workshop comes, whatever it is of.
  static let everything = withToken.union([.asks(Toy.signIn), .signals, .controls])

  static let all: [Check<Toy>] = [
    .each(.ty01, [.asks(Toy.signIn)], by: Roll.self) { call, roll, judge in
      guard case .signIn(let asked) = call.request, call.outcome.isAnswered else { return }
      judge.expect(
        call.outcome.refusal?.kind == (roll.pins[asked.member] == asked.pin ? nil : .unknownMember),
        "\(asked.member) signed in: \(call.words)")
    },
    .answered(.ty02) { call, shelf, judge in
      if case .signIn = call.request { return }
      guard let isCurrent = shelf.roll.isCurrent(call) else { return }
      judge.expect(
        (call.outcome.refusal?.kind == .unknownToken) != isCurrent,
        "a token that \(isCurrent ? "holds" : "does not hold") gave: \(call.words)")
    },
    .answered(.ty11) { call, shelf, judge in
      guard case .loans(let asked) = call.request, call.isByAMember(shelf) else { return }
      let isOwn = shelf.roll.caller(of: call) == asked.member
      judge.expect(
        call.outcome.refusal?.kind == (isOwn ? nil : .notYours),
        "the loans of \(asked.member), which are \(isOwn ? "own" : "another's"): \(call.words)")
      guard case .replied(.loans(let loans)) = call.outcome else { return }
      let missing = shelf.held(by: asked.member, during: call.during).subtracting(loans.map(\.tool))
      judge.expect(
        loans.allSatisfy { $0.due <= asked.dueBy ?? .distantFuture }
          && zip(loans, loans.dropFirst()).allSatisfy { $0.tool < $1.tool },
        "the loans of \(asked.member) are not in order, or not all of those asked for")
      judge.expect(
        loans.allSatisfy { $0.member == asked.member } && (asked.dueBy != nil || missing.isEmpty),
        "the loans of \(asked.member) hold another's, or not tools \(missing.sorted())")
    },
  ]
}
