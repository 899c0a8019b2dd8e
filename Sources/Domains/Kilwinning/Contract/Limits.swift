import Contracts

extension Kilwinning {
  /// The rules that these operations touch; the statements are the specification's.
  public static let limits: [Limit] =
    Limit.stated(
      under: "4.1 Login and session",
      [
        "KW-002": "Login needs only nome; there is no password.",
        "KW-004":
          "An unknown name is refused with 401, a missing one with 400; no session is created.",
        "KW-006": "A login never invalidates other sessions; one fratello may hold any number.",
        "KW-011":
          "A cookie is accepted as session where no Authorization header is present; else the header decides.",
        "KW-013": "A session is valid until 28 800 s after it was last verified, inclusive.",
        "KW-014": "Only login and a successful verification move the session's time forward.",
      ])
    + Limit.stated(
      under: "4.5 Presenze",
      [
        "KW-060": "O10 writes the presenza of the session's own fratello.",
        "KW-061": "A foreign fratello_id is refused with 403, except from an administrator.",
        "KW-063": "One record per fratello and tornata; later writes overwrite in place.",
        "KW-072":
          "A repeat with the same key, fratello and body within 24 h gets the first answer and changes nothing; with another body 409.",
      ])
    + Limit.stated(
      under: "4.9 Offline mode with synchronisation", keptBy: .device,
      [
        "KW-123": "An offline queue holds at most one entry per fratello and tornata.",
        "KW-125":
          "A run verifies the session, sends the entries in order, one at a time, each with its key, and reloads.",
        "KW-126":
          "2xx and final refusals remove an entry; 401 pauses; 429, 5xx and no answer keep it, with at most three attempts a run.",
      ])
    + Limit.stated(
      under: "4.9 Offline mode with synchronisation",
      [
        "KW-127": "Of two devices' writes the one that reaches the server last wins."
      ])
    + Limit.stated(
      under: "4.9 Offline mode with synchronisation", keptBy: .device,
      [
        "KW-128": "A queue belongs to one fratello; another's entries are not sent.",
        "KW-132":
          "Entries are applied exactly once or reported: entries = applied + conflicts + kept + discarded.",
      ])
    + Limit.stated(
      under: "4.13 Transport and operation",
      [
        "KW-152": "Bodies above 102 400 bytes are refused with 413, malformed JSON with 400."
      ])
    + Limit.stated(
      under: "4.13 Transport and operation", keptBy: .device,
      [
        "KW-154": "A device waits 30 s for an answer."
      ])
}
