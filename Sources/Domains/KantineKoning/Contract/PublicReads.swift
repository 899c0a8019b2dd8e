import Timekeeping

/// One club of O12.
public struct FoundClub: Hashable, Sendable {
  public var slug: String
  public var name: String
  public var enrollmentOpen: Bool
  public var enrollmentMessage: String?
  public var clubLogoURL: String?

  public init(
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
public struct Banner: Hashable, Sendable {
  public var id: String
  /// Empty for a global banner.
  public var tenantSlug: String
  public var name: String
  public var fileURL: String
  public var linkURL: String?
  public var altText: String?
  public var displayOrder: Int

  public init(
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
public struct BannersQuery: Hashable, Sendable {
  public var randomize: Bool
  public var tenant: String?

  public init(randomize: Bool = true, tenant: String? = nil) {
    self.randomize = randomize
    self.tenant = tenant
  }
}

/// The answer of O19.
public struct BannerLists: Hashable, Sendable {
  /// Of the tenant that was asked for.
  public var banners: [Banner]
  public var globalBanners: [Banner]

  public init(banners: [Banner], globalBanners: [Banner]) {
    self.banners = banners
    self.globalBanners = globalBanners
  }
}

/// The answer of O20 (§2.11).
public struct SeasonSummary: Hashable, Sendable {
  public struct Achievement: Hashable, Sendable {
    public var title: String
    public var description: String
    public var icon: String

    public init(title: String, description: String, icon: String) {
      self.title = title
      self.description = description
      self.icon = icon
    }
  }

  public struct Statistics: Hashable, Sendable {
    public var totalHours: DecimalHours
    public var totalShifts: Int
    public var favoriteLocation: String?
    /// A Dutch month: `maart`.
    public var mostActiveMonth: String?
    public var achievements: [Achievement]

    public init(
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

  public var tenantClubName: String
  public var teamNaam: String
  public var teamCode: String
  public var seasonStats: Statistics
  public var calculatedAt: Instant

  public init(
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
