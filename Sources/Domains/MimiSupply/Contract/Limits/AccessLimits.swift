import Contracts

extension MimiSupply {
  /// §4.11 Identity and access: MS-101 to MS-110.
  static let accessLimits: [Limit] = [
    Limit(
      "MS-101",
      """
      Everything except reading public data requires sign-in.
      """,
      source: "Seed, requirements.md 1.2"),
    Limit(
      "MS-102",
      """
      Public data is readable by everybody.
      """,
      source: "Seed \"Public Database\""),
    Limit(
      "MS-103",
      """
      Sign-in performs the four steps of the seed: Apple identity, user discovery, profile \
      created or updated (lastActiveAt), role returned for navigation. A returning user \
      never gets a second profile.
      """,
      source: "Seed \"Sign in with Apple\""),
    Limit(
      "MS-104",
      """
      A nonce (32 characters) is accepted once; an identity token must match its hash and \
      be younger than 10 minutes.
      """,
      source: "07_… (nonce against replay); lifetime: Assumption"),
    Limit(
      "MS-105",
      """
      Permissions follow 2.14 and the role lists; admin includes all.
      """,
      source: "Seed \"Rollenbasierte Berechtigungen\", 07_…"),
    Limit(
      "MS-106",
      """
      Isolation: no operation (query, lookup, changes, subscription, error detail, asset \
      URL) discloses a private record outside 2.13; a missing and an invisible record are \
      indistinguishable (only exception: the bare EXISTS for a name that is taken).
      """,
      source: "Seed \"Private Database\""),
    Limit(
      "MS-107",
      """
      Visibility of a driver and their positions ends with the order.
      """,
      source: "Seed (\"Kunden mit aktiven Bestellungen\")"),
    Limit(
      "MS-108",
      """
      Nobody raises their own role, verification, rating or counters.
      """,
      source: "Decision"),
    Limit(
      "MS-109",
      """
      Public records are written only by verified partners (their own) and admins; the \
      only exception is registering and completing one's own unverified Partner profile \
      (2.14).
      """,
      source: "03_…"),
    Limit(
      "MS-110",
      """
      Assets are stored encrypted and readable only through records visible to the caller; \
      download URLs are unguessable and expire after 15 min (Assumption).
      """,
      source: "Seed \"Asset-Verschlüsselung\""),
  ]
}
