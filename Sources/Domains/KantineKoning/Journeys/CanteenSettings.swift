import Contracts
import KantineKoningContract
import Timekeeping

/// What a scenario may say about the clubs and the people; the defaults are the specification's §5.12.
public enum CanteenSettings {
  private static let assumption = "§5.12, assumption"
  private static let derived = "§5.12, assumption from public figures"
  private static let ours = "assumption of this rehearsal"
  private static let rate = 0.0...1_000
  private static let whole = 0.0...1

  public static let population: [Setting] =
    [
      Setting(
        "clubs", .count(1...100_000), .count(4), "clubs in the world, divided over its regions",
        source: ours),
      Setting(
        "teamsPerClub", .number(3...110), .number(17),
        "median teams of a club; log-normal with sigma 0.75, cut to 3–110", source: derived),
      Setting(
        "membersPerTeam", .number(0...100), .number(6),
        "mean members who follow a team; negative binomial", source: assumption),
      Setting(
        "neighbourhood", .count(1...100), .count(5),
        "clubs whose phones may follow each other's teams: one cell", source: ours),
      Setting(
        "onboardingShare", .share(whole), .share(0.04),
        "phones that enroll during the run instead of before it", source: ours),
      Setting(
        "testerShare", .share(whole), .share(0.05),
        "phones that change their distribution method now and then", source: ours),
      Setting(
        "twoClubs", .share(whole), .share(0.08),
        "phones that follow a second club of the neighbourhood", source: assumption),
      Setting(
        "bothRoles", .share(whole), .share(0.10), "managers who follow another team as a member",
        source: assumption),
      Setting(
        "releaseTesting", .share(whole), .share(0.5),
        "testers whose app is a Release Testing build; everybody else has the release", source: ours
      ),
      Setting(
        "notificationsRefused", .share(whole), .share(0.20),
        "phones whose user refuses notifications, so that they have no push token",
        source: assumption),
      Setting(
        "dienstenChangedPerDay", .number(rate), .number(0.1),
        "mean changes and cancellations of coming diensten in a club a day; one in ten in seven weeks",
        source: derived),
      Setting(
        "testAlerts", .share(whole), .share(0.1),
        "testers to whom an operator sends a test alert during the run", source: ours),
      Setting(
        "testUsers", .share(whole), .share(0.5),
        "testers with a Release Testing build whom an administrator marks as test users",
        source: ours),
      Setting(
        "clubsClosedForEnrollment", .share(whole), .share(0.10),
        "clubs that close enrollment for some hours of the run", source: ours),
      Setting(
        "clubsEndingSeason", .share(whole), .share(0.025),
        "clubs that end their season during the run and accept enrollments again soon after",
        source: ours),
    ] + clubCalendar

  public static let parameters: [Setting] =
    openings + entering + enrolling + installing + looking + removing + pushing
    + KantineKoning.Deployment.parameters

  private static let openings: [Setting] = [
    Setting(
      "managerOpeningsMatchDay", .number(rate), .number(4),
      "mean openings of the app by a manager on a Saturday or Sunday", source: assumption),
    Setting(
      "memberOpeningsMatchDay", .number(rate), .number(1.5),
      "mean openings of the app by a member on a Saturday or Sunday", source: assumption),
    Setting(
      "managerOpeningsOtherDay", .number(rate), .number(0.6),
      "mean openings of the app by a manager on a weekday", source: assumption),
    Setting(
      "memberOpeningsOtherDay", .number(rate), .number(0.15),
      "mean openings of the app by a member on a weekday", source: assumption),
    Setting(
      "processKilled", .share(whole), .share(0.40), "openings that start a new process",
      source: assumption),
    Setting(
      "offlineAtOpen", .share(whole), .share(0.02), "openings without a network",
      source: assumption),
    Setting(
      "requestLost", .share(whole), .share(0.01), "requests that never arrive",
      source: assumption, tie: .share(of: "losses")),
    Setting(
      "answerLost", .share(whole), .share(0.005), "answers that never arrive",
      source: assumption, tie: .share(of: "losses")),
    Setting(
      "pullsToRefresh", .number(0...100), .number(2.5), "mean refreshes by hand in a session",
      source: ours),
    Setting(
      "statusOpened", .share(whole), .share(0.05), "sessions that open the status screen",
      source: ours),
    Setting(
      "syncOnColdStart", .flag, .flag(true), "whether a cold start also counts as a foreground",
      source: "§7.3, assumption"),
    Setting(
      "teamWithoutCode", .share(whole), .share(0.002),
      "foregrounds at which the phone cannot map a team to its code", source: ours),
    Setting(
      "clockOffset", .span(.zero ... .hours(1)), .span(.seconds(20)),
      "most by which a phone's clock is off, either way", source: ours),
    Setting(
      "slowClocks", .share(whole), .share(0.002),
      "phones whose clock is eleven minutes slow, so that they cannot enroll (§7.2)", source: ours),
    Setting(
      "mischiefEvery", .span(.seconds(1) ... .days(30)), .span(.minutes(40)),
      "mean time between two acts of an adversary", source: ours),
  ]

  private static let entering: [Setting] = [
    Setting(
      "namesEntered", .share(whole), .share(0.35),
      "manager sessions in which names are entered while a dienst needs some", source: ours),
    Setting(
      "nameRemoved", .share(whole), .share(0.08), "names that are removed again",
      source: assumption),
    Setting(
      "longNames", .share(whole), .share(0.03),
      "names longer than \(KantineKoning.longestName) before the user shortens them",
      source: assumption),
  ]

  private static let enrolling: [Setting] = [
    Setting(
      "wrongEmail", .share(whole), .share(0.06), "wrong address at the first try",
      source: assumption),
    Setting(
      "mailNeverRead", .share(whole), .share(0.04), "magic links that nobody reads",
      source: assumption),
    Setting(
      "mailReadMedian", .span(.seconds(1) ... .days(7)), .span(.minutes(3)),
      "median time until a delivered mail is read", source: assumption,
      tie: .atMost("mailReadP95")),
    Setting(
      "mailReadP95", .span(.seconds(1) ... .days(7)), .span(.minutes(45)),
      "time within which 95 % of mails are read (90 % below 25 min)", source: assumption),
    Setting(
      "linkTappedTwice", .share(whole), .share(0.03), "magic links that are tapped again",
      source: assumption),
    Setting(
      "mailDeliveryShortest", .span(.zero ... .hours(1)), .span(.seconds(5)),
      "shortest delivery of a mail", source: assumption, tie: .atMost("mailDeliveryLongest")),
    Setting(
      "mailDeliveryLongest", .span(.zero ... .hours(24)), .span(.seconds(60)),
      "longest delivery of a mail", source: assumption),
    Setting(
      "keystrokeShortest", .span(.zero ... .seconds(10)), .span(.milliseconds(200)),
      "shortest time between two keystrokes of a search", source: assumption,
      tie: .atMost("keystrokeLongest")),
    Setting(
      "keystrokeLongest", .span(.zero ... .seconds(10)), .span(.milliseconds(400)),
      "longest time between two keystrokes of a search", source: assumption),
    Setting(
      "enrollsAgain", .share(whole), .share(0.6),
      "sessions in which a user enrolls an Uitgelogd team again", source: ours),
  ]

  private static let installing: [Setting] = [
    Setting(
      "identifierChangesPerMonth", .number(rate), .number(0.001),
      "device replacements of a phone a month, data kept", source: assumption),
    Setting(
      "testerSwitchesPerWeek", .number(rate), .number(1),
      "changes of the distribution method by a tester a week, data kept", source: assumption),
    Setting(
      "reinstallsPerMonth", .number(rate), .number(0.01),
      "times a phone deletes and reinstalls the app a month", source: assumption),
    Setting(
      "reinstallKeepsIdentifier", .share(whole), .share(0.3),
      "reinstalls while another app of the vendor keeps the identifier", source: ours),
    Setting(
      "appUpdatesPerMonth", .number(rate), .number(1), "updates of the app a month", source: ours),
  ]

  private static let removing: [Setting] = [
    Setting(
      "swipeDelete", .share(whole), .share(0.003),
      "openings in which a team or club is swiped away",
      source: assumption),
    Setting(
      "clubSwiped", .share(whole), .share(0.3), "swipes that take a whole club", source: ours),
    Setting(
      "reset", .share(whole), .share(0.0005), "openings in which everything is reset",
      source: assumption),
    Setting(
      "followsElsewhere", .share(whole), .share(0.2),
      "resets after which the user first tries to follow a different team", source: ours),
    Setting(
      "followsLess", .share(whole), .share(0.4),
      "resets after which the user enrolls for a part of the former teams", source: ours),
    Setting(
      "mailPreferences", .share(whole), .share(0.02),
      "manager sessions in which the mails of a team are switched on or off", source: ours),
  ]

  private static let pushing: [Setting] = [
    Setting(
      "openedAfterPush", .share(whole), .share(0.35),
      "pushes after which the app is opened within ten minutes", source: assumption),
    Setting(
      "tappedPush", .share(whole), .share(0.5),
      "openings after a push that tap it", source: assumption),
    Setting(
      "pushTokenLate", .share(whole), .share(0.1),
      "launches at which iOS has no push token yet when the app asks for it", source: ours),
  ]

  /// The deviations of client 2.4.2 (§5.11) that this population can show.
  public static let quirks: [Quirk] = [
    Quirk("Q1", "the throttle lives in memory: killing the app allows a new sync at once"),
    Quirk("Q2", "swiping away the last team or club sends nothing: the enrollment is an orphan"),
    Quirk("Q3", "a reset reaches the backend only in the process that registered"),
    Quirk("Q4", "swiping away a team sends its id; without it its code"),
    Quirk("Q5", "search without debouncing: one request per keystroke"),
    Quirk("Q6", "a second O11 per foreground, a double refresh at cold start"),
    Quirk("Q9", "diensten are fetched per enrollment; without it per tenant, newest token only"),
    Quirk("Q11", "an Uitgelogd enrollment keeps its dead token in the model and may be picked"),
  ]

  public static let profiles: [Profile] = [
    Profile("documented", quirks: ["Q4", "Q5", "Q6", "Q9", "Q11"]),
    Profile("as-shipped", quirks: ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q9", "Q11"]),
  ]
}
