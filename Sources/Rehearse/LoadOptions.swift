import ArgumentParser
import Contracts
import Foundation
import HTTPLoad
import Scenarios
import Timekeeping

/// What `rehearse load` is told: every option is also a key of a load's file.
struct LoadOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("What to load: http or https; several share the load.", valueName: "url"))
  var urls: [String] = []

  @Option(
    name: .customLong("rate"),
    help: "Calls a second, whatever the server does: 500/s, 30/min (default: 100/s).",
    transform: Rate.parse)
  var givenRate: Rate?

  @Option(
    help: ArgumentHelp(
      "In place of a rate and a time, one after another: \"30s at 100/s\", \"1min at 100/s to 1000/s\", or of users: \"30s of 5 to 50 users\"; repeatable.",
      valueName: "phase"), transform: LoadPhase.parse)
  var phase: [LoadPhase] = []

  @Flag(
    help:
      "Search for the rate at which an objective breaks: steps of --for, from --rate on.")
  var capacity = false

  @Option(help: "Arrival process: constant (evenly spaced) or poisson.")
  var pace: PaceName = .constant

  @Option(
    help:
      "In place of a rate: so many users, each asking again when it was answered, and 100 ms after a call that got no answer."
  )
  var users: Int?

  @Option(
    name: .customLong("for"), help: "How long calls are made (default: 30s).",
    transform: LoadOptions.span)
  var time: Span?

  @Option(help: "Warm-up: sent first, excluded from all results.", transform: LoadOptions.span)
  var warmup: Span = .zero

  @Option(
    name: .customLong("connections"),
    help: "Maximum open connections; limits concurrency (default: 64).")
  var givenConnections: Int?

  @Option(help: "The method of all calls (default: GET, or POST with a body).")
  var method: String?

  @Option(name: [.customShort("H"), .long], help: "A header, 'Name: value'; repeatable.")
  var header: [String] = []

  @Option(help: "Request body: text, or @FILE for the bytes of a file.")
  var body: String?

  @Option(help: "How often each URL is taken, in their order: --weight 3 --weight 1.")
  var weight: [Double] = []

  @Option(help: "Statuses that count as answers: 200-399, or 200,404.", transform: Statuses.parse)
  var expect = Statuses(ranges: [200...399])

  @Option(
    parsing: .unconditionalSingleValue,
    help:
      "What must hold: \"p99 < 200ms\", \"errors < 1%\", \"p95 of /orders < 80ms\"; repeatable.")
  var objective: [String] = []

  @Option(help: "How long a call may take, connection included.", transform: LoadOptions.span)
  var timeout: Span = .seconds(30)

  @Option(help: "How long a connection may take to come about.", transform: LoadOptions.span)
  var connectTimeout: Span = .seconds(10)

  @Option(
    help: "How long calls that are due are waited for after the end (default: as --timeout).",
    transform: LoadOptions.span)
  var drain: Span?

  @Flag(
    help:
      "Speak HTTP/2, over http:// without asking whether the server does; calls then share connections."
  )
  var http2 = false

  @Option(
    help:
      "Follow so many redirects at most, within a URL's own scheme, host and port (default: none).")
  var follow: Int?

  @Flag(help: "Disable keep-alive: a new connection for each call.")
  var noKeepalive = false

  @Flag(help: "Skip TLS certificate verification (testing only).")
  var insecure = false

  @Option(help: "Certificates to trust in place of the system's (PEM).", completion: .file())
  var caFile: String?

  @Option(help: "The client's certificate (PEM).", completion: .file())
  var cert: String?

  @Option(help: "The key of the client's certificate (PEM).", completion: .file())
  var key: String?

  @Option(
    help: "Invalid if 1 % of calls were ready later than this.", transform: LoadOptions.span)
  var maxLateness: Span = GeneratorLimits().lateness

  @Option(help: "Invalid if the generator stood still for longer.", transform: LoadOptions.span)
  var maxStall: Span = GeneratorLimits().stall

  @Option(
    parsing: .unconditional, help: "The seed of a Poisson pace and of weights.",
    transform: Seed.parse)
  var seed: UInt64 = 1

  /// How many ask at once; `nil` in an open workload.
  var userCount: UserCount? {
    if let users { return .constant(users, lasting: lasts) }
    return isClosed ? phase.users : nil
  }

  private var isClosed: Bool { users != nil || phase.first?.isClosed == true }

  /// Of an open workload; users have one each.
  var connections: Int { givenConnections ?? 64 }

  /// Calls a second where there are no phases.
  var rate: Rate { givenRate ?? Rate(perSecond: 100) }

  var lasts: Span {
    phase.isEmpty ? time ?? .seconds(30) : phase.reduce(.zero) { $0 + $1.lasts }
  }

  static let ratesMost = 1_000_000.0
  static let usersMost = 10_000
  static let longest = Span.days(7)

  mutating func validate() throws {
    guard urls.count <= 64 else { throw ValidationError("at most 64 URLs, not \(urls.count)") }
    guard rate.perSecond > 0, rate.perSecond <= Self.ratesMost else {
      throw ValidationError(
        "--rate must be above 0/s and at most \(Int(Self.ratesMost))/s, which no single machine makes anyway"
      )
    }
    if let users, !(1...Self.usersMost).contains(users) {
      throw ValidationError("--users must be a number from 1 to \(Self.usersMost), not \(users)")
    }
    try validatePhases()
    guard !isClosed || pace == .constant else {
      throw ValidationError("--pace is of a rate: users ask again when they were answered")
    }
    guard !isClosed || givenConnections == nil else {
      throw ValidationError("--connections is of a rate: each user has a connection of its own")
    }
    guard lasts > .zero, lasts <= Self.longest else {
      throw ValidationError("--for must be above 0s and at most \(Self.longest), not \(lasts)")
    }
    guard lasts >= .milliseconds(100) else {
      throw ValidationError("--for must be at least 100ms to be cut into parts, not \(lasts)")
    }
    guard warmup >= .zero, warmup < lasts else {
      throw ValidationError("--warmup must be shorter than --for (\(lasts)), not \(warmup)")
    }
    guard (1...10_000).contains(connections) else {
      throw ValidationError("--connections must be a number from 1 to 10000, not \(connections)")
    }
    guard weight.isEmpty || weight.count == urls.count else {
      throw ValidationError(
        "\(weight.count) --weight for \(urls.count) \(urls.count == 1 ? "URL" : "URLs"): give one for each, or none"
      )
    }
    guard weight.allSatisfy({ $0 >= 0 && $0 <= 1e6 }),
      weight.isEmpty || weight.contains(where: { $0 > 0 })
    else { throw ValidationError("a weight is a number from 0 to 1000000, and one is above 0") }
    for (name, span) in [
      ("--timeout", timeout), ("--connect-timeout", connectTimeout),
      ("--max-lateness", maxLateness),
      ("--max-stall", maxStall),
    ] where span < .milliseconds(1) || span > .days(1) {
      throw ValidationError("\(name) must be from 1ms to 1d, not \(span)")
    }
    if let drain, !(Span.zero...Span.days(1)).contains(drain) {
      throw ValidationError("--drain must be from 0s to 1d, not \(drain)")
    }
    guard key == nil || cert != nil else { throw ValidationError("--key needs its --cert") }
    if let follow, !(1...50).contains(follow) {
      throw ValidationError("--follow must be a number from 1 to 50, not \(follow)")
    }
    try HTTPOptions.TLS.check(insecure: insecure, authorities: caFile)
    // Without URLs they come from a file, with which all is read again.
    guard !urls.isEmpty else { return }
    try HTTPOptions.TLS.check(
      [
        ("--insecure", insecure), ("--ca-file", caFile != nil), ("--cert", cert != nil),
        ("--key", key != nil),
      ], among: urls.map { String($0.prefix { $0 != ":" }).lowercased() },
      needing: "a URL of https, or does nothing")
  }

  private func validatePhases() throws {
    guard users == nil || givenRate == nil else {
      throw ValidationError("--users come in place of a rate: leave out --rate, or --users")
    }
    if !phase.isEmpty {
      guard givenRate == nil, time == nil, users == nil, !capacity else {
        throw ValidationError(
          "--phase says rate or users and time itself: leave out --rate, --for, --users and --capacity"
        )
      }
      guard phase.count <= 100 else {
        throw ValidationError("at most 100 phases, not \(phase.count)")
      }
      guard phase.allSatisfy({ $0.isClosed == isClosed }) else {
        throw ValidationError(
          "phases speak all of rates or all of users: who comes at a rate waits for no answer")
      }
      guard isClosed ? phase.users.most >= 1 : phase.rate.total >= 1 else {
        throw ValidationError(
          "the phases make no call: give one of them a rate above 0/s, or a user")
      }
    }
    guard capacity else { return }
    guard users == nil else {
      throw ValidationError("--capacity is a rate: leave out --users, who ask a slow server less")
    }
    guard !objective.isEmpty else {
      throw ValidationError(
        "--capacity needs to know what must hold: --objective \"p99 < 200ms\"")
    }
  }

  func needURLs() throws {
    guard !urls.isEmpty else {
      throw ValidationError("name a URL to load, e.g. http://127.0.0.1:8080/")
    }
  }

  static func span(_ text: String) throws -> Span {
    guard let span = Span(text) else {
      throw ValidationError(Span.hint(for: text))
    }
    return span
  }

  // MARK: - What follows from it

  func http(version: String) -> HTTPOptions {
    var http = HTTPOptions(
      version: http2 ? .http2 : .http1,
      tls: HTTPOptions.TLS(
        isInsecure: insecure, authorities: caFile, certificate: cert, key: key),
      connectTimeOut: connectTimeout, timeOut: timeout,
      userAgent: "rehearse/\(version)")
    http.follows = follow ?? 0
    return http
  }

  /// - Throws: `HTTPProblem`, or a `ValidationError` about the body's file.
  func plan() throws -> LoadPlan {
    let bytes = try body.map(Self.bytes)
    let routes = try urls.map {
      try HTTPRoute($0, method: method, headers: header, body: bytes, closes: noKeepalive)
    }
    let pace: LoadPlan.Pace =
      if let userCount { .closed(userCount) } else if !phase.isEmpty {
        .varying(phase.rate, isPoisson: self.pace == .poisson)
      } else {
        switch self.pace {
        case .constant: .constant(perSecond: rate.perSecond)
        case .poisson: .poisson(perSecond: rate.perSecond)
        }
      }
    var plan = LoadPlan(
      routes: routes, weights: weight.isEmpty ? urls.map { _ in 1 } : weight, pace: pace,
      lasts: lasts, warmUp: warmup, patience: drain ?? timeout + Self.timeOutsTake,
      slots: connections, seed: seed, expected: expect.ranges)
    plan.phases = phase.map(\.lasts)
    return plan
  }

  /// So that calls sent at the very end run into their own time-outs, which are to the millisecond.
  private static let timeOutsTake = Span.milliseconds(100)
  private static let bodyMost = 64 << 20

  private static func bytes(of text: String) throws -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    let path = String(text.dropFirst())
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= bodyMost,
      let data = FileManager.default.contents(atPath: path)
    else {
      throw ValidationError(
        "--body: \(printable(path, limit: 200)) is no readable file of at most 64 MB")
    }
    return Array(data)
  }

  var limits: GeneratorLimits { GeneratorLimits(lateness: maxLateness, stall: maxStall) }

  /// How many calls are due a second, over time; `nil` of a closed workload.
  var arrivals: ArrivalRate? {
    if isClosed { return nil }
    return phase.isEmpty ? .constant(rate.perSecond, lasting: lasts) : phase.rate
  }

  /// On average; `nil` of a closed workload.
  var wantedPerSecond: Double? {
    if isClosed { return nil }
    return phase.isEmpty ? rate.perSecond : phase.rate.total / lasts.seconds
  }

  /// `500/s, evenly`, as reports say it.
  var paceInWords: String {
    if let users { return users == 1 ? "1 user" : "\(users) users" }
    if !phase.isEmpty {
      let phases = phase.map(\.description).joined(separator: ", ")
      return isClosed ? phases : phases + (pace == .constant ? ", evenly" : ", Poisson")
    }
    return pace == .constant ? "\(rate.text), evenly" : "\(rate.text), Poisson"
  }
}

/// How calls follow each other, as the command line says it.
enum PaceName: String, ExpressibleByArgument, CaseIterable { case constant, poisson }

extension Rate {
  /// Calls a second, as `500/s`, `30/min`, `500`.
  static func parse(_ text: String) throws -> Rate {
    guard let rate = Rate(text) ?? Rate(text + "/s") else {
      throw ValidationError("'\(printable(text))': \(problem(of: text))")
    }
    return rate
  }

  var text: String { description }
}

/// Statuses that count as answers.
struct Statuses: CustomStringConvertible {
  let ranges: [ClosedRange<Int>]
  /// What an answer's status may be: those below are of what comes before an answer.
  /// - Source: RFC 9110 §15.
  private static let final = 200...599

  static func parse(_ text: String) throws -> Statuses {
    let ranges = text.split(separator: ",", omittingEmptySubsequences: false).map {
      part -> ClosedRange<Int>? in
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
        Self.final.contains(low), (low...Self.final.upperBound).contains(high)
      else { return nil }
      return low...high
    }
    guard !ranges.isEmpty, !ranges.contains(nil) else {
      throw ValidationError(
        "'\(printable(text))' names no statuses of answers, which are 200 to 599, e.g. 200-399 or 200,404"
      )
    }
    return Statuses(ranges: ranges.compactMap(\.self))
  }

  var description: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}

extension LoadOptions {
  /// What is demanded, of routes with these names.
  func objectives(among operations: [String]) throws -> [Objective] {
    try objective.map { text in
      do throws(Objective.LoadProblem) {
        return try Objective(ofLoad: text, operations: operations)
      } catch {
        throw ValidationError("--objective " + error.description)
      }
    }
  }
}
