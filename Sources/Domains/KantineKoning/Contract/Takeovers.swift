import Contracts

/// What a notification token says: the right to take over one dienst from its present holder (§2.6).
public struct NotificationClaims: Hashable, Sendable {
  public var tenantSlug: String
  public var dienstID: String
  /// The id of the team that has the dienst; `nil` while nobody has it.
  public var holder: String?
  /// Which offer of the dienst it belongs to: a takeover, a withdrawn offer and a new assignment each begin another.
  public var round: Int

  public init(tenantSlug: String, dienstID: String, holder: String?, round: Int) {
    self.tenantSlug = tenantSlug
    self.dienstID = dienstID
    self.holder = holder
    self.round = round
  }
}

/// A notification token: as the claims that the backend signed, or as the bytes that somebody sent.
public enum NotificationToken: Hashable, Sendable {
  case issued(NotificationClaims)
  case text(String)
}

/// What the token in a manager's mail says: names may be entered on one dienst of one team until it begins (O25).
public struct CallToActionClaims: Hashable, Sendable {
  public var tenantSlug: String
  public var dienstID: String
  /// The id of the team that was told.
  public var team: String
  /// How many seasons the club had ended when it was told: a season's end revokes what was given out before it (KK-113).
  public var season: Int
  /// Valid while now is earlier, whole seconds since 1970.
  public var exp: Int64

  public init(tenantSlug: String, dienstID: String, team: String, season: Int, exp: Int64) {
    self.tenantSlug = tenantSlug
    self.dienstID = dienstID
    self.team = team
    self.season = season
    self.exp = exp
  }
}

public enum CallToActionToken: Hashable, Sendable {
  case issued(CallToActionClaims)
  case text(String)
}

/// O22: one dienst that may be taken over.
public struct TakeoverQuery: Hashable, Sendable {
  public var dienstID: String
  public var tenant: String?
  public var token: NotificationToken

  public init(dienstID: String, tenant: String? = nil, token: NotificationToken) {
    self.dienstID = dienstID
    self.tenant = tenant
    self.token = token
  }
}

/// O23: a team takes a dienst over.
public struct DienstClaim: Hashable, Sendable {
  public var dienstID: String
  /// Code or id of the team that wants it.
  public var team: String
  public var token: NotificationToken

  public init(dienstID: String, team: String, token: NotificationToken) {
    self.dienstID = dienstID
    self.team = team
    self.token = token
  }
}

/// O24: a team offers its dienst to the others, or no longer.
public struct TransferOffer: Hashable, Sendable {
  public var dienstID: String
  public var offered: Bool

  public init(dienstID: String, offered: Bool) {
    self.dienstID = dienstID
    self.offered = offered
  }
}

/// O25: names entered from a mail, without the app.
public struct CallToAction: Hashable, Sendable {
  public var token: CallToActionToken
  public var names: [String]

  public init(token: CallToActionToken, names: [String]) {
    self.token = token
    self.names = names
  }
}

/// The answer of O23, with a message, and of O24, without one.
public struct Transfer: Hashable, Sendable {
  public var dienst: Dienst
  public var message: String?

  public init(dienst: Dienst, message: String? = nil) {
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
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }

  /// What an authentic token says; `nil` for anything that the backend did not sign for this purpose.
  public func claims(verifiedBy tokens: any TokenCodec) -> NotificationClaims? {
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
      "season": .number(season), "exp": .int(exp), "purpose": "cta",
    ]
  }

  init?(payload: JSON) {
    guard payload["purpose"] == "cta", let tenantSlug = payload["tenant_slug"]?.string,
      let dienstID = payload["dienst_id"]?.string, let team = payload["team"]?.string,
      let season = payload["season"]?.int, case .int(let exp)? = payload["exp"]
    else { return nil }
    self.init(tenantSlug: tenantSlug, dienstID: dienstID, team: team, season: season, exp: exp)
  }
}

extension CallToActionToken {
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }

  /// What an authentic token says; time is not judged here.
  public func claims(verifiedBy tokens: any TokenCodec) -> CallToActionClaims? {
    switch self {
    case .issued(let claims): claims
    case .text(let text):
      tokens.verifiedPayload(of: text).flatMap { JSON(parsing: $0) }
        .flatMap(CallToActionClaims.init(payload:))
    }
  }
}
