import Contracts

/// What a notification token says: the right to take over one dienst from its present holder (§2.6).
public struct NotificationClaims: Hashable, Sendable {
  public var tenantSlug: Slug, dienstID: DienstID
  /// The id of the team that has the dienst; `nil` while nobody has it.
  public var holder: TeamName?
  /// Which offer of the dienst it belongs to: a takeover, a withdrawn offer and a new assignment each begin another.
  public var round: Int

  public init(tenantSlug: Slug, dienstID: DienstID, holder: TeamName?, round: Int) {
    (self.tenantSlug, self.dienstID) = (tenantSlug, dienstID)
    (self.holder, self.round) = (holder, round)
  }
}

/// A notification token: as the claims that the backend signed, or as the bytes that somebody sent.
public enum NotificationToken: Hashable, Sendable {
  indirect case issued(NotificationClaims)
  case text(String)
}

/// What the token in a manager's mail says: names may be entered on one dienst of one team until it begins (O25).
public struct CallToActionClaims: Hashable, Sendable {
  public var tenantSlug: Slug, dienstID: DienstID
  /// The id of the team that was told.
  public var team: TeamName
  /// How many seasons the club had ended when it was told: a season's end revokes what was given out before it (KK-113).
  public var season: Int
  /// Valid while now is earlier, whole seconds since 1970.
  public var exp: Int64

  public init(tenantSlug: Slug, dienstID: DienstID, team: TeamName, season: Int, exp: Int64) {
    (self.tenantSlug, self.dienstID, self.team) = (tenantSlug, dienstID, team)
    (self.season, self.exp) = (season, exp)
  }
}

public enum CallToActionToken: Hashable, Sendable {
  indirect case issued(CallToActionClaims)
  case text(String)
}

/// O22: one dienst that may be taken over.
public struct TakeoverQuery: Hashable, Sendable {
  public var dienstID: DienstID
  public var tenant: Slug?
  public var token: NotificationToken

  public init(dienstID: DienstID, tenant: Slug? = nil, token: NotificationToken) {
    (self.dienstID, self.tenant, self.token) = (dienstID, tenant, token)
  }

  static let shape = Shape(
    TakeoverQuery.init, Field("id", \.dienstID, .name, in: .path),
    Field("tenant", \.tenant, .omittable(.name), in: .query),
    Field("token", \.token, .token, in: .query))
}

/// O23: a team takes a dienst over.
public struct DienstClaim: Hashable, Sendable {
  public var dienstID: DienstID
  /// Code or id of the team that wants it.
  public var team: TeamName
  public var token: NotificationToken

  public init(dienstID: DienstID, team: TeamName, token: NotificationToken) {
    (self.dienstID, self.team, self.token) = (dienstID, team, token)
  }

  static let shape = Shape(
    DienstClaim.init, Field("id", \.dienstID, .name, in: .path), Field("team_id", \.team, .name),
    Field("notification_token", \.token, .token))
}

/// O24: a team offers its dienst to the others, or no longer.
public struct TransferOffer: Hashable, Sendable {
  public var dienstID: DienstID
  public var offered: Bool

  public init(dienstID: DienstID, offered: Bool) {
    (self.dienstID, self.offered) = (dienstID, offered)
  }

  static let shape = Shape(
    TransferOffer.init, Field("id", \.dienstID, .name, in: .path),
    Field("offered_for_transfer", \.offered, .flag).whenMissing("is not true or false"))
}

/// O25: names entered from a mail, without the app.
public struct CallToAction: Hashable, Sendable {
  public var token: CallToActionToken
  public var names: [String]

  public init(token: CallToActionToken, names: [String]) {
    (self.token, self.names) = (token, names)
  }

  static let shape = Shape(
    CallToAction.init, Field("token", \.token, .token), Field("names", \.names, .strings))
}

/// The answer of O23, with a message, and of O24, without one.
public struct Transfer: Hashable, Sendable {
  public var dienst: Dienst
  public var message: String?

  public init(dienst: Dienst, message: String? = nil) {
    (self.dienst, self.message) = (dienst, message)
  }

  static let shape = Shape(
    { _, message, dienst in Transfer(dienst: dienst, message: message) },
    Field("success", { _ in true }, .flag.only(true)),
    Field("message", \.message, .omittable(.text)), Field("dienst", \.dienst, Dienst.shape.coding))
}

// MARK: - As signed tokens

extension NotificationClaims {
  var payload: JSON {
    [
      "tenant_slug": .name(tenantSlug), "dienst_id": .name(dienstID),
      "holder": holder.map { .name($0) } ?? .null, "round": .number(round),
      "purpose": "claim-dienst",
    ]
  }

  init?(payload: JSON) {
    guard payload["purpose"] == "claim-dienst",
      let tenantSlug: Slug = payload["tenant_slug"]?.name(),
      let dienstID: DienstID = payload["dienst_id"]?.name(), let round = payload["round"]?.int
    else { return nil }
    self.init(
      tenantSlug: tenantSlug, dienstID: dienstID, holder: payload["holder"]?.name(), round: round)
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
      "tenant_slug": .name(tenantSlug), "dienst_id": .name(dienstID), "team": .name(team),
      "season": .number(season), "exp": .int(exp), "purpose": "cta",
    ]
  }

  init?(payload: JSON) {
    guard payload["purpose"] == "cta", let tenantSlug: Slug = payload["tenant_slug"]?.name(),
      let dienstID: DienstID = payload["dienst_id"]?.name(),
      let team: TeamName = payload["team"]?.name(),
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
