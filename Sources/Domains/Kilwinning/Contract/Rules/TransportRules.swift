import Contracts

extension Kilwinning.Rule {
  /// Transport and operation: KW-150 to KW-165.
  static let transport = [
    Theme<Self>([
      .kw150: "All paths start with /api; the port is 3000 unless configured."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "it binds nobody at run time"),
      .kw151: "A GET may carry Content-Type: application/json."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "every simulated request does"),
    ]),
    Theme<Self>(
      "4.13 Transport and operation",
      [
        .kw152:
          "Bodies above 102 400 bytes are refused with 413, malformed JSON with 400; a body of another type counts as empty.",
        .kw153: "An unknown path is 404, a known one with another method 405.",
      ]),
    Theme<Self>(
      "4.13 Transport and operation", keptBy: .device,
      [
        .kw154: "A device waits 30 s for an answer, and online screens do not retry by themselves."
      ]),
    Theme<Self>([
      .kw155: "In process and over HTTP the same calls give the same answers."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "tests compare the two"),
      .kw156: "The API is usable with an ordinary HTTP client."
        .stated(in: "4.13 Transport and operation", keptBy: .nobody, unjudged: "tests ask it so"),
      .kw157: "Keys and date-times have exactly the form of section 2."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "an answer of another form cannot be read"),
      .kw158: "The twin makes no outgoing connection."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "it has no means to"),
      .kw159: "Same seed, scenario and clock give the same state, ids and tokens."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "digests are compared between runs"),
      .kw160: "Every answer carries the CORS headers."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "records hold no headers; tests look at them"),
      .kw161: "appMode enhanced or legacy changes no rule here."
        .stated(in: "4.13 Transport and operation", keptBy: .nobody, unjudged: "optional"),
      .kw162: "iOS 17.0 and macOS 14.0 at least."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "metadata of devices"),
    ]),
    Theme<Self>(
      "4.13 Transport and operation",
      [
        .kw163:
          "Where requests are limited, more than 100 a minute of one address or 1 000 an hour of one fratello are refused with 429 and Retry-After."
      ]),
    Theme<Self>([
      .kw164: "The server logs requests without token, cookie or body."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "reports are searched for tokens by tests"),
      .kw165: "Latencies are judged against limits of the scenario alone."
        .stated(
          in: "4.13 Transport and operation", keptBy: .nobody,
          unjudged: "it binds the harness"),
    ]),
  ]
}
