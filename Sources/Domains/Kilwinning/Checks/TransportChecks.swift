import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Frames, routes and the request limit: KW-152, KW-153 and KW-163.
enum TransportChecks {
  static let all: [KWCheck] = [
    .reading(.kw152) { it, judge in
      guard case .unread(.malformed(_, let fault)) = it.request, it.isFrameBroken else { return }
      let due: Code = fault.kind == .tooLarge ? .corpoTroppoGrande : .jsonNonValido
      judge.expect(it.code == due, "\(fault): \(it.words)")
    },
    .reading(.kw153) { it, judge in
      guard case .unread(.unrouted(let asked)) = it.request else { return }
      if asked.method == "OPTIONS" {
        judge.expect(it.reply == .preflight, "OPTIONS: \(it.words)")
      } else if asked.allowed.isEmpty {
        judge.expect(it.code == .rottaNonTrovata, "\(asked.target) is none: \(it.words)")
      } else {
        judge.expect(
          it.code == .metodoNonConsentito
            && it.call.outcome.refusal?.allowed == asked.allowed,
          "\(asked.method) \(asked.target): \(it.words)")
      }
    },
    .ripe(.kw163, of: LodgeFacts.self) { reading, _, judge in
      if !reading.isFrameBroken { reading.judgeLimit(&judge) }
    },
  ]
}

extension Reading {
  /// Nobody is refused before he asked so often, and everybody afterwards; who is refused is told how long to wait.
  fileprivate func judgeLimit(_ judge: inout Judge) {
    guard let deployment = lodge.decided.values(during: during) else { return }
    guard deployment.limitsRequests else {
      if code == .troppeRichieste { judge.violated("refused where nothing is limited") }
      return
    }
    let counts = [
      (lodge.counted.byAddress[call.credential?.peer ?? ""], deployment.requestsPerMinute),
      (
        lodge.sessions.session(of: call.credential).flatMap { lodge.counted.byOwner[$0.owner] },
        deployment.requestsPerHour
      ),
    ].map { window, most in (counts: window?.count(at: during) ?? RequestCounts(), most: most) }
    guard code == .troppeRichieste else {
      let over = counts.first { $0.counts.certain >= $0.most }
      return judge.expect(over == nil, "request \((over?.most ?? 0) + 1) was let through")
    }
    let full = counts.filter { $0.counts.possible >= $0.most }
    judge.expect(!full.isEmpty, "refused after \(counts[0].counts.possible) requests of a minute")
    guard let wait = call.outcome.refusal?.retryAfterSeconds, wait > 0 else {
      return judge.violated("refused for the limit without Retry-After")
    }
    guard full.count == 1, let due = full[0].counts.wait(most: full[0].most, during) else { return }
    judge.expect(
      due.contains(wait), "told to wait \(wait) s, not \(due.lowerBound) to \(due.upperBound)")
  }
}

/// The requests of a sliding window: those that certainly counted and those that may have.
struct RequestCounts {
  var certain = 0
  var possible = 0
  /// Those that may have, the newest first.
  fileprivate var spans: [ClosedRange<Instant>] = []
  fileprivate var length = Span.zero

  /// After how many seconds there is room for one more; `nil` where that is not certain.
  fileprivate func wait(most: Int, _ now: ClosedRange<Instant>) -> ClosedRange<Int>? {
    guard certain == possible, most <= spans.count else { return nil }
    let leaves = spans[most - 1]
    let (least, longest) = (
      leaves.lowerBound + length - now.upperBound, leaves.upperBound + length - now.lowerBound
    )
    return max(1, Int(least.seconds))...max(1, Int(longest.seconds) + 1)
  }
}

/// The requests that counted for one address or one fratello lately.
struct RequestWindow {
  private let length: Span
  private var taken: [(during: ClosedRange<Instant>, isCertain: Bool)] = []

  init(_ length: Span) { self.length = length }

  fileprivate mutating func take(_ during: ClosedRange<Instant>, isCertain: Bool) {
    if taken.count > 256, let first = taken.first,
      first.during.upperBound < during.lowerBound - length * 2 - .minutes(5)
    {
      taken.removeAll { $0.during.upperBound < during.lowerBound - length - .minutes(5) }
    }
    taken.append((during, isCertain))
  }

  func count(at now: ClosedRange<Instant>) -> RequestCounts {
    var counts = RequestCounts()
    var isItselfFound = false
    counts.length = length
    for (during, isCertain) in taken.reversed() {
      // In the order of their answers: nothing takes minutes.
      if during.upperBound < now.lowerBound - length - .minutes(2) { break }
      guard during.lowerBound <= now.upperBound, during.upperBound > now.lowerBound - length
      else { continue }
      if during == now, !isItselfFound {
        isItselfFound = true
        continue
      }
      counts.possible += 1
      counts.spans.append(during)
      if isCertain, during.lowerBound > now.upperBound - length, during.upperBound < now.lowerBound
      {
        counts.certain += 1
      }
    }
    return counts
  }
}

/// What counts where requests are limited (KW-163).
struct RequestBook {
  private(set) var byAddress: [String: RequestWindow] = [:]
  private(set) var byOwner: [Fratello.ID: RequestWindow] = [:]

  mutating func take(_ call: KWCall, _ during: ClosedRange<Instant>, of session: Session?) {
    let isTaken = call.outcome.isAnswered && call.outcome.refusal?.kind != .troppeRichieste
    byAddress[call.credential?.peer ?? "", default: RequestWindow(.minutes(1))]
      .take(during, isCertain: isTaken)
    guard let session else { return }
    byOwner[session.owner, default: RequestWindow(.hours(1))]
      .take(during, isCertain: isTaken && session.state(during: during) == .live)
  }
}
