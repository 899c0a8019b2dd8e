import Contracts

extension Kilwinning.Rule {
  /// Device: launch, secure store, login flow: KW-110 to KW-121.
  static let launching = [
    Theme<Self>(
      "4.8 Device: launch, secure store, login flow", keptBy: .device,
      [
        .kw110:
          "Token, user id and session timestamp live in the secure store alone; saving replaces."
      ]),
    Theme<Self>([
      .kw111: "The token appears in no plain store, cache, queue, widget, log, trace or report."
        .stated(
          in: "4.8 Device: launch, secure store, login flow", keptBy: .device,
          unjudged:
            "records tell whose session it is, and tests look for tokens in what is written")
    ]),
    Theme<Self>(
      "4.8 Device: launch, secure store, login flow", keptBy: .device,
      [
        .kw112:
          "The device takes a session for expired more than 28 800 s after its timestamp, or without one.",
        .kw113:
          "Clearing the session removes token, user id and timestamp; clearing all removes the biometric enrolment too.",
        .kw114:
          "A launch without a live session leads to the login screen and sends no verification; with one it verifies, renews the timestamp or clears the session.",
        .kw115:
          "A launch with a live session but without network shows cached data and clears nothing.",
        .kw116:
          "The login screen loads the list; after success id, token and timestamp are saved and the dashboard opens.",
        .kw117: "Logout clears everything on the device, also where the call fails.",
        .kw118:
          "The dashboard loads statistics of all years and planned tornate together, and lists the first three to come.",
        .kw119: "Next are the planned tornate that begin later than now.",
        .kw120:
          "Each write is followed by exactly one load of the statistics; a row changes only after success.",
        .kw121:
          "The presenze screen loads presenze, tornate and statistics of its anno together and filters by iniziazione itself.",
      ]),
  ]
}
