import Contracts
import Timekeeping

// The boards of O17 and O18 as JSON, each written and read beside itself.

extension LeaderboardEntry {
  var json: JSON {
    var members: JSONObject = ["rank": .number(rank), "team": team.json]
    if let club {
      members["club"] = [
        "naam": .string(club.naam), "slug": .string(club.slug), "logo_url": .optional(club.logoURL),
      ]
    }
    members["points"] = .number(points)
    members["total_hours"] = totalHours.json
    members["recent_change"] = .number(recentChange)
    members["position_change"] = .number(positionChange)
    members["highlighted"] = .bool(highlighted)
    return .object(members)
  }

  init(_ members: WireMembers) throws(Malformed) {
    let team = try WireMembers(members.value("team"))
    let naam = try team.text("naam")
    self.init(
      rank: try members.number("rank"),
      // The code is optional in a row (§2.9).
      team: TeamInfo(
        id: try team.text("id"), code: try team.optionalText("code") ?? naam, naam: naam),
      club: members.value("club") == nil ? nil : try Club(WireMembers(members.value("club"))),
      points: try members.number("points"), totalHours: try members.hours("total_hours"),
      recentChange: try members.number("recent_change"),
      positionChange: try members.number("position_change"),
      highlighted: members.value("highlighted") == nil ? false : try members.flag("highlighted"))
  }
}

extension LeaderboardEntry.Club {
  fileprivate init(_ members: WireMembers) throws(Malformed) {
    self.init(
      naam: try members.text("naam"), slug: try members.text("slug"),
      logoURL: try members.optionalText("logo_url"))
  }
}

extension TenantBoard {
  var json: JSON {
    [
      "tenant": [
        "slug": .string(tenantSlug), "club_name": .string(clubName),
        "leaderboard_opt_out": .bool(leaderboardOptOut),
      ],
      "club": ["naam": .string(clubName)], "period": .string(period.rawValue),
      "teams": .array(teams.map(\.json)),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    let tenant = try WireMembers(members.value("tenant"))
    self.init(
      tenantSlug: try tenant.text("slug"), clubName: try tenant.text("club_name"),
      leaderboardOptOut: try tenant.flag("leaderboard_opt_out"),
      period: try members.period("period"),
      teams: try all(try members.array("teams"), LeaderboardEntry.init))
  }
}

extension GlobalBoard {
  var json: JSON {
    ["period": .string(period.rawValue), "teams": .array(teams.map(\.json))]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      period: try members.period("period"),
      teams: try all(try members.array("teams"), LeaderboardEntry.init))
  }
}

extension DecimalHours {
  /// A number with at most two digits behind the point.
  var json: JSON { .double(Double(hundredths) / 100) }
}

extension WireMembers {
  func hours(_ name: String) throws(Malformed) -> DecimalHours {
    guard let hours = value(name)?.double, hours.magnitude < 1e9 else {
      throw Malformed("'\(name)' is no number of hours")
    }
    return DecimalHours(hundredths: Int((hours * 100).rounded()))
  }

  fileprivate func period(_ name: String) throws(Malformed) -> LeaderboardPeriod {
    guard let period = LeaderboardPeriod(rawValue: try text(name)) else {
      throw Malformed("'\(name)' is no period")
    }
    return period
  }
}
