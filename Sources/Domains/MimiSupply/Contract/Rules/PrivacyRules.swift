import Contracts

extension MimiSupply.Rule {
  /// §4.12 Audit, privacy, retention: MS-111 to MS-118.
  static let privacy = Theme<Self>([
    .ms111: """
    Every critical operation is logged exactly once: each sign-in attempt and its result, each \
    successful write to Order, UserProfile, Driver, DeliveryCompletion, Partner, Product (user or \
    system), each read of another person's private record by an admin, data export, account \
    deletion. DriverLocation writes are excluded by default (volume). Event names: login_attempt, \
    login_success, login_failure, data_access, data_modification, permission_denied, \
    suspicious_activity, data_export, account_deletion. Fields: time, event, user, device, app \
    version, details. User actions are thereby traceable per user and device.
    """.stated(in: "Seed \"Audit Logging\"; names 07_…; scope: Decision"),
    .ms112: "The log is append-only, gap-free in sequence, written in the same commit as its cause."
      .stated(in: "Decision"),
    .ms113: "Every ACCESS_DENIED and failed sign-in leaves an entry.".stated(in: "07_…"),
    .ms114: """
    Retention, applied daily at local midnight: audit and system logs 30 days, temporary data \
    (DriverLocation, offers, expired sessions) 24 hours, analytics 90 days, marketing 365 days, \
    contract data (orders, completions) 7 years.
    """.stated(
      in: "Seed \"Compliance-konforme Datenaufbewahrung\"; figures 07_…; classification: Decision",
      unjudged: """
        it shows only in runs that cross two local midnights, which the proving scenario does not; \
        the twin's tests prove it
        """),
    .ms115: """
    Data export contains profile, orders, addresses, payment methods and preferences of the \
    requester as JSON, and nothing of others.
    """.stated(in: "07_…"),
    .ms116: """
    Account deletion removes profile, driver record, positions, tokens and subscriptions. Orders \
    are kept but anonymised: customerId is replaced by a fresh placeholder at once; address \
    (reduced to postal code, city, state, country and coordinates with 2 decimals), instructions \
    and feedback at once for terminal orders and at the terminal commit for active ones, which run \
    on normally. Amounts never change. Owners of partners with active orders of this customer \
    receive, on every registered device, one silent notification per order (content-available, \
    orderid, event = customer_deleted), the only push that needs no subscription. A driver with an \
    order already picked up cannot delete the account until it ends (driver_busy). The Apple id \
    can register anew. Anonymisation is exempt from MS-24 and MS-26.
    """.stated(
      in: """
        07_…, requirements.md 12.6. Read so, with 2.14: an owner whose partner has active orders \
        cannot delete the account until they end (partner_busy); the partner's record then stays, \
        closed and without phone and mail
        """),
    .ms117: """
    Risk score above 0.8 locks an account temporarily and logs suspicious_activity (off by \
    default; the score is injected by the harness).
    """.stated(in: "07_…"),
    .ms118: """
    Consent kinds essential, analytics, marketing, location, notifications, personalization; \
    without location a driver cannot go online (consent_missing), without notifications no pushes \
    are queued. Default: all granted. The schema has no field for them: scenario and inspection \
    interface (section 11) set them.
    """.stated(in: "07_…; effects: Decision"),
  ])
}
