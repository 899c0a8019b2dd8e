import Contracts

extension KantineKoning.Rule {
  /// Reconciliation, removal and reset: KK-65 to KK-87.
  static let reconciliation = Theme<Self>([
    .kk65: Stated(
      """
      When the app comes to the foreground it sends its enrollment state to the backend, \
      automatically.
      """, source: "seed 001 §Enrollment Reconciliation", keeper: .device),
    .kk66: Stated(
      "Request and response have the shape of O4.", source: "seed 001 §Backend integratie"),
    .kk67: Stated(
      "The backend revokes enrollments that no longer exist in the app.",
      source: "seed 001 §Enrollment Reconciliation"),
    .kk68: Stated(
      """
      It removes single teams that are missing from a surviving enrollment and counts them in \
      teams_removed.
      """, source: "seed 001 §Backend integratie"),
    .kk69: Stated(
      "It acts only within the caller's hardware identifier.",
      source: "seed 001 §Backend integratie"),
    .kk70: Stated(
      "It respects enrollment_open: enrollments of a closed tenant are left alone.",
      source: "seed 001 §Backend integratie (meaning D)"),
    .kk71: Stated(
      "It respects season_ended: enrollments of a tenant whose season ended are left alone.",
      source: "seed 001 §Backend integratie (meaning D)"),
    .kk72: Stated(
      """
      Safeguard: the phone syncs only after a successful refresh of tenant info (O11) in the same \
      foreground; if that fails it does not sync.
      """, source: "seed 001 §Enrollment Reconciliation", keeper: .device),
    .kk73: Stated(
      "Safeguard: every team id must map to a team code; one failure aborts the whole sync.",
      source: "seed 001 §Enrollment Reconciliation", keeper: .device),
    .kk74: Stated(
      """
      Throttle: at least 1 hour between syncs; (As built the phone forgets the last sync when its \
      process ends: KK-75, Q1.)
      """, source: "seed 001 §Enrollment Reconciliation", keeper: .device),
    .kk75: Stated(
      """
      The throttle is counted from the last successful sync, is kept in memory per app process and \
      is enforced by the phone, not by the backend.
      """, source: "client", keeper: .device),
    .kk76: Stated(
      """
      Purpose: it repairs inconsistencies left by failed deletions and by a failed "Alles \
      resetten".
      """, source: "seed 001 §Enrollment Reconciliation"),
    .kk77: Stated("Sync never creates, enlarges or re-activates.", source: "specification §4"),
    .kk78: Stated(
      "Sync is all-or-nothing: an invalid item changes nothing.",
      source: "specification (mirror of KK-73)"),
    .kk79: Stated(
      "Sync is idempotent: repeating it at once reports zeros.", source: "specification §4"),
    .kk80: Stated(
      """
      The phone leaves season-ended tenants out of its list, picks the token of its newest \
      enrollment in a tenant that has not ended, and skips the sync when it has no enrollment or \
      no such token.
      """, source: "client", keeper: .device),
    .kk81: Stated(
      "An empty list is refused and changes nothing.",
      source: "specification (client never sends it)"),
    .kk82: Stated(
      """
      Swiping away a team removes it locally and unregisters it at the backend with that team's \
      token (O6; the very last one: Q2).
      """, source: "seed 000/001 §Navigatie; client", keeper: .device),
    .kk83: Stated(
      """
      Swiping away a club removes all its teams locally and at the backend (O7; the very last one: \
      Q2).
      """, source: "seed 000/001 §Navigatie; client", keeper: .device),
    .kk84: Stated(
      """
      "Alles resetten" clears the phone and attempts the clean-up at the backend if a token is at \
      hand (O8). The local part happens whatever the backend answers; (What counts as "at hand" as \
      built: Q3.)
      """, source: "seed 000/001 §Troubleshooting", keeper: .device),
    .kk85: Stated(
      """
      After the last team or club has gone, or after a reset, the app returns by itself to the QR \
      screen.
      """, source: "seed 001 §Navigatie, §Multi-Tenant Issues", keeper: .device),
    .kk86: Stated(
      """
      Removal is complete: after a successful O6/O7/O8 no push, listing or sync sees the removed \
      part.
      """, source: "specification §4"),
    .kk87: Stated(
      "Network trouble is repaired by calling the refresh of diensten by hand.",
      source: "seed 001 §Multi-Tenant Issues", keeper: .device),
  ])
}
