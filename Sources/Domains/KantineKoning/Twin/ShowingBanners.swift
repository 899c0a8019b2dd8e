import Contracts
import KantineKoningContract
import Timekeeping

/// O19: the banners of a club, and those that every phone shows.
extension KantineKoningTwin {
  /// In order of `display_order`, then identifier, also when the order is left to chance: the client sorts by
  /// `display_order` (KK-122), and so no request needs a random draw.
  mutating func banners(
    _ query: BannersQuery, from caller: Caller<KantineKoning>, at now: Instant
  ) -> Answer {
    var session: Session?
    switch caller {
    case .client(nil) where mayReadInPublic(caller): break
    default:
      switch authenticate(caller, at: now) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let found): session = found
      }
    }
    var shown: [Banner] = []
    if let slug = query.tenant {
      if let session, let refusal = judge(tenant: slug, of: session) { return .failure(refusal) }
      guard let club = clubBySlug[slug] else { return .refused(.tenantNotFound) }
      shown = clubs[club].banners
    } else if !rules.binds(.kk122) {
      shown = clubs.flatMap(\.banners)
    }
    work.rowsRead += shown.count + globalBanners.count
    return .success(.banners(BannerLists(banners: shown, globalBanners: globalBanners)))
  }

  // MARK: The operator's commands

  mutating func create(_ banner: Banner) -> Problem? {
    let all = [globalBanners] + clubs.map(\.banners)
    guard !all.contains(where: { $0.contains { $0.id == banner.id } }) else {
      return .invalid("banner '\(banner.id)': it exists already")
    }
    guard !banner.tenantSlug.isEmpty else {
      globalBanners.insertInOrder(banner)
      return nil
    }
    guard let club = clubBySlug[banner.tenantSlug] else {
      return .invalid("banner '\(banner.id)': no tenant '\(banner.tenantSlug)'")
    }
    clubs[club].banners.insertInOrder(banner)
    return nil
  }

  mutating func removeBanner(_ id: BannerID) -> Problem? {
    if let index = globalBanners.firstIndex(where: { $0.id == id }) {
      globalBanners.remove(at: index)
      return nil
    }
    for club in clubs.indices {
      guard let index = clubs[club].banners.firstIndex(where: { $0.id == id }) else { continue }
      clubs[club].banners.remove(at: index)
      return nil
    }
    return .invalid("no banner '\(id)'")
  }
}

extension [Banner] {
  fileprivate mutating func insertInOrder(_ banner: Banner) {
    let place = firstIndex { (banner.displayOrder, banner.id) < ($0.displayOrder, $0.id) }
    insert(banner, at: place ?? count)
  }
}
