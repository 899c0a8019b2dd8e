import Contracts

extension KantineKoning.Rule {
  /// Reconciliation, removal and reset: KK-65 to KK-87.
  static let reconciliation = Theme<Self>([
    .kk65: """
    When the app comes to the foreground it sends its enrollment state to the backend, \
    automatically.
    """.stated(in: "seed 001 §Enrollment Reconciliation", keptBy: .device),
    .kk66: "Request and response have the shape of O4.".stated(in: "seed 001 §Backend integratie"),
    .kk67: "The backend revokes enrollments that no longer exist in the app."
      .stated(in: "seed 001 §Enrollment Reconciliation"),
    .kk68: """
    It removes single teams that are missing from a surviving enrollment and counts them in \
    teams_removed.
    """.stated(in: "seed 001 §Backend integratie"),
    .kk69: "It acts only within the caller's hardware identifier."
      .stated(in: "seed 001 §Backend integratie"),
    .kk70: "It respects enrollment_open: enrollments of a closed tenant are left alone."
      .stated(in: "seed 001 §Backend integratie (meaning D)"),
    .kk71: "It respects season_ended: enrollments of a tenant whose season ended are left alone."
      .stated(in: "seed 001 §Backend integratie (meaning D)"),
    .kk72: """
    Safeguard: the phone syncs only after a successful refresh of tenant info (O11) in the same \
    foreground; if that fails it does not sync.
    """.stated(in: "seed 001 §Enrollment Reconciliation", keptBy: .device),
    .kk73: "Safeguard: every team id must map to a team code; one failure aborts the whole sync."
      .stated(in: "seed 001 §Enrollment Reconciliation", keptBy: .device),
    .kk74: """
    Throttle: at least 1 hour between syncs; (As built the phone forgets the last sync when its \
    process ends: KK-75, Q1.)
    """.stated(in: "seed 001 §Enrollment Reconciliation", keptBy: .device),
    .kk75: """
    The throttle is counted from the last successful sync, is kept in memory per app process and \
    is enforced by the phone, not by the backend.
    """.stated(in: "client", keptBy: .device),
    .kk76: """
    Purpose: it repairs inconsistencies left by failed deletions and by a failed "Alles resetten".
    """.stated(in: "seed 001 §Enrollment Reconciliation"),
    .kk77: "Sync never creates, enlarges or re-activates.".stated(in: "specification §4"),
    .kk78: "Sync is all-or-nothing: an invalid item changes nothing."
      .stated(in: "specification (mirror of KK-73)"),
    .kk79: "Sync is idempotent: repeating it at once reports zeros.".stated(in: "specification §4"),
    .kk80: """
    The phone leaves season-ended tenants out of its list, picks the token of its newest \
    enrollment in a tenant that has not ended, and skips the sync when it has no enrollment or no \
    such token.
    """.stated(in: "client", keptBy: .device),
    .kk81: "An empty list is refused and changes nothing."
      .stated(in: "specification (client never sends it)"),
    .kk82: """
    Swiping away a team removes it locally and unregisters it at the backend with that team's \
    token (O6; the very last one: Q2).
    """.stated(in: "seed 000/001 §Navigatie; client", keptBy: .device),
    .kk83: """
    Swiping away a club removes all its teams locally and at the backend (O7; the very last one: \
    Q2).
    """.stated(in: "seed 000/001 §Navigatie; client", keptBy: .device),
    .kk84: """
    "Alles resetten" clears the phone and attempts the clean-up at the backend if a token is at \
    hand (O8). The local part happens whatever the backend answers; (What counts as "at hand" as \
    built: Q3.)
    """.stated(in: "seed 000/001 §Troubleshooting", keptBy: .device),
    .kk85: """
    After the last team or club has gone, or after a reset, the app returns by itself to the QR \
    screen.
    """.stated(in: "seed 001 §Navigatie, §Multi-Tenant Issues", keptBy: .device),
    .kk86: """
    Removal is complete: after a successful O6/O7/O8 no push, listing or sync sees the removed \
    part.
    """.stated(in: "specification §4"),
    .kk87: "Network trouble is repaired by calling the refresh of diensten by hand."
      .stated(in: "seed 001 §Multi-Tenant Issues", keptBy: .device),
  ])
}
