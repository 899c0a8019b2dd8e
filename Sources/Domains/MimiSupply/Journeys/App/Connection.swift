import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Offline mode (§7.1, MS-124): the device tells the app when its network goes and comes.
extension AppClient {
  /// The published client's default after a failure of the network.
  static let networkWait = Span.seconds(15)

  /// Notices a change of the network; what waited is synchronised as soon as it is back.
  func noticeNetwork(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    if coverage.hasGaps { me.isOnline = coverage.returns(from: me.now) == nil }
    // With MS-124 off the app knows no offline mode.
    guard rules.binds(.ms124) else { return }
    let isGone = !me.isOnline || (suspendedUntil.map { me.now < $0 } ?? false)
    guard isGone != isOffline else { return }
    isOffline = isGone
    note(.network(isOnline: !isGone, waiting: queue.count), me)
    if !isGone {
      suspendedUntil = nil
      try await synchronise(as: me)
    }
  }

  /// Whether requests can leave; waits a while for the network to come back.
  func isConnected(
    _ patience: Span, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    try await noticeNetwork(as: me)
    guard isOffline, patience > .zero else { return !isOffline }
    let longest = me.now + patience
    try await me.think(until: min(longest, max(me.now, networkReturns(after: me.now) ?? longest)))
    try await noticeNetwork(as: me)
    return !isOffline
  }

  /// When the network is back; `nil` where nobody knows.
  func networkReturns(after now: Instant) -> Instant? {
    [coverage.returns(from: now), suspendedUntil].compactMap { $0 }.filter { $0 > now }.max()
  }

  /// The network failed again and again: offline mode for a while.
  func suspend(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    suspendedUntil = me.now + Self.networkWait
    try await noticeNetwork(as: me)
  }

  /// When the app has to do something by itself: writes wait, and the network is back; `nil` while nothing waits.
  func wakes(after now: Instant) -> Instant? {
    guard !queue.isEmpty else { return nil }
    return max(now, networkReturns(after: now) ?? now + Self.networkWait)
  }

  /// What the device does by itself at that time.
  func wake(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await noticeNetwork(as: me)
    if !isOffline, rules.binds(.ms124) { try await synchronise(as: me) }
  }
}
