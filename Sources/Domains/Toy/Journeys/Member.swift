import Contracts
import Journeys
import Timekeeping
import ToyContract

/// A member with the workshop's app: comes by now and then, borrows, reserves, gives back.
public final class Member: Behaviour {
  public typealias Contract = Toy
  public static let enforced = RulesOfFile<Toy.Rule>(.ty10)
  public static let tried = RulesOfFile<Toy.Rule>(
    .ty01, .ty02, .ty03, .ty04, .ty06, .ty07, .ty08, .ty09, .ty10)

  private let seed: MemberSeed
  private var credential: Toy.Credential?
  private var held: [Loan] = []
  private var keys = 0

  public init(_ seed: MemberSeed) { self.seed = seed }

  public var begins: Instant? { seed.begins }

  public func session(as me: Person<Toy>) async throws(JourneyEnded) -> Instant? {
    me.listen(at: seed.name)
    if credential == nil { try await signIn(as: me) }
    if credential != nil {
      try await readSignals(as: me)
      try await giveSomethingBack(as: me)
      try await lookAround(as: me)
    }
    return me.now + me.draw(.habit) { $0.sample(seed.visitEvery) }
  }

  /// One in ten mistypes the PIN first (TY-01).
  private func signIn(as me: Person<Toy>) async throws(JourneyEnded) {
    if chance(0.1, me) {
      _ = try await me.ask(.signIn(SignIn(member: seed.name, pin: "0000")))
      try await me.think(.seconds(5))
    }
    let outcome = try await me.ask(.signIn(SignIn(member: seed.name, pin: seed.pin)))
    if case .replied(.signedIn(let session)) = outcome { credential = .bearer(session.token) }
  }

  /// What has come since the last visit: tools that are kept (TY-06, TY-07) and loans that are due (TY-08).
  private func readSignals(as me: Person<Toy>) async throws(JourneyEnded) {
    while let mail = try await me.wait(until: me.now) {
      switch mail.signal {
      case .ready(let tool, _, let until): if me.now < until { try await borrow(tool, as: me) }
      case .due(let loan): try await giveBack(loan, as: me)
      }
    }
  }

  private func giveSomethingBack(as me: Person<Toy>) async throws(JourneyEnded) {
    guard chance(0.5, me) else { return }
    // What was borrowed without an answer is among one's loans all the same.
    let asked = Toy.Request.loans(LoanQuery(member: seed.name))
    let outcome = try await noted(me.ask(asked, with: credential))
    if case .replied(.loans(let loans)) = outcome { held = loans }
    if let loan = held.first { try await giveBack(loan, as: me) }
  }

  /// Everybody wants the same few tools (TY-03), and some would have more than they may (TY-04).
  private func lookAround(as me: Person<Toy>) async throws(JourneyEnded) {
    let outcome = try await noted(me.ask(.tools, with: credential))
    guard case .replied(.tools(let tools)) = outcome, !tools.isEmpty else { return }
    try await me.think(.lognormal(median: .seconds(20), p95: .minutes(2)))
    let wanted = me.draw(.habit) { stream in
      let most = stream.chance(0.3) ? min(4, tools.count) : tools.count
      return tools[stream.pick(0..<most)]
    }
    if wanted.isFree {
      try await borrow(wanted.tool, as: me)
    } else if !held.contains(where: { $0.tool == wanted.tool }) {
      _ = try await noted(me.ask(.reserve(tool: wanted.tool), with: credential))
    }
  }

  /// A borrowing without an answer is repeated with its key (TY-09, TY-10): it may have worked.
  private func borrow(_ tool: Int, as me: Person<Toy>) async throws(JourneyEnded) {
    var asked = Borrowing(
      tool: tool, hours: 1 + me.draw(.habit) { $0.pick(0..<3) }, key: newKey())
    if chance(seed.cellar, me) { me.isOnline = false }
    for attempt in 1...Toy.mostAttempts.value {
      let outcome = try await noted(me.ask(.borrow(asked), with: credential, attempt: attempt))
      me.isOnline = true
      if case .replied(.lent(let loan)) = outcome {
        held.append(loan)
        if chance(seed.doubleTap, me) {
          _ = try await noted(me.ask(.borrow(asked), with: credential))
        }
      }
      if outcome.isAnswered { return }
      if !seed.rules.binds(.ty10) { asked.key = newKey() }
      try await me.think(.seconds(30))
    }
  }

  private func giveBack(_ loan: Loan, as me: Person<Toy>) async throws(JourneyEnded) {
    let outcome = try await noted(me.ask(.giveBack(tool: loan.tool), with: credential))
    if outcome.isAnswered { held.removeAll { $0.tool == loan.tool } }
  }

  /// Somebody whose token has ended signs in again on the next visit (TY-02).
  private func noted(_ outcome: consuming Outcome<Toy>) -> Outcome<Toy> {
    if outcome.refusal?.kind == .unknownToken { credential = nil }
    return outcome
  }

  private func newKey() -> String {
    keys += 1
    return "\(seed.name)-\(keys)"
  }

  private func chance(_ share: Double, _ me: Person<Toy>) -> Bool {
    me.draw(.habit) { $0.chance(share) }
  }
}
