import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The safeguards that the phone itself keeps around a sync: KK-72 to KK-75 and KK-80.
enum DeviceChecks {
  static let all: [KKCheck] = [
    diary(
      .kk72, skipped: { if $0 == .tenantInfoFailed { $3.held() } },
      synced: { call, diary, judge in
        judge.expect(
          diary.tenantInfoAt.map { $0 <= call.sent } ?? false,
          "a sync without tenant info in the same foreground")
      }),
    diary(
      .kk73, skipped: { if $0 == .teamWithoutCode { $3.held() } },
      synced: { call, _, judge in
        guard case .sync(let list) = call.request else { return }
        if list.items.contains(where: { $0.teamCodes?.contains { $0.text.count == 36 } ?? false }) {
          judge.violated("a sync was sent with a team's id in place of its code")
        }
      }),
    diary(
      .kk74, skipped: { if $0 == .throttled { $3.held() } },
      synced: { call, diary, judge in
        guard let last = diary.lastSync else { return }
        judge.expect(
          call.intended - last >= .hours(1), "two syncs within \(call.intended - last)")
      }),
    diary(
      .kk75,
      skipped: { skip, time, diary, judge in
        guard skip == .throttled else { return }
        let isDue = diary.lastSync.map { time - $0 >= .hours(1) } ?? true
        judge.expect(!isDue, "a sync was held back though the last one failed or is long ago")
      },
      synced: { call, diary, judge in
        if let failed = diary.failedSync, call.intended - failed < .hours(1) { judge.held() }
      }),
    diary(
      .kk80,
      synced: { call, diary, judge in
        guard case .sync(let list) = call.request, let ended = diary.ended, !ended.isEmpty
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
    synced: @escaping @Sendable (KKCall, Diary, inout Judge) -> Void
  ) -> KKCheck {
    .each(
      limit, [.asks(.sync)], by: Diary.self,
      noted: { note, moment, diary, verdict in
        guard diary.isPhone, case .syncSkipped(let skip) = note else { return }
        skipped(skip, moment.time, diary, &verdict)
      },
      { call, diary, verdict in
        if diary.isPhone, !call.isUnsent { synced(call, diary, &verdict) }
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

  func asked(_ call: KKCall, at moment: Moment) {
    if let clubs = call.tenants {
      tenantInfoAt = min(tenantInfoAt ?? call.answered, call.answered)
      let now = Set(clubs.filter(\.seasonEnded).map(\.slug))
      ended = ended?.intersection(now) ?? now
    }
    guard case .sync = call.request else { return }
    if call.isReplied {
      lastSync = call.intended
      failedSync = nil
    } else {
      failedSync = call.intended
    }
  }
}
