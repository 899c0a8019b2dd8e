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
    .kk02, .kk12, .kk14, .kk19, .kk20, .kk22, .kk32, .kk45, .kk46, .kk47, .kk48, .kk52, .kk77,
    .kk78,
    .kk79, .kk81, .kk121, .kk122,
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
  /// The last changes of each dienst.
  var versions = Rows<DienstID, [Version]> { [] }
  /// The call at hand.
  var asked: Asked?
  /// What the list at hand shows: one buffer for all lists.
  var shown: ContiguousArray<ShownDienst> = []

  init(_ verdicts: RuleVerdicts<KKRule>) { self.verdicts = verdicts }

  mutating func asked(_ call: KKCall, by person: Int) {
    let asked = recognise(call, by: person)
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
      learn(it, asked)
    case .sync:
      judgeTwoAtOnce(asked)
      judgeAnswer(asked)
      judgeRepeated(asked)
    case .addVolunteer, .removeVolunteer, .claimDienst, .shiftVolunteer: judgeVersion(asked)
    case .tenants: judgeTenants(asked)
    case .removeTeams, .removeTenant, .removeAll: judgeTwoAtOnce(asked)
    default: break
    }
    guard asked.isAuthenticated else { return }
    judgeReplaced(asked)
    judgeAtWork(asked)
    learnRights(asked)
  }

  mutating func commanded(_ command: KantineKoning.Request, _ outcome: Outcome<KantineKoning>) {
    guard outcome.isReplied, case .control(let command) = command else { return }
    let now = verdicts.moment.time
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
  }
}
