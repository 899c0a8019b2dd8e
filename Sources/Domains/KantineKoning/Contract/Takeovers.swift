import Contracts

/// What a notification token says: the right to take over one dienst from its present holder (§2.6).
public struct NotificationClaims: TokenClaims {
  public var tenantSlug: Slug, dienstID: DienstID
  /// The id of the team that has the dienst; `nil` while nobody has it.
  public var holder: TeamName?
  /// Which offer of the dienst it belongs to: a takeover, a withdrawn offer and a new assignment each begin another.
  public var round: Int

  public init(tenantSlug: Slug, dienstID: DienstID, holder: TeamName?, round: Int) {
    (self.tenantSlug, self.dienstID) = (tenantSlug, dienstID)
    (self.holder, self.round) = (holder, round)
  }

  public static let shape = Shape(
    NotificationClaims.init, Field("tenant_slug", \.tenantSlug, .name),
    Field("dienst_id", \.dienstID, .name), Field("holder", \.holder, .optional(.name)),
    Field("round", \.round, .int).then("purpose", .text) { _ in "claim-dienst" })
}

/// What the token in a manager's mail says: names may be entered on one dienst of one team until it begins (O25).
public struct CallToActionClaims: TokenClaims {
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

  public static let shape = Shape(
    CallToActionClaims.init, Field("tenant_slug", \.tenantSlug, .name),
    Field("dienst_id", \.dienstID, .name), Field("team", \.team, .name),
    Field("season", \.season, .int),
    Field("exp", \.exp, .whole).then("purpose", .text) { _ in "cta" })
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
