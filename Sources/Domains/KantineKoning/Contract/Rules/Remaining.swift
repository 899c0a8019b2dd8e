import Contracts

extension KantineKoning.Rule {
  /// Seasons, takeover, links and the client's architecture: KK-113 to KK-140.
  static let remaining = Theme<Self>([
    .kk113: """
    Ending a season revokes every token of the tenant (token_revoked, season_ended), revokes its \
    enrollments and closes enrollment; other tenants of the same phones go on.
    """.stated(in: "client history"),
    .kk114: """
    A season-ended tenant stays visible in O11 with its teams; its season summary (O20) stays \
    public.
    """.stated(in: "client"),
    .kk115: """
    Resetting deletes the season's data and the revoked enrollments: old tokens give \
    device_not_found, the summary of a deleted team gives 410, of a never existing team 404. New \
    enrollments are possible at once.
    """.stated(in: "client history, D"),
    .kk116: """
    Achievements in the summary: ≥ 40 h "Kantine Kampioen"; ≥ 5 diensten starting before 10:00 \
    local "Vroege Vogel"; ≥ 10 at weekends "Weekend Warrior"; ≥ 20 diensten "Trouwe Vrijwilliger"; \
    Counted as KK-107 over the season.
    """.stated(in: "client"),
    .kk117: """
    A dienst is available for takeover when it is future, not cancelled, and has no team or is \
    offered.
    """.stated(in: "client"),
    .kk118: "Exactly one of several simultaneous claims wins; a team cannot claim its own dienst."
      .stated(in: "client history"),
    .kk119: """
    After offering, the team stays responsible until another takes over; withdrawing hides the \
    dienst again.
    """.stated(in: "client"),
    .kk120: "A manager's e-mail stays on while push does not work.".stated(in: "client"),
    .kk121: "Search of clubs and teams, banners and season summary need no token."
      .stated(in: "client"),
    .kk122: """
    Banners: tenant banners only with tenant; global ones always; the client sorts by \
    display_order.
    """.stated(in: "client"),
    .kk123: "Accepted QR payloads are those of §6.2."
      .stated(
        in: "seed 000/001 §QR-payloads", keptBy: .device,
        unjudged: """
          payloads cause no request of their own, so no record shows them; the table test of the \
          grammar does
          """),
    .kk124: """
    A payload may be nested: any URL whose data parameter contains one of the accepted URLs.
    """.stated(
      in: "seed 000/001 §QR-payloads", keptBy: .device,
      unjudged: """
        payloads cause no request of their own, so no record shows them; the table test of the \
        grammar does
        """),
    .kk125: "The magic link exists as app scheme and as web link on the product's domain (§6.3)."
      .stated(
        in: "seed 000/001 §Deep links", keptBy: .device,
        unjudged: """
          links cause no request of their own, so no record shows them; the table test of the \
          grammar does
          """),
    .kk126: """
    The CTA link kantinekoning://cta/shift-volunteer?token= opens a placeholder that only clears \
    the pending CTA.
    """.stated(
      in: "seed 000/001 §Deep links", keptBy: .device,
      unjudged: """
        the link sends nothing, and no record shows what is not sent; the table test of the \
        grammar does
        """),
    .kk127: "Anything else is ignored without side effect."
      .stated(
        in: "client", keptBy: .device,
        unjudged: "what is ignored leaves no record; the table test of the grammar shows it"),
    .kk128: """
    AppStore owns the phases; AppStore.upcoming is the only source of diensten for the whole app; \
    screens look a dienst up by id each time; No cache to invalidate; data stays in memory after \
    the first load.
    """.stated(in: "seed 001 §Single Source of Truth, §Data Flow, §Voordelen", keptBy: .device),
    .kk129: "EnrollmentRepository and DienstRepository make all HTTP calls through BackendClient."
      .stated(
        in: "seed 000/001 §Architectuur", keptBy: .nobody,
        unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk130: "Club logos are cached in memory only (CachedAsyncImage)."
      .stated(
        in: "seed 001 §CachedAsyncImage", keptBy: .nobody,
        unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk131: """
    Logging: debug and success only in debug builds; info and warning in both; error always; \
    Production builds show errors only (system log) plus a runtime switch; ENABLE_LOGGING turns \
    full logging on; The build reports itself as a release-testing or a production build and \
    whether logging is on.
    """.stated(
      in: "seed 001 §Log Categorieën, §Build Configuratie, §Logging Configuratie Opties",
      keptBy: .nobody,
      unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk132: """
    Log domains: volunteer, network, auth, email, push, leaderboard, qr, enrollment; plus \
    bootstrap, sections, HTTP request/response with timing, user interaction, performance, view \
    lifecycle.
    """.stated(
      in: "seed 001 §Log Categorieën, §Structured Debug Logging", keptBy: .nobody,
      unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk133: """
    Errors are categorised automatically and shown to the user where asked for; own errors include \
    "network unavailable" and "validation failed"; uncaught exceptions are logged in debug and \
    reported to a service in production.
    """.stated(
      in: "seed 001 §Global Error Handling", keptBy: .nobody,
      unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk134: "Entitlements: Release Testing → aps-environment: development, Release → production."
      .stated(in: "seed 001 §Scheme vs Build Environment Mapping", keptBy: .device),
    .kk135: """
    Release scheme for the App Store, Release Testing for daily testing; wrong scheme shows as an \
    unexpected APNs environment.
    """.stated(
      in: "seed 001 §Scheme Usage Guidelines, §Common Configuration Mistakes",
      keptBy: .nobody,
      unjudged:
        "advice to testers; what a wrong scheme looks like is judged by KK-92 to KK-94 and KK-134"),
    .kk136: "Simulator rebuilds may lose tokens and enrollments; the remedy is enrolling again."
      .stated(
        in: "seed 001 §Multi-Tenant Issues", keptBy: .nobody,
        unjudged: "a rebuild is a reinstalled app with another identifier, which KK-06 judges"),
    .kk137: """
    Permissions: camera (QR), notifications (diensten and CTAs); A refused notification permission \
    means no APNs token.
    """.stated(in: "seed 000/001 §Permissions", keptBy: .device),
    .kk138: """
    Requirements: iOS 16.0+, Xcode 15.0+, Swift 5.9+; no set-up beyond building, optionally \
    API_BASE_URL. (Client 2.4.2 itself targets iOS 17.6.)
    """.stated(
      in: "seed 000/001 §Requirements, §Setup", keptBy: .nobody,
      unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk139: """
    Export compliance: ITSAppUsesNonExemptEncryption = NO; only the system's standard encryption.
    """.stated(
      in: "seed 001 §Export Compliance", keptBy: .nobody,
      unjudged: "client only: no effect that the backend or a record shows (§4.13)"),
    .kk140: """
    Navigation: Home → Verenigingen → Teams → Diensten; swipe-delete on the club and team levels, \
    volunteers on the last.
    """.stated(
      in: "seed 000/001 §Navigatie", keptBy: .nobody,
      unjudged: "navigation inside the app; its swipes are judged by KK-82 and KK-83"),
  ])
}
