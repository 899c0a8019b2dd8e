import Contracts

extension KantineKoning {
  /// Diensten and volunteers: KK-44 to KK-64.
  static let dienstLimits: [Limit] = [
    Limit(
      .kk44,
      "Diensten are fetched per tenant with that tenant's token.",
      source: "seed 000/001 §Diensten en vrijwilligers",
      keeper: .device),
    Limit(
      .kk45,
      "Default window: 365 days back.",
      source: "seed 001 §Diensten en vrijwilligers"),
    Limit(
      .kk46,
      "Default window: 60 days ahead.",
      source: "seed 001 §Diensten en vrijwilligers"),
    Limit(
      .kk47,
      "past_days and future_days change the window.",
      source: "seed 001 §Diensten en vrijwilligers"),
    Limit(
      .kk48,
      "The backend filters on the token's team codes.",
      source: "seed 000/001 §Diensten en vrijwilligers"),
    Limit(
      .kk49,
      "The phone de-duplicates on dienst id over all answers.",
      source: "seed 000/001 §API Design Principes",
      keeper: .device),
    Limit(
      .kk50,
      "Order on the phone: future first (soonest first), then past (latest first).",
      source: "seed 000/001 §Diensten (future first); client (rest)",
      keeper: .device),
    Limit(
      .kk51,
      """
      Of two copies of a dienst the one with the later updated_at wins; a copy with updated_at \
      beats one without; else the later start.
      """,
      source: "client",
      keeper: .device,
      unjudged: "no record shows the copies that the phone weighed against each other"),
    Limit(
      .kk52,
      "updated_at strictly increases with every mutation.",
      source: "specification §4"),
    Limit(
      .kk53,
      """
      Nothing of one tenant is ever readable or writable with a token of another, not even by \
      guessing ids.
      """,
      source: "seed 000/001 §Auth Token Mistakes"),
    Limit(
      .kk54,
      "Only managers add or remove names.",
      source: "seed 000/001 §Vrijwilligersbeheer, §Troubleshooting"),
    Limit(
      .kk55,
      "Members are read-only: no member token changes any dienst.",
      source: "seed 000/001 §Vrijwilligersbeheer"),
    Limit(
      .kk56,
      "Names are added to future diensten only.",
      source: "seed 000/001 §Troubleshooting"),
    Limit(
      .kk57,
      "Names are removed from future diensten only.",
      source: "client"),
    Limit(
      .kk58,
      "A name has at most 15 characters.",
      source: "seed 000/001 §Diensten en vrijwilligers"),
    Limit(
      .kk59,
      "No name twice on a dienst.",
      source: "seed 000/001 §Diensten en vrijwilligers"),
    Limit(
      .kk60,
      "Names are trimmed and must not be empty.",
      source: "client"),
    Limit(
      .kk61,
      """
      The manager's enrollment must cover the dienst's team: else team_access_denied; An open \
      dienst (no team) accepts no names, same code.
      """,
      source: "client; D for the open one"),
    Limit(
      .kk62,
      """
      The answer contains the dienst after the change; the phone then refreshes all diensten.
      """,
      source: "seed 001 §Data Flow; client"),
    Limit(
      .kk63,
      """
      There is no upper limit on names (the app hides the entry field once the minimum is \
      reached).
      """,
      source: "specification §4"),
    Limit(
      .kk64,
      """
      Accepted names are never lost or duplicated: after any interleaving the list equals adds \
      minus removes.
      """,
      source: "specification §4"),
  ]
}
