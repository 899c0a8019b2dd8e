import Contracts

extension Kilwinning.Rule {
  /// Offline mode with synchronisation: KW-122 to KW-132.
  static let offline = [
    Theme<Self>(
      "4.9 Offline mode with synchronisation", keptBy: .device,
      [
        .kw122:
          "Every load is cached; offline screens show the cache as stale. Statistics live 300 s, tornate 600 s, but not past a write or a pull.",
        .kw123:
          "A toggle while offline is queued; a newer one for the same tornata replaces it and goes to the end with a new op_id.",
        .kw124:
          "Synchronisation starts by itself when the network is back, and at launch with a queue.",
        .kw125:
          "A run verifies the session, sends the entries in order, one at a time, each with its key, and reloads.",
        .kw126:
          "2xx and final refusals remove an entry; 401 pauses; 429, 5xx and no answer keep it, with at most three attempts a run.",
      ]),
    Theme<Self>(
      "4.9 Offline mode with synchronisation",
      [
        .kw127:
          "Of two devices' writes the one that reaches the server last wins; confirmed_at is its arrival."
      ]),
    Theme<Self>(
      "4.9 Offline mode with synchronisation", keptBy: .device,
      [
        .kw128: "A queue belongs to one fratello; another's entries are not sent.",
        .kw129:
          "Logout discards queue and cache and reports how many entries; expiry discards nothing.",
        .kw130:
          "Statistics shown offline are computed from cache and queue, and shown whenever these hold what it takes.",
        .kw131: "Administration is not available offline and never queued.",
        .kw132:
          "Each entry is applied exactly once or reported: entries = applied + conflicts + kept + discarded.",
      ]),
  ]
}
