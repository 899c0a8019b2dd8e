import Contracts

extension KantineKoning.Rule {
  /// Diensten and volunteers: KK-44 to KK-64.
  static let dienst = Theme<Self>([
    .kk44: Stated(
      "Diensten are fetched per tenant with that tenant's token.",
      source: "seed 000/001 §Diensten en vrijwilligers", keeper: .device),
    .kk45: Stated("Default window: 365 days back.", source: "seed 001 §Diensten en vrijwilligers"),
    .kk46: Stated("Default window: 60 days ahead.", source: "seed 001 §Diensten en vrijwilligers"),
    .kk47: Stated(
      "past_days and future_days change the window.",
      source: "seed 001 §Diensten en vrijwilligers"),
    .kk48: Stated(
      "The backend filters on the token's team codes.",
      source: "seed 000/001 §Diensten en vrijwilligers"),
    .kk49: Stated(
      "The phone de-duplicates on dienst id over all answers.",
      source: "seed 000/001 §API Design Principes", keeper: .device),
    .kk50: Stated(
      "Order on the phone: future first (soonest first), then past (latest first).",
      source: "seed 000/001 §Diensten (future first); client (rest)", keeper: .device),
    .kk51: Stated(
      """
      Of two copies of a dienst the one with the later updated_at wins; a copy with updated_at \
      beats one without; else the later start.
      """, source: "client", keeper: .device,
      unjudged: "no record shows the copies that the phone weighed against each other"),
    .kk52: Stated("updated_at strictly increases with every mutation.", source: "specification §4"),
    .kk53: Stated(
      """
      Nothing of one tenant is ever readable or writable with a token of another, not even by \
      guessing ids.
      """, source: "seed 000/001 §Auth Token Mistakes"),
    .kk54: Stated(
      "Only managers add or remove names.",
      source: "seed 000/001 §Vrijwilligersbeheer, §Troubleshooting"),
    .kk55: Stated(
      "Members are read-only: no member token changes any dienst.",
      source: "seed 000/001 §Vrijwilligersbeheer"),
    .kk56: Stated(
      "Names are added to future diensten only.", source: "seed 000/001 §Troubleshooting"),
    .kk57: Stated("Names are removed from future diensten only.", source: "client"),
    .kk58: Stated(
      "A name has at most 15 characters.", source: "seed 000/001 §Diensten en vrijwilligers"),
    .kk59: Stated("No name twice on a dienst.", source: "seed 000/001 §Diensten en vrijwilligers"),
    .kk60: Stated("Names are trimmed and must not be empty.", source: "client"),
    .kk61: Stated(
      """
      The manager's enrollment must cover the dienst's team: else team_access_denied; An open \
      dienst (no team) accepts no names, same code.
      """, source: "client; D for the open one"),
    .kk62: Stated(
      "The answer contains the dienst after the change; the phone then refreshes all diensten.",
      source: "seed 001 §Data Flow; client"),
    .kk63: Stated(
      """
      There is no upper limit on names (the app hides the entry field once the minimum is \
      reached).
      """, source: "specification §4"),
    .kk64: Stated(
      """
      Accepted names are never lost or duplicated: after any interleaving the list equals adds \
      minus removes.
      """, source: "specification §4"),
  ])
}
