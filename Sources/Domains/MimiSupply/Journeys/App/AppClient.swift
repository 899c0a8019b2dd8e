import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// The app's way to the backend, one for each installation: every request of an honest person goes through it.
///
/// What section 7 demands of clients is kept here and behind it, so that journeys say what people do and not how
/// networks fail. A request that the app itself holds back comes out as `unsent`: offline, or refused where a breaker
/// is open or too many wait.
final class AppClient {
  /// With what requests are sent; a sign-in replaces it.
  private(set) var credential: MimiSupply.Credential
  let settings: AppSettings
  /// How the person proves anew who it is, when the backend does not know the session any more (§7.1); gives whether
  /// it worked. Without it the app stays signed out.
  var signInAgain: ((Person<MimiSupply>) async throws(JourneyEnded) -> Bool)?

  // What the other files of this folder keep.
  var budget = RateBudget()
  var line = RequestLine()
  var breakers = Breakers()
  var health = ServiceHealth()
  var cache = RecordCache()
  var queue = OfflineQueue()
  var coverage: Coverage
  /// Whether the app is in offline mode.
  var isOffline = false
  /// After the network failed again and again: when to try it again.
  var suspendedUntil: Instant?
  var isSynchronising = false
  var lastBackgroundSync: Instant?
  /// The quota is used up, as the backend said it.
  var quotaExceeded: MimiSupply.Refusal?
  /// How much of the app still works (§7.4): while it is not `none`, fall-backs apply.
  private(set) var level = DegradationLevel.none
  private var hasStarted = false

  init(_ credential: MimiSupply.Credential, _ settings: AppSettings = AppSettings()) {
    self.credential = credential
    self.settings = settings
    coverage = settings.coverage
  }

  var rules: Rules<MimiSupply.Rule> { settings.rules }
  var isSignedIn: Bool { credential.userToken != nil }

  /// From now on requests are those of a user, or again of nobody.
  func sign(in userToken: String?) { credential.userToken = userToken }

  /// A service is worse or better than it should be: polling takes the place of pushes and so on (§7.4).
  func isDegraded(_ service: AppService) -> Bool { health.degraded.contains(service) }

  /// The first request of a process says that there is one.
  func start(as me: Person<MimiSupply>) {
    guard !hasStarted else { return }
    hasStarted = true
    note(.started(device: credential.deviceID ?? "", keepsBudget: settings.keepsBudget), me)
  }

  /// The process ended; what was stored stays (MS-129).
  func restart(as me: Person<MimiSupply>) {
    cache.forgetMemory()
    quotaExceeded = nil
    hasStarted = false
    start(as: me)
  }

  func note(_ note: AppNote, _ me: Person<MimiSupply>) { me.note(.app(note)) }

  /// Looks at the services, and says so when they are worse or better than before (MS-121).
  func probe(as me: Person<MimiSupply>) {
    let changes = health.probe(at: me.now)
    guard !changes.isEmpty else { return }
    for change in changes {
      note(
        .health(
          change.service, isDegraded: change.isDegraded, succeeded: change.succeeded,
          of: change.count), me)
    }
    let new = ServiceHealth.level(of: health.degraded)
    guard new != level, rules.binds(.ms121) else { return }
    level = new
    note(.level(new), me)
  }
}

/// What the app's random choices are for.
extension Purpose {
  static let backoff = Purpose.domain(20)
  static let conflict = Purpose.domain(21)
}
