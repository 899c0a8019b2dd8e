import MimiSupplyContract
import Timekeeping

/// A circuit breaker (§7.5): after failures in a row it lets nothing through, after a wait one request at a time, and
/// everything again when enough of those succeed.
struct Breaker: Sendable {
  struct Figures: Sendable {
    let failuresToOpen: Int
    let recovery: Span
    let successesToClose: Int
    /// An answer that takes longer is a failure.
    let timeout: Span

    static func of(_ name: BreakerName) -> Figures {
      switch name {
      case .cloudKit, .location:
        Figures(
          failuresToOpen: 5, recovery: .seconds(30), successesToClose: 3, timeout: .seconds(10))
      case .network:
        Figures(
          failuresToOpen: 3, recovery: .seconds(15), successesToClose: 2, timeout: .seconds(5))
      case .payment:
        Figures(
          failuresToOpen: 2, recovery: .seconds(60), successesToClose: 5, timeout: .seconds(15))
      }
    }
  }

  static let concurrentClosed = 10
  static let concurrentHalfOpen = 1

  let figures: Figures
  private(set) var state = BreakerState.closed
  /// When it opened.
  private var openedAt = Instant.distantPast
  /// Failures in a row while closed, successes while half-open.
  private var counted = 0
  private var underWay = 0

  init(_ figures: Figures) { self.figures = figures }

  /// When an open breaker lets the next request through; `nil` when it is not open.
  var opensAgain: Instant? { state == .open ? openedAt + figures.recovery : nil }

  /// Whether a request may leave now; an open breaker whose wait is over becomes half-open.
  mutating func admits(at now: Instant) -> Bool {
    if state == .open, now - openedAt >= figures.recovery {
      state = .halfOpen
      (counted, underWay) = (0, 0)
    }
    switch state {
    case .closed: return underWay < Self.concurrentClosed
    case .open: return false
    case .halfOpen: return underWay < Self.concurrentHalfOpen
    }
  }

  mutating func begin() { underWay += 1 }

  mutating func finish(succeeded isGood: Bool, at now: Instant) {
    underWay = max(0, underWay - 1)
    switch (state, isGood) {
    case (.closed, true): counted = 0
    case (.closed, false):
      counted += 1
      if counted >= figures.failuresToOpen { open(at: now) }
    case (.halfOpen, false): open(at: now)
    case (.halfOpen, true):
      counted += 1
      if counted >= figures.successesToClose { (state, counted) = (.closed, 0) }
    case (.open, _): break  // a straggler from before it opened
    }
  }

  private mutating func open(at now: Instant) {
    state = .open
    openedAt = now
    counted = 0
  }
}

/// The breakers of one app.
struct Breakers: Sendable {
  private var all = BreakerName.allCases.map { Breaker(.of($0)) }

  subscript(name: BreakerName) -> Breaker {
    get { all[name.place] }
    _modify { yield &all[name.place] }
  }
}
