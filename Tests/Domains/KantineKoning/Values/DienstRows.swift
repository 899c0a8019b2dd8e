import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What the operator's commands and the answers of managers say about one dienst.
struct DienstRow {
  /// `nobody`: the operator never told of it.
  var club = nobody
  var loadedAt = Instant.distantPast
  /// The code of the team that it was loaded with.
  var initialTeam: TeamName?
  var start = Register<Instant>()
  /// What happened to it since it was loaded; most diensten stay as they are.
  var story: Story?
  /// Its last changes, as they were answered.
  var versions: [Version] = []
  var names = NamesOfADienst()

  struct Story {
    var team: Register<TeamName?>
    var isCancelled = Register(false)
    var isOffered = Register(false)
    /// Since when the rights to take it over that were shown before count no more.
    var endings: [(during: ClosedRange<Instant>, isCertain: Bool)] = []
    /// When each right to take it over was shown last.
    var shown: [NotificationClaims: ClosedRange<Instant>] = [:]
  }

  mutating func happen(_ change: (inout Story) -> Void) {
    if story == nil { story = Story(team: Register(initialTeam)) }
    change(&story!)
  }

  /// Whether it had begun throughout a call (`true`), was still to begin throughout (`false`), or neither.
  func hasBegun(during call: KKCall) -> Bool? {
    guard let start = start.value(during: call.sent...max(call.sent, call.answered))
    else { return nil }
    if start < call.sent { return true }
    return start >= call.answered ? false : nil
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
}

extension CanteenChecks {
  /// Who asks at the same time is answered within it.
  private static let patience = Span.minutes(2)

  /// The dienst that a request is about.
  mutating func dienst(of call: KKCall) -> Int {
    switch call.request {
    case .addVolunteer(let it), .removeVolunteer(let it): diensten.number(of: it.dienstID)
    case .takeover(let it): diensten.number(of: it.dienstID)
    case .claimDienst(let it): diensten.number(of: it.dienstID)
    case .offerTransfer(let it): diensten.number(of: it.dienstID)
    case .answerCallToAction(let it):
      if case .issued(let claims) = it.token {
        diensten.number(of: claims.dienstID)
      } else {
        nobody
      }
    default: nobody
    }
  }

  /// What is due is judged before anything is learned of the record that shows that it is time.
  mutating func ripen(_ dienst: Int, at now: Instant) {
    guard dienst < ripening.count else { return }
    while let answered = ripening[dienst].next(at: now) { judge(answered, about: dienst) }
  }

  // MARK: Commands

  mutating func ripenDiensten(_ command: KantineKoning.Control, at now: Instant) {
    switch command {
    case .load(let fixture):
      for entry in fixture.diensten { ripen(diensten.number(of: entry.id), at: now) }
    case .scheduleDienst(let entry): ripen(diensten.number(of: entry.id), at: now)
    case .changeDienst(let change): ripen(diensten.number(of: change.id), at: now)
    case .cancelDienst(let id), .assignDienst(let id, _): ripen(diensten.number(of: id), at: now)
    default: break
    }
  }

  mutating func learnDienstRows(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture): for entry in fixture.diensten { take(entry, at: instant) }
    case .scheduleDienst(let entry): take(entry, at: instant)
    case .changeDienst(let change):
      guard let moved = change.startTijd else { return }
      diensten[diensten.number(of: change.id)].start.follow(moved, at: instant)
    case .cancelDienst(let id):
      diensten[diensten.number(of: id)].happen { $0.isCancelled.follow(true, at: instant) }
    case .assignDienst(let id, let named):
      let dienst = diensten.number(of: id)
      let club = diensten[dienst].club
      let team = club == nobody ? nil : named.flatMap { clubs[club].code(of: $0) }
      diensten[dienst].happen { story in
        guard story.team.latest != .some(team) else { return }
        story.team.follow(team, at: instant)
        story.isOffered.follow(false, at: instant)
        story.endings.append(((instant - slack)...(instant + slack), true))
      }
    default: break
    }
  }

  private mutating func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    if entry.id.isEmpty { hasUnnamedDiensten = true }
    let dienst = diensten.number(of: entry.id)
    let club = clubs.number(of: entry.tenantSlug)
    diensten[dienst].club = club
    diensten[dienst].loadedAt = instant
    diensten[dienst].initialTeam = entry.team.flatMap { clubs[club].code(of: $0) }
    diensten[dienst].start.follow(entry.startTijd, at: instant - .seconds(2))
    diensten[dienst].names.initial = entry.aanmeldingen
  }

  // MARK: Answers

  mutating func learnDienst(_ asked: Asked) {
    let dienst = asked.dienst
    if asked.isAnswered, let answered = AnsweredCall(asked, self) {
      while ripening.count <= dienst { ripening.append(Ripening()) }
      ripening[dienst].keep(answered, until: asked.call.answered + Self.patience)
    }
    guard asked.isReplied || asked.isUnknown else { return }
    switch asked.call.request {
    case .claimDienst(let claim):
      let club = diensten[dienst].club
      let team =
        asked.dienstShown.map { $0.columns.team?.code }
        ?? (club == nobody ? nil : clubs[club].code(of: claim.team))
      diensten[dienst].happen { story in
        story.team.set(team, during: asked.during, isCertain: asked.isReplied)
        story.isOffered.set(false, during: asked.during, isCertain: asked.isReplied)
        story.endings.append((asked.during, asked.isReplied))
      }
    case .offerTransfer(let offer):
      let sent = asked.call.sent
      diensten[dienst].happen { story in
        if !offer.offered {
          let wasOffered = story.isOffered.value(during: sent...sent) == true
          story.endings.append((asked.during, asked.isReplied && wasOffered))
        }
        story.isOffered.set(offer.offered, during: asked.during, isCertain: asked.isReplied)
      }
    default: break
    }
  }

  /// O21 shows rights to take diensten over.
  mutating func learnOffered(_ asked: Asked) {
    guard let list = asked.diensten else { return }
    for shown in list {
      let dienst = diensten.number(of: shown.columns.id)
      ripen(dienst, at: verdicts.moment.time)
      guard case .issued(let claims)? = shown.columns.notificationToken else { continue }
      diensten[dienst].happen { $0.shown[claims] = asked.during }
    }
  }
}
