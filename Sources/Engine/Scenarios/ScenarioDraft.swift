import Contracts
import Timekeeping

/// A commented scenario to start from: small enough to run in seconds, with every setting of its domain in sight.
public struct ScenarioDraft: Sendable {
  public var name: String
  public var declaration: WorldDeclaration
  /// When the domain's people are about: `2026-03-21T06:00 Europe/Amsterdam`.
  public var starts: String
  public var lasts: Span
  /// Settings of the population that keep it small.
  public var population: [(name: String, value: Setting.Value)]
  /// Domains that the draft could have been about, with their titles.
  public var domains: [(domain: String, title: String)]

  public init(
    name: String, declaration: WorldDeclaration, starts: String, lasts: Span,
    population: [(name: String, value: Setting.Value)],
    domains: [(domain: String, title: String)]
  ) {
    self.name = name
    self.declaration = declaration
    self.starts = starts
    self.lasts = lasts
    self.population = population
    self.domains = domains
  }

  /// The file's text; `rehearse check` accepts it.
  public var text: String {
    let domain = declaration.domain
    let others = domains.filter { $0.domain != domain }.map { "\($0.domain) (\($0.title))" }
    return """
      # A first scenario. Lines that begin with '# ' explain, keys behind '#' show what else may stand there.
      #   rehearse check \(name).yaml      is it right?
      #   rehearse explain \(name).yaml    every value, where it comes from, and what a run will cost
      #   rehearse run \(name).yaml        run it; the report lands in reports/\(name)/latest/

      rehearsal: 1
      name: \(plainOrQuoted)
      title: \(Self.quoted("First steps with \(declaration.title)"))

      # When it begins, in local time, and how much virtual time each replication lives through.
      starts: \(starts)
      lasts: \(lasts)

      # The same seed gives the same run. Quantiles are judged from twenty replications on.
      seed: 1
      replications: 20

      worlds:
        # \(declaration.title).\(others.isEmpty ? "" : " Other domains: \(others.joined(separator: ", ")).")
        - domain: \(domain)
          # Parts of the world that live side by side; they also divide the work.
          regions: 1
          # How many live there.
          population:\(population.isEmpty ? " {}" : "")
      \(population.map { "      \($0.name): \($0.value)" }.joined(separator: "\n"))
      \(Self.comments(declaration.population.filter { !isGiven($0) }, indent: 6))
          # How people and network behave; each line shows its default.
      \(parameters)
      \(profiles)
          # Who breaks rules on purpose: a rule that nobody tries to break has not been checked.
          adversaries: 2%

      # The way to the backend, and the prices by which its work becomes time.
      network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
      service: {servers: 8, perRowRead: 4us}
      \(barrierInterval)
      \(examples)
      # What has to hold beside the documented limits. Not to know is not to hold, unless you say 'warn'.
      objectives:
        - errors of \(domain) < 5%
      \(objectives)
      inconclusive: warn

      """.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        String(line.reversed().drop { $0 == " " }.reversed())
      }.joined(separator: "\n")
  }

  /// The reader says what is wrong with a name, not YAML.
  private var plainOrQuoted: String {
    name.contains(/^[A-Za-z0-9][A-Za-z0-9._-]*$/) ? name : Self.quoted(name)
  }

  private func isGiven(_ setting: Setting) -> Bool {
    population.contains { $0.name == setting.name }
  }

  /// One of them is given, so that others can be added below it.
  private var parameters: String {
    let declared = declaration.parameters
    guard let shown = declared.first(where: { $0.name == "requestLost" }) ?? declared.first else {
      return "    parameters: {}"
    }
    return """
          parameters:
            \(shown.name): \(shown.standard)   # \(Self.oneLine(shown.meaning))
      \(Self.comments(declared.filter { $0.name != shown.name }, indent: 6))
      """
  }

  private static func comments(_ settings: [Setting], indent: Int) -> String {
    let pad = String(repeating: " ", count: indent)
    return settings.map { "\(pad)# \($0.name): \($0.standard)   # \(Self.oneLine($0.meaning))" }
      .joined(separator: "\n")
  }

  private var profiles: String {
    guard declaration.profiles.count > 1 || !declaration.quirks.isEmpty else { return "" }
    let names = declaration.profiles.map(\.name).joined(separator: ", ")
    let quirks = declaration.quirks.map { "    #   \($0.id): \(Self.oneLine($0.meaning))" }
    return
      (["    # Known deviations of real clients, by profile (\(names)) or one by one:"] + quirks
      + ["    profile: \(Reading.standard(of: declaration).name)"]).joined(separator: "\n")
  }

  private var barrierInterval: String {
    guard let longest = declaration.longestBarrierInterval else { return "exchange: 15min" }
    return "exchange: \(min(longest, .hours(1)))"
  }

  private var examples: String {
    let domain = declaration.domain
    return """

      # What else may happen. 'rehearse domains \(domain) events' lists the commands of an operator.
      # events: [{at: "+1h", do: \(domain).COMMAND, with: {NAME: value}}]
      # faults: [{from: "+1h", to: "+70min", on: \(domain), kind: answerLost, share: 20%}]

      """
  }

  private var objectives: String {
    let domain = declaration.domain
    let operations = declaration.operations.filter { $0.kind == .product }.prefix(3)
    let latencies = declaration.business.prefix(2)
    return
      (operations.map { "  # - p95 of \(domain).\($0.name) < 600ms" }
      + latencies.map { "  # - p90 of \(domain).\($0) < 10min" }).joined(separator: "\n")
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    let kept = text.unicodeScalars.filter {
      $0 != "\"" && $0 != "\\" && !Character($0).isNewline
    }
    return "\"" + String(String.UnicodeScalarView(kept)) + "\""
  }
}
