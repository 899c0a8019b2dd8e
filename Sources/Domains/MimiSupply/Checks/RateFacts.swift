import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who was admitted when, as far as the intervals of requests tell (MS-01 to MS-03).
///
/// What is certain at once (too many admissions in less than a window) is said with the record that shows it; what a
/// refusal rests on is known only when every request that may have come before it has been seen.
final class RateFacts: Facts {
  static let concerns = Set<Concern>.anything.union([.controls])
  /// The rules that they decide about.
  enum Topic: Hashable, Sendable {
    /// MS-01
    case admission
    /// MS-02
    case wait
    /// MS-03
    case sharing
  }

  private enum Payer: Hashable, Sendable {
    case user(UserName)
    case anonymous(apiToken: String, device: DeviceName)
  }

  private struct Entry: Sendable {
    let sent: Instant
    let answered: Instant
    let device: DeviceName?
    let isAdmitted: Bool
    /// When it may have been admitted at the latest.
    let latest: Instant
  }

  private struct Refusal: Sendable {
    let payer: Payer
    let sent: Instant
    let answered: Instant
    let retryAfter: Span?
  }

  /// Decisions that became possible with the last record.
  var ripening = Ripening<Decision<Topic>>()
  private let accounts: AccountFacts
  private var entries: [Payer: [Entry]] = [:]
  /// Refusals that are not judged yet, in the order of their coming.
  private var refusals: [Refusal] = []
  private var deployment = MimiSupply.Deployment()
  private var limit: Int { deployment.requestsPerSecondPerUser }
  private var window: Span { deployment.rateWindow }
  /// Settings changed then: what was sent before is not judged.
  private var settled = Instant.distantPast
  /// No client waits longer for an answer.
  private static let longest = Span.seconds(75)

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  func asked(_ call: SeenCall, at moment: Moment) {
    take(call)
    ripen(at: moment.time)
  }

  /// It is admitted by when the first is answered, or not.
  func askedAgain(_ unheard: SeenCall, at moment: Moment) {
    guard unheard.sent >= settled, let payer = payer(of: unheard) else { return }
    entries[payer, default: []].append(
      Entry(
        sent: unheard.sent, answered: unheard.answered, device: accounts.device(of: unheard),
        isAdmitted: false, latest: unheard.answered))
  }

  func commanded(_ command: Control, at moment: Moment) {
    if case .configure(let values) = command { configure(values, at: moment.time) }
    ripen(at: moment.time)
  }

  private func ripen(at now: Instant) {
    while let first = refusals.first, first.answered + Self.longest < now {
      judge(first)
      refusals.removeFirst()
    }
  }

  private func configure(
    _ adjustment: Adjustment<MimiSupply.Deployment>, at instant: Instant
  ) {
    let (most, span) = (limit, window)
    adjustment.apply(to: &deployment)
    guard limit != most || window != span else { return }
    settled = instant + .seconds(1)
    entries = [:]
    refusals = []
  }

  private func take(_ call: SeenCall) {
    guard call.sent >= settled, let payer = payer(of: call) else { return }
    var isAdmitted = true
    switch call.outcome {
    case .unsent: return
    case .unknown: isAdmitted = false
    case .replied: break
    case .refused(let refusal):
      switch refusal.failure.code {
      // These come before the limit is looked at (§3.1).
      case .authenticationFailed, .authenticationRequired: return
      case .throttled:
        refusals.append(
          Refusal(
            payer: payer, sent: call.sent, answered: call.answered,
            retryAfter: refusal.failure.retryAfter))
        return
      default: break
      }
    }
    let entry = Entry(
      sent: call.sent, answered: call.answered, device: accounts.device(of: call),
      isAdmitted: isAdmitted, latest: isAdmitted ? call.answered : .distantFuture)
    entries[payer, default: []].append(entry)
    if isAdmitted { count(upTo: entry, of: payer) }
    prune(payer, at: call.answered)
  }

  /// Whose budget pays; `nil` for what does not count, or where nobody knows.
  private func payer(of call: SeenCall) -> Payer? {
    switch call.request {
    case .poll, .upload, .download, .unread, .control, .inspect: return nil
    case .signIn: break
    default:
      if call.credential?.userToken != nil {
        return accounts.user(of: call).map { .user($0) }
      }
    }
    guard let credential = call.credential, let token = credential.apiToken else { return nil }
    return .anonymous(
      apiToken: token, device: credential.deviceID ?? DeviceName(credential.peer ?? ""))
  }

  /// Admissions that certainly lie within less than one window that ends with the latest.
  private func count(upTo last: Entry, of payer: Payer) {
    guard let all = entries[payer], all.count >= limit else { return }
    let opens = last.answered - window
    var total = 0
    var own = 0
    for entry in all.reversed() {
      if entry.answered <= opens { break }
      guard entry.isAdmitted, entry.sent > opens else { continue }
      total += 1
      if entry.device == last.device { own += 1 }
    }
    if own > limit {
      say(.admission, "\(own) requests of one user were admitted in less than \(window)")
    } else if own == limit {
      say(.admission)
    } else if total > limit {
      say(.sharing, "\(total) requests of one user's devices were admitted in less than \(window)")
    } else if total == limit {
      say(.sharing)
    }
  }

  private func prune(_ payer: Payer, at now: Instant) {
    guard let count = entries[payer]?.count, count >= 256 else { return }
    let old = now - Self.longest - Self.longest - window
    entries[payer]?.removeAll { $0.latest < old }
  }

  private func judge(_ refusal: Refusal) {
    let all = entries[refusal.payer] ?? []
    let possible = all.count {
      $0.sent <= refusal.answered && $0.latest > refusal.sent - window
    }
    if possible < limit {
      say(.admission, "refused although at most \(possible) were admitted in \(window)")
      return
    }
    say(.admission)
    guard let wait = refusal.retryAfter, wait > .zero, wait <= window else { return }
    // The wait ends when the oldest of the last 40 admissions leaves the window.
    let from = refusal.sent + wait - window
    let to = refusal.answered + wait - window
    let sooner = all.count { $0.sent <= refusal.answered && $0.latest >= from }
    let later = all.count { $0.isAdmitted && $0.sent > to && $0.answered < refusal.sent }
    if sooner < limit {
      say(.wait, "retryAfter \(wait) is longer than the window is full")
    } else if later >= limit {
      say(.wait, "after retryAfter \(wait) the window is full still")
    }
  }

  private func say(_ topic: Topic, _ problem: String? = nil) {
    ripening.tell(Decision(about: topic, problem: problem))
  }
}
