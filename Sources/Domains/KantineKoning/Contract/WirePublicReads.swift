import Contracts
import Timekeeping

// What O12, O19 and O20 answer as JSON, each written and read beside itself.

extension FoundClub {
  var json: JSON {
    [
      "slug": .string(slug), "name": .string(name), "enrollment_open": .bool(enrollmentOpen),
      "enrollment_message": .optional(enrollmentMessage), "club_logo_url": .optional(clubLogoURL),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      slug: try members.text("slug"), name: try members.text("name"),
      enrollmentOpen: try members.flag("enrollment_open"),
      enrollmentMessage: try members.optionalText("enrollment_message"),
      clubLogoURL: try members.optionalText("club_logo_url"))
  }
}

extension Banner {
  var json: JSON {
    [
      "id": .string(id), "tenant_slug": .string(tenantSlug), "name": .string(name),
      "file_url": .string(fileURL), "link_url": .optional(linkURL), "alt_text": .optional(altText),
      "display_order": .number(displayOrder),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      id: try members.text("id"), tenantSlug: try members.optionalText("tenant_slug") ?? "",
      name: try members.text("name"), fileURL: try members.text("file_url"),
      linkURL: try members.optionalText("link_url"), altText: try members.optionalText("alt_text"),
      displayOrder: try members.number("display_order"))
  }
}

extension BannerLists {
  var json: JSON {
    ["banners": .array(banners.map(\.json)), "global_banners": .array(globalBanners.map(\.json))]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      banners: try all(try members.array("banners"), Banner.init),
      globalBanners: try all(try members.array("global_banners"), Banner.init))
  }
}

extension SeasonSummary {
  var json: JSON {
    [
      "tenant_club_name": .string(tenantClubName), "team_naam": .string(teamNaam),
      "team_code": .string(teamCode), "season_stats": seasonStats.json,
      "calculated_at": .string(calculatedAt.description),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      tenantClubName: try members.text("tenant_club_name"),
      teamNaam: try members.text("team_naam"), teamCode: try members.text("team_code"),
      seasonStats: try Statistics(try WireMembers(members.value("season_stats"))),
      calculatedAt: try members.textOrSeconds("calculated_at"))
  }
}

extension SeasonSummary.Statistics {
  fileprivate var json: JSON {
    [
      "total_hours": totalHours.json, "total_shifts": .number(totalShifts),
      "favorite_location": .optional(favoriteLocation),
      "most_active_month": .optional(mostActiveMonth),
      "achievements": .array(achievements.map(\.json)),
    ]
  }

  fileprivate init(_ members: WireMembers) throws(Malformed) {
    self.init(
      totalHours: try members.hours("total_hours"),
      totalShifts: try members.number("total_shifts"),
      favoriteLocation: try members.optionalText("favorite_location"),
      mostActiveMonth: try members.optionalText("most_active_month"),
      achievements: try all(try members.array("achievements"), SeasonSummary.Achievement.init))
  }
}

extension SeasonSummary.Achievement {
  fileprivate var json: JSON {
    [
      "title": .string(title), "description": .string(description), "icon": .string(icon),
    ]
  }

  fileprivate init(_ members: WireMembers) throws(Malformed) {
    self.init(
      title: try members.text("title"), description: try members.text("description"),
      icon: try members.text("icon"))
  }
}

extension WireMembers {
  /// ISO text, or seconds since 1970 as a number (§2.11).
  fileprivate func textOrSeconds(_ name: String) throws(Malformed) -> Instant {
    guard let seconds = value(name)?.double else { return try instant(name) }
    guard seconds.magnitude < 9e9 else { throw Malformed("'\(name)' is no instant") }
    return Instant(unixMilliseconds: Int64((seconds * 1_000).rounded()))
  }
}
