import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The safeguards that the phone itself keeps around a sync: KK-72 to KK-75 and KK-80.
enum DeviceChecks {
  static let all: [KKCheck] = [
    diary(.kk72) { record, diary, judge in
      if case .note(.syncSkipped(.tenantInfoFailed)) = record.event { judge.held() }
      guard let exchange = record.sync else { return }
      judge.expect(
        diary.tenantInfoAt.map { $0 <= exchange.sent } ?? false,
        "a sync without tenant info in the same foreground")
    },
    diary(.kk73) { record, _, judge in
      if case .note(.syncSkipped(.teamWithoutCode)) = record.event { judge.held() }
      guard case .sync(let list)? = record.sync?.request else { return }
      if list.items.contains(where: { $0.teamCodes?.contains { $0.count == 36 } ?? false }) {
        judge.violated("a sync was sent with a team's id in place of its code")
      }
    },
    diary(.kk74) { record, diary, judge in
      if case .note(.syncSkipped(.throttled)) = record.event { judge.held() }
      guard let exchange = record.sync, let last = diary.lastSync else { return }
      judge.expect(
        exchange.sent - last >= .hours(1), "two syncs within \(exchange.sent - last)")
    },
    diary(.kk75) { record, diary, judge in
      if case .note(.syncSkipped(.throttled)) = record.event {
        let isDue = diary.lastSync.map { record.time - $0 >= .hours(1) } ?? true
        judge.expect(!isDue, "a sync was held back though the last one failed or is long ago")
      }
      if let exchange = record.sync, let failed = diary.failedSync,
        exchange.sent - failed < .hours(1)
      {
        judge.held()
      }
    },
    diary(.kk80) { record, diary, judge in
      guard case .sync(let list)? = record.sync?.request, let ended = diary.ended, !ended.isEmpty
      else { return }
      let listed = list.items.compactMap(\.tenantSlug).filter(ended.contains)
      judge.expect(listed.isEmpty, "a sync listed \(listed), whose season ended")
    },
  ]

  private static func diary(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (KKRecord, Diary, inout Judge) -> Void
  ) -> KKCheck {
    .byPerson(limit, [.notes, .asks(.sync), .asks(.tenants)]) { DiaryHistory(judge: judge) }
  }
}

/// What is to be remembered of one phone between its records.
private struct Diary {
  /// Only who came to the foreground is a phone; others may sync as they like.
  var isPhone = false
  /// When tenant info was first answered in this foreground.
  var tenantInfoAt: Instant?
  /// Clubs that every tenant info of this foreground called ended.
  var ended: Set<String>?
  /// When the last successful sync under this identifier left, and the last failed one since.
  var lastSync: Instant?
  var failedSync: Instant?

  mutating func take(_ record: KKRecord) {
    switch record.event {
    case .note(.foreground):
      isPhone = true
      tenantInfoAt = nil
      ended = nil
    case .note(.identifierChanged), .note(.reinstalled), .note(.throttleForgotten):
      lastSync = nil
      failedSync = nil
    case .request(let exchange): take(exchange)
    default: break
    }
  }

  private mutating func take(_ exchange: KKExchange) {
    if let clubs = exchange.tenants {
      tenantInfoAt = min(tenantInfoAt ?? exchange.answered, exchange.answered)
      let now = Set(clubs.filter(\.seasonEnded).map(\.slug))
      ended = ended?.intersection(now) ?? now
    }
    guard case .sync = exchange.request else { return }
    if exchange.isReplied {
      lastSync = exchange.sent
      failedSync = nil
    } else {
      failedSync = exchange.sent
    }
  }
}

private struct DiaryHistory: FormerHistory {
  typealias Agreement = KantineKoning
  let judge: @Sendable (KKRecord, Diary, inout Judge) -> Void
  private var diary = Diary()

  init(judge: @escaping @Sendable (KKRecord, Diary, inout Judge) -> Void) { self.judge = judge }

  mutating func see(_ record: KKRecord, _ verdict: inout Judge) {
    if diary.isPhone { judge(record, diary, &verdict) }
    diary.take(record)
  }
}

extension Record<KantineKoning> {
  /// A sync that left the phone.
  fileprivate var sync: KKExchange? {
    guard case .request(let exchange) = event, case .sync = exchange.request else { return nil }
    if case .unsent = exchange.outcome { return nil }
    return exchange
  }
}
