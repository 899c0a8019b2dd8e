import Contracts

extension MimiSupply.Rule {
  /// §4.11 Identity and access: MS-101 to MS-110.
  static let access = Theme<Self>([
    .ms101: "Everything except reading public data requires sign-in."
      .stated(in: "Seed, requirements.md 1.2"),
    .ms102: "Public data is readable by everybody.".stated(in: "Seed \"Public Database\""),
    .ms103: """
    Sign-in performs the four steps of the seed: Apple identity, user discovery, profile created \
    or updated (lastActiveAt), role returned for navigation. A returning user never gets a second \
    profile.
    """.stated(in: "Seed \"Sign in with Apple\""),
    .ms104: """
    A nonce (32 characters) is accepted once; an identity token must match its hash and be younger \
    than 10 minutes.
    """.stated(in: "07_… (nonce against replay); lifetime: Assumption"),
    .ms105: "Permissions follow 2.14 and the role lists; admin includes all."
      .stated(in: "Seed \"Rollenbasierte Berechtigungen\", 07_…"),
    .ms106: """
    Isolation: no operation (query, lookup, changes, subscription, error detail, asset URL) \
    discloses a private record outside 2.13; a missing and an invisible record are \
    indistinguishable (only exception: the bare EXISTS for a name that is taken).
    """.stated(in: "Seed \"Private Database\""),
    .ms107: "Visibility of a driver and their positions ends with the order."
      .stated(in: "Seed (\"Kunden mit aktiven Bestellungen\")"),
    .ms108: "Nobody raises their own role, verification, rating or counters."
      .stated(in: "Decision"),
    .ms109: """
    Public records are written only by verified partners (their own) and admins; the only \
    exception is registering and completing one's own unverified Partner profile (2.14).
    """.stated(in: "03_…"),
    .ms110: """
    Assets are stored encrypted and readable only through records visible to the caller; download \
    URLs are unguessable and expire after 15 min (Assumption).
    """.stated(in: "Seed \"Asset-Verschlüsselung\""),
  ])
}
