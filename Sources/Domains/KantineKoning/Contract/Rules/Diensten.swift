import Contracts

extension KantineKoning.Rule {
  /// Diensten and volunteers: KK-44 to KK-64.
  static let dienst = Theme<Self>([
    .kk44: "Diensten are fetched per tenant with that tenant's token."
      .stated(in: "seed 000/001 §Diensten en vrijwilligers", keptBy: .device),
    .kk45: "Default window: 365 days back.".stated(in: "seed 001 §Diensten en vrijwilligers"),
    .kk46: "Default window: 60 days ahead.".stated(in: "seed 001 §Diensten en vrijwilligers"),
    .kk47: "past_days and future_days change the window."
      .stated(in: "seed 001 §Diensten en vrijwilligers"),
    .kk48: "The backend filters on the token's team codes."
      .stated(in: "seed 000/001 §Diensten en vrijwilligers"),
    .kk49: "The phone de-duplicates on dienst id over all answers."
      .stated(in: "seed 000/001 §API Design Principes", keptBy: .device),
    .kk50: "Order on the phone: future first (soonest first), then past (latest first)."
      .stated(in: "seed 000/001 §Diensten (future first); client (rest)", keptBy: .device),
    .kk51: """
    Of two copies of a dienst the one with the later updated_at wins; a copy with updated_at beats \
    one without; else the later start.
    """.stated(
      in: "client", keptBy: .device,
      unjudged: "no record shows the copies that the phone weighed against each other"),
    .kk52: "updated_at strictly increases with every mutation.".stated(in: "specification §4"),
    .kk53: """
    Nothing of one tenant is ever readable or writable with a token of another, not even by \
    guessing ids.
    """.stated(in: "seed 000/001 §Auth Token Mistakes"),
    .kk54: "Only managers add or remove names."
      .stated(in: "seed 000/001 §Vrijwilligersbeheer, §Troubleshooting"),
    .kk55: "Members are read-only: no member token changes any dienst."
      .stated(in: "seed 000/001 §Vrijwilligersbeheer"),
    .kk56: "Names are added to future diensten only.".stated(in: "seed 000/001 §Troubleshooting"),
    .kk57: "Names are removed from future diensten only.".stated(in: "client"),
    .kk58: "A name has at most \(KantineKoning.longestName)."
      .stated(in: "seed 000/001 §Diensten en vrijwilligers"),
    .kk59: "No name twice on a dienst.".stated(in: "seed 000/001 §Diensten en vrijwilligers"),
    .kk60: "Names are trimmed and must not be empty.".stated(in: "client"),
    .kk61: """
    The manager's enrollment must cover the dienst's team: else team_access_denied; An open dienst \
    (no team) accepts no names, same code.
    """.stated(in: "client; D for the open one"),
    .kk62: "The answer contains the dienst after the change; the phone then refreshes all diensten."
      .stated(in: "seed 001 §Data Flow; client"),
    .kk63: """
    There is no upper limit on names (the app hides the entry field once the minimum is reached).
    """.stated(in: "specification §4"),
    .kk64: """
    Accepted names are never lost or duplicated: after any interleaving the list equals adds minus \
    removes.
    """.stated(in: "specification §4"),
  ])
}
