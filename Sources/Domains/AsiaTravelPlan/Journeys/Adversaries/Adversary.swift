import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Somebody who tries by hand what the app never would: one act after the other, in a corner of their own (5.7, 4.11).
public final class Adversary: Behaviour {
  public typealias Contract = AsiaTravelPlan
  public static let tried = [ofEdits, ofForms, ofLists, ofSignIns, ofMatrix, ofTokens]

  public let begins: Instant?
  let corner: Corner
  private var users: [Account: SignedIn] = [:]
  private var turn = 0
  private var count = 0

  public init(_ corner: Corner, begins: Instant) { (self.corner, self.begins) = (corner, begins) }

  private static let acts = 7

  public func session(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) -> Instant? {
    switch turn % Self.acts {
    case 0: try await tryMatrix(as: me)
    case 1: try await forge(as: me)
    case 2: try await editInParallel(as: me)
    case 3: try await misuseEdits(as: me)
    case 4: try await misuseForms(as: me)
    case 5: try await misuseLists(as: me)
    default: try await misuseSignIn(as: me)
    }
    turn += 1
    return me.now + me.draw(.mischief) { $0.sample(corner.habits.mischiefEvery) }
  }

  /// The round of all acts that it is, from 0.
  var round: Int { turn / Self.acts }

  /// As one of the corner's accounts; `anonymous` has no token.
  func ask(
    _ request: AsiaTravelPlan.Request, as standing: AsiaTravelPlan.Standing, _ me: Me
  ) async throws(JourneyEnded) -> Asked? {
    guard let user = user(standing) else { return try await me.ask(request) }
    return try await user.ask(request, as: me)
  }

  func token(
    _ standing: AsiaTravelPlan.Standing, _ me: Me
  ) async throws(JourneyEnded) -> SignedToken? {
    try await user(standing)?.token(as: me)
  }

  func user(_ standing: AsiaTravelPlan.Standing) -> SignedIn? {
    guard let account = corner.account(standing) else { return nil }
    if let known = users[account] { return known }
    let user = SignedIn(account, .app)
    users[account] = user
    return user
  }

  /// A word that was not there before.
  func fresh(_ word: String) -> String {
    count += 1
    return "\(word)-\(count)"
  }

  func pick<Element>(_ choices: [Element], _ me: Me) -> Element {
    me.draw(.mischief) { $0.pick(choices) }
  }
}
