import Contracts

extension KantineKoning.Rule {
  /// Onboarding and authentication: KK-24 to KK-43.
  static let onboarding = Theme<Self>([
    .kk24: """
    The manager path is: scan → choose Teammanager → e-mail → allowed teams → choose → request → \
    magic link → register → phase registered.
    """.stated(in: "seed 000/001 §Teammanager", keptBy: .device),
    .kk25: """
    The member path is: scan → choose Verenigingslid → search teams → register at once, without \
    e-mail → phase registered, read-only.
    """.stated(in: "seed 000/001 §Verenigingslid", keptBy: .device),
    .kk26: "Allowed teams are exactly the teams the address manages; asking for them sends no mail."
      .stated(in: "seed 000/001 §Teammanager; client"),
    .kk27: "Requesting creates no enrollment; only registration with the link's token does."
      .stated(in: "seed 000/001 §Teammanager"),
    .kk28: "Registration returns the signed device token that authenticates all later calls."
      .stated(in: "seed 000/001 §Backend integratie"),
    .kk29: """
    Member registration uses the same endpoint with a token the app builds itself: unsigned, role \
    member, purpose device-enroll, valid 10 minutes, one use.
    """.stated(in: "client", keptBy: .device),
    .kk30: """
    An unsigned token grants role member only; manager in an unsigned token is \
    invalid_or_expired_token.
    """.stated(in: "specification §4"),
    .kk31: """
    An enrollment token works once; the second use is invalid_or_expired_token; A use refused for \
    any reason does not consume it.
    """.stated(in: "client (max_uses 1; client-side double-use guard)"),
    .kk32: """
    An unsigned token whose exp lies more than 720 s ahead is refused as invalid_or_expired_token \
    (10 minutes plus 2 minutes clock difference).
    """.stated(in: "specification §4"),
    .kk33: """
    Phases of the app: launching, onboarding, enrollmentPending, registered; Start: registered \
    when the stored model has a tenant, else onboarding; The model is stored in UserDefaults under \
    the key kk_domain_model.
    """.stated(in: "seed 000/001 §Architectuur", keptBy: .device),
    .kk34: """
    Every call uses the token of the enrollment (tenant) it is about, chosen by team or by tenant, \
    never a global one.
    """.stated(in: "seed 000/001 §Auth Token Strategy, §API Design Principes", keptBy: .device),
    .kk35: "The token contains the team_codes of its enrollment."
      .stated(in: "seed 000/001 §Auth Token Strategy"),
    .kk36: "A token of tenant X used for tenant Y's diensten fails."
      .stated(in: "seed 000/001 §Auth Token Mistakes"),
    .kk37: """
    Using one "primary" token for everything is deprecated: it yields only its own tenant's data.
    """.stated(in: "seed 000/001 §API Call Patterns, §Multi-tenant"),
    .kk38: """
    No endpoint aggregates diensten over tenants; the phone aggregates the answers of its \
    enrollments.
    """.stated(in: "seed 000/001 §API Design Principes"),
    .kk39: "An expired token gives 401; the remedy is a new enrollment."
      .stated(in: "seed 001 §Common Configuration Mistakes"),
    .kk40: """
    The visible team set of a request is the token's team_codes ∩ the enrollment's stored \
    team_codes.
    """.stated(in: "specification (S filter plus removal)"),
    .kk41: """
    401 bodies name token_revoked (+ reason), invalid_token or device_not_found; The client \
    answers: season_ended → the whole tenant is marked season-ended; every other case → only this \
    enrollment is shown as Uitgelogd.
    """.stated(in: "client"),
    .kk42: "One invalid token does not affect the other enrollments of the phone."
      .stated(in: "client"),
    .kk43: "Diagnostics show at most the first 20 characters of a token."
      .stated(in: "seed 000/001 §Debugging Multi-Tenant Issues", keptBy: .device),
  ])
}
