import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

/// What makes the app ask for its diensten.
enum RefreshCause: Equatable {
  case routine
  /// The user pulls the list down (KK-87).
  case pull
  /// A push arrived (KK-91), by the number of its event.
  case push(Int)
}

extension Phone {
  /// The refresh macro (§5): one O11, then O14 for every enrollment whose tenant has not ended, in parallel.
  ///
  /// - Returns: Whether every enrollment was answered.
  @discardableResult
  func refresh(
    because cause: RefreshCause = .routine, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) -> Bool {
    if let token = anyUsable(as: me) {
      let answer = try await me.ask(.tenants, with: token.credential)
      if case .replied(.tenants(let clubs)) = answer { apply(clubs, as: me) }
    }
    let due = dueForDiensten
    let left = enrollments.filter { held in
      !held.seasonEnded && !due.contains { $0.deviceID == held.deviceID }
    }
    if !left.isEmpty { me.note(.notFetched(deviceIDs: left.map(\.deviceID))) }
    announce(cause, about: due, as: me)
    guard !due.isEmpty, cause != .pull || rules.binds(.kk87) else { return due.isEmpty }
    let primary = enrollments[0].credential
    let answers = try await me.ask(
      all: due.map { enrollment in
        // Each with its own token (KK-34).
        Ask(
          .diensten(DienstenQuery(tenant: rules.binds(.kk44) ? enrollment.tenant : nil)),
          with: rules.binds(.kk34) ? enrollment.credential : primary)
      })
    for (enrollment, answer) in zip(due, answers) {
      switch answer {
      case .replied(.diensten(let list)): replace(list, of: enrollment.deviceID)
      case .refused(let refusal)
      where refusal.kind == .tokenRevoked && refusal.reason == .seasonEnded:
        endSeason(of: enrollment.tenant)  // KK-41: the whole tenant
      case .refused(let refusal) where refusal.status == 401:
        signOut(enrollment.deviceID, as: me)  // KK-41: only this enrollment
      case .replied, .refused, .unsent, .unknown: break  // a pull to refresh repairs it (KK-87)
      }
    }
    me.note(.listShown(upcoming(as: me)))
    return answers.allSatisfy(\.isAnswered)
  }

  private func announce(
    _ cause: RefreshCause, about due: [HeldEnrollment], as me: Person<KantineKoning>
  ) {
    switch cause {
    case .routine: break
    case .pull:
      if !due.isEmpty { me.note(.pulledToRefresh(deviceIDs: due.map(\.deviceID))) }
    case .push(let event):
      me.note(.refreshingAfterPush(eventNumber: event, deviceIDs: due.map(\.deviceID)))
    }
  }

  /// O11 uses the token of an arbitrary tenant that has not ended (§5.4).
  func anyUsable(as me: Person<KantineKoning>) -> HeldEnrollment? {
    let choices = usable
    guard choices.count > 1 else { return choices.first }
    return me.draw(.picking) { $0.pick(choices) }
  }

  /// Per enrollment (Q9), or, as the documents' own example loops, per tenant with its newest token.
  private var dueForDiensten: [HeldEnrollment] {
    let living = enrollments.filter { !$0.seasonEnded }
    guard !neighbourhood.quirks.contains("Q9") else { return living }
    return living.indices.filter { index in
      !living[(index + 1)...].contains { $0.tenant == living[index].tenant }
    }.map { living[$0] }
  }

  /// Takes tenant info in: teams that a listed club no longer lists are dropped, ended seasons are marked; a club
  /// that is not listed at all is left alone (O11).
  func apply(_ clubs: [TenantInfo], as me: Person<KantineKoning>) {
    for club in clubs {
      for index in enrollments.indices where enrollments[index].tenant == club.slug {
        enrollments[index].seasonEnded = club.seasonEnded
        enrollments[index].teams.removeAll { team in !club.teams.contains { $0.id == team.id } }
      }
    }
    enrollments.removeAll { $0.teams.isEmpty }
    if enrollments.isEmpty { enter(.onboarding, as: me) }
  }

  private func replace(_ list: [Dienst], of deviceID: EnrollmentID) {
    guard let index = enrollments.firstIndex(where: { $0.deviceID == deviceID }) else { return }
    // With KK-49 off the answers pile up instead of being one list.
    let kept = rules.binds(.kk49) ? [] : enrollments[index].diensten
    enrollments[index].diensten = kept + list
  }

  private func endSeason(of tenant: Slug) {
    for index in enrollments.indices where enrollments[index].tenant == tenant {
      enrollments[index].seasonEnded = true
    }
  }

  private func signOut(_ deviceID: EnrollmentID, as me: Person<KantineKoning>) {
    guard let index = enrollments.firstIndex(where: { $0.deviceID == deviceID }),
      !enrollments[index].isUitgelogd
    else { return }
    enrollments[index].isUitgelogd = true
    me.note(.uitgelogd(deviceID: deviceID))
  }

  /// The one list of diensten that the app shows (KK-128): each once (KK-49), of two copies the later (KK-51), future
  /// ones first and soonest first, then past ones, latest first (KK-50).
  private func upcoming(as me: Person<KantineKoning>) -> [KantineKoning.ShownDienst] {
    var shown: [KantineKoning.ShownDienst] = []
    var places: [DienstID: Int] = [:]
    // With KK-128 off a screen shows a list of its own.
    let lists = enrollments.prefix(rules.binds(.kk128) ? enrollments.count : 1).map(\.diensten)
    let most = lists.reduce(0) { $0 + $1.count }
    shown.reserveCapacity(most)
    // Most lists are short enough to be looked through.
    let isLong = most > 16
    let keepsOne = rules.binds(.kk49)
    for list in lists {
      for index in list.indices {
        let copy = KantineKoning.ShownDienst(
          id: list[index].id, startTijd: list[index].startTijd, updatedAt: list[index].updatedAt)
        let place =
          !keepsOne
          ? shown.count
          : isLong
            ? Self.place(of: copy.id, &places, next: shown.count)
            : shown.firstIndex { $0.id == copy.id } ?? shown.count
        if place == shown.count {
          shown.append(copy)
        } else if copy.updatedAt > shown[place].updatedAt {
          shown[place] = copy
        }
      }
    }
    let now = clock(me)
    guard rules.binds(.kk50) else {
      return shown.sorted { ($0.startTijd, $0.id) < ($1.startTijd, $1.id) }
    }
    let future = shown.filter { $0.startTijd >= now }
    let past = shown.filter { $0.startTijd < now }
    return future.sorted { ($0.startTijd, $0.id) < ($1.startTijd, $1.id) }
      + past.sorted { ($0.startTijd, $0.id) > ($1.startTijd, $1.id) }
  }

  /// Where a dienst stands in the list: at the end when it is new to it.
  private static func place(of id: DienstID, _ places: inout [DienstID: Int], next: Int) -> Int {
    return { (place: inout Int) in
      if place < 0 { place = next }
      return place
    }(&places[id, default: -1])
  }
}
