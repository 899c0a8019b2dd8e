import Timekeeping

/// How commands say a fault: `kind`, with what that takes, and which requests meet it.
extension FaultKind {
  /// Names under which a kind may be given, too.
  private static let aliases = ["latency": FaultWord.delay.name]

  /// - Parameter words: The kinds that there are for this command.
  public init(_ given: ControlParameters, among words: [FaultWord]) throws(ControlProblem) {
    let names = words.map(\.name)
    let aliases = Self.aliases.filter { names.contains($0.value) }
    let name = try given.choice("kind", among: names + aliases.keys.sorted())
    let word = words.first { $0.name == aliases[name] ?? name }!
    let status = try given.optionalNumber("status")
    let retryAfter = try given.optionalSpan("retryAfter")
    let delay = try given.delay(ofKind: name, isNeeded: word == .delay)
    if let status, !(400...599).contains(status) {
      throw given.problem("status", "is no status of an error, 400 to 599: \(status)")
    }
    guard (status != nil) == (word == .status) else {
      throw given.problem(
        "status",
        word == .status ? "is missing; give one from 400 to 599" : "goes with the kind 'status'")
    }
    guard retryAfter == nil || word == .status || word.kind == .serverError else {
      throw given.problem("retryAfter", "goes with the kinds 'serverError' and 'status'")
    }
    if let delay {
      guard delay <= Self.longestDelay else {
        throw given.problem("delay", "is longer than \(Self.longestDelay)")
      }
      self = .delay(delay)
    } else if case .status(let standard, _)? = word.kind
      ?? status.map({ .status($0, retryAfter: nil) })
    {
      self = .status(standard, retryAfter: retryAfter)
    } else {
      self = word.kind!
    }
  }

  /// What a command takes to say a kind of fault.
  public static func parameters(among words: [FaultWord]) -> [ControlDeclaration.Parameter] {
    [
      .init("kind", words.map(\.name).joined(separator: ", "), "what happens to them"),
      .init("delay", "span", optional: true, "how much later they arrive, for delay: 250ms"),
      .init("status", "400…599", optional: true, "what is answered, for status"),
      .init(
        "retryAfter", "span", optional: true, "when to come again, for serverError and status: 30s"),
    ]
  }
}

extension FaultSelection {
  /// - Parameter operations: The names that there are.
  public init(_ given: ControlParameters, operations: [String]) throws(ControlProblem) {
    self.init(
      share: try given.optionalShare("share") ?? 1,
      operation: given.value("operation") == nil
        ? nil : try given.choice("operation", among: operations),
      from: try given.optionalMoment("from"), until: try given.optionalMoment("until"),
      count: try given.optionalCount("count"))
  }

  /// Why no request can ever meet it from a moment on; `nil` when one can.
  public func emptiness(at now: Instant) -> String? {
    guard let until, until <= from ?? now else { return nil }
    let begin = from.map { "'from', \($0)" } ?? "now, \(now)"
    return "'until' is \(until), not later than \(begin): nobody would meet it"
  }

  /// What a command takes to select requests.
  public static let parameters: [ControlDeclaration.Parameter] = [
    .init("operation", "operation", optional: true, "which, as objectives name them; every one"),
    .init("from", "instant", optional: true, "from when; now"),
    .init("until", "instant", optional: true, "until before when, later than from; for good"),
    .init("count", "int", optional: true, "how many requests meet it; all"),
  ]

  public static let shareParameter = ControlDeclaration.Parameter(
    "share", "0…1 or 20%", optional: true, "how many of those that fit; all when left out")
}

extension ControlParameters {
  /// A whole number from 0.
  public func optionalCount(_ name: String) throws(ControlProblem) -> Int? {
    guard let number = try optionalNumber(name) else { return nil }
    guard number >= 0 else { throw problem(name, "is below 0") }
    return number
  }

  /// A number in 0...1, or a percentage as text.
  public func optionalShare(_ name: String) throws(ControlProblem) -> Double? {
    guard let value = value(name) else { return nil }
    var share = value.double
    if let text = value.string {
      share = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }
    guard let share, (0...1).contains(share) else {
      throw problem(name, "is no number in 0...1 and no percentage such as \"20%\"")
    }
    return share
  }

  /// An instant as text, or milliseconds since 1970.
  public func optionalMoment(_ name: String) throws(ControlProblem) -> Instant? {
    if let number = value(name)?.int.map(Int64.init), Self.moments.contains(number) {
      return Instant(unixMilliseconds: number)
    }
    return try optionalInstant(name)
  }

  /// Some 285 years around 1970: room for what is added to them, within 64 bits of nanoseconds.
  private static let moments: ClosedRange<Int64> = -8_999_999_999_999...8_999_999_999_999

  /// `delay`, which one kind of fault needs and no other has.
  public func delay(ofKind kind: String, isNeeded: Bool) throws(ControlProblem) -> Span? {
    let delay = try optionalSpan("delay")
    guard isNeeded == (delay != nil) else {
      throw problem(
        "delay",
        isNeeded
          ? "is missing, which the kind '\(kind)' needs; give one such as \"250ms\""
          : "has no meaning for the kind '\(kind)'")
    }
    return delay
  }
}
