import Contracts
import KilwinningContract
import Timekeeping

/// The requests of a sliding window of time (KW-163).
private struct Window {
  private var times: [Instant] = []

  /// When one more may come; `nil`: now, and it has come.
  mutating func take(_ now: Instant, most: Int, in span: Span) -> Instant? {
    let over = times.prefix { now - $0 >= span }.count
    times.removeFirst(over)
    guard times.count >= most else {
      times.append(now)
      return nil
    }
    return times[times.count - most] + span
  }
}

/// Who asked how often lately.
struct RequestLimit {
  private var byAddress: [String: Window] = [:]
  private var byBrother: [Int: Window] = [:]

  mutating func take(_ address: String, _ now: Instant, most: Int) -> Instant? {
    byAddress[address, default: Window()].take(now, most: most, in: .minutes(1))
  }

  mutating func take(_ brother: Int, _ now: Instant, most: Int) -> Instant? {
    byBrother[brother, default: Window()].take(now, most: most, in: .hours(1))
  }
}

extension KilwinningTwin {
  /// `nil` for a request that may come.
  mutating func refusalByLimit(
    _ caller: Caller<Kilwinning>, _ proof: Result<Int, Kilwinning.Refusal>, at now: Instant
  ) -> Kilwinning.Refusal? {
    guard deployment.limitsRequests, rules.binds(.kw163) else { return nil }
    var again: Instant?
    if case .client(let credential?) = caller, let peer = credential.peer {
      again = limit.take(peer, now, most: deployment.requestsPerMinute)
    }
    if again == nil, case .success(let session) = proof {
      again = limit.take(sessions[session].brother, now, most: deployment.requestsPerHour)
    }
    return again.map { again in
      let seconds = (again - now).nanoseconds.dividedRoundingUp(by: 1_000_000_000)
      return Kilwinning.Refusal(.troppeRichieste, field: nil, retryAfterSeconds: Int(seconds))
    }
  }
}

extension Int64 {
  fileprivate func dividedRoundingUp(by divisor: Int64) -> Int64 { (self + divisor - 1) / divisor }
}
