import Contracts
import Observations
import Timekeeping
import ToyContract

/// What is known of a workshop: its members' PINs and what it decided from the operator, their tokens from sign-ins.
final class Roll: Facts {
  typealias Contract = Toy
  static let concerns: Set<Concern> = [.controls, .asks(Toy.signIn)]

  private(set) var pins: [String: String] = [:]
  private(set) var decided = InForce<Toy.Deployment>()
  private var members: [String: String] = [:]

  init(_ subject: Subject<Nothing<Toy>>) {}

  func commanded(_ command: Toy.Request, at moment: Moment) {
    switch command {
    case .addMember(let member): pins[member.member] = member.pin
    case .configure(let adjustment): decided.adjust(adjustment, at: moment.time)
    default: break
    }
  }

  func asked(_ call: ToyCall, at moment: Moment) {
    if case .replied(.signedIn(let session)) = call.outcome {
      members[session.token] = session.member
    }
  }

  /// Whose token a request carries; `nil` when no sign-in gave it.
  func caller(of call: ToyCall) -> String? {
    guard case .bearer(let token)? = call.credential else { return nil }
    return members[token]
  }
}

/// Signing in and being known: TY-01, TY-02 and TY-11.
enum MemberChecks {
  private static let withToken: Set<Concern> = [
    .asks(Toy.tools), .asks(Toy.borrow), .asks(Toy.giveBack), .asks(Toy.reserve), .asks(Toy.loans),
  ]

  static let all: [Check<Toy>] = [
    .each(.ty01, [.asks(Toy.signIn)], by: Roll.self) { call, roll, judge in
      guard case .signIn(let asked) = call.request, let pin = roll.pins[asked.member],
        asked.pin != pin, call.outcome.isAnswered
      else { return }
      judge.expect(!call.isReplied, "\(asked.member) signed in with a wrong PIN")
    },
    .each(.ty02, withToken, by: Roll.self) { call, roll, judge in
      guard roll.caller(of: call) == nil, call.outcome.isAnswered else { return }
      judge.expect(!call.isReplied, "a request was granted without a token that was given")
    },
    .each(.ty11, [.asks(Toy.loans)], by: Roll.self) { call, roll, judge in
      guard case .loans(let asked) = call.request, let caller = roll.caller(of: call),
        caller != asked.member, call.outcome.isAnswered
      else { return }
      judge.expect(!call.isReplied, "\(caller) saw the loans of \(asked.member)")
    },
  ]
}
