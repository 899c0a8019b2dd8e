import Contracts

extension MimiSupply.Rule {
  /// §4.11 Identity and access: MS-101 to MS-110.
  static let access = Theme<Self>([
    .ms101: Stated(
      "Everything except reading public data requires sign-in.",
      source: "Seed, requirements.md 1.2"),
    .ms102: Stated("Public data is readable by everybody.", source: "Seed \"Public Database\""),
    .ms103: Stated(
      """
      Sign-in performs the four steps of the seed: Apple identity, user discovery, profile created \
      or updated (lastActiveAt), role returned for navigation. A returning user never gets a \
      second profile.
      """, source: "Seed \"Sign in with Apple\""),
    .ms104: Stated(
      """
      A nonce (32 characters) is accepted once; an identity token must match its hash and be \
      younger than 10 minutes.
      """, source: "07_… (nonce against replay); lifetime: Assumption"),
    .ms105: Stated(
      "Permissions follow 2.14 and the role lists; admin includes all.",
      source: "Seed \"Rollenbasierte Berechtigungen\", 07_…"),
    .ms106: Stated(
      """
      Isolation: no operation (query, lookup, changes, subscription, error detail, asset URL) \
      discloses a private record outside 2.13; a missing and an invisible record are \
      indistinguishable (only exception: the bare EXISTS for a name that is taken).
      """, source: "Seed \"Private Database\""),
    .ms107: Stated(
      "Visibility of a driver and their positions ends with the order.",
      source: "Seed (\"Kunden mit aktiven Bestellungen\")"),
    .ms108: Stated(
      "Nobody raises their own role, verification, rating or counters.", source: "Decision"),
    .ms109: Stated(
      """
      Public records are written only by verified partners (their own) and admins; the only \
      exception is registering and completing one's own unverified Partner profile (2.14).
      """, source: "03_…"),
    .ms110: Stated(
      """
      Assets are stored encrypted and readable only through records visible to the caller; \
      download URLs are unguessable and expire after 15 min (Assumption).
      """, source: "Seed \"Asset-Verschlüsselung\""),
  ])
}
