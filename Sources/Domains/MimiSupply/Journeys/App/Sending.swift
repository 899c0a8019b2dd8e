import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What became of one try.
struct Try {
  let outcome: Outcome<MimiSupply>
  /// Whether the app let it out at all.
  let wasSent: Bool
}

/// How a request leaves the device (§7.5, §7.6).
extension AppClient {
  /// How often somebody who waits for a place in the line looks again.
  private static let turnEvery = Span.milliseconds(50)

  /// One try of one request, when there is a network, no breaker is open, a place is free and the budget has a token.
  ///
  /// - Parameters:
  ///   - number: 1 for the first try.
  ///   - patience: For how long it waits for the network.
  ///   - announcing: Written down at the very moment of sending.
  func attempt(
    _ request: MimiSupply.Request, number: Int, _ manner: Manner, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Try {
    let service = AppService.of(request)
    guard line.enter(manner.priority) else { return .held(.connectionRefused) }
    while true {
      guard try await isConnected(manner.patience, as: me) else {
        line.give(up: manner.priority)
        return .held(.offline)
      }
      guard admits(service, as: me) else {
        line.give(up: manner.priority)
        return .held(.connectionRefused)
      }
      if !line.isTurn(of: manner.priority) {
        try await me.think(Self.turnEvery)
      } else if let later = tokenComes(after: me.now) {
        try await me.think(until: later)
      } else {
        break
      }
    }
    line.begin(manner.priority)
    for name in breakersFor(service) { breakers[name].begin() }
    if let announced = manner.announcing { note(announced, me) }
    let sent = me.now
    let outcome = try await me.ask(request, with: credential, attempt: number)
    line.finish()
    take(outcome, of: service, after: me.now - sent, as: me)
    return Try(outcome: outcome, wasSent: true)
  }

  /// The rate budget (MS-130); `nil`: go ahead.
  private func tokenComes(after now: Instant) -> Instant? {
    guard settings.keepsBudget, rules.binds(.ms130) else { return nil }
    return budget.take(at: now)
  }

  // MARK: Breakers

  private func breakersFor(_ service: AppService) -> [BreakerName] {
    [.network, .watching(service)]
  }

  private func admits(_ service: AppService, as me: Person<MimiSupply>) -> Bool {
    guard rules.binds(.ms123) else { return true }
    var isAdmitted = true
    for name in breakersFor(service) {
      let admits = change(name, as: me) { $0.admits(at: me.now) }
      isAdmitted = isAdmitted && admits
    }
    return isAdmitted
  }

  /// Lets something happen to a breaker, and writes down when that changes its state.
  private func change<Value>(
    _ name: BreakerName, as me: Person<MimiSupply>, _ body: (inout Breaker) -> Value
  ) -> Value {
    let before = breakers[name].state
    let value = body(&breakers[name])
    let state = breakers[name].state
    if state != before, rules.binds(.ms123) { note(.breaker(name, state), me) }
    return value
  }

  /// When the breakers of a service let something through again; `nil` while none is open.
  func breakersOpenAgain(for service: AppService) -> Instant? {
    breakersFor(service).compactMap { breakers[$0].opensAgain }.max()
  }

  // MARK: Outcomes

  private func take(
    _ outcome: Outcome<MimiSupply>, of service: AppService, after took: Span,
    as me: Person<MimiSupply>
  ) {
    let isWell = outcome.isAnswered && !outcome.isOfASickService
    for name in breakersFor(service) {
      let isGood = name == .network ? outcome.isAnswered : isWell
      let isInTime = took <= Breaker.Figures.of(name).timeout
      change(name, as: me) { $0.finish(succeeded: isGood && isInTime, at: me.now) }
    }
    budget.finish(succeeded: isWell)
    health.finish(service, succeeded: isWell)
    probe(as: me)
  }
}

/// How a request is made.
struct Manner: Sendable {
  var priority = RequestPriority.normal
  /// For how long it waits for the network.
  var patience = Backoff.patience
  /// Written down at the very moment of sending.
  var announcing: AppNote?
}

extension Try {
  static func held(_ cause: UnsentCause) -> Try {
    Try(outcome: .unsent(cause), wasSent: false)
  }
}

extension Outcome<MimiSupply> {
  /// The service answered that it could not serve.
  var isOfASickService: Bool {
    switch refusal?.failure.code {
    case .tryAgainLater, .internalError, .throttled: true
    default: false
    }
  }

  /// It never reached the backend, or nobody knows.
  var isOfTheNetwork: Bool { !isAnswered }
}
