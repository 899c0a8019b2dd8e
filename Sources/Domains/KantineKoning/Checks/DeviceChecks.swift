import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The safeguards that the phone itself keeps around a sync: KK-72 to KK-75 and KK-80.
enum DeviceChecks {
  static let all: [KKCheck] = [
    diary(
      .kk72, skipped: { if $0 == .tenantInfoFailed { $3.held() } },
      synced: { exchange, diary, judge in
        judge.expect(
          diary.tenantInfoAt.map { $0 <= exchange.sent } ?? false,
          "a sync without tenant info in the same foreground")
      }),
    diary(
      .kk73, skipped: { if $0 == .teamWithoutCode { $3.held() } },
      synced: { exchange, _, judge in
        guard case .sync(let list) = exchange.request else { return }
        if list.items.contains(where: { $0.teamCodes?.contains { $0.text.count == 36 } ?? false }) {
          judge.violated("a sync was sent with a team's id in place of its code")
        }
      }),
    diary(
      .kk74, skipped: { if $0 == .throttled { $3.held() } },
      synced: { exchange, diary, judge in
        guard let last = diary.lastSync else { return }
        judge.expect(
          exchange.intended - last >= .hours(1), "two syncs within \(exchange.intended - last)")
      }),
    diary(
      .kk75,
      skipped: { skip, time, diary, judge in
        guard skip == .throttled else { return }
        let isDue = diary.lastSync.map { time - $0 >= .hours(1) } ?? true
        judge.expect(!isDue, "a sync was held back though the last one failed or is long ago")
      },
      synced: { exchange, diary, judge in
        if let failed = diary.failedSync, exchange.intended - failed < .hours(1) { judge.held() }
      }),
    diary(
      .kk80,
      synced: { exchange, diary, judge in
        guard case .sync(let list) = exchange.request, let ended = diary.ended, !ended.isEmpty
        else { return }
        let listed = list.items.compactMap(\.tenantSlug).filter(ended.contains)
        judge.expect(listed.isEmpty, "a sync listed \(listed), whose season ended")
      }),
  ]

  /// Judges each sync that left a phone, and what a phone says of those that it held back.
  private static func diary(
    _ limit: KantineKoning.Rule,
    skipped: @escaping @Sendable (KantineKoning.SyncSkip, Instant, Diary, inout Judge) -> Void = {
      _, _, _, _ in
    },
    synced: @escaping @Sendable (KKExchange, Diary, inout Judge) -> Void
  ) -> KKCheck {
    .each(
      limit, [.asks(.sync)], by: Diary.self,
      noted: { note, moment, diary, verdict in
        guard diary.isPhone, case .syncSkipped(let skip) = note else { return }
        skipped(skip, moment.time, diary, &verdict)
      },
      { exchange, diary, verdict in
        if diary.isPhone, !exchange.isUnsent { synced(exchange, diary, &verdict) }
      })
  }
}

/// What is to be remembered of one phone between its records.
private final class Diary: Facts {
  static let scope = Scope<KantineKoning>.person
  static let concerns: Set<Concern> = [.notes, .asks(.sync), .asks(.tenants)]

  /// Only who came to the foreground is a phone; others may sync as they like.
  private(set) var isPhone = false
  /// When tenant info was first answered in this foreground.
  private(set) var tenantInfoAt: Instant?
  /// Clubs that every tenant info of this foreground called ended.
  private(set) var ended: Set<Slug>?
  /// When the last successful sync under this identifier left, and the last failed one since.
  private(set) var lastSync: Instant?
  private(set) var failedSync: Instant?

  init(_ subject: Subject<Nothing<KantineKoning>>) {}

  func noted(_ note: KantineKoning.Note, at moment: Moment) {
    switch note {
    case .foreground:
      isPhone = true
      tenantInfoAt = nil
      ended = nil
    case .identifierChanged, .reinstalled, .throttleForgotten:
      lastSync = nil
      failedSync = nil
    default: break
    }
  }

  func asked(_ exchange: KKExchange, at moment: Moment) {
    if let clubs = exchange.tenants {
      tenantInfoAt = min(tenantInfoAt ?? exchange.answered, exchange.answered)
      let now = Set(clubs.filter(\.seasonEnded).map(\.slug))
      ended = ended?.intersection(now) ?? now
    }
    guard case .sync = exchange.request else { return }
    if exchange.isReplied {
      lastSync = exchange.intended
      failedSync = nil
    } else {
      failedSync = exchange.intended
    }
  }
}
