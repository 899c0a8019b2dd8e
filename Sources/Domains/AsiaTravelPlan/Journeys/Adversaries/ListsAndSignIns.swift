import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Lists beyond their bounds, in every order, by every filter (3.2).
extension Adversary {
  static let ofLists = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp34, .atp35, .atp36, .atp92, .atp99,
    in: "AsiaTravelPlanJourneys/Adversaries/ListsAndSignIns.swift")

  func misuseLists(as me: Me) async throws(JourneyEnded) {
    let sizes = [nil, 0, -1, 1, 100, 101, 1_000_000]
    var queries = sizes.map { BookingQuery(pageSize: $0) }
    queries += [0, -3, 2, 99_999, 1_000_000].map { BookingQuery(page: $0, pageSize: 3) }
    queries += BookingOrder.allCases.map { BookingQuery(pageSize: 10, sort: $0.rawValue) }
    queries += [
      BookingQuery(stage: " negotiation "), BookingQuery(stage: "SOLD"),
      BookingQuery(ownerID: corner.record), BookingQuery(ownerID: "staff_unknown"),
      BookingQuery(search: " LAOS "), BookingQuery(search: "laos food"),
      BookingQuery(search: "@example.test"), BookingQuery(sort: "by_colour"),
      BookingQuery(stage: "NEW", search: "vietnam", sort: "sla_due_at_asc"),
      BookingQuery(stage: "NEGOTIATION", ownerID: corner.record),
      BookingQuery(page: 2, pageSize: 2, stage: "NEGOTIATION", sort: "created_at_asc"),
    ]
    for query in queries {
      for standing in [AsiaTravelPlan.Standing.accountant, .own] {
        _ = try await ask(.bookings(query), as: standing, me)
        try await me.think(.milliseconds(200))
      }
    }
    _ = try await ask(.customers(CustomerQuery(pageSize: 0, search: "traveller")), as: .manager, me)
    _ = try await ask(.tours(TourQuery(pageSize: 500, destination: "laos")), as: .accountant, me)
  }
}

/// The provider, asked as no app asks it (7.2, 7.3, 7.5).
extension Adversary {
  static let ofSignIns = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp12, .atp15, .atp17, .atp27,
    in: "AsiaTravelPlanJourneys/Adversaries/ListsAndSignIns.swift")

  func misuseSignIn(as me: Me) async throws(JourneyEnded) {
    guard let account = corner.account(.own), let user = user(.own) else { return }
    let verifier = UserAgent.secret(me)
    func authorization(
      _ challenge: Challenge?, method: String? = "S256", redirect: String? = nil
    ) -> AsiaTravelPlan.Request {
      .authorize(
        AuthorizationRequest(
          realm: account.realm,
          redirectURI: redirect ?? ClientRegistration.app.redirectURIs[0],
          state: UserAgent.secret(me), challenge: challenge, challengeMethod: method))
    }
    _ = try await me.ask(authorization(nil, method: nil))
    _ = try await me.ask(authorization(.text(verifier), method: "plain"))
    _ = try await me.ask(authorization(.of(verifier: verifier), redirect: "asiatravelplan://other"))
    // A code with another verifier, then twice.
    for wrong in [UserAgent.secret(me), "short", nil, verifier] {
      let page = try await me.ask(authorization(.of(verifier: verifier))).reply?.loginPage
      guard let action = page?.action else { return }
      let landed = try await me.ask(
        .logIn(LogIn(action: action, username: account.username, password: account.password)))
      guard let code = landed.reply?.redirected?.code else { return }
      let exchange = AsiaTravelPlan.Request.token(
        TokenRequest(
          realm: account.realm, grantType: "authorization_code",
          redirectURI: ClientRegistration.app.redirectURIs[0], code: code, verifier: wrong))
      _ = try await me.ask(exchange)
      _ = try await me.ask(exchange)
    }
    // After a logout the access token is good until it expires, the refresh token no more.
    guard let token = try await user.token(as: me), let session = user.session else { return }
    let hint = EndSession(
      realm: account.realm, postLogoutRedirectURI: "https://example.test/",
      idTokenHint: session.id)
    _ = try await me.ask(.endSession(hint))
    _ = try await me.ask(session.renewal(account, .app))
    _ = try await user.signOut(as: me)
    _ = try await me.ask(.me, with: .bearer(token))
    _ = try await me.ask(session.renewal(account, .app))
    _ = try await me.ask(
      .token(TokenRequest(realm: account.realm, grantType: "password", clientID: "unknown")))
  }
}
