import Contracts
import Journeys
import KilwinningContract
import Timekeeping

/// One device and whoever holds it: its stores of §2.8, and what is done with it (§5.1).
public final class Device: Behaviour {
  public typealias Contract = Kilwinning

  let seed: DeviceSeed
  var lodge: LodgeTraits { seed.lodge }
  var habits: Habits { lodge.habits }
  var rules: Rules<Kilwinning.Rule> { lodge.rules }

  /// The secure store, and beside it the token and the name that it keeps (KW-110, KW-145).
  var secure = Kilwinning.SecureStore()
  var token: String?
  var enrolledName: String?
  /// Who is logged in, as he was last answered.
  var user: Fratello?
  var cache = Cache()
  /// Toggles that wait for the network, the oldest first (KW-123).
  var queue: [QueueEntry] = []
  var operations = 0
  /// The anno that was chosen last (KW-078).
  var anno: Anno
  var widget = Widget()
  /// Until when there is no network.
  private var offlineUntil: Instant?
  private var opensAt: Instant
  /// Whether the prompt of this launch has been shown (KW-147).
  var hasPrompted = false

  public init(_ seed: DeviceSeed) {
    self.seed = seed
    anno = Self.firstAnno(seed.lodge.rules)
    opensAt = seed.begins
  }

  public var begins: Instant? { seed.begins }

  /// What is due: the app is opened, the network comes back, or the widget refreshes itself.
  public func session(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Instant? {
    if let offlineUntil, offlineUntil <= me.now {
      try await comeBack(as: me)
    } else if opensAt <= me.now {
      try await openApp(as: me)
      opensAt = nextOpening(as: me)
    } else {
      try await refreshWidget(as: me)
    }
    return [opensAt, offlineUntil, widget.refreshesAt].compactMap { $0 }.min()
  }

  /// A load has somebody open the app now, whenever they would have by themselves.
  public func visit(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    if let offlineUntil, offlineUntil <= me.now { try await comeBack(as: me) }
    try await openApp(as: me)
  }

  // MARK: The app

  private func openApp(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    if chance(habits.startsOffline, me) { loseNetwork(as: me) }
    hasPrompted = false
    me.note(.launched(isOnline: me.isOnline))
    guard try await launch(as: me) else { return }
    if me.isOnline, chance(habits.losesNetwork, me) { loseNetwork(as: me) }
    try await use(as: me)
  }

  /// What the user does once the dashboard is there (§5.4).
  private func use(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    try await think(as: me)
    try await confirmNext(as: me)
    if chance(habits.visitsPresenze, me) { try await visitPresenze(as: me) }
    if isLoggedIn, chance(habits.visitsRiepilogo, me) { try await visitRiepilogo(as: me) }
    if isLoggedIn, isAdminDevice { try await visitManagement(as: me) }
    if isLoggedIn, chance(0.3, me) { try await showDashboard(.shown, as: me) }
    if isLoggedIn, chance(habits.logsOut, me) { try await logOut(as: me) }
  }

  /// Whether what asked for a session has one still: 401 clears it.
  var isLoggedIn: Bool { secure.userID != nil && user != nil }

  /// Whether the device shows the management (KW-025): the name decides.
  var isAdminDevice: Bool {
    rules.binds(.kw025) ? user?.adminAccess ?? false : user != nil
  }

  var credential: Kilwinning.Credential {
    guard let token else { return Kilwinning.Credential(peer: seed.name) }
    return seed.showsCookie
      ? Kilwinning.Credential(peer: seed.name, cookie: token)
      : Kilwinning.Credential(peer: seed.name, authorization: .bearer(token))
  }

  /// Asks with the session; 401 clears it and keeps queue and cache (§5.1).
  func ask(
    all requests: [Kilwinning.Request], attempt: Int = 1, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> [Outcome<Kilwinning>] {
    let outcomes = try await me.ask(
      all: requests.map { Ask($0, with: credential, attempt: attempt) })
    if secure.userID != nil, outcomes.contains(where: { $0.refusal?.kind.status == 401 }) {
      clearSession(because: .refused, as: me)
    }
    return outcomes
  }

  /// KW-154: a screen asks once; its user presses retry, and nothing does it for him.
  func ask(
    _ request: Kilwinning.Request, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Outcome<Kilwinning> {
    let outcome = try await ask(all: [request], as: me)[0]
    guard !rules.binds(.kw154), case .unknown = outcome else { return outcome }
    return try await ask(all: [request], attempt: 2, as: me)[0]
  }

  func think(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    try await me.think(.lognormal(median: .seconds(4), p95: .seconds(20)))
  }

  func chance(_ share: Double, _ me: Person<Kilwinning>) -> Bool {
    me.draw(.habit) { $0.chance(share) }
  }

  // MARK: The network

  private func loseNetwork(as me: Person<Kilwinning>) {
    guard me.isOnline else { return }
    let median = habits.outage
    let outage = me.draw(.outage) { $0.sample(.lognormal(median: median, p95: median * 12)) }
    me.isOnline = false
    offlineUntil = me.now + min(.days(3), outage)
    me.note(.network(isUp: false))
  }

  /// KW-124: what waits is sent without anybody's doing.
  private func comeBack(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    offlineUntil = nil
    me.isOnline = true
    me.note(.network(isUp: true))
    if rules.binds(.kw124) { try await synchronise(as: me) }
  }

  // MARK: Openings

  /// Out of habit, again within hours, or around a tornata: a day before it, before it begins, or after it (§5.4).
  private func nextOpening(as me: Person<Kilwinning>) -> Instant {
    let habits = habits
    let usual = me.draw(.opening) { stream in
      stream.chance(habits.reopens)
        ? stream.sample(.uniform(from: .minutes(3), to: .hours(9)))
        : stream.sample(.exponential(mean: habits.opensEvery))
    }
    if let edge = edgeOfTheSession(as: me) { return edge }
    var next = awake(me.now + usual)
    guard let evening = lodge.evenings.first(where: { $0 > me.now }), evening < next + .hours(4)
    else { return next }
    let around = me.draw(.opening) { stream -> Instant? in
      guard stream.chance(habits.opensNearATornata) else { return nil }
      let (from, to): (Span, Span) =
        switch stream.pick(0..<3) {
        case 0: (.hours(-26), .hours(-22))
        case 1: (.minutes(-60), .zero)
        default: (.hours(3), .minutes(270))
        }
      return evening + from + stream.sample(.uniform(from: .zero, to: to - from))
    }
    if let around, around > me.now + .minutes(1) { next = min(next, around) }
    return next
  }

  /// Now and then the app is opened a tick before its session ends, at its end, or a tick after it (KW-112, KW-114).
  private func edgeOfTheSession(as me: Person<Kilwinning>) -> Instant? {
    guard let timestamp = secure.timestamp, timestamp + Self.sessionLives > me.now + .minutes(1)
    else { return nil }
    return me.draw(.edge) { stream in
      stream.chance(0.05)
        ? timestamp + Self.sessionLives + stream.pick([.nanoseconds(-1), .zero, .nanoseconds(1)])
        : nil
    }
  }

  /// Nobody opens it in the small hours.
  private func awake(_ instant: Instant) -> Instant {
    let time = lodge.zone.civil(at: instant).timeOfDay
    return time < .hours(7) ? instant + .hours(7) : instant
  }
}
