import Timekeeping

/// One club of O12.
package struct FoundClub: Hashable, Sendable {
  package var slug: String
  package var name: String
  package var enrollmentOpen: Bool
  package var enrollmentMessage: String?
  package var clubLogoURL: String?

  package init(
    slug: String, name: String, enrollmentOpen: Bool = true, enrollmentMessage: String? = nil,
    clubLogoURL: String? = nil
  ) {
    self.slug = slug
    self.name = name
    self.enrollmentOpen = enrollmentOpen
    self.enrollmentMessage = enrollmentMessage
    self.clubLogoURL = clubLogoURL
  }
}

/// A sponsor's image of 6:1 (§2.10).
package struct Banner: Hashable, Sendable {
  package var id: String
  /// Empty for a global banner.
  package var tenantSlug: String
  package var name: String
  package var fileURL: String
  package var linkURL: String?
  package var altText: String?
  package var displayOrder: Int

  package init(
    id: String, tenantSlug: String = "", name: String, fileURL: String, linkURL: String? = nil,
    altText: String? = nil, displayOrder: Int = 0
  ) {
    self.id = id
    self.tenantSlug = tenantSlug
    self.name = name
    self.fileURL = fileURL
    self.linkURL = linkURL
    self.altText = altText
    self.displayOrder = displayOrder
  }
}

/// O19. The client sorts by `display_order` (KK-122), so the answer's order is free and `randomize` is only a wish.
package struct BannersQuery: Hashable, Sendable {
  package var randomize: Bool
  package var tenant: String?

  package init(randomize: Bool = true, tenant: String? = nil) {
    self.randomize = randomize
    self.tenant = tenant
  }
}

/// The answer of O19.
package struct BannerLists: Hashable, Sendable {
  /// Of the tenant that was asked for.
  package var banners: [Banner]
  package var globalBanners: [Banner]

  package init(banners: [Banner], globalBanners: [Banner]) {
    self.banners = banners
    self.globalBanners = globalBanners
  }
}

/// The answer of O20 (§2.11).
package struct SeasonSummary: Hashable, Sendable {
  package struct Achievement: Hashable, Sendable {
    package var title: String
    package var description: String
    package var icon: String

    package init(title: String, description: String, icon: String) {
      self.title = title
      self.description = description
      self.icon = icon
    }
  }

  package struct Statistics: Hashable, Sendable {
    package var totalHours: DecimalHours
    package var totalShifts: Int
    package var favoriteLocation: String?
    /// A Dutch month: `maart`.
    package var mostActiveMonth: String?
    package var achievements: [Achievement]

    package init(
      totalHours: DecimalHours, totalShifts: Int, favoriteLocation: String? = nil,
      mostActiveMonth: String? = nil, achievements: [Achievement] = []
    ) {
      self.totalHours = totalHours
      self.totalShifts = totalShifts
      self.favoriteLocation = favoriteLocation
      self.mostActiveMonth = mostActiveMonth
      self.achievements = achievements
    }
  }

  package var tenantClubName: String
  package var teamNaam: String
  package var teamCode: String
  package var seasonStats: Statistics
  package var calculatedAt: Instant

  package init(
    tenantClubName: String, teamNaam: String, teamCode: String, seasonStats: Statistics,
    calculatedAt: Instant
  ) {
    self.tenantClubName = tenantClubName
    self.teamNaam = teamNaam
    self.teamCode = teamCode
    self.seasonStats = seasonStats
    self.calculatedAt = calculatedAt
  }
}
