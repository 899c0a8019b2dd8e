import Contracts
import Timekeeping

/// The way to the backend, and what its work costs there.
extension Reading {
  /// No figure here can be longer: the client would have given up.
  static let longestLatency = Span.hours(1)
  static let longestTimeout = Span.days(1)
  static let serverRange = 1...100_000
  static let capacityRange = 1...10_000_000
  /// A server that failed more often than once a second would do little else.
  static let upRange = Span.seconds(1)...longestRun
  static let downRange = Span.milliseconds(1)...Span.days(30)
  static let serviceKeys = ["servers", "capacity", "failures", "priorities"] + prices.map(\.key)
  /// A minute a row keeps the price of any request far from what a span can hold.
  static let priceRange = Span.zero...Span.minutes(1)
  static let distributions = ["constant", "uniform", "exponential", "lognormal"]
  static let prices: [(key: String, path: any WritableKeyPath<Service, Span> & Sendable)] = [
    ("perRequest", \.perRequest), ("perRowRead", \.perRowRead),
    ("perRowWritten", \.perRowWritten), ("perMessage", \.perMessage),
    ("perSignature", \.perSignature),
  ]
  private static let latencyExample = "{lognormal: {median: 60ms, p95: 250ms}}"

  func network(_ node: SourceNode) -> Network {
    var network = Network()
    let example = "{latency: \(Self.latencyExample), timeout: 60s}"
    guard
      let members = members(
        of: node, "'network'", keys: ["latency", "timeout"], example: example)
    else { return network }
    if let latency = members["latency"].flatMap({ distribution($0, "latency") }) {
      network.latency = latency
    }
    network.timeout = members["timeout"].flatMap {
      span($0, "timeout", in: .nanoseconds(1)...Self.longestTimeout, example: "60s")
    }
    return network
  }

  /// `{constant: …}`, `{uniform: {from, to}}`, `{exponential: {mean}}` or `{lognormal: {median, p95}}`.
  func distribution(_ node: SourceNode, _ name: String) -> Distribution? {
    guard
      let members = members(
        of: node, "'\(name)'", keys: Self.distributions, example: Self.latencyExample),
      case .mapping(let written) = node.content
    else { return nil }
    guard written.count <= 1 else {
      wrong(node, "'\(name)' has several distributions", "keep one of them")
      return nil
    }
    guard let (kind, value) = members.first else {
      if written.isEmpty {
        refuse(node, name, wanted: "a distribution, e.g. \(Self.latencyExample)")
      }
      return nil
    }
    switch kind {
    case "constant": return time(value, kind, zero: true, "60ms").map { .constant($0) }
    case "exponential":
      guard case .mapping = value.content else {
        return time(value, kind, "60ms").map { .exponential(mean: $0) }
      }
      return part(value, "exponential", "mean", "60ms").map { .exponential(mean: $0) }
    case "uniform": return uniform(value)
    default: return lognormal(value)
    }
  }

  private func uniform(_ node: SourceNode) -> Distribution? {
    guard let (from, to) = pair(node, "uniform", ("from", "20ms"), ("to", "90ms"), zero: true)
    else { return nil }
    guard from.span < to.span else {
      wrong(
        node,
        "'uniform' runs from \(from.span) (\(from.location)) to \(to.span) (\(to.location))",
        "make 'to' the longer one")
      return nil
    }
    return .uniform(from: from.span, to: to.span)
  }

  private func lognormal(_ node: SourceNode) -> Distribution? {
    guard let (median, p95) = pair(node, "lognormal", ("median", "60ms"), ("p95", "250ms"))
    else { return nil }
    guard median.span < p95.span else {
      wrong(
        node,
        "'lognormal' has a median of \(median.span) (\(median.location)) and a p95 of \(p95.span) (\(p95.location))",
        "make 'p95' the longer one, or use {constant: \(median.span)}")
      return nil
    }
    return .lognormal(median: median.span, p95: p95.span)
  }

  /// A time and where it stands.
  private struct SpanAt {
    let span: Span
    let location: SourceLocation
  }

  private func pair(
    _ node: SourceNode, _ kind: String, _ first: (key: String, example: String),
    _ second: (key: String, example: String), zero: Bool = false
  ) -> (SpanAt, SpanAt)? {
    let example = "{\(first.key): \(first.example), \(second.key): \(second.example)}"
    let keys = [first.key, second.key]
    let members = members(of: node, "'\(kind)'", keys: keys, required: keys, example: example)
    let a = members?[first.key].flatMap { time($0, first.key, zero: zero, first.example) }
    let b = members?[second.key].flatMap { time($0, second.key, second.example) }
    guard let a, let b, let members else { return nil }
    return (
      SpanAt(span: a, location: members[first.key]!.location),
      SpanAt(span: b, location: members[second.key]!.location)
    )
  }

  private func part(
    _ node: SourceNode, _ kind: String, _ key: String, _ example: String
  ) -> Span? {
    let members = members(
      of: node, "'\(kind)'", keys: [key], required: [key], example: "{\(key): \(example)}")
    return members?[key].flatMap { time($0, key, example) }
  }

  private func time(
    _ node: SourceNode, _ name: String, zero: Bool = false, _ example: String
  ) -> Span? {
    span(
      node, name, in: (zero ? .zero : .nanoseconds(1))...Self.longestLatency, example: example)
  }

  // MARK: - Service

  func service(_ node: SourceNode, _ worlds: [WorldDeclaration]) -> Service {
    var service = Service()
    guard
      let members = members(
        of: node, "'service'", keys: Self.serviceKeys, example: "{servers: 8, perRowRead: 4us}")
    else { return service }
    if let servers = members["servers"].flatMap({
      whole($0, "servers", in: Self.serverRange, example: 8)
    }) {
      service.servers = servers
    }
    for (key, path) in Self.prices {
      guard let given = members[key] else { continue }
      let standard = service[keyPath: path]
      service[keyPath: path] =
        span(given, key, in: Self.priceRange, example: "\(standard)") ?? standard
    }
    service.capacity = members["capacity"].flatMap {
      capacity($0, servers: service.servers, at: members["servers"])
    }
    service.failures = members["failures"].flatMap(failures)
    service.priorities = members["priorities"].map { priorities($0, worlds) } ?? [:]
    return service
  }

  private func capacity(_ node: SourceNode, servers: Int, at location: SourceNode?) -> Int? {
    guard let capacity = whole(node, "capacity", in: Self.capacityRange, example: 200) else {
      return nil
    }
    guard capacity >= servers else {
      refuse(
        node, "capacity", "it counts those who are served, too, and some servers would always idle",
        wanted: "at least the 'servers'\(Self.behind(location)), \(servers)")
      return nil
    }
    return capacity
  }

  private func failures(_ node: SourceNode) -> Service.Failures? {
    let keys = ["up", "down"]
    let members = members(
      of: node, "'failures'", keys: keys, required: keys, example: "{up: 6h, down: 5min}")
    let up = members?["up"].flatMap { span($0, "up", in: Self.upRange, example: "6h") }
    let down = members?["down"].flatMap { span($0, "down", in: Self.downRange, example: "5min") }
    guard let up, let down else { return nil }
    return Service.Failures(up: up, down: down)
  }

  /// `{DOMAIN.OPERATION: first}`, of those that people ask for.
  private func priorities(
    _ node: SourceNode, _ worlds: [WorldDeclaration]
  ) -> [String: Service.Priority] {
    let known = worlds.flatMap { world in
      world.operations.filter { $0.kind == .product }.map { "\(world.domain).\($0.name)" }
    }
    let example = "{\(known.first ?? "DOMAIN.OPERATION"): first}"
    var found: [String: Service.Priority] = [:]
    for (name, member) in freeMembers(of: node, "'priorities'", example: example) ?? [] {
      guard known.contains(name) else {
        unknown(
          member.key, "no operation '\(printable(name))' to give a priority", name: name,
          among: known)
        continue
      }
      let words = Service.Priority.allCases.map(\.rawValue)
      found[name] = choice(member.value, name, among: words).flatMap(Service.Priority.init)
    }
    return found
  }
}
