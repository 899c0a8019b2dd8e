import Contracts

extension KantineKoning.Rule {
  /// Device identity and the enrollment model: KK-01 to KK-23.
  static let identity = Theme<Self>([
    .kk01: Stated(
      """
      The hardware identifier is the iOS vendor UUID alone; it is not combined with the bundle id.
      """, source: "seed 001 §Backend Enrollment Storage", keeper: .device),
    .kk02: Stated(
      """
      The hardware identifier is the only link between the enrollments of one phone and is the \
      same in all of them.
      """, source: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    .kk03: Stated(
      """
      device_id identifies an enrollment, not a phone; it is unique within its tenant and differs \
      between all enrollments of one phone.
      """, source: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    .kk04: Stated(
      """
      The identifier stays the same over app updates, normal use, iOS updates, and delete + \
      reinstall while another app of the vendor remains installed.
      """, source: "seed 001 §identifierForVendor Behavior", keeper: .device),
    .kk05: Stated(
      """
      The identifier changes on a TestFlight ↔ App Store switch, possibly between TestFlight \
      builds, on delete + reinstall of the vendor's only app, and on device restore or reset.
      """,
      source: """
        seed 001 §identifierForVendor Behavior (P: \
        developer.apple.com/documentation/uikit/uidevice/identifierforvendor says the same of \
        reinstalls and test builds)
        """, keeper: .device),
    .kk06: Stated(
      "A changed identifier is a new device to the backend: nothing is carried over.",
      source: "seed 001 §identifierForVendor Behavior"),
    .kk07: Stated(
      """
      When the app comes to the foreground with the new identifier, the active enrollments of the \
      old one are revoked within 1 hour.
      """, source: "seed 001 §identifierForVendor Behavior"),
    .kk08: Stated(
      "Phones that only take App Store updates never lose an enrollment through KK-07.",
      source: "seed 001 §identifierForVendor Behavior"),
    .kk09: Stated(
      "One test session sticks to one distribution method.",
      source: "seed 001 §identifierForVendor Behavior (testing advice)", keeper: .nobody,
      unjudged: "advice to testers, not behaviour of the backend"),
    .kk10: Stated(
      """
      An empty or absent identifier links nothing: two phones without identifier never share \
      scope, limit or deletion.
      """, source: "specification §4"),
    .kk11: Stated(
      "One enrollment = one tenant + an explicit set of teams + one own token.",
      source: "seed 000/001 §Enrollment Model"),
    .kk12: Stated(
      """
      One phone may hold several enrollments, also several in one tenant (e.g. manager of two \
      teams and, separately, member of a third) and in several tenants.
      """, source: "seed 000/001 §Enrollment Model, §Enrollment Complexity"),
    .kk13: Stated(
      "Roles are manager and member, held per enrollment, and may differ per tenant.",
      source: "seed 000/001 §Multi-tenant"),
    .kk14: Stated(
      "At most 5 teams in total per user, over all tenants.",
      source: "seed 000/001 §Multi-tenant, §Troubleshooting"),
    .kk15: Stated(
      "The limit is enforced both when a manager enrolls and when a member registers.",
      source: "seed 000/001 §Troubleshooting"),
    .kk16: Stated(
      "Cross-tenant look-ups use hardware identifier + status = active.",
      source: "seed 000/001 §Backend Enrollment Storage"),
    .kk17: Stated(
      "Enrollments live in one shared table, not per tenant.",
      source: "seed 000/001 §Backend Enrollment Storage", keeper: .nobody,
      unjudged: "the table layout is not observable (§4)"),
    .kk18: Stated(
      "Onboarding needs no account or password.", source: "seed 000/001 §Accountloze onboarding",
      keeper: .nobody, unjudged: "the contract has no account and no password"),
    .kk19: Stated(
      "A (device, tenant, team) triple belongs to at most one active enrollment.",
      source: "specification (C: the client keeps one entry per team)"),
    .kk20: Stated(
      """
      A team followed as member may be upgraded to manager; the member right for it disappears and \
      the team counts once.
      """, source: "client (role selection, history)"),
    .kk21: Stated(
      "A team already managed cannot be added as member: team_conflict.",
      source: "client (search filter, error text)"),
    .kk22: Stated(
      """
      Registering again for teams the device already follows in the same role supersedes the older \
      enrollment instead of failing.
      """, source: "specification (§8, point 3)"),
    .kk23: Stated(
      """
      enrollment_open = false: O1, O2 and O3 are refused with enrollment_closed; existing \
      enrollments keep working.
      """, source: "seed 001 §Backend integratie (field), client history"),
  ])
}
