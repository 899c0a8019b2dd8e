import Contracts

extension KantineKoning.Rule {
  /// Push and leaderboard: KK-88 to KK-112.
  static let push = Theme<Self>([
    .kk88: "The phone registers with APNs and hands its token to the backend."
      .stated(in: "seed 000/001 §Push notificaties", keptBy: .device),
    .kk89: "A token update also carries build environment and app version."
      .stated(in: "seed 000/001 §Backend integratie", keptBy: .device),
    .kk90: "One update with any token of the phone covers all its active enrollments."
      .stated(in: "client"),
    .kk91: "A received push makes the phone refresh the list of diensten."
      .stated(
        in: "seed 000/001 §Push notificaties, seed 001 §Single Source of Truth",
        keptBy: .device),
    .kk92: "The APNs environment is chosen by the table of §6.1."
      .stated(in: "seed 001 §Backend Environment Mapping"),
    .kk93: """
    Build schemes: Release Testing = Debug configuration, development, sandbox, full logging \
    (ENABLE_LOGGING=YES, DEBUG); Release = Release configuration, production, production, no \
    logging but errors (ENABLE_LOGGING=NO).
    """.stated(in: "seed 001 §Scheme Configuratie Overzicht", keptBy: .device),
    .kk94: """
    Sending in the wrong environment delivers nothing; it shows as time-outs; Remedy: remove the \
    server's override, or set it to the phones' environment.
    """.stated(in: "seed 001 §Common Configuration Mistakes"),
    .kk95: """
    A device token that is malformed, or that APNs never issued, is answered by APNs with 400; the \
    remedy is to check its format and to enroll anew; (A real token of the other environment: \
    KK-94.)
    """.stated(in: "seed 001 §Common Configuration Mistakes"),
    .kk96: """
    Custom payload keys: tenant_slug and team_code, both non-empty; The phone navigates there only \
    when it is registered and follows that team; otherwise it only refreshes.
    """.stated(in: "client"),
    .kk97: "A tapped push waits at most 2 s for fresh diensten before it shows what it has."
      .stated(in: "client", keptBy: .device),
    .kk98: """
    A token-update log line shows: shortened token, build environment, detected APNs environment, \
    whether the token is new, seconds since the last update, whether a bearer token is present (20 \
    characters of it), result, duration, final APNs environment, and that the token is kept for \
    the next comparison.
    """.stated(in: "seed 001 §APNS Token Logging", keptBy: .device),
    .kk99: """
    One event reaches a phone at most once, whatever its number of enrollments; Revoked \
    enrollments receive nothing.
    """.stated(in: "specification §4"),
    .kk100: "An operator can send a test alert with title and text to one enrollment."
      .stated(in: "seed 001 §Push Notification Issues"),
    .kk101: """
    A tenant board (O17) ranks the teams of one club; a global board (O18) ranks teams of all \
    clubs.
    """.stated(in: "seed 000/001 §Leaderboard"),
    .kk102: "team_id marks the own team (highlighted).".stated(in: "seed 000/001 §Leaderboard"),
    .kk103: """
    The answer holds the top 10 and, when it is outside, the own team; An unknown team_id is \
    ignored (D).
    """.stated(in: "seed 000/001 §Leaderboard"),
    .kk104: "A club may opt out of the global board: its teams are absent there."
      .stated(in: "seed 000/001 §Leaderboard"),
    .kk105: """
    A global request with tenant = an opted-out club is 403 tenant_opted_out; its tenant board \
    still works and reports leaderboard_opt_out: true.
    """.stated(in: "client"),
    .kk106: "One point per hour of dienst.".stated(in: "client (info page)"),
    .kk107: """
    Counted: diensten assigned to the team, not cancelled, eind_tijd ≤ now, start_tijd inside the \
    period; Duration counts once per dienst, not per volunteer, and does not depend on names. \
    total_hours = sum in hours; points = whole hours of that sum, rounded down.
    """.stated(in: "specification §4"),
    .kk108: """
    Order: points, then total minutes (both descending), then naam (case-insensitive), then tenant \
    slug, then code; Rank = 1 + number of rows with more points, or equal points and more minutes; \
    equal rows share a rank (1, 2, 2, 4). The top 10 are the first ten rows of this order, also \
    when a tie crosses the border; (As points are whole hours rounded down, this equals ordering \
    by minutes.)
    """.stated(in: "specification §4"),
    .kk109: """
    Periods: week = Monday to Sunday, month = calendar month, season = 1 August to 31 July, \
    Europe/Amsterdam; Default season.
    """.stated(in: "client"),
    .kk110: """
    recent_change = points earned in the last 7 × 24 h inside the period; position_change = rank 7 \
    × 24 h ago minus rank now, 0 when that instant lies before the period.
    """.stated(in: "client (fields), D (formula)"),
    .kk111: """
    The global board accepts a token of any tenant; the tenant board only the tenant's own.
    """.stated(in: "client"),
    .kk112: "Teams without points take part with 0.".stated(in: "specification §4"),
  ])
}
