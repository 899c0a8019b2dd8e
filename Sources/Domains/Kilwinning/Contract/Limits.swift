import Contracts

extension Kilwinning {
  /// The rules that these operations touch; the statements are the specification's.
  public static let limits: [Limit] = [
    Limit(
      "KW-002", "Login needs only nome; there is no password.", source: "4.1 Login and session"),
    Limit(
      "KW-004",
      "An unknown name is refused with 401, a missing one with 400; no session is created.",
      source: "4.1 Login and session"),
    Limit(
      "KW-006", "A login never invalidates other sessions; one fratello may hold any number.",
      source: "4.1 Login and session"),
    Limit(
      "KW-011",
      "A cookie is accepted as session where no Authorization header is present; else the header decides.",
      source: "4.1 Login and session"),
    Limit(
      "KW-013", "A session is valid until 28 800 s after it was last verified, inclusive.",
      source: "4.1 Login and session"),
    Limit(
      "KW-014", "Only login and a successful verification move the session's time forward.",
      source: "4.1 Login and session"),
    Limit(
      "KW-060", "O10 writes the presenza of the session's own fratello.", source: "4.5 Presenze"),
    Limit(
      "KW-061", "A foreign fratello_id is refused with 403, except from an administrator.",
      source: "4.5 Presenze"),
    Limit(
      "KW-063", "One record per fratello and tornata; later writes overwrite in place.",
      source: "4.5 Presenze"),
    Limit(
      "KW-072",
      "A repeat with the same key, fratello and body within 24 h gets the first answer and changes nothing; with another body 409.",
      source: "4.5 Presenze"),
    Limit(
      "KW-123", "An offline queue holds at most one entry per fratello and tornata.",
      source: "4.9 Offline mode with synchronisation", keeper: .device),
    Limit(
      "KW-125",
      "A run verifies the session, sends the entries in order, one at a time, each with its key, and reloads.",
      source: "4.9 Offline mode with synchronisation", keeper: .device),
    Limit(
      "KW-126",
      "2xx and final refusals remove an entry; 401 pauses; 429, 5xx and no answer keep it, with at most three attempts a run.",
      source: "4.9 Offline mode with synchronisation", keeper: .device),
    Limit(
      "KW-127", "Of two devices' writes the one that reaches the server last wins.",
      source: "4.9 Offline mode with synchronisation"),
    Limit(
      "KW-128", "A queue belongs to one fratello; another's entries are not sent.",
      source: "4.9 Offline mode with synchronisation", keeper: .device),
    Limit(
      "KW-132",
      "Entries are applied exactly once or reported: entries = applied + conflicts + kept + discarded.",
      source: "4.9 Offline mode with synchronisation", keeper: .device),
    Limit(
      "KW-152", "Bodies above 102 400 bytes are refused with 413, malformed JSON with 400.",
      source: "4.13 Transport and operation"),
    Limit(
      "KW-154", "A device waits 30 s for an answer.", source: "4.13 Transport and operation",
      keeper: .device),
  ]
}
