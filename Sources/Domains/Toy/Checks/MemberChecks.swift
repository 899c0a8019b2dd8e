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
}
