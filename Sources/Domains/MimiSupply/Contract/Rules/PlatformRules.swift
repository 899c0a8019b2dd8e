import Contracts

extension MimiSupply.Rule {
  /// §4.1 Platform limits: MS-01 to MS-12.
  static let platform = Theme<Self>([
    .ms01: """
    At most 40 requests per second and user. Exactly: a request of user U at time t is admitted if \
    fewer than 40 requests of U were admitted in the interval (t − 1 s, t]. Each HTTP request or \
    in-process call counts once, whatever its batch size and whatever its later result from check \
    5 on. Refused requests do not count. Courier polling and byte uploads do not count. Anonymous \
    callers count per API token and X-Mimi-Device-Id (or peer address).
    """.stated(in: "Seed \"CloudKit Limits\"; window form: Decision"),
    .ms02: """
    A refused request gets 429 THROTTLED, CKErrorRequestRateLimited, retryAfter = time until the \
    next admission would succeed (0 < r ≤ 1 s), and has no effect.
    """.stated(in: "CloudKit; Decision"),
    .ms03: """
    Budgets of different users are independent; all devices and sessions of one user share one \
    budget; system actions are free.
    """.stated(in: "Seed (\"pro Benutzer\")"),
    .ms04: """
    A record (2.1 size) of at most 1 MB is accepted, a larger one is refused with BAD_REQUEST, \
    CKErrorLimitExceeded, reason record_too_large. Applies to the resulting record, so an update \
    can fail too.
    """.stated(in: "Seed"),
    .ms05: """
    An asset of at most 1 GB is accepted, a larger one refused at upload with \
    CKErrorLimitExceeded, reason asset_too_large. (Apple's own figure for Web Services is 50 MB; \
    the seed wins.)
    """.stated(in: "Seed"),
    .ms06: """
    Database size per app at most 1 PB: sum of record sizes and asset sizes over all databases. An \
    asset counts from the commit of the record that refers to it (unreferenced uploads expire \
    after 24 h and do not count). A commit that would exceed the limit is refused with \
    QUOTA_EXCEEDED (413), CKErrorQuotaExceeded; reads, deletions and shrinking updates still work; \
    deletions free space.
    """.stated(
      in: """
        Seed; accounting: Decision. Read so: the side effects of a commit count with it; the audit \
        log, which the twin adds (2.11), does not count, because what still works in a full \
        database leaves entries, too; what timers do is nobody's request and is not refused
        """,
      unjudged: """
        no run fills a petabyte, and a lower limit would meet everybody in the city; the twin's \
        tests prove it
        """),
    .ms07: """
    At most 400 operations per modify request and 2 MB of body (assets not counted), at most 200 \
    records per answer. Excess operations or size: whole request refused, BAD_REQUEST, \
    CKErrorLimitExceeded.
    """.stated(
      in: "CloudKit (native 400 and 2 MB; Web Services document 200 operations — configurable)"),
    .ms08: """
    Media caps: hero image 5 MB, logo 2 MB, product images 10 pieces of 3 MB; reason \
    media_too_large or too_many_images.
    """.stated(in: "03_CloudKit_Backend_Schema.md"),
    .ms09: """
    Batches: independent results in default zones, all-or-nothing in custom zones with atomic.
    """.stated(in: "CloudKit; 03_… (\"transaktional\")"),
    .ms10: "Cursor scans are complete and duplicate-free for undisturbed records."
      .stated(in: "CloudKit; Decision"),
    .ms11: """
    Change feeds deliver every visible change, including deletions, exactly to the latest state.
    """.stated(in: "CloudKit"),
    .ms12: """
    A busy zone answers 503 TRY_AGAIN_LATER, CKErrorZoneBusy with retryAfter, without effect.
    """.stated(in: "Seed error table; CloudKit"),
  ])
}
