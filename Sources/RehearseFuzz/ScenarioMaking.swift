import Contracts
import Scenarios
import Timekeeping

/// Writes scenarios from what the domains declare: sensible ones, ones at the edges of everything that is allowed, and broken ones.
struct ScenarioMaking {
  enum Kind: String, CaseIterable { case valid, edge, broken }

  var stream: RandomStream
  let kind: Kind
  let declarations: [WorldDeclaration]

  /// - Parameter number: Which scenario of the seed; each is made from (seed, number) alone.
  init(seed: UInt64, number: Int, declarations: [WorldDeclaration]) {
    stream = RandomStream(seed: seed, owner: UInt64(number), purpose: 7)
    self.declarations = declarations
    kind = Kind.allCases[stream.pick(weights: [5, 3, 2])]
  }

  mutating func text() -> String {
    let whole = scenario()
    guard kind == .broken else { return whole }
    return (0..<stream.pick(1..<4)).reduce(whole) { text, _ in broken(text) }
  }

  // MARK: - The keys

  private static let zones = [
    "Europe/Amsterdam", "Europe/Berlin", "UTC", "America/New_York", "Asia/Kathmandu",
    "Pacific/Apia", "Australia/Lord_Howe",
  ]
  private static let starts = [
    "2026-03-21T08:00", "2026-03-28T18:30", "2026-12-31T23:59:59", "2026-03-29T01:59",
    "2026-10-25T00:30", "1970-01-02T00:00", "2199-12-30T12:00", "2024-02-29T11:00",
  ]

  private mutating func scenario() -> String {
    var worlds: [WorldDeclaration] = []
    for declaration in declarations where stream.chance(0.6) { worlds.append(declaration) }
    if worlds.isEmpty { worlds = [stream.pick(declarations)] }
    let lasts = stream.pick([60, 61, 90, 3_600, 7_200, 64_800])
    let replications = stream.pick([1, 1, 2, 10, 20])
    let starts =
      isBold ? stream.pick(Self.starts) : "2026-03-21T\(stream.pick(["08", "12", "18"])):00"
    let zone = isBold ? stream.pick(Self.zones) : "Europe/Amsterdam"
    var lines = [
      "rehearsal: 1", "name: fuzz", "starts: \(starts) \(zone)",
      "lasts: \(isBold && stream.chance(0.2) ? stream.pick(["1s", "3653d", "1h"]) : "\(lasts)s")",
      "replications: \(replications)",
    ]
    func sometimes(_ share: Double, _ line: () -> String) {
      if stream.chance(share) { lines.append(line()) }
    }
    sometimes(0.5) { "seed: \(stream.pick(["0", "1", "\(UInt64.max)", "4711"]))" }
    sometimes(0.2) { "title: \(stream.pick(["A day", "\"<b>&'\"", "\"% \\\\ ` é 🇳🇱\""]))" }
    sometimes(0.2) { "maximumReplications: \(stream.pick([replications, 20, 160, 10_000]))" }
    sometimes(0.1) {
      "precision: \(stream.pick(["5% at 95%", "0.0001% at 50%", "99% at 99.999%"]))"
    }
    sometimes(0.2) { "stopEarly: \(stream.pick(["on", "off"]))" }
    sometimes(0.4) { "network: \(network())" }
    sometimes(0.4) { "service: \(service())" }
    sometimes(0.4) { "exchange: \(stream.pick(["1s", "15s", "15min", "30d", "1h"]))" }
    sometimes(0.2) { "warmup: \(stream.pick(["0s", "1ns", "30s", "59s", "auto", "auto"]))" }
    sometimes(0.2) { "documented: \(stream.pick(["all", "judged"]))" }
    sometimes(0.3) { "inconclusive: \(stream.pick(["warn", "fail"]))" }
    sometimes(0.3) { "faults: [\(several(3) { $0.fault(worlds, lasts) })]" }
    sometimes(0.3) { "events: [\(several(2) { $0.event(worlds, lasts) })]" }
    sometimes(0.5) { "objectives: [\(several(4) { $0.objective(worlds) })]" }
    lines.append("worlds:")
    lines += worlds.map { "  - \(world($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether to go to an edge.
  private var isBold: Bool {
    mutating get { stream.chance(kind == .edge ? 0.5 : 0.05) }
  }

  private mutating func several(_ most: Int, _ make: (inout Self) -> String) -> String {
    (0..<stream.pick(1..<most + 1)).map { _ in make(&self) }.joined(separator: ", ")
  }

  private mutating func network() -> String {
    let latency = stream.pick([
      "{constant: 0s}", "{constant: 1h}", "{constant: 60ms}", "{uniform: {from: 0s, to: 1ns}}",
      "{uniform: {from: 20ms, to: 1h}}", "{exponential: {mean: 1ns}}", "{exponential: 1h}",
      "{lognormal: {median: 1ns, p95: 1h}}", "{lognormal: {median: 60ms, p95: 250ms}}",
    ])
    let timeout = stream.pick(["", "", ", timeout: 1ns", ", timeout: 1d", ", timeout: 60s"])
    return "{latency: \(latency)\(timeout)}"
  }

  private mutating func service() -> String {
    var parts = ["servers: \(stream.pick([1, 8, 100_000]))"]
    for price in ["perRequest", "perRowRead", "perRowWritten", "perMessage", "perSignature"]
    where stream.chance(0.3) {
      parts.append("\(price): \(stream.pick(["0s", "1ns", "4us", "1ms", "1min"]))")
    }
    if stream.chance(0.3) {
      parts.append("capacity: \(stream.pick([1, 8, 20, 100_000, 10_000_000]))")
    }
    if stream.chance(0.3) {
      parts.append(
        "failures: {up: \(stream.pick(["1s", "1h", "3653d"])), down: \(stream.pick(["1ms", "5min", "30d"]))}"
      )
    }
    if stream.chance(0.3), let world = declarations.first {
      let names = world.operations.filter { $0.kind == .product }.map(\.name)
      let priority = stream.pick(["first", "usual", "last"])
      parts.append("priorities: {\(world.domain).\(stream.pick(names)): \(priority)}")
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private mutating func fault(_ worlds: [WorldDeclaration], _ lasts: Int) -> String {
    let from = stream.pick([0, 1, 30, lasts - 1])
    let kind = stream.pick([
      "requestLost", "answerLost", "serverError", "connectionRefused", "{delay: 1ns}",
      "{delay: 1d}", "{delay: 500ms}",
    ])
    let share = stream.pick(["", ", share: 100%", ", share: 0.0001%", ", share: 20%"])
    return
      "{from: +\(from)s, to: +\(stream.pick(from + 1..<max(from + 2, lasts + 1)))s, on: \(stream.pick(worlds).domain), kind: \(kind)\(share)}"
  }

  private mutating func event(_ worlds: [WorldDeclaration], _ lasts: Int) -> String {
    let world = stream.pick(worlds)
    let control = stream.pick(world.controls)
    let parameters = control.parameters.compactMap { parameter -> String? in
      guard parameter.isRequired || stream.chance(0.4) else { return nil }
      let cell = "\(world.domain)/1/"
      let names = ["club-1", "club-2", "partner-1", "driver-1", "customer-1", "nobody"]
      let value =
        parameter.type.contains("bool")
        ? stream.pick(["true", "false"])
        : stream.pick(
          names.map { "\"\(cell)\($0)\"" }
            + ["0", "1", "1.5", "\"1h\"", "{}", "[]", "null", "\"KK-58\"", "\(Int64.max)"])
      return "\(parameter.name): \(value)"
    }
    return
      "{at: +\(stream.pick([0, 1, 30, lasts - 1]))s, do: \(world.domain).\(control.name), with: {\(parameters.joined(separator: ", "))}}"
  }

  private mutating func objective(_ worlds: [WorldDeclaration]) -> String {
    let world = stream.pick(worlds)
    let operation = "\(world.domain).\(stream.pick(world.operations).name)"
    let subject =
      world.business.isEmpty || stream.chance(0.6)
      ? operation : "\(world.domain).\(stream.pick(world.business))"
    let compared = stream.pick(["<", "<=", ">", ">="])
    let time = stream.pick(["1ns", "1ms", "250ms", "1s", "10min", "30d"])
    let share = stream.pick(["0%", "0.0001%", "1%", "50%", "100%"])
    let part = stream.pick(["", "", " from +0s to +30s", " from +59s to +60s"])
    let sentence =
      switch stream.pick(0..<6) {
      case 0: "errors of \(operation)\(part) \(compared) \(share)"
      case 1: "errors\(part) \(compared) \(share)"
      case 2: "mean of \(subject)\(part) \(compared) \(time)"
      case 3: "share of \(subject) over \(time)\(part) \(compared) \(share)"
      case 4:
        "\(stream.pick(["rate", "count"])) of \(subject)\(part) \(compared) 5\(stream.pick(["", "/s"]))"
      default:
        "p\(stream.pick(["1", "50", "95", "99", "99.9", "99.9999"])) of \(subject)\(part) \(compared) \(time)"
      }
    return "\"\(sentence)\""
  }

  // MARK: - Worlds

  private mutating func world(_ declaration: WorldDeclaration) -> String {
    var parts = ["domain: \(declaration.domain)"]
    if stream.chance(0.5) { parts.append("regions: \(stream.pick([1, 2, 3]))") }
    let population = declaration.population.compactMap { setting -> String? in
      // Few enough live there that many scenarios can be lived through.
      if case .count(let range) = setting.kind, kind != .broken {
        let few = stream.pick([0, 1, 2, 3, 5, 10, 20])
        return "\(setting.name): \(min(range.upperBound, max(range.lowerBound, few)))"
      }
      return stream.chance(0.15) ? "\(setting.name): \(value(of: setting))" : nil
    }
    parts.append("population: {\(population.joined(separator: ", "))}")
    let share = stream.pick([0, 0.05, 0.3])
    let parameters = declaration.parameters.compactMap { setting -> String? in
      stream.chance(share) ? "\(setting.name): \(value(of: setting))" : nil
    }
    parts.append("parameters: {\(parameters.joined(separator: ", "))}")
    if stream.chance(0.3), !declaration.profiles.isEmpty {
      parts.append("profile: \(stream.pick(declaration.profiles).name)")
    }
    let quirks = declaration.quirks.compactMap { quirk -> String? in
      stream.chance(0.1) ? "\(quirk.id): \(stream.pick(["on", "off"]))" : nil
    }
    if !quirks.isEmpty { parts.append("quirks: {\(quirks.joined(separator: ", "))}") }
    if stream.chance(0.4) {
      parts.append("adversaries: \(stream.pick(["0%", "2%", "50%", "100%"]))")
    }
    let off = declaration.limits.filter { $0.keeper != .nobody }.compactMap { limit -> String? in
      stream.chance(0.01) ? limit.id.text : nil
    }
    if !off.isEmpty { parts.append("rulesOff: [\(off.joined(separator: ", "))]") }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// A value of a declared setting: an end of its range, or one near its default.
  private mutating func value(of setting: Setting) -> String {
    let atEnd = stream.chance(kind == .edge ? 0.7 : 0.3)
    let isUpper = stream.chance(0.5)
    switch setting.kind {
    case .count(let range):
      guard case .count(let usual) = setting.standard, !atEnd else {
        return "\(isUpper ? range.upperBound : range.lowerBound)"
      }
      return "\(min(range.upperBound, max(range.lowerBound, usual + stream.pick(-2..<3))))"
    case .share(let range):
      guard !atEnd else { return percent(isUpper ? range.upperBound : range.lowerBound) }
      return percent(range.lowerBound + (range.upperBound - range.lowerBound) * stream.unit())
    case .number(let range):
      guard case .number(let usual) = setting.standard, !atEnd else {
        return plain(isUpper ? range.upperBound : range.lowerBound)
      }
      return plain(min(range.upperBound, max(range.lowerBound, usual * (0.5 + stream.unit()))))
    case .span(let range):
      guard case .span(let usual) = setting.standard, !atEnd else {
        return "\(isUpper ? range.upperBound : range.lowerBound)"
      }
      return "\(min(range.upperBound, max(range.lowerBound, usual / Int64(stream.pick(1..<4)))))"
    case .flag: return stream.pick(["on", "off"])
    case .choice(let choices): return stream.pick(choices)
    }
  }

  // MARK: - Breaking

  private mutating func broken(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let place = stream.pick(0..<lines.count)
    switch stream.pick(0..<9) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: stream.pick(0..<lines.count))
    case 2: lines[place] = String(repeating: " ", count: stream.pick(1..<9)) + lines[place]
    case 3: lines = Array(lines.prefix(place))
    case 4:
      let cut = stream.pick(0..<lines[place].count + 1)
      lines[place] = String(lines[place].prefix(cut))
    case 5:
      let key = lines[place].prefix { $0 != ":" }
      lines[place] = "\(key): \(EdgeValues.anything(&stream))"
    case 6:
      let key = lines[place].prefix { $0 != ":" }
      lines[place] = "\(key): \(EdgeValues.text(&stream))"
    case 7:
      lines[place] += stream.pick([" # x", ": :", "]", "}", "&a", "*a", "!!int", "\t", "\u{0}"])
    default:
      lines[place] = lines[place].replacing(
        stream.pick(["s", "1", "%", ":", "{", ","]), with: EdgeValues.text(&stream))
    }
    return lines.joined(separator: "\n")
  }
}
