import Contracts

extension KantineKoning.Rule {
  /// Device identity and the enrollment model: KK-01 to KK-23.
  static let identity = Theme<Self>([
    .kk01: """
    The hardware identifier is the iOS vendor UUID alone; it is not combined with the bundle id.
    """.stated(in: "seed 001 §Backend Enrollment Storage", keptBy: .device),
    .kk02: """
    The hardware identifier is the only link between the enrollments of one phone and is the same \
    in all of them.
    """.stated(in: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    .kk03: """
    device_id identifies an enrollment, not a phone; it is unique within its tenant and differs \
    between all enrollments of one phone.
    """.stated(in: "seed 000/001 §Enrollment Complexity, §Backend Enrollment Storage"),
    .kk04: """
    The identifier stays the same over app updates, normal use, iOS updates, and delete + \
    reinstall while another app of the vendor remains installed.
    """.stated(in: "seed 001 §identifierForVendor Behavior", keptBy: .device),
    .kk05: """
    The identifier changes on a TestFlight ↔ App Store switch, possibly between TestFlight builds, \
    on delete + reinstall of the vendor's only app, and on device restore or reset.
    """.stated(
      in: """
        seed 001 §identifierForVendor Behavior (P: \
        developer.apple.com/documentation/uikit/uidevice/identifierforvendor says the same of \
        reinstalls and test builds)
        """, keptBy: .device),
    .kk06: "A changed identifier is a new device to the backend: nothing is carried over."
      .stated(in: "seed 001 §identifierForVendor Behavior"),
    .kk07: """
    When the app comes to the foreground with the new identifier, the active enrollments of the \
    old one are revoked within 1 hour.
    """.stated(in: "seed 001 §identifierForVendor Behavior"),
    .kk08: "Phones that only take App Store updates never lose an enrollment through KK-07."
      .stated(in: "seed 001 §identifierForVendor Behavior"),
    .kk09: "One test session sticks to one distribution method."
      .stated(
        in: "seed 001 §identifierForVendor Behavior (testing advice)", keptBy: .nobody,
        unjudged: "advice to testers, not behaviour of the backend"),
    .kk10: """
    An empty or absent identifier links nothing: two phones without identifier never share scope, \
    limit or deletion.
    """.stated(in: "specification §4"),
    .kk11: "One enrollment = one tenant + an explicit set of teams + one own token."
      .stated(in: "seed 000/001 §Enrollment Model"),
    .kk12: """
    One phone may hold several enrollments, also several in one tenant (e.g. manager of two teams \
    and, separately, member of a third) and in several tenants.
    """.stated(in: "seed 000/001 §Enrollment Model, §Enrollment Complexity"),
    .kk13: "Roles are manager and member, held per enrollment, and may differ per tenant."
      .stated(in: "seed 000/001 §Multi-tenant"),
    .kk14: "At most 5 teams in total per user, over all tenants."
      .stated(in: "seed 000/001 §Multi-tenant, §Troubleshooting"),
    .kk15: "The limit is enforced both when a manager enrolls and when a member registers."
      .stated(in: "seed 000/001 §Troubleshooting"),
    .kk16: "Cross-tenant look-ups use hardware identifier + status = active."
      .stated(in: "seed 000/001 §Backend Enrollment Storage"),
    .kk17: "Enrollments live in one shared table, not per tenant."
      .stated(
        in: "seed 000/001 §Backend Enrollment Storage", keptBy: .nobody,
        unjudged: "the table layout is not observable (§4)"),
    .kk18: "Onboarding needs no account or password."
      .stated(
        in: "seed 000/001 §Accountloze onboarding", keptBy: .nobody,
        unjudged: "the contract has no account and no password"),
    .kk19: "A (device, tenant, team) triple belongs to at most one active enrollment."
      .stated(in: "specification (C: the client keeps one entry per team)"),
    .kk20: """
    A team followed as member may be upgraded to manager; the member right for it disappears and \
    the team counts once.
    """.stated(in: "client (role selection, history)"),
    .kk21: "A team already managed cannot be added as member: team_conflict."
      .stated(in: "client (search filter, error text)"),
    .kk22: """
    Registering again for teams the device already follows in the same role supersedes the older \
    enrollment instead of failing.
    """.stated(in: "specification (§8, point 3)"),
    .kk23: """
    enrollment_open = false: O1, O2 and O3 are refused with enrollment_closed; existing \
    enrollments keep working.
    """.stated(in: "seed 001 §Backend integratie (field), client history"),
  ])
}
