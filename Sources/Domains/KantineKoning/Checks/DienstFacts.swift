import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What the operator's commands and the answers of managers say about one dienst, and what each request about it has to be
/// answered with.
final class DienstFacts: Facts {
  static var scope: Scope<KantineKoning> { .dienst }
  static let concerns = Set<Concern>.managing.union(Set<Concern>.asking(.shiftVolunteer))
    .union([.controls])
  /// Whether a rule is judged by the answers about diensten.
  static func judges(_ rule: KantineKoning.Rule) -> Bool {
    switch rule {
    case .kk36, .kk53, .kk54, .kk55, .kk56, .kk57, .kk58, .kk59, .kk60, .kk61, .kk64: true
    case .kk113, .kk117, .kk118, .kk119: true
    default: false
    }
  }
  /// Who asks at the same time is answered within it: no request waits longer (§3.1).
  private static let patience = Span.minutes(2)

  let id: DienstID
  let cell: CellFacts
  private var entry: Fixture.DienstEntry?
  private var loadedAt = Instant.distantPast
  /// The code of the team that it was loaded with.
  private var initialTeam: TeamName?
  private var start = Register<Instant>()
  /// What happened to it since it was loaded; most diensten stay as they are.
  private(set) var story: Story?
  var ripening = Ripening<AnsweredCall>()
  /// The verdict on the call at hand, found once for all who judge it.
  private var found: (call: KKCall, verdict: ExpectedAnswer.Verdict?)?

  init(_ subject: Subject<CellFacts>) {
    id = DienstID(subject.name)
    cell = subject.known
  }

  var tenant: Slug? { entry?.tenantSlug }
  var initialNames: [String] { entry?.aanmeldingen ?? [] }
  var club: ClubFacts? { tenant.flatMap { cell.clubs[$0] } }

  /// What changed hands or was cancelled.
  final class Story {
    var team: Register<TeamName?>
    var isCancelled = Register(false)
    var isOffered = Register(false)
    /// Since when the rights to take it over that were shown before count no more.
    var endings: [(during: ClosedRange<Instant>, isCertain: Bool)] = []
    /// When each right to take it over was shown last.
    var shown: [NotificationClaims: ClosedRange<Instant>] = [:]

    init(team: TeamName?) { self.team = Register(team) }
  }

  // MARK: Asking

  /// Whether it had begun throughout a call (`true`), was still to begin throughout (`false`), or neither.
  func hasBegun(during call: KKCall) -> Bool? {
    guard let start = start.value(during: call.sent...max(call.sent, call.answered))
    else { return nil }
    if start < call.sent { return true }
    return start >= call.answered ? false : nil
  }

  /// Whether it is there for a token of a tenant; a dienst of another one is not (KK-53).
  func isThere(for tenant: Slug, during call: KKCall) -> Bool? {
    guard let entry else { return cell.hasUnnamedDiensten ? nil : false }
    guard entry.tenantSlug == tenant else { return false }
    if let reset = club?.resetAt, reset > loadedAt {
      return reset + .seconds(1) < call.sent ? false : nil
    }
    return loadedAt + .seconds(1) < call.sent ? true : nil
  }

  /// The code of the team that has it throughout a call; `.some(nil)`: certainly nobody.
  func team(during call: KKCall) -> TeamName?? {
    guard let story else { return .some(initialTeam) }
    return story.team.value(during: call.during)
  }

  func isCancelled(during call: KKCall) -> Bool? {
    guard let story else { return false }
    return story.isCancelled.value(during: call.during)
  }

  func isOffered(during call: KKCall) -> Bool? {
    guard let story else { return false }
    return story.isOffered.value(during: call.during)
  }

  private func begun() -> Story {
    if let story { return story }
    let story = Story(team: initialTeam)
    self.story = story
    return story
  }

  func verdict(on answered: AnsweredCall) -> ExpectedAnswer.Verdict? {
    if let found, found.call === answered.call { return found.verdict }
    let verdict = expected(of: answered).verdict(on: answered.call)
    found = (answered.call, verdict)
    return verdict
  }

  static func moment(of ripe: AnsweredCall) -> Moment? { ripe.moment }

  // MARK: Taking in

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    let instant = moment.time
    switch command {
    case .load(let fixture):
      if let entry = fixture.diensten.first(where: { $0.id == id }) { take(entry, at: instant) }
    case .scheduleDienst(let entry): take(entry, at: instant)
    case .changeDienst(let change):
      if let moved = change.startTijd { start.follow(moved, at: instant) }
    case .cancelDienst: begun().isCancelled.follow(true, at: instant)
    case .assignDienst(_, let named):
      let (story, team) = (begun(), named.flatMap { club?.code(of: $0) })
      guard story.team.latest != .some(team) else { return }
      story.team.follow(team, at: instant)
      story.isOffered.follow(false, at: instant)
      story.endings.append(((instant - .seconds(1))...(instant + .seconds(1)), true))
    default: break
    }
  }

  private func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    self.entry = entry
    loadedAt = instant
    initialTeam = entry.team.flatMap { club?.code(of: $0) }
    start.follow(entry.startTijd, at: instant - .seconds(2))
  }

  func asked(_ call: KKCall, at moment: Moment) {
    if case .availableDiensten = call.request { return see(call) }
    if call.outcome.isAnswered {
      ripening.keep(
        AnsweredCall(call, at: moment, by: cell), until: call.answered + Self.patience)
    }
    guard call.isReplied || call.isUnknown else { return }
    switch call.request {
    case .claimDienst(let claim):
      let team = call.dienst.map { $0.team?.code } ?? club?.code(of: claim.team)
      let story = begun()
      story.team.set(team, during: call.during, isCertain: call.isReplied)
      story.isOffered.set(false, during: call.during, isCertain: call.isReplied)
      story.endings.append((call.during, call.isReplied))
    case .offerTransfer(let offer):
      let story = begun()
      if !offer.offered {
        let wasOffered = story.isOffered.value(during: call.sent...call.sent) == true
        story.endings.append((call.during, call.isReplied && wasOffered))
      }
      story.isOffered.set(offer.offered, during: call.during, isCertain: call.isReplied)
    default: break
    }
  }

  private func see(_ call: KKCall) {
    guard let shown = call.diensten?.first(where: { $0.id == id }),
      case .issued(let claims)? = shown.notificationToken
    else { return }
    begun().shown[claims] = call.during
  }
}

extension Scope<KantineKoning> {
  /// The diensten that somebody asks about or is offered, or that the operator loads, schedules or changes.
  static var dienst: Self {
    .each(
      "dienst", by: DienstID.self,
      asked: { call, tell in
        if let id = call.dienstID {
          tell(id)
        } else if case .availableDiensten = call.request, let list = call.diensten {
          for dienst in list { tell(dienst.id) }
        }
      },
      commanded: { command, tell in
        switch command {
        case .load(let fixture): for entry in fixture.diensten { tell(entry.id) }
        case .scheduleDienst(let entry): tell(entry.id)
        case .changeDienst(let change): tell(change.id)
        case .cancelDienst(let id), .assignDienst(let id, _): tell(id)
        default: break
        }
      })
  }
}
