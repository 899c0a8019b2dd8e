import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Contracts
import Timekeeping
import WireLine

/// Just enough of an agency to read one booking, behind its identity provider.
struct AgencyMiniature: Twin {
  typealias Contract = AsiaTravelPlan

  let detail: BookingDetail
  let invoices: [Invoice]
  let tokens: any TokenCodec

  private var provider: IdentityProvider
  private var given = 0

  /// What the API knows of the provider's keys; `nil` before the first fetch.
  private var cached: KeySet?
  private var held: [(ticket: Ticket, request: AsiaTravelPlan.Request)] = []
  private var fetchGivenUp: Instant?

  init(detail: BookingDetail, invoices: [Invoice], tokens: any TokenCodec) {
    self.detail = detail
    self.invoices = invoices
    self.tokens = tokens
    provider = IdentityProvider(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rules: Rules(), tokens: tokens)
    let ada = UserChange(username: "ada", password: "p", realmRoles: ["atp_staff"])
    _ = provider.handle(.setUser(ada), from: .administration, at: .distantPast)
  }

  var nextDue: Instant? { fetchGivenUp }

  /// A fetch takes at most 5 s (7.4); whoever waited is refused.
  mutating func advance(to now: Instant) -> Effects<AsiaTravelPlan> {
    guard let due = fetchGivenUp, due <= now else { return Effects() }
    return settle(.unauthorized)
  }

  mutating func handle(
    _ request: AsiaTravelPlan.Request, from caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    switch request {
    case .booking, .activities, .invoices: read(request, caller, at: now)
    case .keySetArrived(_, let keys): arrived(keys)
    default: provider.handle(request, from: caller, at: now)
    }
  }

  // MARK: The API

  private mutating func read(
    _ request: AsiaTravelPlan.Request, _ caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    guard case .client(.bearer(let token)) = caller else { return .refused(.api(.unauthorized)) }
    let text = token.text(tokens)
    guard let key = tokens.key(of: text), let cached,
      cached.keys.contains(where: { $0.kid == key })
    else { return hold(request, at: now) }
    guard let payload = tokens.verifiedPayload(of: text, key: key),
      let claims = JSON(parsing: payload).flatMap({ Claims($0) }),
      claims.iss == "http://127.0.0.1:8788/realms/master", claims.exp > now.unixSeconds
    else { return .refused(.api(.unauthorized)) }
    return Handled(.now(answer(request)))
  }

  private mutating func hold(
    _ request: AsiaTravelPlan.Request, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    let ticket = Ticket(UInt64(given))
    given += 1
    held.append((ticket, request))
    guard fetchGivenUp == nil else { return Handled(.later(ticket)) }
    fetchGivenUp = now + .seconds(5)
    let fetch = Addressed<AsiaTravelPlan>(
      to: .provider, .keySetFetch(realm: "master", provider.publishedKeys ?? KeySet([])))
    return Handled(.later(ticket), effects: Effects(signals: [fetch]))
  }

  private mutating func arrived(_ keys: KeySet?) -> Handled<AsiaTravelPlan> {
    cached = keys
    return .replied(.done, effects: settle(keys == nil ? .unauthorized : nil))
  }

  /// Answers everybody who waited for the keys, with a refusal or as asked.
  private mutating func settle(_ refusal: AsiaTravelPlan.APIRefusal?) -> Effects<AsiaTravelPlan> {
    let waited = held
    held = []
    fetchGivenUp = nil
    return Effects(
      completions: waited.map { ticket, request in
        Completion(ticket, refusal.map { .failure(.api($0)) } ?? answer(request))
      })
  }

  private func answer(
    _ request: AsiaTravelPlan.Request
  ) -> Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal> {
    switch request {
    case .booking(detail.booking.id): .success(.booking(detail))
    case .activities(detail.booking.id): .success(.activities(detail.booking.activities ?? []))
    case .invoices(detail.booking.id): .success(.invoices(invoices))
    default: .failure(.api(.bookingNotFound))
    }
  }
}
