import Contracts

extension KantineKoning.Rule {
  /// Onboarding and authentication: KK-24 to KK-43.
  static let onboarding = Theme<Self>([
    .kk24: Stated(
      """
      The manager path is: scan → choose Teammanager → e-mail → allowed teams → choose → request → \
      magic link → register → phase registered.
      """, source: "seed 000/001 §Teammanager", keeper: .device),
    .kk25: Stated(
      """
      The member path is: scan → choose Verenigingslid → search teams → register at once, without \
      e-mail → phase registered, read-only.
      """, source: "seed 000/001 §Verenigingslid", keeper: .device),
    .kk26: Stated(
      "Allowed teams are exactly the teams the address manages; asking for them sends no mail.",
      source: "seed 000/001 §Teammanager; client"),
    .kk27: Stated(
      "Requesting creates no enrollment; only registration with the link's token does.",
      source: "seed 000/001 §Teammanager"),
    .kk28: Stated(
      "Registration returns the signed device token that authenticates all later calls.",
      source: "seed 000/001 §Backend integratie"),
    .kk29: Stated(
      """
      Member registration uses the same endpoint with a token the app builds itself: unsigned, \
      role member, purpose device-enroll, valid 10 minutes, one use.
      """, source: "client", keeper: .device),
    .kk30: Stated(
      """
      An unsigned token grants role member only; manager in an unsigned token is \
      invalid_or_expired_token.
      """, source: "specification §4"),
    .kk31: Stated(
      """
      An enrollment token works once; the second use is invalid_or_expired_token; A use refused \
      for any reason does not consume it.
      """, source: "client (max_uses 1; client-side double-use guard)"),
    .kk32: Stated(
      """
      An unsigned token whose exp lies more than 720 s ahead is refused as \
      invalid_or_expired_token (10 minutes plus 2 minutes clock difference).
      """, source: "specification §4"),
    .kk33: Stated(
      """
      Phases of the app: launching, onboarding, enrollmentPending, registered; Start: registered \
      when the stored model has a tenant, else onboarding; The model is stored in UserDefaults \
      under the key kk_domain_model.
      """, source: "seed 000/001 §Architectuur", keeper: .device),
    .kk34: Stated(
      """
      Every call uses the token of the enrollment (tenant) it is about, chosen by team or by \
      tenant, never a global one.
      """, source: "seed 000/001 §Auth Token Strategy, §API Design Principes", keeper: .device),
    .kk35: Stated(
      "The token contains the team_codes of its enrollment.",
      source: "seed 000/001 §Auth Token Strategy"),
    .kk36: Stated(
      "A token of tenant X used for tenant Y's diensten fails.",
      source: "seed 000/001 §Auth Token Mistakes"),
    .kk37: Stated(
      """
      Using one "primary" token for everything is deprecated: it yields only its own tenant's \
      data.
      """, source: "seed 000/001 §API Call Patterns, §Multi-tenant"),
    .kk38: Stated(
      """
      No endpoint aggregates diensten over tenants; the phone aggregates the answers of its \
      enrollments.
      """, source: "seed 000/001 §API Design Principes"),
    .kk39: Stated(
      "An expired token gives 401; the remedy is a new enrollment.",
      source: "seed 001 §Common Configuration Mistakes"),
    .kk40: Stated(
      """
      The visible team set of a request is the token's team_codes ∩ the enrollment's stored \
      team_codes.
      """, source: "specification (S filter plus removal)"),
    .kk41: Stated(
      """
      401 bodies name token_revoked (+ reason), invalid_token or device_not_found; The client \
      answers: season_ended → the whole tenant is marked season-ended; every other case → only \
      this enrollment is shown as Uitgelogd.
      """, source: "client"),
    .kk42: Stated(
      "One invalid token does not affect the other enrollments of the phone.", source: "client"),
    .kk43: Stated(
      "Diagnostics show at most the first 20 characters of a token.",
      source: "seed 000/001 §Debugging Multi-Tenant Issues", keeper: .device),
  ])
}
