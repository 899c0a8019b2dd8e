import Contracts
import Timekeeping

/// The operator's commands and what Apple's side of the world reports (§3.5), each declared once.
extension KantineKoning {
  static let commands: [Command<Self>] =
    ofClubs + ofDiensten + ofBoards + ofSeasons + ofEnrollments + ofPushes + ofTheHarness

  private static let ofClubs: [Command<Self>] = [
    command(
      "load", "Entities with given identifiers; one that is wrong refuses the whole load.",
      Control.load, Field(Fixture.shape)
    ).needingSome(),
    command(
      "createTenant", "A new club.", Control.createTenant, Field(Fixture.Tenant.shape)),
    command(
      "changeTenant", "Changes a club's data; what is left out stays.", Control.changeTenant,
      Field(TenantChange.shape)),
    command(
      "createTeam", "A new team of a club.", Control.createTeam, Field(Fixture.Team.shape()),
      answers: [made]),
    command(
      "setManager", "Sets which teams an address manages; none makes it no manager.",
      Control.setManager, Field(Fixture.Manager.shape())),
  ]

  private static let ofDiensten: [Command<Self>] = [
    command(
      "scheduleDienst", "A new dienst.", Control.scheduleDienst,
      Field(Fixture.DienstEntry.shape()), answers: [made]),
    command(
      "changeDienst", "Changes a dienst; what is left out stays.", Control.changeDienst,
      Field(DienstChange.shape)),
    command(
      "cancelDienst", "Cancels a dienst; it stays listed.", Control.cancelDienst, dienst),
    command(
      "assignDienst", "Gives a dienst to a team, or to none; the names stay.",
      Control.assignDienst, dienst,
      Field(
        "team", .optional(.team.called("code or id, or null")),
        "The responsible team; without one the dienst is open."
      ).or("team_code", "team_id")),
  ]

  private static let ofBoards: [Command<Self>] = [
    command(
      "changeTeam", "Renames a team.", Control.changeTeam, club,
      Field("team", .team, "The team;").or("team_code", "team_id"),
      Field("naam", .text, "Its new name.")),
    command(
      "createDienstType", "A new kind of dienst of a club.", Control.createDienstType, club,
      Field(DienstType.shape)),
    command(
      "changeDienstType", "Gives a kind of dienst another icon, also on the diensten that have it.",
      Control.changeDienstType, club, Field(DienstType.shape)),
    command(
      "createLocation", "A new location of a club.", Control.createLocation, club, naam),
    command(
      "changeLocation", "Renames a location, also on the diensten that are there.",
      Control.changeLocation, club, naam, Field("to", .text, "Its new name.")),
    command(
      "setLeaderboardOptOut", "Takes a club out of the global leaderboard, or back in.",
      Control.setLeaderboardOptOut,
      club, Field("opt_out", .flag, "Whether it is out;").or("leaderboard_opt_out")),
    command(
      "createBanner", "A new banner of a club, or a global one.", Control.createBanner,
      Field(Banner.given), answers: [made]),
    command(
      "removeBanner", "Removes a banner.", Control.removeBanner, Field("id", .name, "The banner.")),
  ]

  private static let ofSeasons: [Command<Self>] = [
    command(
      "setEnrollmentOpen", "Opens or closes a club for enrollment.", Control.setEnrollmentOpen,
      club, Field("open", .flag, "Whether it is open;").or("enrollment_open"),
      Field("message", .omittable(.text), "Shown while it is closed;").or("enrollment_message")),
    command(
      "endSeason", "Revokes every token and enrollment of a club and closes it.",
      Control.endSeason, club),
    command(
      "resetSeason", "After an end: deletes the season's data and opens the club again.",
      Control.resetSeason, club),
  ]

  private static let ofEnrollments: [Command<Self>] = [
    command(
      "revokeEnrollment", "Revokes one enrollment.", Control.revokeEnrollment, enrollment,
      Field(
        "reason", .word(among: [.adminRevoked, .securityBreach]).otherwise(.adminRevoked),
        "Why; admin_revoked.")),
    command(
      "setPushEnabled", "Switches push for one enrollment.", Control.setPushEnabled, enrollment,
      Field("push_enabled", .flag, "Whether it is pushed to;").or("enabled")),
    command(
      "setTestUser", "Marks an enrollment as a test user's.", Control.setTestUser, enrollment,
      Field("is_test_user", .flag, "Whether it is one.")),
    command(
      "listEnrollments", "The active enrollments of a phone, as the operator's log prints them.",
      Control.listEnrollments, Field("hardware_identifier", .name, "The phone's vendor UUID."),
      answers: [.answer(EnrollmentListing.shape, Reply.enrollmentList, \.enrollmentList)]),
    command(
      "cleanUp",
      "The nightly clean-up: manager enrollments lose teams no longer managed or gone.", .cleanUp),
  ]

  private static let ofPushes: [Command<Self>] = [
    command(
      "findEnrollments", "The enrollments of a manager's address, active or revoked.",
      Control.findEnrollments,
      Field("email", .address, "The address;").or("team_manager_email"),
      answers: [
        .answer(
          "enrollments", .list(FoundEnrollment.shape.coding), Reply.foundEnrollments,
          \.foundEnrollments)
      ]),
    command(
      "setApnsEnvironment", "Sets the server's environment variables; what is left out stays.",
      Control.setApnsEnvironment, Field(ApnsVariables.given), answers: [.apnsEnvironment]
    ).needingSome(),
    command(
      "readApnsEnvironment", "The server's two environment variables.", .readApnsEnvironment,
      answers: [.apnsEnvironment]),
    command(
      "setApnsOutage", "Begins or ends an outage of APNs: pushes time out.", Control.setApnsOutage,
      Field("outage", .flag, "Whether APNs is out of reach.")),
    command(
      "sendTestPush", "Sends a test alert to one enrollment and answers its record.",
      Control.sendTestPush, enrollment, Field("title", .text, "Its title."),
      Field("body", .text, "Its text;").or("text"), answers: [.pushDeliveries]),
    command(
      "pushDeliveries", "What became of the pushes, oldest first; at most the last thousand.",
      Control.pushDeliveries, Field("device_id", .omittable(.uuid), "Of this enrollment alone."),
      answers: [.pushDeliveries]),
    command(
      "notices", "The mails to managers about diensten, oldest first; at most the last thousand.",
      .notices,
      answers: [.answer("notices", .list(Notice.shape.coding), Reply.notices, \.notices)]),
    Command(
      "issueApnsToken", "iOS gives out a token of the tester's choosing for one APNs environment.",
      { .apns(.issued(token: $0, $1)) },
      pushToken, Field("apns_env", .word, "Where it is valid;").or("environment")),
    Command(
      "deleteApp", "The app with this token is deleted: APNs answers 410 from now on.",
      { .apns(.appDeleted(token: $0)) }, pushToken),
    Command(
      "apnsFeedback", "APNs answers a push; only for replays that keep APNs silent.",
      { .apns(.feedback(delivery: $0, $1)) },
      Field("delivery", .int, "The push by its number."),
      Field("result", .word(among: PushDelivery.Result.allCases.filter(\.wasSent)), "What it says.")
    ),
  ]

  private static let ofTheHarness: [Command<Self>] = [
    .configure({ .control(.configure($0)) }),
    command(
      "outbox", "The mails sent, oldest first; at most the last thousand.", .outbox,
      answers: [.answer("mails", .list(Mail.shape.coding), Reply.outbox, \.outbox)]),
    Command(
      "advance", "Moves the clock of a served or replayed twin.", clock,
      { .control(.advance(to: $0.0, by: $0.1)) }),
    .setRule({ .control(.setRule($0, binds: $1)) }),
    Command(
      "inspect", "Every enrollment, active or revoked and why, and the newest pushes.",
      LookExtent.asked, Request.inspect(since:),
      answers: [.answer(Inspection.shape, Reply.inspection, \.inspection)]),
    command(
      "reset", "Forgets everything; rules and settings are as at the start.", .reset),
  ]

  private static let made = ReplyForm<Self>.answer(Made.shape, Reply.made, \.made)

  // MARK: Parameters of several

  private static let club = Field<Slug, Slug>.club { $0 }
  private static let naam = Field("naam", .text, "Its name.")
  private static let dienst = Field("id", Coding<DienstID>.uuid, "The dienst.")
  private static let enrollment = Field("device_id", Coding<EnrollmentID>.uuid, "The enrollment.")
  private static let pushToken =
    Field("apns_device_token", .pushToken, "The push token;").or("token")

  /// Where the clock goes: forward by a span, or to an instant.
  private static let clock = Shape(
    Field("by", .omittable(.span), "How far: 1h. Either this or 'to'."),
    Field("to", .omittable(.instant), "Where to. Either this or 'by'.")
  ).converted(
    to: { (given) throws(Malformed) in
      guard (given.0 == nil) != (given.1 == nil) else {
        throw .invalid("takes either 'by' or 'to'")
      }
      return (given.1, given.0)
    }, from: { ($0.1, $0.0) })

  // MARK: Declaring

  private static func command<each Parameter: Sendable>(
    _ name: String, _ meaning: String,
    _ make: @escaping @Sendable (repeat each Parameter) -> Control,
    _ fields: repeat Field<each Parameter, each Parameter>, answers: [ReplyForm<Self>] = []
  ) -> Command<Self> {
    Command(
      name, meaning, Shape(repeat each fields),
      { parameters in
        let control = make(repeat each parameters)
        return .control(control)
      }, answers: answers)
  }

  private static func command(
    _ name: String, _ meaning: String, _ control: Control, answers: [ReplyForm<Self>] = []
  ) -> Command<Self> {
    Command(name, meaning, .control(control), answers: answers)
  }
}
