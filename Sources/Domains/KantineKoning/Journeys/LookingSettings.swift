import Contracts
import Timekeeping

/// What a scenario may say about boards, banners, takeovers and seasons.
extension CanteenSettings {
  private static let ours = "assumption of this rehearsal"
  private static let whole = 0.0...1

  static let clubCalendar: [Setting] = [
    Setting(
      "clubsOptedOut", .share(whole), .share(0.05),
      "clubs that leave the global leaderboard early in the run; every other one comes back",
      source: ours),
    Setting(
      "clubsWithCrew", .share(whole), .share(0.10),
      "clubs in which one team has run the canteen on every Saturday morning since January",
      source: ours),
    Setting(
      "shiftsStruckOff", .share(whole), .share(0.20),
      "clubs that strike a dienst off afterwards which did not take place", source: ours),
  ]

  static let looking: [Setting] = [
    Setting(
      "leaderboardOpened", .share(whole), .share(0.15), "sessions that open a leaderboard",
      source: "§5.12, assumption"),
    Setting(
      "periodChanges", .count(0...20), .count(2), "changes of the period while a board is open",
      source: "§5.12, assumption"),
    Setting(
      "globalBoardOpened", .share(whole), .share(0.5),
      "visits to a leaderboard that look at all clubs, too", source: ours),
    Setting(
      "clubSearched", .share(whole), .share(0.3),
      "people who find their club by typing its name instead of scanning a code", source: ours),
    Setting(
      "dienstOffered", .share(whole), .share(0.03),
      "manager sessions in which a dienst is offered to other teams", source: ours),
    Setting(
      "offerWithdrawn", .share(whole), .share(0.25), "offers that are withdrawn some minutes later",
      source: ours),
    Setting(
      "takeoversOpened", .share(whole), .share(0.08),
      "manager sessions that look for diensten to take over", source: ours),
    Setting(
      "takeoverClaimed", .share(whole), .share(0.5), "diensten looked at that are taken over",
      source: ours),
    Setting(
      "mailAnswered", .share(whole), .share(0.4),
      "mails about a dienst taken over whose link is used to enter names", source: ours),
    Setting(
      "clubResetOnPhone", .share(whole), .share(0.4),
      "season pages on which the user resets the club", source: ours),
  ]
}

/// Those parameters, read once.
struct LookingHabits: Sendable {
  let leaderboardOpened, globalBoardOpened, clubSearched: Double
  let periodChanges: Int
  let dienstOffered, offerWithdrawn, takeoversOpened, takeoverClaimed: Double
  let mailAnswered, clubResetOnPhone: Double

  init(_ settings: Settings) {
    leaderboardOpened = settings.share("leaderboardOpened")
    globalBoardOpened = settings.share("globalBoardOpened")
    clubSearched = settings.share("clubSearched")
    periodChanges = settings.count("periodChanges")
    dienstOffered = settings.share("dienstOffered")
    offerWithdrawn = settings.share("offerWithdrawn")
    takeoversOpened = settings.share("takeoversOpened")
    takeoverClaimed = settings.share("takeoverClaimed")
    mailAnswered = settings.share("mailAnswered")
    clubResetOnPhone = settings.share("clubResetOnPhone")
  }
}
