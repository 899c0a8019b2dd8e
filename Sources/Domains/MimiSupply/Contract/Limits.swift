import Contracts

extension MimiSupply {
  /// The rules that these operations touch; the statements are the specification's.
  public static let limits: [Limit] = [
    Limit(
      "MS-01", "At most 40 requests per second and user; courier polling does not count.",
      source: "4.1 Platform limits"),
    Limit(
      "MS-03", "All devices and sessions of one user share one budget.",
      source: "4.1 Platform limits"),
    Limit(
      "MS-07", "At most 400 operations per modify request and 2 MB of body.",
      source: "4.1 Platform limits"),
    Limit(
      "MS-09",
      "Batches: independent results in default zones, all-or-nothing in custom zones with atomic.",
      source: "4.1 Platform limits"),
    Limit(
      "MS-67",
      "In offer mode an order has at most one open offer, a driver at most one; an offer lives 30 s.",
      source: "4.7 Drivers and dispatch"),
    Limit(
      "MS-68", "Decline or expiry leads to the next candidate of the round.",
      source: "4.7 Drivers and dispatch"),
    Limit(
      "MS-69", "Of several competing claims exactly one succeeds.",
      source: "4.7 Drivers and dispatch"),
    Limit(
      "MS-82", "The change tag changes with every successful modification and only then.",
      source: "4.9 Concurrency and synchronisation"),
    Limit(
      "MS-83",
      "A write with stale tag changes nothing and returns CONFLICT with server, client and ancestor record.",
      source: "4.9 Concurrency and synchronisation"),
    Limit(
      "MS-93", "Every expected notification arrives exactly once per registered device.",
      source: "4.10 Subscriptions and pushes"),
    Limit(
      "MS-95", "The originating device receives nothing, other devices do.",
      source: "4.10 Subscriptions and pushes"),
    Limit(
      "MS-96", "Payloads have exactly the documented top-level names.",
      source: "4.10 Subscriptions and pushes"),
    Limit(
      "MS-98", "Notifications of one device arrive in commit order.",
      source: "4.10 Subscriptions and pushes"),
    Limit(
      "MS-99", "badge counts the unfetched notifications of the device token.",
      source: "4.10 Subscriptions and pushes"),
  ]
}
