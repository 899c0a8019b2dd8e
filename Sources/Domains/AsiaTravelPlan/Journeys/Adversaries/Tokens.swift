import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Tokens that are none, and tokens that are good although they look otherwise (ATP-24 to ATP-26).
extension Adversary {
  static let ofTokens = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp06, .atp07, .atp08, .atp24, .atp25, .atp26, .atp27, .atp52, .atp54, .atp56,
    in: "AsiaTravelPlanJourneys/Adversaries/Tokens.swift")

  func forge(as me: Me) async throws(JourneyEnded) {
    guard let token = try await token(.own, me) else { return }
    for request in [AsiaTravelPlan.Request.me, .bookings(.app)] {
      for credential in credentials(of: token, at: me.now) {
        _ = try await me.ask(request, with: credential)
        try await me.think(.milliseconds(300))
      }
    }
  }

  private func credentials(
    of token: SignedToken, at now: Instant
  ) -> [AsiaTravelPlan.Credential] {
    let text = token.text(corner.habits.tokens)
    let parts = text.split(separator: ".").map(String.init)
    var made: [AsiaTravelPlan.Credential] = [
      .otherScheme("bearer " + text), .otherScheme("Token " + text), .otherScheme("Basic YTpi"),
      .bearer(.text("")), .bearer(.text("not.a.token")),
      // Without a signature, and with one that belongs to something else.
      .bearer(.text("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0." + parts[1] + ".")),
      .bearer(.text(parts[0] + "." + Base64URL.encode(Array("{}".utf8)) + "." + parts[2])),
    ]
    // What only its signer could change: the harness is the provider's signer, a foreign one's never.
    guard case .issued(let claims, let key) = token else { return made }
    func add(_ key: String, _ change: (inout Claims) -> Void) {
      var other = claims
      change(&other)
      made.append(.bearer(.issued(other, key: key)))
    }
    add(key) { $0.exp = now.unixSeconds - 1 }
    add(key) { $0.exp = now.unixSeconds }
    add(key) { $0.iss += "-other" }
    add("unknown-key") { _ in }
    add(key) { ($0.aud, $0.azp) = ("another-audience", "another-client") }
    for roles in [
      [], ["ATP_STAFF"], ["atp_staffs"], ["atp_"], ["atp_staff", "atp_manager"],
      ["offline_access", "atp_accountant"],
    ] { add(key) { $0.realmRoles = roles } }
    add(key) { ($0.realmRoles, $0.groups) = ([], ["/office/atp_manager"]) }
    add(key) { ($0.realmRoles, $0.topLevelRoles) = ([], ["atp_admin"]) }
    let backend = ClientRegistration.backend.clientID
    add(key) { ($0.realmRoles, $0.clientRoles) = ([], [backend: ["atp_accountant"]]) }
    let app = ClientRegistration.app.clientID
    add(key) { ($0.realmRoles, $0.clientRoles) = ([], [app: ["atp_manager"]]) }
    for name in ["ADVERSARY-STAFF", "adversary", "adversary-staff-2", "", "staff_adversary"] {
      add(key) { $0.preferredUsername = name }
    }
    add(key) { ($0.preferredUsername, $0.email) = (nil, "adversary-staff") }
    add(key) { $0.nbf = now.unixSeconds + 60 }
    return made
  }
}
