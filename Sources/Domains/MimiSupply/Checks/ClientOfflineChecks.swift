import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The network that goes and comes, and what the app does in the background: MS-124, MS-127.
enum ClientOfflineChecks {
  static let all: [MSCheck] = [
    .byApp(.ms124) { ConnectionWatch() },
    .byApp(.ms127, []) { BackgroundWatch() },
  ]
}

/// MS-124: a request that could not leave puts the app into offline mode, and what waited goes out by itself when the
/// network is back.
private struct ConnectionWatch: AppWatch {
  /// A drain that broke off before may still be ending.
  private static let within = Span.seconds(60)
  /// When a request could not leave, and no offline mode followed.
  private var unnoticed: Instant?
  /// When the network came back to writes that wait.
  private var returned: Instant?

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .network(isOnline: false, _):
      judge.held()
      unnoticed = nil
      returned = nil
    case .network(isOnline: true, let waiting):
      unnoticed = nil
      returned = waiting > 0 ? time : nil
    case .draining, .drained:
      if returned != nil { judge.held() }
      returned = nil
    default: expire(at: time, &judge)
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    expire(at: call.sent, &judge)
    if let unnoticed, call.sent > unnoticed {
      judge.violated("a request could not leave, and the app went on as if it had a network")
    }
    unnoticed = call.outcome == .unsent(.offline) ? call.answered : nil
  }

  private mutating func expire(at time: Instant, _ judge: inout Judge) {
    guard let returned, returned + Self.within < time else { return }
    self.returned = nil
    judge.violated("writes waited, and nothing was synchronised when the network came back")
  }
}

/// MS-127: a minute from one background synchronisation to the next.
private struct BackgroundWatch: AppWatch {
  private var last: Instant?

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    guard case .backgroundSync = note else { return }
    if let last {
      judge.expect(
        time - last >= .seconds(60), "two background synchronisations within \(time - last)")
    }
    last = time
  }
}
