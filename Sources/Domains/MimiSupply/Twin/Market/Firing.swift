import Contracts
import MimiSupplyContract
import Timekeeping

// What time brings (§6.6). Each firing is one commit.
extension Market {
  /// Fires the first thing that is due.
  ///
  /// - Returns: The changes of the commit; none when the attempt that was due found nobody.
  mutating func fire(on shelf: some Shelf, at due: Instant) -> [Change] {
    now = max(now, due)
    firing = due
    defer { firing = nil }
    var commit = Commit(on: shelf, at: due)
    stirred = []
    if !matched.isEmpty, matchedAt <= due {
      commitMatch(in: &commit)
      stir(in: &commit)
      return commit.changes
    }
    guard let key = timers.take(until: due) else { return [] }
    let name = key.name
    switch key.kind {
    case .offer:
      guard let order = offers[name]?.order else { break }
      change(name, [.state: .string("expired")], in: &commit)
      commit.searching.insert(order)
    case .partner:
      transition(name, to: .cancelled, because: "partner_timeout", in: &commit)  // MS-62
    case .pickup: removeDriver(from: name, because: "pickup_timeout", in: &commit)  // MS-71
    case .offline: removeDriver(from: name, because: "offline_grace", in: &commit)  // MS-71
    case .giveUp:
      transition(name, to: .failed, because: "dispatch_give_up", in: &commit)  // MS-70
    case .unpaid: transition(name, to: .failed, because: "unpaid_timeout", in: &commit)  // MS-55
    case .payment:
      settlePayment(of: name, isAccepted: !refusedPayments.remove(name), in: &commit)
    case .retry: retry(name, in: &commit)
    case .assignment: assignNext(in: &commit)
    case .tick: matchBatch(in: &commit)
    }
    stir(in: &commit)
    return commit.changes
  }

  private mutating func retry(_ order: RecordName, in commit: inout Commit<some Shelf>) {
    guard let facts = orders[order], facts.isWaiting, facts.openOffer == nil else { return }
    work.retries += 1
    switch settings.dispatchMode {
    case .offer: commit.searching.insert(order)
    case .auto:
      assignable.insert(order)
      timers.set(.assignment, "", at: commit.now)
    case .batch:
      orders[order]!.beginRound()
      awaitTick(at: commit.now)
    case .pool: break
    }
  }

  // MARK: - Payments

  /// What the payment stub decided (T2, T3), which a caller tells before the stub's delay is over.
  mutating func settlePayment(
    of order: RecordName, isAccepted: Bool, on shelf: some Shelf, at now: Instant
  ) -> [Change] {
    self.now = max(self.now, now)
    var commit = Commit(on: shelf, at: now)
    settlePayment(of: order, isAccepted: isAccepted, in: &commit)
    stir(in: &commit)
    return commit.changes
  }

  private mutating func settlePayment(
    of order: RecordName, isAccepted: Bool, in commit: inout Commit<some Shelf>
  ) {
    guard orders[order]?.status == .paymentProcessing else { return }
    if isAccepted {
      transition(order, to: .paymentConfirmed, because: nil, in: &commit)
    } else {
      transition(order, to: .failed, because: Failure.paymentFailed, in: &commit)
    }
  }
}
