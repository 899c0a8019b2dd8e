import Contracts

extension Kilwinning.Rule {
  /// Transport and operation: KW-150 to KW-165.
  static let transport = [
    Theme<Self>([
      .kw150: Stated(
        "All paths start with /api; the port is 3000 unless configured.",
        source: "4.13 Transport and operation", keeper: .nobody,
        unjudged: "it binds nobody at run time"),
      .kw151: Stated(
        "A GET may carry Content-Type: application/json.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "every simulated request does"),
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
      .kw155: Stated(
        "In process and over HTTP the same calls give the same answers.",
        source: "4.13 Transport and operation", keeper: .nobody, unjudged: "tests compare the two"),
      .kw156: Stated(
        "The API is usable with an ordinary HTTP client.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "tests ask it so"),
      .kw157: Stated(
        "Keys and date-times have exactly the form of section 2.",
        source: "4.13 Transport and operation", keeper: .nobody,
        unjudged: "an answer of another form cannot be read"),
      .kw158: Stated(
        "The twin makes no outgoing connection.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "it has no means to"),
      .kw159: Stated(
        "Same seed, scenario and clock give the same state, ids and tokens.",
        source: "4.13 Transport and operation", keeper: .nobody,
        unjudged: "digests are compared between runs"),
      .kw160: Stated(
        "Every answer carries the CORS headers.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "records hold no headers; tests look at them"),
      .kw161: Stated(
        "appMode enhanced or legacy changes no rule here.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "optional"),
      .kw162: Stated(
        "iOS 17.0 and macOS 14.0 at least.", source: "4.13 Transport and operation",
        keeper: .nobody, unjudged: "metadata of devices"),
    ]),
    Theme<Self>(
      "4.13 Transport and operation",
      [
        .kw163:
          "Where requests are limited, more than 100 a minute of one address or 1 000 an hour of one fratello are refused with 429 and Retry-After."
      ]),
    Theme<Self>([
      .kw164: Stated(
        "The server logs requests without token, cookie or body.",
        source: "4.13 Transport and operation", keeper: .nobody,
        unjudged: "reports are searched for tokens by tests"),
      .kw165: Stated(
        "Latencies are judged against limits of the scenario alone.",
        source: "4.13 Transport and operation", keeper: .nobody, unjudged: "it binds the harness"),
    ]),
  ]
}
