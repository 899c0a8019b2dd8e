import Contracts

extension KantineKoning.Rule {
  /// Push and leaderboard: KK-88 to KK-112.
  static let push = Theme<Self>([
    .kk88: Stated(
      "The phone registers with APNs and hands its token to the backend.",
      source: "seed 000/001 §Push notificaties", keeper: .device),
    .kk89: Stated(
      "A token update also carries build environment and app version.",
      source: "seed 000/001 §Backend integratie", keeper: .device),
    .kk90: Stated(
      "One update with any token of the phone covers all its active enrollments.",
      source: "client"),
    .kk91: Stated(
      "A received push makes the phone refresh the list of diensten.",
      source: "seed 000/001 §Push notificaties, seed 001 §Single Source of Truth", keeper: .device),
    .kk92: Stated(
      "The APNs environment is chosen by the table of §6.1.",
      source: "seed 001 §Backend Environment Mapping"),
    .kk93: Stated(
      """
      Build schemes: Release Testing = Debug configuration, development, sandbox, full logging \
      (ENABLE_LOGGING=YES, DEBUG); Release = Release configuration, production, production, no \
      logging but errors (ENABLE_LOGGING=NO).
      """, source: "seed 001 §Scheme Configuratie Overzicht", keeper: .device),
    .kk94: Stated(
      """
      Sending in the wrong environment delivers nothing; it shows as time-outs; Remedy: remove the \
      server's override, or set it to the phones' environment.
      """, source: "seed 001 §Common Configuration Mistakes"),
    .kk95: Stated(
      """
      A device token that is malformed, or that APNs never issued, is answered by APNs with 400; \
      the remedy is to check its format and to enroll anew; (A real token of the other \
      environment: KK-94.)
      """, source: "seed 001 §Common Configuration Mistakes"),
    .kk96: Stated(
      """
      Custom payload keys: tenant_slug and team_code, both non-empty; The phone navigates there \
      only when it is registered and follows that team; otherwise it only refreshes.
      """, source: "client"),
    .kk97: Stated(
      "A tapped push waits at most 2 s for fresh diensten before it shows what it has.",
      source: "client", keeper: .device),
    .kk98: Stated(
      """
      A token-update log line shows: shortened token, build environment, detected APNs \
      environment, whether the token is new, seconds since the last update, whether a bearer token \
      is present (20 characters of it), result, duration, final APNs environment, and that the \
      token is kept for the next comparison.
      """, source: "seed 001 §APNS Token Logging", keeper: .device),
    .kk99: Stated(
      """
      One event reaches a phone at most once, whatever its number of enrollments; Revoked \
      enrollments receive nothing.
      """, source: "specification §4"),
    .kk100: Stated(
      "An operator can send a test alert with title and text to one enrollment.",
      source: "seed 001 §Push Notification Issues"),
    .kk101: Stated(
      """
      A tenant board (O17) ranks the teams of one club; a global board (O18) ranks teams of all \
      clubs.
      """, source: "seed 000/001 §Leaderboard"),
    .kk102: Stated(
      "team_id marks the own team (highlighted).", source: "seed 000/001 §Leaderboard"),
    .kk103: Stated(
      """
      The answer holds the top 10 and, when it is outside, the own team; An unknown team_id is \
      ignored (D).
      """, source: "seed 000/001 §Leaderboard"),
    .kk104: Stated(
      "A club may opt out of the global board: its teams are absent there.",
      source: "seed 000/001 §Leaderboard"),
    .kk105: Stated(
      """
      A global request with tenant = an opted-out club is 403 tenant_opted_out; its tenant board \
      still works and reports leaderboard_opt_out: true.
      """, source: "client"),
    .kk106: Stated("One point per hour of dienst.", source: "client (info page)"),
    .kk107: Stated(
      """
      Counted: diensten assigned to the team, not cancelled, eind_tijd ≤ now, start_tijd inside \
      the period; Duration counts once per dienst, not per volunteer, and does not depend on \
      names. total_hours = sum in hours; points = whole hours of that sum, rounded down.
      """, source: "specification §4"),
    .kk108: Stated(
      """
      Order: points, then total minutes (both descending), then naam (case-insensitive), then \
      tenant slug, then code; Rank = 1 + number of rows with more points, or equal points and more \
      minutes; equal rows share a rank (1, 2, 2, 4). The top 10 are the first ten rows of this \
      order, also when a tie crosses the border; (As points are whole hours rounded down, this \
      equals ordering by minutes.)
      """, source: "specification §4"),
    .kk109: Stated(
      """
      Periods: week = Monday to Sunday, month = calendar month, season = 1 August to 31 July, \
      Europe/Amsterdam; Default season.
      """, source: "client"),
    .kk110: Stated(
      """
      recent_change = points earned in the last 7 × 24 h inside the period; position_change = rank \
      7 × 24 h ago minus rank now, 0 when that instant lies before the period.
      """, source: "client (fields), D (formula)"),
    .kk111: Stated(
      "The global board accepts a token of any tenant; the tenant board only the tenant's own.",
      source: "client"),
    .kk112: Stated("Teams without points take part with 0.", source: "specification §4"),
  ])
}
