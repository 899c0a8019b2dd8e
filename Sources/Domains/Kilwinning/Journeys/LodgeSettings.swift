import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// What a scenario may say about lodges and fratelli; the defaults are the specification's §5.4.
public enum LodgeSettings {
  private static let assumption = "§5.4, assumption"
  private static let ours = "assumption of this rehearsal"
  private static let whole = 0.0...1
  private static let times = Span.seconds(1)...Span.days(30)

  public static let population: [Setting] = [
    Setting(
      "lodges", .count(1...100_000), .count(4), "lodges, divided over the regions", source: ours),
    Setting("fratelli", .count(2...200), .count(25), "fratelli of each lodge", source: "§5.4"),
    Setting(
      "pastSeasons", .count(1...50), .count(3), "seasons of tornate, the present one included",
      source: "§2.9"),
    Setting(
      "twoDevices", .share(whole), .share(0.3), "fratelli with a second device", source: assumption),
    Setting(
      "widgets", .share(whole), .share(0.3), "devices with the widget", source: assumption),
    Setting(
      "biometric", .share(whole), .share(0.7), "devices whose fratello enrolls for the biometric",
      source: assumption),
    Setting(
      "cookieClients", .share(whole), .share(0.2),
      "devices that show their session by its cookie alone", source: ours),
    Setting(
      "lodgesCountingAll", .share(whole), .share(0.1), "lodges in which every tornata counts",
      source: ours),
    Setting(
      "lodgesWithOtherNames", .share(whole), .share(0.1),
      "lodges that name administrators of their own", source: ours),
    Setting(
      "lodgesElsewhere", .share(whole), .share(0),
      "lodges whose days and years are New York's", source: ours),
    Setting(
      "lodgesWithALimit", .share(whole), .share(0),
      "lodges that limit requests, where the scenario does not", source: ours),
  ]

  public static let parameters: [Setting] = using + planning + Kilwinning.Deployment.parameters

  private static let using: [Setting] = [
    Setting(
      "opensEvery", .span(times), .span(.hours(84)), "mean time between two openings of the app",
      source: assumption),
    Setting(
      "opensNearATornata", .share(whole), .share(0.5),
      "tornate around which a device is opened: a day before, before it begins, after it",
      source: assumption),
    Setting(
      "reopens", .share(whole), .share(0.25), "openings followed by another within eight hours",
      source: assumption),
    Setting(
      "confirms", .share(whole), .share(0.35),
      "openings in which a next tornata without an answer gets one", source: assumption),
    Setting(
      "visitsPresenze", .share(whole), .share(0.4), "openings that look at the presenze",
      source: assumption),
    Setting(
      "annoChanges", .number(0...10), .number(0.7), "mean changes of the anno on a screen",
      source: assumption),
    Setting(
      "visitsRiepilogo", .share(whole), .share(0.3), "openings that look at the riepilogo",
      source: assumption),
    Setting(
      "pulls", .share(whole), .share(0.15), "screens that are pulled to refresh",
      source: assumption),
    Setting(
      "logsOut", .share(whole), .share(0.05), "openings that end with a logout", source: assumption),
    Setting(
      "startsOffline", .share(whole), .share(0.05), "openings without a network",
      source: assumption),
    Setting(
      "losesNetwork", .share(whole), .share(0.02), "openings in which the network goes",
      source: assumption),
    Setting(
      "outage", .span(times), .span(.minutes(20)), "median time without a network; at most 3 days",
      source: assumption),
    Setting(
      "promptSucceeds", .share(whole), .share(0.95), "biometric prompts that succeed",
      source: assumption),
    Setting(
      "guests", .share(whole), .share(0.02), "logins by a fratello whose device it is not",
      source: ours),
    Setting(
      "widgetEvery", .span(times), .span(.minutes(30)),
      "time between two refreshes of a widget, give or take a fifth", source: "KW-141"),
    Setting(
      "requestLost", .share(whole), .share(0.005), "requests that never arrive", source: ours,
      tie: .share(of: "losses")),
    Setting(
      "answerLost", .share(whole), .share(0.005), "answers that never arrive", source: ours,
      tie: .share(of: "losses")),
    Setting(
      "mischiefEvery", .span(times), .span(.hours(6)),
      "mean time between two acts of an adversary", source: ours),
  ]

  private static let planning: [Setting] = [
    Setting(
      "cancelled", .share(whole), .share(0.04), "tornate that are cancelled some days before",
      source: assumption),
    Setting(
      "edited", .share(whole), .share(0.15), "tornate that are changed after they were planned",
      source: assumption),
    Setting(
      "mistaken", .share(whole), .share(0.02), "tornate that are deleted at once as a mistake",
      source: assumption),
    Setting(
      "markedHeld", .share(whole), .share(0.9), "tornate that are marked completata afterwards",
      source: assumption),
    Setting(
      "exports", .share(whole), .share(0.05), "visits of the management that export the riepilogo",
      source: assumption),
  ]
}

/// The parameters of a world, read once.
struct Habits: Sendable {
  let opensEvery, outage, widgetEvery, mischiefEvery: Span
  let opensNearATornata, reopens, confirms, visitsPresenze, visitsRiepilogo, pulls, logsOut: Double
  let annoChanges, startsOffline, losesNetwork, promptSucceeds, guests: Double
  let cancelled, edited, mistaken, markedHeld, exports: Double

  init(_ settings: Settings) {
    opensEvery = settings.span("opensEvery")
    outage = settings.span("outage")
    widgetEvery = settings.span("widgetEvery")
    mischiefEvery = settings.span("mischiefEvery")
    opensNearATornata = settings.share("opensNearATornata")
    reopens = settings.share("reopens")
    confirms = settings.share("confirms")
    visitsPresenze = settings.share("visitsPresenze")
    visitsRiepilogo = settings.share("visitsRiepilogo")
    pulls = settings.share("pulls")
    logsOut = settings.share("logsOut")
    annoChanges = settings.number("annoChanges")
    startsOffline = settings.share("startsOffline")
    losesNetwork = settings.share("losesNetwork")
    promptSucceeds = settings.share("promptSucceeds")
    guests = settings.share("guests")
    cancelled = settings.share("cancelled")
    edited = settings.share("edited")
    mistaken = settings.share("mistaken")
    markedHeld = settings.share("markedHeld")
    exports = settings.share("exports")
  }
}

extension Purpose {
  /// When the app is opened; what its user does; the network; the widget; mischief.
  static let opening = Purpose.domain(0)
  static let habit = Purpose.domain(1)
  static let outage = Purpose.domain(2)
  static let widget = Purpose.domain(3)
  static let mischief = Purpose.domain(4)
  /// The very end of a session.
  static let edge = Purpose.domain(5)
}
