import Contracts
import Timekeeping

// Boards, banners, clubs and summaries as a digest sees them.

extension LeaderboardEntry {
  func mix(into digest: inout Digest) {
    digest.mix(rank)
    digest.mix(team.code)
    digest.mix(club?.slug ?? "")
    digest.mix(points)
    digest.mix(totalHours.hundredths)
    digest.mix(recentChange)
    digest.mix(positionChange)
    digest.mix(highlighted)
  }
}

extension TenantBoard {
  func mix(into digest: inout Digest) {
    digest.mix(tenantSlug)
    digest.mix(leaderboardOptOut)
    digest.mix(period.rawValue)
    digest.mix(teams.count)
    for entry in teams { entry.mix(into: &digest) }
  }
}

extension GlobalBoard {
  func mix(into digest: inout Digest) {
    digest.mix(period.rawValue)
    digest.mix(teams.count)
    for entry in teams { entry.mix(into: &digest) }
  }
}

extension BannerLists {
  func mix(into digest: inout Digest) {
    for list in [banners, globalBanners] {
      digest.mix(list.count)
      for banner in list { digest.mix(banner.fileURL) }
    }
  }
}

extension FoundClub {
  func mix(into digest: inout Digest) {
    digest.mix(slug)
    digest.mix(enrollmentOpen)
  }
}

extension SeasonSummary {
  func mix(into digest: inout Digest) {
    digest.mix(teamCode)
    digest.mix(seasonStats.totalHours.hundredths)
    digest.mix(seasonStats.totalShifts)
    digest.mix(seasonStats.favoriteLocation ?? "")
    digest.mix(seasonStats.mostActiveMonth ?? "")
    for achievement in seasonStats.achievements { digest.mix(achievement.title) }
    digest.mix(UInt64(bitPattern: calculatedAt.nanoseconds))
  }
}
