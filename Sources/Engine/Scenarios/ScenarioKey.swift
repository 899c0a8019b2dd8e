/// A key of a scenario as people are told about it: by the schema, a new scenario's comments and explanations.
public struct ScenarioKey: Hashable, Sendable {
  public let name: String
  public let meaning: String
  /// As a scenario writes it; `nil` for a key that has to be given.
  public let standard: String?
  public let example: String

  init(_ name: String, _ meaning: String, standard: String? = nil, example: String) {
    self.name = name
    self.meaning = meaning
    self.standard = standard
    self.example = example
  }

  /// The outermost keys, in the order in which documentation names them.
  public static let scenario: [ScenarioKey] = [
    .init("rehearsal", "The version of this format.", example: "1"),
    .init(
      "name", "The folder below reports/: letters, digits, '.', '_' and '-'.", example: "saturday"),
    .init(
      "title", "One line for reports.", standard: "the name",
      example: "Match Saturday at forty clubs"),
    .init(
      "starts",
      "When the run begins: date, time of day, and a time zone by its IANA name or an offset.",
      example: "2026-03-21T06:00 Europe/Amsterdam"),
    .init("lasts", "How much virtual time a replication lives through.", example: "18h"),
    .init(
      "seed", "Root seed; each replication's seed is derived from it.", standard: "1",
      example: "1"),
    .init(
      "replications",
      "How often the whole is lived through; quantiles and shares are judged from twenty on, means, rates and counts from ten.",
      standard: "1", example: "20"),
    .init(
      "maximumReplications",
      "How many replications open objectives may cost; they are doubled up to so many.",
      standard: "as many as 'replications'; with a precision eight times as many, 160 at least",
      example: "160"),
    .init(
      "precision",
      "How well the objectives' times, rates and counts have to be known: half the interval over the estimate.",
      standard: "none", example: "5% at 95%"),
    .init(
      "stopEarly",
      "Whether the run ends as soon as a limit is violated or an objective has failed.",
      standard: "off", example: "on"),
    .init(
      "worlds", "The backends, each with its population.", example: "[{domain: DOMAIN}]"),
    .init(
      "timeline",
      "Where time comes from: virtual (as fast as the machine allows) or wall (real time).",
      standard: "virtual", example: "wall"),
    .init(
      "load", "World under load, and its arrival process.", standard: "see its keys",
      example: "{on: DOMAIN, arrivals: even}"),
    .init(
      "phases",
      "How many people come, one phase after the other: sessions that begin (rate) or people at once (people).",
      standard: "people come by their own habits",
      example: "[{name: climb, lasts: 20s, rate: {from: 10/s, to: 50/s}}]"),
    .init(
      "target",
      "Servers that were not started for the run, by domain: where they are, and who the people are to them.",
      standard: "twins, or --target",
      example: "{DOMAIN: {url: \"https://test.example\", feeder: people.csv}}"),
    .init(
      "network", "The way between people and backends.", standard: "see its keys",
      example: "{latency: {lognormal: {median: 60ms, p95: 250ms}}, timeout: 60s}"),
    .init(
      "service", "How the work of a request becomes time: servers with a queue, and prices.",
      standard: "see its keys", example: "{servers: 8, perRowRead: 4us}"),
    .init(
      "exchange", "How far apart regions exchange what they publish.",
      standard: "15min, or a domain's shorter bound", example: "15min"),
    .init(
      "warmup",
      "What latencies leave out at the beginning of each replication; auto: as much as had not settled, where the load is steady.",
      standard: "0s", example: "30min"),
    .init(
      "events", "Commands of an operator at certain moments.", standard: "none",
      example: "[{at: \"10:00\", do: DOMAIN.COMMAND, with: {NAME: value}}]"),
    .init(
      "faults", "What goes wrong between people and a backend for a while.", standard: "none",
      example: "[{from: \"12:00\", to: \"12:10\", on: DOMAIN, kind: answerLost, share: 20%}]"),
    .init(
      "objectives", "What has to hold on top of the documented limits.", standard: "none",
      example: "[\"p95 of DOMAIN.OPERATION < 600ms\", \"errors from 12:00 to 14:00 < 1%\"]"),
    .init(
      "documented", "Whether a limit that nobody exercised counts as failed (all) or not (judged).",
      standard: "judged", example: "judged"),
    .init(
      "inconclusive",
      "Whether what cannot be told, a comparison with a baseline included, ends the run with 98 (fail) or not (warn).",
      standard: "fail", example: "fail"),
  ]

  public static let world: [ScenarioKey] = [
    .init("domain", "Which backend.", example: "DOMAIN"),
    .init(
      "regions",
      "Parts of the world that live side by side; part of the scenario, never of the machine.",
      standard: "1", example: "4"),
    .init("population", "How many live there.", standard: "see its keys", example: "{}"),
    .init(
      "parameters", "How people and network behave.", standard: "see its keys", example: "{}"),
    .init(
      "profile", "A named set of known deviations of real clients.", standard: "documented",
      example: "documented"),
    .init(
      "quirks", "Single deviations on top of the profile's.", standard: "the profile's",
      example: "{Q1: on}"),
    .init(
      "adversaries", "The share of persons who break rules on purpose.", standard: "0%",
      example: "0.5%"),
    .init(
      "haste",
      "How many times faster people think and pause than documented, for short runs before servers.",
      standard: "1", example: "20"),
    .init(
      "rulesOff", "Rules that the backend does not keep, to see their checks turn red.",
      standard: "none", example: "[KK-58]"),
  ]

  public static let load: [ScenarioKey] = [
    .init(
      "on", "The world whose people come.", standard: "the only one", example: "DOMAIN"),
    .init(
      "arrivals", "Arrival process: poisson, or even (evenly spaced).",
      standard: "poisson", example: "even"),
    .init(
      "pause", "Between two sessions of one who stays, where phases say 'people'.",
      standard: "1s", example: "1s"),
    .init(
      "lateness",
      "Maximum p99 send lateness in real time; beyond it the run is invalid.",
      standard: "10ms", example: "10ms"),
    .init(
      "capacity",
      "What has to hold: the run says up to which phase it does, where phases ask for more and more.",
      standard: "none", example: "p99 of DOMAIN.OPERATION < 250ms"),
    .init(
      "atLeast", "The rate up to which that has to hold.", standard: "none", example: "50/s"),
  ]

  public static let phase: [ScenarioKey] = [
    .init("name", "What reports call it.", example: "steady"),
    .init("lasts", "How long.", example: "20s"),
    .init(
      "rate", "Sessions that begin in a second, whatever the backend does.",
      standard: "none", example: "50/s"),
    .init(
      "people", "People who are there at once, each with one session after the other.",
      standard: "none", example: "100"),
    .init(
      "warmup",
      "Whether what was meant for it counts in no latency; only the first phases may say so.",
      standard: "off", example: "on"),
  ]

  public static let server: [ScenarioKey] = [
    .init("url", "Where the only service is.", example: "\"https://test.example\""),
    .init(
      "services",
      "Where each service is, of a domain with several; twin: in this process, so that it signs callers in.",
      standard: "url", example: "{api: \"https://test.example\"}"),
    .init(
      "headers",
      "What every request of a person carries: text with ${row.COLUMN}, ${caller.FACT}, ${env.NAME} and ${token} in it.",
      standard: "none", example: "{Authorization: \"Bearer ${row.token}\"}"),
    .init(
      "feeder", "A CSV or JSON file beside the scenario, with a row for each person.",
      standard: "none", example: "people.csv"),
    .init(
      "rowOf",
      "The fact of a caller, and the feeder's column, by which the row of whoever asks is found.",
      standard: "the n-th person has the n-th row", example: "username"),
    .init(
      "ids",
      "A CSV or JSON file beside the scenario: its columns name and id say what the server calls the population's things.",
      standard: "as the population does", example: "ids.csv"),
    .init(
      "members",
      "What a person is called there: members of requests and answers by their names, and the columns that hold them.",
      standard: "none", example: "{member: login, pin: code}"),
    .init(
      "signIn", "The token endpoint that gives ${token} for each person.", standard: "none",
      example:
        "{url: \"https://id.example/token\", grant: password, client: load, user: \"${row.user}\", password: \"${row.password}\"}"
    ),
    .init(
      "population",
      "Whether it holds the scenario's own population already (prepared), so that checks may go by it.",
      standard: "unknown", example: "prepared"),
  ]

  public static let signIn: [ScenarioKey] = [
    .init(
      "url", "The token endpoint.", standard: "as discovery says",
      example: "\"https://id.example/token\""),
    .init(
      "discovery", "The issuer, or its OpenID Connect description, which names the token endpoint.",
      standard: "none", example: "\"https://id.example/realms/agency\""),
    .init("grant", "clientCredentials or password.", example: "password"),
    .init("client", "The client's name.", example: "load"),
    .init("secret", "The client's secret.", standard: "none", example: "\"${env.SECRET}\""),
    .init("user", "The person's name.", standard: "none", example: "\"${row.user}\""),
    .init("password", "The person's password.", standard: "none", example: "\"${row.password}\""),
    .init("scope", "What is asked for.", standard: "none", example: "openid"),
  ]

  public static let network: [ScenarioKey] = [
    .init(
      "latency", "The round trip without the backend's own time; half of it each way.",
      standard: "{lognormal: {median: 60ms, p95: 250ms}}", example: "{constant: 60ms}"),
    .init(
      "timeout", "How long clients wait for an answer.", standard: "each operation's own",
      example: "60s"),
  ]

  public static let service: [ScenarioKey] = [
    .init("servers", "Servers of each region.", standard: "8", example: "8"),
    .init(
      "capacity",
      "The most requests of a region that wait or are served at once; one more is turned away with a server error.",
      standard: "room for all", example: "200"),
    .init(
      "failures", "How long each server works before it fails, and its repair takes, on average.",
      standard: "none", example: "{up: 6h, down: 5min}"),
    .init(
      "priorities",
      "Operations that free servers take before (first) or after (last) the usual ones.",
      standard: "none", example: "{DOMAIN.OPERATION: first}"),
    .init("perRequest", "Time of any request.", standard: "400us", example: "400us"),
    .init("perRowRead", "Time of a row read.", standard: "4us", example: "4us"),
    .init("perRowWritten", "Time of a row written.", standard: "120us", example: "120us"),
    .init("perMessage", "Time of a message sent.", standard: "300us", example: "300us"),
    .init("perSignature", "Time of a signature made.", standard: "700us", example: "700us"),
  ]

  public static let failures: [ScenarioKey] = [
    .init("up", "The mean time that a server works.", example: "6h"),
    .init("down", "The mean time of its repair.", example: "5min"),
  ]

  /// The key of that name, described as far as anybody did.
  static func named(_ name: String, in keys: [ScenarioKey]) -> ScenarioKey {
    keys.first { $0.name == name } ?? ScenarioKey(name, "", example: "")
  }
}
