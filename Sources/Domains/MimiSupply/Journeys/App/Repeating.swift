import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What the app does about errors (§7.1, §7.2).
extension AppClient {
  /// Makes one request, with everything that the error table says about its failures.
  func ask(
    _ request: MimiSupply.Request, _ manner: Manner = Manner(), as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    start(as: me)
    if request.isItsOwnAddress { return try await me.ask(request, with: credential) }
    if case .requestUploads = request, let quotaExceeded { return .refused(quotaExceeded) }
    var number = 1
    var hasSignedIn = false
    while true {
      let tried = try await attempt(request, number: number, manner, as: me)
      let outcome = tried.outcome
      guard tried.wasSent, let error = ErrorTable.error(of: outcome) else { return outcome }
      let isWholeBatch = request.items.count > 1
      switch handling(of: error, isWholeBatch: isWholeBatch, as: me) {
      case .retry:
        guard try await waits(after: number, error, outcome, as: me) else { return outcome }
      case .lookUpFirst:
        if let known = try await whatHappened(to: request, as: me) { return known }
        guard request.isRead || !request.items.isEmpty,
          try await waits(after: number, error, outcome, as: me)
        else { return outcome }
      case .authenticate:
        guard !hasSignedIn, !request.isAboutSessions, let signInAgain else { return outcome }
        hasSignedIn = true
        guard try await signInAgain(me) else { return outcome }
      case .split: return try await split(request, manner, outcome, as: me)
      case .stopUploads:
        quotaExceeded = outcome.refusal
        return outcome
      case .goOffline:
        try await noticeNetwork(as: me)
        return outcome
      default: return outcome
      }
      number += 1
    }
  }

  /// What the error table says; it is written down.
  func handling(
    of error: AppError, isWholeBatch: Bool = false, as me: Person<MimiSupply>
  ) -> ErrorHandling {
    let documented = ErrorTable.handling(of: error, isWholeBatch: isWholeBatch)
    // With MS-120 off the app gives up whatever the error.
    let handling = rules.binds(.ms120) ? documented : .giveUp
    note(.handled(error, handling), me)
    return handling
  }

  /// Waits before the next try; `false` when there is none (MS-119).
  private func waits(
    after number: Int, _ error: AppError, _ outcome: Outcome<MimiSupply>,
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    // With MS-119 off the app hammers.
    let isHasty = !rules.binds(.ms119)
    guard number < (isHasty ? 2 * Backoff.attempts : Backoff.attempts) else {
      if outcome.isOfTheNetwork { try await suspend(as: me) }
      return false
    }
    guard !isHasty else { return true }
    let unit = me.draw(.backoff) { $0.unit() }
    try await me.think(
      settings.backoff.wait(
        after: number, error, unit: unit, retryAfter: outcome.refusal?.failure.retryAfter))
    return true
  }

  /// A batch that is too large goes in two halves.
  private func split(
    _ request: MimiSupply.Request, _ manner: Manner, _ outcome: Outcome<MimiSupply>,
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    guard case .modify(let place, var asked) = request, asked.items.count > 1 else {
      return outcome
    }
    let all = asked.items
    var results: [ItemResult] = []
    for half in [all.prefix(all.count / 2), all.suffix(from: all.count / 2)] {
      asked.items = Array(half)
      let part = try await ask(.modify(place, asked), Manner(priority: manner.priority), as: me)
      guard part.items.count == half.count else { return part }
      results += part.items
    }
    return .replied(MimiSupply.Reply(.items(results), csn: 0))
  }

  // MARK: An answer that never came

  /// Looks whether a write whose answer was lost has worked: its outcome then, `nil` when it has to be repeated.
  private func whatHappened(
    to request: MimiSupply.Request, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply>? {
    guard case .modify(let place, let asked) = request, !asked.items.isEmpty else { return nil }
    let names = asked.items.compactMap(\.record.name)
    guard names.count == asked.items.count else { return nil }
    let lookup = Lookup(names.map { .init($0) }, zone: asked.zone)
    let found = try await attempt(.lookup(place, lookup), number: 1, Manner(), as: me)
    if found.wasSent, let error = ErrorTable.error(of: found.outcome) {
      _ = handling(of: error, as: me)
    }
    let states = found.outcome.items
    guard states.count == asked.items.count else { return nil }
    let happened = zip(asked.items, states).compactMap { $0.result(seen: $1) }
    guard happened.count == asked.items.count else { return nil }
    return .replied(MimiSupply.Reply(.items(happened), csn: 0))
  }
}

extension Modification.Item {
  /// What became of this write, by the state that was found later; `nil` when it has not worked, or nobody can tell.
  fileprivate func result(seen state: ItemResult) -> ItemResult? {
    switch (kind, state) {
    case (.create, .saved(let record)): record.isMade(by: self.record) ? state : nil
    case (.delete, .failed(let missing)), (.forceDelete, .failed(let missing)):
      missing.failure.code == .notFound ? .deleted(recordName: record.name ?? "") : nil
    case (.update, .saved(let stored)), (.replace, .saved(let stored)):
      stored.changeTag != record.changeTag && record.isStored(in: stored) ? state : nil
    case (.forceUpdate, .saved(let stored)), (.forceReplace, .saved(let stored)):
      record.isStored(in: stored) ? state : nil
    default: nil
    }
  }
}

extension CloudRecord {
  /// What can have changed since a record was made.
  private static let changeable: FieldNames = [
    .createdAt, .updatedAt, .status, .paymentStatus, .driverId, .estimatedDeliveryTime,
    .actualDeliveryTime, .tipCents, .totalCents, .deliveryInstructions, .isOnline,
    .isAvailable, .customerRating, .customerFeedback,
  ]

  /// Whether this is what a creation made: `EXISTS` with identical content counts as success (§7.2).
  func isMade(by draft: RecordDraft) -> Bool {
    (draft.type == nil || draft.type == type) && draft.isStored(in: self, but: Self.changeable)
  }
}

extension MimiSupply.Request {
  /// Where a refused session is no reason to sign in.
  fileprivate var isAboutSessions: Bool {
    switch self {
    case .signIn, .signOut, .refresh: true
    default: false
    }
  }
}
