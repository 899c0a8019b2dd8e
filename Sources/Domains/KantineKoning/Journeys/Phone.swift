import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

/// One phone and the person who holds it: the app's model of §5.1 and what people do with it.
public final class Phone: Behaviour {
  public typealias Contract = KantineKoning

  let seed: PhoneSeed
  let neighbourhood: Neighbourhood
  var habits: Habits { neighbourhood.habits }
  var rules: Rules<KantineKoning.Rule> { neighbourhood.rules }

  /// The vendor's identifier as iOS gives it now.
  var hardwareIdentifier: HardwareID
  /// In the order in which the phone got them; the newest is the last.
  var enrollments: [HeldEnrollment]
  var phase = KantineKoning.Phase.launching
  /// Which process of the app this is; 0 before the first.
  var process = 0
  /// The throttle of KK-74: when the last successful sync was sent.
  var lastSync: Instant?
  /// The identifier that a change replaced, until the first sync under the new one has been answered.
  var replacedIdentifier: HardwareID?
  /// What the phone held under that identifier.
  var heldBefore: Set<EnrollmentID> = []
  var hasShownReplacement = false
  /// The process that has fetched the global banners, which are kept until it ends.
  var bannersOfProcess = 0
  /// Clubs that the user took off the phone after their season.
  var formerClubs: [Slug] = []
  /// What the user wants to follow; swiping something away takes it out.
  var wishes: [Following]
  /// How the app on this phone was built.
  var scheme: BuildScheme
  /// What iOS gave out and the backend is to know.
  var pushToken: PushTokenState
  /// In which process the last registration succeeded (Q3).
  var registeredInProcess: Int?
  /// Whether somebody looks at the app: one session at a time.
  var isInUse = false
  private var isSettled = false
  private var lastOpened: Instant

  public init(_ seed: PhoneSeed) {
    self.seed = seed
    neighbourhood = seed.neighbourhood
    hardwareIdentifier = seed.hardwareIdentifier
    enrollments = seed.enrollments
    wishes = seed.follows
    scheme = seed.scheme
    pushToken = PushTokenState(known: seed.pushToken)
    lastOpened = seed.neighbourhood.starts
  }

  /// A phone with a push token is reached by pushes from the start, long before anybody opens the app.
  public var begins: Instant? { seed.pushToken == nil ? seed.begins : neighbourhood.starts }

  /// One session: what happened to the installation since the last one, the app's own start, then the user.
  public func session(as me: Person<KantineKoning>) async throws(JourneyEnded) -> Instant? {
    if !isSettled {
      settleIn(as: me)
      if seed.pushToken != nil { return seed.begins }
    }
    // Who opened the app after a push is still looking at it.
    guard !isInUse else { return me.now + .minutes(10) }
    isInUse = true
    defer { isInUse = false }
    me.isOnline = !me.draw(.opening) { $0.chance(habits.offlineAtOpen) }
    ageInstallation(by: me.now - lastOpened, as: me)
    lastOpened = me.now
    try await discardPushToken(as: me)
    try await open(as: me)
    if !me.isOnline {
      try await me.think(.uniform(from: .seconds(20), to: .minutes(5)))
      me.isOnline = true
      if !enrollments.isEmpty { try await refresh(as: me) }
    }
    try await use(as: me)
    return nextOpening(as: me)
  }

  private func settleIn(as me: Person<KantineKoning>) {
    isSettled = true
    me.note(.installed(scheme))
    if !seed.allowsNotifications { me.note(.notificationsRefused) }
    if let known = seed.pushToken { me.listen(at: .push(known)) }
  }

  /// A new process, or the old one again.
  func open(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    if process == 0 || me.draw(.opening, { $0.chance(habits.processKilled) }) {
      try await coldStart(as: me)
    } else {
      try await foreground(as: me)
    }
  }

  /// launching → registered when the stored model has a tenant, else onboarding (§5.1).
  private func coldStart(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    process += 1
    if neighbourhood.quirks.contains("Q1"), lastSync != nil {
      lastSync = nil
      me.note(.throttleForgotten)
    }
    // With KK-33 off the app goes on where it was.
    if rules.binds(.kk33) {
      phase = .launching
      me.note(.phase(.launching))
    }
    try await showBanners(as: me)
    guard !enrollments.isEmpty else {
      return enter(.onboarding, as: me)
    }
    enter(.registered, as: me)
    try await handOverPushToken(as: me)
    try await refresh(as: me)
    if neighbourhood.quirks.contains("Q6") { try await refresh(as: me) }
    if habits.syncOnColdStart { try await foreground(as: me) }
  }

  /// What the user does once the screen is there.
  private func use(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    if enrollments.isEmpty {
      return try await onboard(wishes, as: me)
    }
    try await me.think(.lognormal(median: .seconds(6), p95: .seconds(30)))
    try await enrollAgainWhatIsUitgelogd(as: me)
    try await enterNames(as: me)
    try await exchangeDiensten(as: me)
    try await openLeaderboard(as: me)
    try await visitSeasonPages(as: me)
    try await followFormerClubs(as: me)
    try await setMailPreference(as: me)
    if me.draw(.habit, { $0.chance(habits.statusOpened) }) { try await openStatus(as: me) }
    let share = habits.pullsToRefresh / (1 + habits.pullsToRefresh)
    while me.draw(.habit, { $0.chance(share) }), !enrollments.isEmpty {
      try await me.think(.lognormal(median: .seconds(20), p95: .minutes(2)))
      try await refresh(because: .pull, as: me)
    }
    try await swipeSomethingAway(as: me)
    try await resetEverything(as: me)
  }

  /// The status screen shows one enrollment (O5).
  private func openStatus(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard !enrollments.isEmpty else { return }
    let shown = me.draw(.habit) { $0.pick(enrollments) }
    _ = try await me.ask(.status, with: shown.credential)
  }

  /// A tester looks again soon until the first sync under a new identifier has gone through; a person who wants to
  /// enroll tries again within hours; everybody else comes back out of habit.
  private func nextOpening(as me: Person<KantineKoning>) -> Instant? {
    if replacedIdentifier != nil, !enrollments.isEmpty {
      return me.now + me.draw(.opening) { $0.sample(.uniform(from: .minutes(5), to: .minutes(15))) }
    }
    if enrollments.isEmpty {
      return me.now + me.draw(.opening) { $0.sample(.uniform(from: .hours(1), to: .hours(5))) }
    }
    let openings = Openings(isManager: seed.isManager, habits: habits)
    return me.draw(.opening) { openings.next(after: me.now, until: neighbourhood.ends, &$0) }
  }

  // MARK: The model

  func enter(_ phase: KantineKoning.Phase, as me: Person<KantineKoning>) {
    guard phase != self.phase else { return }
    self.phase = phase
    me.note(.phase(phase))
  }

  /// What the phone's own clock shows; it is used for content only.
  func clock(_ me: Person<KantineKoning>) -> Instant { me.now + seed.clockOffset }

  /// The identifier as the app sends it: the vendor's UUID alone (KK-01).
  var identifierSent: HardwareID {
    rules.binds(.kk01) ? hardwareIdentifier : "\(hardwareIdentifier):nl.kantinekoning"
  }

  /// Enrollments whose token may be used for a call about no club in particular; the newest is the last. With Q11
  /// a dead token stays among them.
  var usable: [HeldEnrollment] {
    enrollments.filter { enrollment in
      !enrollment.seasonEnded
        && (neighbourhood.quirks.contains("Q11") || !enrollment.isUitgelogd)
    }
  }

  /// Takes a new enrollment in; the app keeps one entry per team, so older ones lose the teams it covers.
  func hold(_ new: HeldEnrollment) {
    for index in enrollments.indices where enrollments[index].tenant == new.tenant {
      enrollments[index].teams.removeAll { team in new.teams.contains { $0.code == team.code } }
    }
    enrollments.removeAll { $0.teams.isEmpty }
    enrollments.append(new)
  }
}

/// What a phone's streams of random numbers are for.
extension Purpose {
  static let opening = Purpose.domain(0)
  static let habit = Purpose.domain(1)
  static let naming = Purpose.domain(2)
  static let enrolling = Purpose.domain(3)
  static let installation = Purpose.domain(4)
  static let picking = Purpose.domain(5)
  static let mischief = Purpose.domain(6)
  static let looking = Purpose.domain(9)
  static let exchanging = Purpose.domain(10)
  static let removing = Purpose.domain(7)
  static let pushing = Purpose.domain(8)
}
