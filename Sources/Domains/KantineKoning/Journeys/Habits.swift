import Contracts
import KantineKoningContract
import Timekeeping

/// The parameters of a world, read once.
struct Habits: Sendable {
  let managerOpenings: (matchDay: Double, otherDay: Double)
  let memberOpenings: (matchDay: Double, otherDay: Double)
  let processKilled, offlineAtOpen, statusOpened, teamWithoutCode: Double
  let pullsToRefresh: Double
  let syncOnColdStart: Bool
  let mischiefEvery: Span
  let namesEntered, nameRemoved, longNames: Double
  let wrongEmail, mailNeverRead, linkTappedTwice, enrollsAgain: Double
  let mailReading: Distribution
  let keystroke: Distribution
  let identifierChangesPerDay, testerSwitchesPerDay, reinstallsPerDay, appUpdatesPerDay: Double
  let reinstallKeepsIdentifier: Double
  /// Boards, takeovers and seasons.
  let looking: LookingHabits
  let swipeDelete, clubSwiped, reset, followsElsewhere, followsLess, mailPreferences: Double
  let openedAfterPush, tappedPush, pushTokenLate: Double
  /// By what values the backend works from the start, and so the app.
  let deployment: KantineKoning.Deployment

  init(_ settings: Settings) {
    looking = LookingHabits(settings)
    deployment = KantineKoning.Deployment(settings)
    managerOpenings = (
      settings.number("managerOpeningsMatchDay"), settings.number("managerOpeningsOtherDay")
    )
    memberOpenings = (
      settings.number("memberOpeningsMatchDay"), settings.number("memberOpeningsOtherDay")
    )
    processKilled = settings.share("processKilled")
    offlineAtOpen = settings.share("offlineAtOpen")
    statusOpened = settings.share("statusOpened")
    teamWithoutCode = settings.share("teamWithoutCode")
    pullsToRefresh = settings.number("pullsToRefresh")
    syncOnColdStart = settings.flag("syncOnColdStart")
    mischiefEvery = settings.span("mischiefEvery")
    namesEntered = settings.share("namesEntered")
    nameRemoved = settings.share("nameRemoved")
    longNames = settings.share("longNames")
    wrongEmail = settings.share("wrongEmail")
    mailNeverRead = settings.share("mailNeverRead")
    linkTappedTwice = settings.share("linkTappedTwice")
    enrollsAgain = settings.share("enrollsAgain")
    mailReading = .lognormal(
      median: settings.span("mailReadMedian"),
      p95: max(settings.span("mailReadMedian"), settings.span("mailReadP95")))
    keystroke = .uniform(
      from: settings.span("keystrokeShortest"),
      to: max(settings.span("keystrokeShortest"), settings.span("keystrokeLongest")))
    identifierChangesPerDay = settings.number("identifierChangesPerMonth") / 30
    testerSwitchesPerDay = settings.number("testerSwitchesPerWeek") / 7
    reinstallsPerDay = settings.number("reinstallsPerMonth") / 30
    appUpdatesPerDay = settings.number("appUpdatesPerMonth") / 30
    reinstallKeepsIdentifier = settings.share("reinstallKeepsIdentifier")
    swipeDelete = settings.share("swipeDelete")
    clubSwiped = settings.share("clubSwiped")
    reset = settings.share("reset")
    followsElsewhere = settings.share("followsElsewhere")
    followsLess = settings.share("followsLess")
    mailPreferences = settings.share("mailPreferences")
    openedAfterPush = settings.share("openedAfterPush")
    tappedPush = settings.share("tappedPush")
    pushTokenLate = settings.share("pushTokenLate")
  }
}
