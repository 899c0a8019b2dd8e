import Contracts
import Journeys
import Timekeeping
import ToyContract

/// A member who tries what the notice board forbids, one act after the other.
public final class Adversary: Behaviour {
  public typealias Contract = Toy
  public static let tried = RulesOfFile<Toy.Rule>(
    .ty01, .ty02, .ty03, .ty04, .ty05, .ty06, .ty07, .ty09, .ty11)

  private let seed: MemberSeed
  private var turn = 0
  private var keys = 0

  public init(_ seed: MemberSeed) { self.seed = seed }

  public var begins: Instant? { seed.begins }

  public func session(as me: Person<Toy>) async throws(JourneyEnded) -> Instant? {
    me.listen(at: seed.name)
    let outcome = try await me.ask(.signIn(SignIn(member: seed.name, pin: seed.pin)))
    if case .replied(.signedIn(let session)) = outcome {
      let own = Toy.Credential.bearer(session.token)
      let victim = MemberSeed.name(1 + me.draw(.mischief) { $0.pick(0..<seed.members) })
      switch turn % 5 {
      case 0: try await pretendToBe(victim, as: me)
      case 1: try await pry(into: victim, with: own, as: me)
      case 2: try await takeWhatIsNotFree(with: own, as: me)
      case 3: try await hoard(with: own, as: me)
      default: try await askInVain(with: own, as: me)
      }
      turn += 1
    }
    return me.now + me.draw(.mischief) { $0.sample(seed.mischiefEvery) }
  }

  /// A guessed PIN, and somebody who is no member (TY-01), and a token that nobody gave (TY-02).
  private func pretendToBe(_ victim: String, as me: Person<Toy>) async throws(JourneyEnded) {
    for member in [victim, victim + "0"] {
      _ = try await me.ask(.signIn(SignIn(member: member, pin: "0000")))
    }
    let forged = Toy.Credential.bearer(victim + "~0")
    _ = try await me.ask(.loans(LoanQuery(member: victim)), with: forged)
    _ = try await me.ask(.tools)
  }

  /// Another's loans (TY-11).
  private func pry(
    into victim: String, with own: Toy.Credential, as me: Person<Toy>
  ) async throws(JourneyEnded) {
    _ = try await me.ask(.loans(LoanQuery(member: victim)), with: own)
  }

  /// What others have or what is kept for them: giving it back in their place (TY-05), borrowing it (TY-03, TY-06).
  private func takeWhatIsNotFree(
    with own: Toy.Credential, as me: Person<Toy>
  ) async throws(JourneyEnded) {
    for tool in try await tools(with: own, as: me).filter({ !$0.isFree }).prefix(6) {
      if me.draw(.mischief, { $0.chance(0.3) }) {
        _ = try await me.ask(.giveBack(tool: tool.tool), with: own)
      }
      try await borrowAndGiveBack([tool], with: own, as: me)
    }
  }

  /// More tools than anybody may have (TY-04); which of them are due within half an hour (TY-11).
  private func hoard(with own: Toy.Credential, as me: Person<Toy>) async throws(JourneyEnded) {
    let list = try await tools(with: own, as: me)
    // That one is not free is said before that another would be too many.
    try await borrowAndGiveBack(
      list.filter(\.isFree).suffix(seed.deployment.mostTools + 1)
        + list.filter { !$0.isFree }.suffix(3), with: own, as: me)
  }

  /// For tools that there are not, for what needs no reservation (TY-07), and with a token that the next sign-in has ended (TY-02).
  private func askInVain(
    with own: Toy.Credential, as me: Person<Toy>
  ) async throws(JourneyEnded) {
    let list = try await tools(with: own, as: me)
    let missing = (list.map(\.tool).max() ?? 0) + 1
    keys += 1
    let requests: [Toy.Request] = [
      .borrow(Borrowing(tool: missing, hours: 1, key: "\(keys)")), .giveBack(tool: missing),
      .reserve(tool: missing), .loans(LoanQuery(member: seed.name)), .tools,
    ]
    for request in requests { _ = try await me.ask(request, with: own) }
    if let free = list.last(where: \.isFree)?.tool {
      _ = try await me.ask(.reserve(tool: free), with: own)
      _ = try await me.ask(.giveBack(tool: free), with: own)
      keys += 1
      let asked = Borrowing(tool: free, hours: 1, key: "\(keys)")
      if case .replied(.lent) = try await me.ask(.borrow(asked), with: own) {
        _ = try await me.ask(.reserve(tool: free), with: own)
        // Another key is another borrowing, and so is the same key for another tool (TY-09).
        keys += 1
        var again = Borrowing(tool: free, hours: 1, key: "\(keys)")
        _ = try await me.ask(.borrow(again), with: own)
        if let other = list.first(where: \.isFree)?.tool, other != free {
          again = Borrowing(tool: other, hours: 1, key: asked.key)
          _ = try await me.ask(.borrow(again), with: own)
          _ = try await me.ask(.giveBack(tool: other), with: own)
        }
        _ = try await me.ask(.giveBack(tool: free), with: own)
      }
    }
    guard
      case .replied = try await me.ask(.signIn(SignIn(member: seed.name, pin: seed.pin)))
    else { return }
    for request in requests { _ = try await me.ask(request, with: own) }
  }

  private func borrowAndGiveBack(
    _ tools: [ToolState], with own: Toy.Credential, as me: Person<Toy>
  ) async throws(JourneyEnded) {
    for tool in tools {
      keys += 1
      let asked = Borrowing(tool: tool.tool, hours: 1, key: "\(keys)")
      _ = try await me.ask(.borrow(asked), with: own)
      try await me.think(.seconds(2))
    }
    let soon = LoanQuery(member: seed.name, dueBy: me.now + .minutes(30))
    _ = try await me.ask(.loans(soon), with: own)
    let mine = try await me.ask(.loans(LoanQuery(member: seed.name)), with: own)
    guard case .replied(.loans(let loans)) = mine else { return }
    for loan in loans { _ = try await me.ask(.giveBack(tool: loan.tool), with: own) }
  }

  private func tools(
    with own: Toy.Credential, as me: Person<Toy>
  ) async throws(JourneyEnded) -> [ToolState] {
    let outcome = try await me.ask(.tools, with: own)
    if case .replied(.tools(let tools)) = outcome { return tools }
    return []
  }
}
