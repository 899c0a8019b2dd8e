import Contracts

/// The operator's commands as `rehearse commands kantine-koning` lists them (§3.5).
extension KantineKoning {
  private typealias Parameter = ControlDeclaration.Parameter

  private static let club = Parameter(
    "tenant", "slug", "The club; tenant_slug and club do as well.")
  private static let dienst = Parameter("id", "uuid", "The dienst.")
  private static let enrollment = Parameter("device_id", "uuid", "The enrollment.")
  private static let team = Parameter(
    "team", "code or id, or null", optional: true,
    "The responsible team; team_code and team_id do as well. Without one the dienst is open.")

  public static let controls: [ControlDeclaration] =
    (fixtureControls + dienstControls + boardControls + seasonControls + enrollmentControls
    + pushControls + harnessControls).map { declared in
      var declared = declared
      for index in declared.parameters.indices {
        declared.parameters[index].aliases = aliases[declared.parameters[index].name] ?? []
      }
      return declared
    }

  private static let fixtureControls = [
    ControlDeclaration(
      "load", "Entities with given identifiers; one that is wrong refuses the whole load.",
      [
        Parameter(
          "tenants", "list", optional: true,
          "{slug, name, club_logo_url, enrollment_open, enrollment_message, teams, managers}"),
        Parameter("teams", "list", optional: true, "{tenant_slug, id, code, naam}"),
        Parameter("managers", "list", optional: true, "{tenant_slug, email, team_codes}"),
        Parameter(
          "diensten", "list", optional: true,
          "{id, tenant_slug, team, start_tijd, eind_tijd, minimum_bemanning, locatie_naam, dienst_type, aanmeldingen}"
        ),
        Parameter(
          "enrollments", "list", optional: true,
          "{device_id, tenant_slug, role, team_codes, team_manager_email, hardware_identifier, apns_device_token, build_environment, status, revoked_reason, enrolled_at}"
        ),
      ]),
    ControlDeclaration(
      "createTenant", "A new club.",
      [
        Parameter("slug", "slug", "Its key."),
        Parameter("name", "text", optional: true, "Its name; the slug when left out."),
        Parameter("club_logo_url", "URL", optional: true, "Its logo."),
        Parameter("enrollment_open", "bool", optional: true, "Whether it takes enrollments; true."),
        Parameter("enrollment_message", "text", optional: true, "Shown while it does not."),
      ]),
    ControlDeclaration(
      "changeTenant", "Changes a club's data; what is left out stays.",
      [
        club, Parameter("name", "text", optional: true, "Its name."),
        Parameter("club_logo_url", "URL", optional: true, "Its logo; empty for none."),
        Parameter("enrollment_message", "text", optional: true, "Shown while it is closed."),
      ]),
    ControlDeclaration(
      "createTeam", "A new team of a club.",
      [
        club, Parameter("id", "uuid", optional: true, "Its identifier; generated when left out."),
        Parameter("code", "text", "Its code, unique within the club: JO11-3."),
        Parameter("naam", "text", optional: true, "Its name; the code when left out."),
      ]),
    ControlDeclaration(
      "setManager", "Sets which teams an address manages; none makes it no manager.",
      [
        club, Parameter("email", "address", "The manager's address."),
        Parameter("team_codes", "list of codes", "All teams that it manages from now on."),
      ]),
  ]

  private static let dienstControls = [
    ControlDeclaration(
      "scheduleDienst", "A new dienst.",
      [
        Parameter("id", "uuid", optional: true, "Its identifier; generated when left out."),
        club, team, Parameter("start_tijd", "instant", "Its start."),
        Parameter("eind_tijd", "instant", "Its end, at most 24 hours later."),
        Parameter(
          "minimum_bemanning", "int, 1 to 1000", optional: true, "Least number of volunteers; 2."),
        Parameter("locatie_naam", "text", optional: true, "Where."),
        Parameter("dienst_type", "{naam, icon}", optional: true, "What kind."),
        Parameter("aanmeldingen", "list of names", optional: true, "Who is on it already."),
      ]),
    ControlDeclaration(
      "changeDienst", "Changes a dienst; what is left out stays.",
      [
        dienst, Parameter("start_tijd", "instant", optional: true, "Its start."),
        Parameter("eind_tijd", "instant", optional: true, "Its end."),
        Parameter(
          "minimum_bemanning", "int, 1 to 1000", optional: true, "Least number of volunteers."),
        Parameter("locatie_naam", "text", optional: true, "Where; empty for nowhere."),
      ]),
    ControlDeclaration("cancelDienst", "Cancels a dienst; it stays listed.", [dienst]),
    ControlDeclaration(
      "assignDienst", "Gives a dienst to a team, or to none; the names stay.", [dienst, team]),
  ]

  private static let seasonControls = [
    ControlDeclaration(
      "setEnrollmentOpen", "Opens or closes a club for enrollment.",
      [
        club, Parameter("open", "bool", "Whether it is open; enrollment_open does as well."),
        Parameter(
          "message", "text", optional: true,
          "Shown while it is closed; enrollment_message does as well."),
      ]),
    ControlDeclaration(
      "endSeason", "Revokes every token and enrollment of a club and closes it.", [club]),
    ControlDeclaration(
      "resetSeason", "After an end: deletes the season's data and opens the club again.", [club]),
  ]

  private static let enrollmentControls = [
    ControlDeclaration(
      "revokeEnrollment", "Revokes one enrollment.",
      [
        enrollment,
        Parameter(
          "reason", "admin_revoked or security_breach", optional: true, "Why; admin_revoked."),
      ]),
    ControlDeclaration(
      "setPushEnabled", "Switches push for one enrollment.",
      [
        enrollment,
        Parameter("push_enabled", "bool", "Whether it is pushed to; enabled does as well."),
      ]),
    ControlDeclaration(
      "setTestUser", "Marks an enrollment as a test user's.",
      [enrollment, Parameter("is_test_user", "bool", "Whether it is one.")]),
    ControlDeclaration(
      "listEnrollments", "The active enrollments of a phone, as the operator's log prints them.",
      [Parameter("hardware_identifier", "text", "The phone's vendor UUID.")]),
    ControlDeclaration(
      "cleanUp", "The nightly clean-up: manager enrollments lose teams no longer managed or gone."),
  ]

  private static let token = Parameter(
    "apns_device_token", "text", "The push token; token does as well.")

  private static let pushControls = [
    ControlDeclaration(
      "findEnrollments", "The enrollments of a manager's address, active or revoked.",
      [Parameter("email", "address", "The address; team_manager_email does as well.")]),
    ControlDeclaration(
      "setApnsEnvironment", "Sets the server's environment variables; what is left out stays.",
      [
        Parameter(
          "APNS_FORCE_ENV", "text", optional: true,
          "sandbox or production; empty unsets it, anything else forces nothing."),
        Parameter(
          "APNS_ENV", "text", optional: true,
          "The same, looked at when the other one forces nothing."),
      ]),
    ControlDeclaration("readApnsEnvironment", "The server's two environment variables."),
    ControlDeclaration(
      "setApnsOutage", "Begins or ends an outage of APNs: pushes time out.",
      [Parameter("outage", "bool", "Whether APNs is out of reach.")]),
    ControlDeclaration(
      "sendTestPush", "Sends a test alert to one enrollment and answers its record.",
      [
        enrollment, Parameter("title", "text", "Its title."),
        Parameter("body", "text", "Its text; text does as well."),
      ]),
    ControlDeclaration(
      "pushDeliveries", "What became of the pushes, oldest first; at most the last thousand.",
      [Parameter("device_id", "uuid", optional: true, "Of this enrollment alone.")]),
    ControlDeclaration(
      "notices", "The mails to managers about diensten, oldest first; at most the last thousand."),
    ControlDeclaration(
      "issueApnsToken", "iOS gives out a token of the tester's choosing for one APNs environment.",
      [
        token,
        Parameter("apns_env", "sandbox or production", "Where it is valid."),
      ]),
    ControlDeclaration(
      "deleteApp", "The app with this token is deleted: APNs answers 410 from now on.", [token]),
    ControlDeclaration(
      "apnsFeedback", "APNs answers a push; only for replays that keep APNs silent.",
      [
        Parameter("delivery", "int", "The push by its number."),
        Parameter(
          "result", "text", "delivered, bad_device_token, unregistered or timeout."),
      ]),
  ]

  private static let harnessControls = [
    Deployment.configure,
    ControlDeclaration("outbox", "The mails sent, oldest first; at most the last thousand."),
    ControlDeclaration(
      "advance", "Moves the clock of a served or replayed twin.",
      [
        Parameter("by", "span", optional: true, "How far: 1h. Either this or 'to'."),
        Parameter("to", "instant", optional: true, "Where to. Either this or 'by'."),
      ]),
    ControlDeclaration(
      "setRule", "Switches a rule off, so that its check can be seen to fail.",
      [
        Parameter("id", "rule", "The rule: KK-58."),
        Parameter("binds", "bool", "Whether it is kept."),
      ]),
    ControlDeclaration(
      "inspect", "Every enrollment, active or revoked and why, and the newest pushes."),
    ControlDeclaration("reset", "Forgets everything; rules and settings are as at the start."),
  ]

  /// Other names under which a parameter is understood, in the order in which they are looked for.
  static let aliases: [String: [String]] = [
    "tenant": ["tenant_slug", "club", "slug", "tenant_id"],
    "slug": ["tenant", "tenant_slug", "club"],
    "name": ["club_name"],
    "team": ["team_code", "team_id"],
    "open": ["enrollment_open"],
    "opt_out": ["leaderboard_opt_out"],
    "message": ["enrollment_message"],
    "push_enabled": ["enabled"],
    "APNS_FORCE_ENV": ["apns_force_env"],
    "APNS_ENV": ["apns_env"],
    "apns_env": ["environment"],
    "apns_device_token": ["token"],
    "email": ["team_manager_email"],
    "body": ["text"],
  ]
}
