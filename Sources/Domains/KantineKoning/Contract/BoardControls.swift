import Contracts

/// Commands about boards, banners and what a club names its diensten by.
extension KantineKoning {
  private typealias Parameter = ControlDeclaration.Parameter

  private static let club = Parameter(
    "tenant", "slug", "The club; tenant_slug and club do as well.")

  static let boardControls = [
    ControlDeclaration(
      "changeTeam", "Renames a team.",
      [
        club, Parameter("team", "code or id", "The team; team_code and team_id do as well."),
        Parameter("naam", "text", "Its new name."),
      ]),
    ControlDeclaration(
      "createDienstType", "A new kind of dienst of a club.",
      [
        club, Parameter("naam", "text", "Its name."),
        Parameter("icon", "text", "Its icon: lucide-utensils."),
      ]),
    ControlDeclaration(
      "changeDienstType", "Gives a kind of dienst another icon, also on the diensten that have it.",
      [
        club, Parameter("naam", "text", "Its name."), Parameter("icon", "text", "Its new icon."),
      ]),
    ControlDeclaration(
      "createLocation", "A new location of a club.", [club, Parameter("naam", "text", "Its name.")]),
    ControlDeclaration(
      "changeLocation", "Renames a location, also on the diensten that are there.",
      [
        club, Parameter("naam", "text", "Its name."), Parameter("to", "text", "Its new name."),
      ]),
    ControlDeclaration(
      "setLeaderboardOptOut", "Takes a club out of the global leaderboard, or back in.",
      [
        club, Parameter("opt_out", "bool", "Whether it is out; leaderboard_opt_out does as well."),
      ]),
    ControlDeclaration(
      "createBanner", "A new banner of a club, or a global one.",
      [
        Parameter("id", "text", optional: true, "Its identifier; generated when left out."),
        Parameter("tenant", "slug", optional: true, "The club; without one it is global."),
        Parameter("name", "text", "Its name."),
        Parameter("file_url", "URL", "The image, 6:1."),
        Parameter("link_url", "URL", optional: true, "Where a tap leads."),
        Parameter("alt_text", "text", optional: true, "What the image shows."),
        Parameter("display_order", "int", optional: true, "Its place; 0."),
      ]),
    ControlDeclaration(
      "removeBanner", "Removes a banner.", [Parameter("id", "text", "The banner.")]),
  ]

  /// Reads a command of this part; `nil` when it is another's.
  static func boardControl(
    _ name: String, _ given: ControlParameters
  ) throws(ControlProblem) -> Control? {
    switch name {
    case "changeTeam":
      .changeTeam(
        tenant: try given.text("tenant"), team: try given.text("team"),
        naam: try given.text("naam"))
    case "createDienstType":
      .createDienstType(
        tenant: try given.text("tenant"),
        DienstType(naam: try given.text("naam"), icon: try given.text("icon")))
    case "changeDienstType":
      .changeDienstType(
        tenant: try given.text("tenant"),
        DienstType(naam: try given.text("naam"), icon: try given.text("icon")))
    case "createLocation":
      .createLocation(tenant: try given.text("tenant"), naam: try given.text("naam"))
    case "changeLocation":
      .changeLocation(
        tenant: try given.text("tenant"), naam: try given.text("naam"), to: try given.text("to"))
    case "setLeaderboardOptOut":
      .setLeaderboardOptOut(tenant: try given.text("tenant"), optOut: try given.flag("opt_out"))
    case "createBanner": .createBanner(try Banner(given))
    case "removeBanner": .removeBanner(id: try given.text("id"))
    default: nil
    }
  }
}

extension Banner {
  fileprivate init(_ given: ControlParameters) throws(ControlProblem) {
    self.init(
      id: try given.optionalText("id") ?? "", tenantSlug: try given.optionalText("tenant") ?? "",
      name: try given.text("name"), fileURL: try given.text("file_url"),
      linkURL: try given.optionalText("link_url"), altText: try given.optionalText("alt_text"),
      displayOrder: try given.optionalNumber("display_order") ?? 0)
  }

  /// As `createBanner` takes it.
  var parameters: JSON {
    .given([
      ("id", id.isEmpty ? nil : .string(id)),
      ("tenant", tenantSlug.isEmpty ? nil : .string(tenantSlug)), ("name", .string(name)),
      ("file_url", .string(fileURL)), ("link_url", linkURL.map(JSON.string)),
      ("alt_text", altText.map(JSON.string)), ("display_order", .number(displayOrder)),
    ])
  }
}
