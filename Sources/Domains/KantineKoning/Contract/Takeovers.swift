import Contracts

/// What a notification token says: the right to take over one dienst from its present holder (§2.6).
package struct NotificationClaims: Hashable, Sendable {
  package var tenantSlug: String
  package var dienstID: String
  /// The id of the team that has the dienst; `nil` while nobody has it.
  package var holder: String?
  /// Which offer of the dienst it belongs to: a takeover, a withdrawn offer and a new assignment each begin another.
  package var round: Int

  package init(tenantSlug: String, dienstID: String, holder: String?, round: Int) {
    self.tenantSlug = tenantSlug
    self.dienstID = dienstID
    self.holder = holder
    self.round = round
  }
}

/// A notification token: as the claims that the backend signed, or as the bytes that somebody sent.
package enum NotificationToken: Hashable, Sendable {
  case issued(NotificationClaims)
  case text(String)
}

/// What the token in a manager's mail says: names may be entered on one dienst of one team until it begins (O25).
package struct CallToActionClaims: Hashable, Sendable {
  package var tenantSlug: String
  package var dienstID: String
  /// The id of the team that was told.
  package var team: String
  /// Valid while now is earlier, whole seconds since 1970.
  package var exp: Int64

  package init(tenantSlug: String, dienstID: String, team: String, exp: Int64) {
    self.tenantSlug = tenantSlug
    self.dienstID = dienstID
    self.team = team
    self.exp = exp
  }
}

package enum CallToActionToken: Hashable, Sendable {
  case issued(CallToActionClaims)
  case text(String)
}

/// O22: one dienst that may be taken over.
package struct TakeoverQuery: Hashable, Sendable {
  package var dienstID: String
  package var tenant: String?
  package var token: NotificationToken

  package init(dienstID: String, tenant: String? = nil, token: NotificationToken) {
    self.dienstID = dienstID
    self.tenant = tenant
    self.token = token
  }
}

/// O23: a team takes a dienst over.
package struct DienstClaim: Hashable, Sendable {
  package var dienstID: String
  /// Code or id of the team that wants it.
  package var team: String
  package var token: NotificationToken

  package init(dienstID: String, team: String, token: NotificationToken) {
    self.dienstID = dienstID
    self.team = team
    self.token = token
  }
}

/// O24: a team offers its dienst to the others, or no longer.
package struct TransferOffer: Hashable, Sendable {
  package var dienstID: String
  package var offered: Bool

  package init(dienstID: String, offered: Bool) {
    self.dienstID = dienstID
    self.offered = offered
  }
}

/// O25: names entered from a mail, without the app.
package struct CallToAction: Hashable, Sendable {
  package var token: CallToActionToken
  package var names: [String]

  package init(token: CallToActionToken, names: [String]) {
    self.token = token
    self.names = names
  }
}

/// The answer of O23, with a message, and of O24, without one.
package struct Transfer: Hashable, Sendable {
  package var dienst: Dienst
  package var message: String?

  package init(dienst: Dienst, message: String? = nil) {
    self.dienst = dienst
    self.message = message
  }
}

// MARK: - As signed tokens

extension NotificationClaims {
  var payload: JSON {
    [
      "tenant_slug": .string(tenantSlug), "dienst_id": .string(dienstID),
      "holder": .optional(holder), "round": .number(round), "purpose": "claim-dienst",
    ]
  }

  init?(payload: JSON) {
    guard payload["purpose"] == "claim-dienst", let tenantSlug = payload["tenant_slug"]?.string,
      let dienstID = payload["dienst_id"]?.string, let round = payload["round"]?.int
    else { return nil }
    self.init(
      tenantSlug: tenantSlug, dienstID: dienstID, holder: payload["holder"]?.string, round: round)
  }
}

extension NotificationToken {
  /// The bytes of the token: signed now when nobody has looked at them before.
  package func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }

  /// What an authentic token says; `nil` for anything that the backend did not sign for this purpose.
  package func claims(verifiedBy tokens: any TokenCodec) -> NotificationClaims? {
    switch self {
    case .issued(let claims): claims
    case .text(let text):
      tokens.verifiedPayload(of: text).flatMap { JSON(parsing: $0) }
        .flatMap(NotificationClaims.init(payload:))
    }
  }
}

extension CallToActionClaims {
  var payload: JSON {
    [
      "tenant_slug": .string(tenantSlug), "dienst_id": .string(dienstID), "team": .string(team),
      "exp": .int(exp), "purpose": "cta",
    ]
  }

  init?(payload: JSON) {
    guard payload["purpose"] == "cta", let tenantSlug = payload["tenant_slug"]?.string,
      let dienstID = payload["dienst_id"]?.string, let team = payload["team"]?.string,
      case .int(let exp)? = payload["exp"]
    else { return nil }
    self.init(tenantSlug: tenantSlug, dienstID: dienstID, team: team, exp: exp)
  }
}

extension CallToActionToken {
  package func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }

  /// What an authentic token says; time is not judged here.
  package func claims(verifiedBy tokens: any TokenCodec) -> CallToActionClaims? {
    switch self {
    case .issued(let claims): claims
    case .text(let text):
      tokens.verifiedPayload(of: text).flatMap { JSON(parsing: $0) }
        .flatMap(CallToActionClaims.init(payload:))
    }
  }
}
