import Contracts
import Timekeeping

/// One club of O12.
public struct FoundClub: Hashable, Sendable {
  public var slug: Slug, name: String
  public var enrollmentOpen: Bool
  public var enrollmentMessage, clubLogoURL: String?

  public init(
    slug: Slug, name: String, enrollmentOpen: Bool = true, enrollmentMessage: String? = nil,
    clubLogoURL: String? = nil
  ) {
    (self.slug, self.name, self.enrollmentOpen) = (slug, name, enrollmentOpen)
    (self.enrollmentMessage, self.clubLogoURL) = (enrollmentMessage, clubLogoURL)
  }

  static let shape = Shape(
    FoundClub.init, Field("slug", \.slug, .name), Field("name", \.name, .text),
    Field("enrollment_open", \.enrollmentOpen, .flag),
    Field("enrollment_message", \.enrollmentMessage, .optional(.text)),
    Field("club_logo_url", \.clubLogoURL, .optional(.text)))
}

/// A sponsor's image of 6:1 (§2.10).
public struct Banner: Hashable, Sendable {
  public var id: BannerID
  /// Empty for a global banner.
  public var tenantSlug: Slug
  public var name, fileURL: String
  public var linkURL, altText: String?
  public var displayOrder: Int

  public init(
    id: BannerID, tenantSlug: Slug = "", name: String, fileURL: String, linkURL: String? = nil,
    altText: String? = nil, displayOrder: Int = 0
  ) {
    (self.id, self.tenantSlug, self.name, self.fileURL) = (id, tenantSlug, name, fileURL)
    (self.linkURL, self.altText, self.displayOrder) = (linkURL, altText, displayOrder)
  }

  static let shape = Shape(
    Banner.init, Field("id", \.id, .name),
    Field("tenant_slug", \.tenantSlug, .name.otherwise("")), Field("name", \.name, .text),
    Field("file_url", \.fileURL, .text), Field("link_url", \.linkURL, .optional(.text)),
    Field("alt_text", \.altText, .optional(.text)), Field("display_order", \.displayOrder, .int))

  /// As the operator gives it.
  static let given = Shape(
    Banner.init, Field("id", \.id, .generated, "Its identifier; generated when left out."),
    Field("tenant", \.tenantSlug, .generated.called("slug"), "The club; without one it is global.")
      .or("tenant_slug", "club", "slug", "tenant_id"),
    Field("name", \.name, .text, "Its name.").or("club_name"),
    Field("file_url", \.fileURL, .url, "The image, 6:1."),
    Field("link_url", \.linkURL, .omittable(.url), "Where a tap leads."),
    Field("alt_text", \.altText, .omittable(.text), "What the image shows."),
    Field("display_order", \.displayOrder, .int.otherwise(0), "Its place; 0."))
}

/// O19. The client sorts by `display_order` (KK-122), so the answer's order is free and `randomize` is only a wish.
public struct BannersQuery: Hashable, Sendable {
  public var randomize: Bool
  public var tenant: Slug?

  public init(randomize: Bool = true, tenant: Slug? = nil) {
    (self.randomize, self.tenant) = (randomize, tenant)
  }

  static let shape = Shape(
    BannersQuery.init, Field("randomize", \.randomize, wish, in: .query),
    Field("tenant", \.tenant, .omittable(.name), in: .query))

  /// `true`, or nothing.
  private static let wish = Coding<String?>.omittable(.text).converted(
    to: { $0 == "true" }, from: { isWished, _ in isWished ? "true" : nil }
  ).otherwise(false).example("true")
}

/// The answer of O19.
public struct BannerLists: Hashable, Sendable {
  /// Of the tenant that was asked for.
  public var banners: [Banner]
  public var globalBanners: [Banner]

  public init(banners: [Banner], globalBanners: [Banner]) {
    (self.banners, self.globalBanners) = (banners, globalBanners)
  }

  static let shape = Shape(
    BannerLists.init, Field("banners", \.banners, .list(Banner.shape.coding)),
    Field("global_banners", \.globalBanners, .list(Banner.shape.coding)))
}

/// The answer of O20 (§2.11).
public struct SeasonSummary: Hashable, Sendable {
  public struct Achievement: Hashable, Sendable {
    public var title, description, icon: String

    public init(title: String, description: String, icon: String) {
      (self.title, self.description, self.icon) = (title, description, icon)
    }

    static let shape = Shape(
      Achievement.init, Field("title", \.title, .text), Field("description", \.description, .text),
      Field("icon", \.icon, .text))
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
      (self.totalHours, self.totalShifts) = (totalHours, totalShifts)
      (self.favoriteLocation, self.mostActiveMonth) = (favoriteLocation, mostActiveMonth)
      self.achievements = achievements
    }

    static let shape = Shape(
      Statistics.init, Field("total_hours", \.totalHours, .hours),
      Field("total_shifts", \.totalShifts, .int),
      Field("favorite_location", \.favoriteLocation, .optional(.text)),
      Field("most_active_month", \.mostActiveMonth, .optional(.text)),
      Field("achievements", \.achievements, .list(Achievement.shape.coding)))
  }

  public var tenantClubName, teamNaam: String, teamCode: TeamName
  public var seasonStats: Statistics
  public var calculatedAt: Instant

  public init(
    tenantClubName: String, teamNaam: String, teamCode: TeamName, seasonStats: Statistics,
    calculatedAt: Instant
  ) {
    (self.tenantClubName, self.teamNaam, self.teamCode) = (tenantClubName, teamNaam, teamCode)
    (self.seasonStats, self.calculatedAt) = (seasonStats, calculatedAt)
  }

  static let shape = Shape(
    SeasonSummary.init, Field("tenant_club_name", \.tenantClubName, .text),
    Field("team_naam", \.teamNaam, .text), Field("team_code", \.teamCode, .name),
    Field("season_stats", \.seasonStats, Statistics.shape.coding),
    Field("calculated_at", \.calculatedAt, .textOrSeconds))
}
