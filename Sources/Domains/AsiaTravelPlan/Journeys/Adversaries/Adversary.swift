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
  /// Bookings of the adversary's record, and of others.
  private(set) var own: [String]
  private(set) var others: [String]
  private var users: [Account: SignedIn] = [:]
  private var turn = 0
  private var count = 0

  public init(_ corner: Corner, begins: Instant) {
    (self.corner, self.begins) = (corner, begins)
    (own, others) = (corner.own, corner.others)
  }

  private static let acts = 7

  public func session(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) -> Instant? {
    if own.isEmpty {
      try await furnish(as: me)
      guard !own.isEmpty else { return me.now + .seconds(1) }
    }
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

  /// Asks for the bookings, as the website does, where there are none, and has them assigned.
  private func furnish(as me: Me) async throws(JourneyEnded) {
    var made: [String] = []
    for staff in [corner.record, corner.record, corner.colleague, nil] {
      let accepted = try await me.ask(.requestTrip(trip())).reply?.accepted(isNew: true)
      guard let booking = accepted?.bookingID else { return }
      if let staff {
        let answer = try await ask(.assign(Assignment(booking, to: staff)), as: .admin, me)
        guard answer?.isReplied == true else { return }
      }
      made.append(booking)
    }
    (own, others) = (Array(made.prefix(2)), Array(made.suffix(2)))
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
