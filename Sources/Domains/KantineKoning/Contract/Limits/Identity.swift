import Contracts

extension KantineKoning {
  /// Device identity and the enrollment model: KK-01 to KK-23.
  static let identityLimits: [Limit] = [
    Limit(
      .kk01,
      """
      The hardware identifier is the iOS vendor UUID alone; it is not combined with the bundle \
      id.
      """,
      source: "seed 001 §Backend Enrollment Storage",
      keeper: .device),
    Limit(
      .kk02,
      """
      The hardware identifier is the only link between the enrollments of one phone and is the \
      same in all of them.
      """,
      source: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    Limit(
      .kk03,
      """
      device_id identifies an enrollment, not a phone; it is unique within its tenant and differs \
      between all enrollments of one phone.
      """,
      source: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    Limit(
      .kk04,
      """
      The identifier stays the same over app updates, normal use, iOS updates, and delete + \
      reinstall while another app of the vendor remains installed.
      """,
      source: "seed 001 §identifierForVendor Behavior",
      keeper: .device),
    Limit(
      .kk05,
      """
      The identifier changes on a TestFlight ↔ App Store switch, possibly between TestFlight \
      builds, on delete + reinstall of the vendor's only app, and on device restore or reset.
      """,
      source: """
        seed 001 §identifierForVendor Behavior (P: \
        developer.apple.com/documentation/uikit/uidevice/identifierforvendor says the same of \
        reinstalls and test builds)
        """,
      keeper: .device),
    Limit(
      .kk06,
      "A changed identifier is a new device to the backend: nothing is carried over.",
      source: "seed 001 §identifierForVendor Behavior"),
    Limit(
      .kk07,
      """
      When the app comes to the foreground with the new identifier, the active enrollments of the \
      old one are revoked within 1 hour.
      """,
      source: "seed 001 §identifierForVendor Behavior"),
    Limit(
      .kk08,
      "Phones that only take App Store updates never lose an enrollment through KK-07.",
      source: "seed 001 §identifierForVendor Behavior"),
    Limit(
      .kk09,
      "One test session sticks to one distribution method.",
      source: "seed 001 §identifierForVendor Behavior (testing advice)",
      keeper: .nobody,
      unjudged: "advice to testers, not behaviour of the backend"),
    Limit(
      .kk10,
      """
      An empty or absent identifier links nothing: two phones without identifier never share \
      scope, limit or deletion.
      """,
      source: "specification §4"),
    Limit(
      .kk11,
      "One enrollment = one tenant + an explicit set of teams + one own token.",
      source: "seed 000/001 §Enrollment Model"),
    Limit(
      .kk12,
      """
      One phone may hold several enrollments, also several in one tenant (e.g. manager of two \
      teams and, separately, member of a third) and in several tenants.
      """,
      source: "seed 000/001 §Enrollment Model, §Enrollment Complexity"),
    Limit(
      .kk13,
      "Roles are manager and member, held per enrollment, and may differ per tenant.",
      source: "seed 000/001 §Multi-tenant"),
    Limit(
      .kk14,
      "At most 5 teams in total per user, over all tenants.",
      source: "seed 000/001 §Multi-tenant, §Troubleshooting"),
    Limit(
      .kk15,
      "The limit is enforced both when a manager enrolls and when a member registers.",
      source: "seed 000/001 §Troubleshooting"),
    Limit(
      .kk16,
      "Cross-tenant look-ups use hardware identifier + status = active.",
      source: "seed 000/001 §Backend Enrollment Storage"),
    Limit(
      .kk17,
      "Enrollments live in one shared table, not per tenant.",
      source: "seed 000/001 §Backend Enrollment Storage",
      keeper: .nobody,
      unjudged: "the table layout is not observable (§4)"),
    Limit(
      .kk18,
      "Onboarding needs no account or password.",
      source: "seed 000/001 §Accountloze onboarding",
      keeper: .nobody,
      unjudged: "the contract has no account and no password"),
    Limit(
      .kk19,
      "A (device, tenant, team) triple belongs to at most one active enrollment.",
      source: "specification (C: the client keeps one entry per team)"),
    Limit(
      .kk20,
      """
      A team followed as member may be upgraded to manager; the member right for it disappears \
      and the team counts once.
      """,
      source: "client (role selection, history)"),
    Limit(
      .kk21,
      "A team already managed cannot be added as member: team_conflict.",
      source: "client (search filter, error text)"),
    Limit(
      .kk22,
      """
      Registering again for teams the device already follows in the same role supersedes the \
      older enrollment instead of failing.
      """,
      source: "specification (§8, point 3)"),
    Limit(
      .kk23,
      """
      enrollment_open = false: O1, O2 and O3 are refused with enrollment_closed; existing \
      enrollments keep working.
      """,
      source: "seed 001 §Backend integratie (field), client history"),
  ]
}
