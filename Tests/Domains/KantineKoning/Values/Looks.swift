import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What inspections show of phones, and histories: KK-14, KK-19, KK-79 and KK-122.
extension CanteenChecks {
  mutating func inspected(_ reply: KantineKoning.Reply) {
    guard case .inspection(let inspection) = reply else { return }
    if inspection.extent.isWhole {
      for row in enrollments.indices { enrollments[row].activeOn = nobody }
      for phone in phones.indices { phones[phone].active = [] }
    }
    for id in inspection.gone { if let row = enrollments.known(id) { leave(row) } }
    var changed: [Int] = []
    for enrollment in inspection.enrollments {
      let row = enrollments.number(of: enrollment.deviceID)
      leave(row)
      guard enrollment.isActive, !enrollment.hardwareIdentifier.isEmpty else { continue }
      let phone = phones.number(of: enrollment.hardwareIdentifier)
      enrollments[row].activeOn = phone
      phones[phone].active.append(enrollment)
      if !changed.contains(phone) { changed.append(phone) }
    }
    for phone in changed.sorted(by: { phones.names[$0] < phones.names[$1] }) { judge(phone) }
    judgePushes(inspection.deliveries)
  }

  private mutating func leave(_ row: Int) {
    let phone = enrollments[row].activeOn
    guard phone != nobody else { return }
    let id = enrollments.names[row]
    phones[phone].active.removeAll { $0.deviceID == id }
    enrollments[row].activeOn = nobody
  }

  @inline(never)
  private func judge(_ phone: Int) {
    let active = phones[phone].active
    let count = active.reduce(0) { $0 + $1.teamCodes.count }
    guard active.count > 1 || count >= 5 else { return }
    var pairs: [(tenant: Slug, code: TeamName)] = []
    for enrollment in active {
      for code in enrollment.teamCodes
      where !pairs.contains(where: { $0.tenant == enrollment.tenantSlug && $0.code == code }) {
        pairs.append((enrollment.tenantSlug, code))
      }
    }
    if pairs.count >= 5 {
      expect(.kk14, pairs.count == 5, "one phone follows \(pairs.count) teams")
    }
    guard active.count > 1 else { return }
    expect(.kk19, pairs.count == count, "one phone has a team in two active enrollments")
  }

  /// KK-79: the same list again at once finds nothing to do.
  @inline(never)
  mutating func judgeRepeated(_ asked: Asked) {
    guard asked.enrollment != nobody else { return }
    let before = enrollments[asked.enrollment].last
    enrollments[asked.enrollment].last = asked.call
    guard case .replied(.synced(let summary)) = asked.call.outcome, let before,
      case .replied(.synced) = before.outcome, before.answered < asked.call.sent,
      asked.call.sent - before.answered < .minutes(10), let caller = asked.caller,
      phones[caller.phone].changedAt == before.answered, before.request == asked.call.request
    else { return }
    let interval = before.sent...asked.call.answered
    let areSettled = phones[caller.phone].rights.allSatisfy { right in
      guard let deployment = decided.values(during: interval) else { return false }
      guard deployment.syncProtectsClosedTenants else { return true }
      return known(right.tenant).flatMap { clubs[$0].isProtected(during: interval) } != nil
    }
    guard areSettled else { return }
    expect(
      .kk79,
      summary.enrollmentsRevoked == 0 && summary.teamsRemoved == 0
        && summary.tenantsAffected.isEmpty,
      "the same sync again found \(summary.enrollmentsRevoked) enrollments and "
        + "\(summary.teamsRemoved) teams")
  }

  /// KK-122: a club's banners for those who ask for that club, the global ones for everybody.
  @inline(never)
  func judgeBanners(_ query: BannersQuery, _ asked: Asked) {
    guard case .replied(.banners(let lists)) = asked.call.outcome,
      bannersSince + slack < asked.call.sent
    else { return }
    let stray = lists.banners.first { $0.tenantSlug != query.tenant }
    expect(
      .kk122, stray == nil,
      "a banner of \(stray?.tenantSlug ?? "") is shown to \(query.tenant ?? "everybody")")
    let global = bannersOf[""] ?? 0
    let own = query.tenant.flatMap { bannersOf[$0] } ?? 0
    expect(
      .kk122,
      lists.globalBanners.count == global && lists.banners.count == own
        && lists.globalBanners.allSatisfy { $0.tenantSlug.isEmpty },
      "\(lists.globalBanners.count) global banners of \(global), \(lists.banners.count) of \(own)")
  }

  mutating func learnBanners(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .createBanner(let banner): set(banner.id, banner.tenantSlug)
    case .removeBanner(let id): set(id, nil)
    case .reset: (banners, bannersOf) = ([:], [:])
    default: return
    }
    bannersSince = instant
  }

  private mutating func set(_ banner: BannerID, _ tenant: Slug?) {
    if let former = banners[banner] { bannersOf[former, default: 0] -= 1 }
    banners[banner] = tenant
    if let tenant { bannersOf[tenant, default: 0] += 1 }
  }
}
