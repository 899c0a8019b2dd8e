import Contracts
import KantineKoningContract
import Observations
import Timekeeping

typealias KKCall = Call<KantineKoning>
typealias KKRule = KantineKoning.Rule

/// In place of a number, where there is none.
let nobody = -1

/// The dearest checks of Kantine Koning in the form of `CellChecks`, to be measured beside those that the domain has.
///
/// A test holds both against each other on the same records.
struct CanteenChecks: CellChecks {
  static let rules: [KKRule] = [
    .kk02, .kk12, .kk14, .kk19, .kk20, .kk22, .kk32, .kk45, .kk46, .kk47, .kk48, .kk52, .kk56,
    .kk57, .kk64, .kk77, .kk78, .kk79, .kk81, .kk92, .kk94, .kk95, .kk113, .kk121, .kk122,
  ]
  static let judged = rules.map { JudgedRule<KantineKoning>($0, everything) }
  /// They are for measuring: what each goes by is not told apart.
  private static let everything: Set<Concern> =
    Set(KantineKoning.operations.indices.map(Concern.operation)).union([.controls, .inspections])

  let verdicts: RuleVerdicts<KKRule>
  var clubs = Rows<Slug, ClubRow> { ClubRow() }
  var enrollments = Rows<EnrollmentID, EnrollmentRow> { EnrollmentRow() }
  var phones = Rows<HardwareID, PhoneRow> { PhoneRow() }
  /// By person, the token that was shown last.
  var apps: ContiguousArray<App?> = []
  var decided = InForce<KantineKoning.Deployment>()
  /// Tokens that certainly registered somebody, since when.
  var used: [TokenID: Instant] = [:]
  /// Operator's commands may have taken any right since then.
  var operatorIntervened: Instant?
  /// When what searches find changed last.
  var searchedSince = Instant.distantPast
  /// Whose each banner is, and how many each club has.
  var banners: [BannerID: Slug] = [:]
  var bannersOf: [Slug: Int] = [:]
  var bannersSince = Instant.distantPast
  var diensten = Rows<DienstID, DienstRow> { DienstRow() }
  /// By dienst: requests that were answered, until all are known that they may have overlapped.
  var ripening: ContiguousArray<Ripening<AnsweredCall>> = []
  /// The backend named diensten itself, so that one of which nobody heard may be there.
  var hasUnnamedDiensten = false
  var ways = PushWays()
  /// The call at hand.
  var asked: Asked?
  /// What the list at hand shows: one buffer for all lists.
  var shown: ContiguousArray<ShownDienst> = []

  init(_ verdicts: RuleVerdicts<KKRule>) { self.verdicts = verdicts }

  mutating func asked(_ call: KKCall, by person: Int) {
    let asked = recognise(call, by: person)
    if asked.dienst != nobody { ripen(asked.dienst, at: verdicts.moment.time) }
    switch asked.operation {
    case .searchClubs:
      judgePublicRead(asked)
      if case .searchClubs(let query) = call.request { judgeClubs(query, asked) }
    case .searchTeams:
      judgePublicRead(asked)
      if case .searchTeams(let tenant, let query) = call.request {
        judgeTeams(of: tenant, query, asked)
      }
      judgeAnswer(asked)
    case .banners:
      judgePublicRead(asked)
      if case .banners(let query) = call.request { judgeBanners(query, asked) }
      judgeAnswer(asked)
    case .seasonSummary: judgePublicRead(asked)
    case .diensten:
      if case .diensten(let query) = call.request { judgeList(query, asked) }
      judgeTwoAtOnce(asked)
      judgeAnswer(asked)
    case .register:
      judgeTwoAtOnce(asked)
      judgeReplaced(asked)
      judgeAnswer(asked)
      guard case .register(let it) = call.request else { return }
      judgeAttempt(it, asked)
      learnToken(it, asked)
      learn(it, asked)
    case .sync:
      judgeTwoAtOnce(asked)
      judgeAnswer(asked)
      judgeRepeated(asked)
    case .addVolunteer:
      judgePast(.kk56, asked)
      judgeVersion(asked)
    case .removeVolunteer:
      judgePast(.kk57, asked)
      judgeVersion(asked)
    case .claimDienst: judgeVersion(asked)
    case .shiftVolunteer:
      judgeMail(asked)
      judgeVersion(asked)
    case .availableDiensten: learnOffered(asked)
    case .apnsToken: if case .updateApnsToken(let it) = call.request { learnToken(it, asked) }
    case .tenants: judgeTenants(asked)
    case .removeTeams, .removeTenant, .removeAll: judgeTwoAtOnce(asked)
    default: break
    }
    if asked.dienst != nobody {
      learnDienst(asked)
      diensten[asked.dienst].names.learn(asked)
    }
    guard asked.isAuthenticated else { return }
    judgeSeason(asked)
    judgeReplaced(asked)
    judgeAtWork(asked)
    learnRights(asked)
  }

  mutating func commanded(_ command: KantineKoning.Request, _ outcome: Outcome<KantineKoning>) {
    guard outcome.isReplied, case .control(let command) = command else { return }
    let now = verdicts.moment.time
    ripenDiensten(command, at: now)
    switch command {
    case .configure(let adjustment): decided.adjust(adjustment, at: now)
    case .reset: decided.reset(at: now)
    default: break
    }
    learnClubs(command, at: now)
    learnSearched(command, at: now)
    learnDiensten(command, at: now)
    learnPhones(command, at: now)
    learnBanners(command, at: now)
    learnDienstRows(command, at: now)
    learnPushes(command, at: now)
  }
}
