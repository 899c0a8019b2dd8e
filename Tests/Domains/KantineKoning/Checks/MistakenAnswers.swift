import Contracts
import KantineKoningContract
import Timekeeping

private typealias S = CheckStory

/// Answers that are wrong although nothing forbidden was done, and what nobody misses who looks at successes alone.
enum MistakenAnswers {
  static let all = frame + enrolling + diensten + takeovers + told

  /// A refusal by its right code, and by another one.
  private static func refusal(
    _ limit: KantineKoning.Rule, _ right: KantineKoning.Refusal.Code,
    _ wrong: KantineKoning.Refusal.Code,
    _ story: @escaping @Sendable (inout CheckStory, Outcome<KantineKoning>) -> Void
  ) -> CheckCase {
    CheckCase(limit) {
      story(&$0, S.refused(right))
      $0.now += .minutes(5)
    } fails: {
      story(&$0, S.refused(wrong))
      $0.now += .minutes(5)
    }
  }

  @Sendable private static func scheduleTwo(_ story: inout CheckStory) {
    story.control(
      .scheduleDienst(
        .init(
          id: "two", tenantSlug: "a", team: "2", startTijd: S.start + .days(2),
          eindTijd: S.start + .days(3), minimumBemanning: 3)))
  }

  private static let frame: [CheckCase] = [
    refusal(.kk28, .unauthorized, .invalidToken) { $0.ask(.status, $1) },
    refusal(.kk28, .unauthorized, .invalidRequest) {
      $0.ask(
        .unread(.malformed(operation: MobileOperation.apnsToken.rawValue, .noDocument)), $1)
    },
    refusal(.kk41, .deviceNotFound, .unauthorized) {
      $0.ask(.removeAll, as: "p", .replied(.enrollmentsRevoked(2)))
      $0.ask(.status, as: "p", $1)
    },
    refusal(.kk39, .invalidToken, .deviceNotFound) {
      $0.remember("p", "a", .member, ["1", "2"], exp: $0.now.unixSeconds - 1)
      $0.ask(.tenants, as: "p", $1)
    },
    refusal(.kk36, .tenantNotFound, .tenantMismatch) {
      $0.list(nil, as: "p", tenant: "nowhere", or: $1)
    },
    refusal(.kk53, .tenantNotFound, .tenantMismatch) {
      $0.ask(.removeTenant(slug: "nowhere"), as: "p", $1)
    },
    refusal(.kk90, .invalidParameter, .invalidRequest) {
      $0.ask(.updateApnsToken(ApnsTokenUpdate(token: "")), as: "p", $1)
    },
    // The clean-up takes from managers what they no longer manage, and nothing from anybody else.
    refusal(.kk41, .deviceNotFound, .tokenRevoked) {
      cleaned(&$0, managing: [])
      $0.ask(.status, as: "n", $1)
    },
    CheckCase(.kk86) {
      cleaned(&$0, managing: ["2"])
      $0.status(["2"], as: "n")
    } fails: {
      cleaned(&$0, managing: ["2"])
      $0.status(["1", "2"], as: "n")
    },
    CheckCase(.kk42) {
      cleaned(&$0, managing: [])
      $0.ask(.removeTenant(slug: "b"), as: "q", .replied(.enrollmentsRevoked(1)))
      $0.status(["1", "2"])
    } fails: {
      cleaned(&$0, managing: [])
      $0.ask(.status, as: "p", S.refused(.deviceNotFound))
    },
    CheckCase(.kk42) {
      $0.ask(.removeTenant(slug: "b"), as: "q", .replied(.enrollmentsRevoked(1)))
      $0.status(["1", "2"])
    } fails: {
      $0.ask(.status, as: "p", S.refused(.deviceNotFound))
    },
  ]

  /// A manager of two teams manages others, or none, when the operator cleans up.
  @Sendable private static func cleaned(_ story: inout CheckStory, managing codes: [TeamName]) {
    story.register(["1", "2"], role: .manager, as: "n")
    story.control(
      .setManager(.init(tenantSlug: "a", email: "m@a.example", teamCodes: codes)))
    story.control(.cleanUp)
  }

  private static let enrolling: [CheckCase] = [
    refusal(.kk26, .invalidTeamCodes, .teamManagerNotFound) {
      $0.ask(
        .requestEnrollment(
          EnrollmentRequest(email: "m@a.example", tenantSlug: "a", teamCodes: ["3"])), $1)
    },
    refusal(.kk26, .invalidEmail, .teamManagerNotFound) {
      $0.ask(
        .requestEnrollment(EnrollmentRequest(email: "nobody", tenantSlug: "a", teamCodes: [])), $1)
    },
    refusal(.kk27, .invalidTeamCodes, .teamAccessDenied) {
      $0.registers(.member(S.claims(["1", "ZZ"])), $1)
    },
    refusal(.kk21, .teamConflict, .enrollmentLimitExceeded) {
      $0.registers(.member(S.claims(["1", "2", "3", "4", "5", "6"])), on: S.phoneM, $1)
    },
    refusal(.kk78, .invalidRequest, .invalidTeamCodes) {
      $0.syncs([S.item("a", "trainer", ["1"])], $1)
    },
    CheckCase(.kk15) {
      $0.registers(
        .member(S.claims(["1", "2", "3", "4", "5"])), on: S.phoneP,
        S.refused(.enrollmentLimitExceeded))
    } fails: {
      // Two of the four are followed already.
      $0.registers(
        .member(S.claims(["1", "2", "3", "4"])), on: S.phoneP, S.refused(.enrollmentLimitExceeded))
    },
    CheckCase(.kk31) {
      $0.register(["3"], as: "n")
      $0.registers(.member(S.claims(["3"], jti: "n")), S.refused(.invalidOrExpiredToken))
    } fails: {
      $0.registers(.member(S.claims(["3"], lifetime: 650)), S.refused(.invalidOrExpiredToken))
    },
    CheckCase(.kk90) {
      $0.register(["3"], as: "n")
    } fails: {
      $0.remember("n", "a", .member, ["3"])
      var answer = $0.answer("n", "a", .member, ["3"])
      answer.buildEnvironment = nil
      $0.registers(.member(S.claims(["3"])), .replied(.registered(answer)))
    },
    CheckCase(.kk120) {
      wish(&$0, other: true)
    } fails: {
      wish(&$0, other: false)
    },
    // Mails of what happened three times, the second time to the team of which none are wanted, or to the other.
    CheckCase(.kk120) {
      mailed(&$0, about: "2", [true, true, true])
    } fails: {
      mailed(&$0, about: "2", [true, false, true])
    },
    CheckCase(.kk120) {
      mailed(&$0, about: "1", [true, false, true])
    } fails: {
      mailed(&$0, about: "1", [true, true, true])
    },
    // Mails are on where no push can be sent.
    CheckCase(.kk120) {
      mailed(&$0, about: "1", [true, true, true], .skippedNoToken)
    } fails: {
      mailed(&$0, about: "1", [true, false, true], .skippedNoToken)
    },
    refusal(.kk120, .teamNotFound, .teamAccessDenied) {
      $0.ask(.setEmailPreference(EmailPreference(enabled: false, team: "ZZ")), as: "m", $1)
    },
    refusal(.kk40, .teamAccessDenied, .teamNotFound) {
      $0.register(["1", "2"], role: .manager, as: "n")
      $0.ask(
        .removeTeams(["2"]), as: "n",
        .replied(.teamsRemoved(TeamRemoval(removed: 1, teamCodes: ["1"]))))
      $0.ask(.setEmailPreference(EmailPreference(enabled: false, team: "2")), as: "n", $1)
    },
  ]

  /// A manager of two teams wants no mails of one.
  @Sendable private static func wish(_ story: inout CheckStory, other isOn: Bool) {
    story.register(["1", "2"], role: .manager, as: "n")
    let shown = [
      TeamPreference(teamCode: "1", emailEnabled: false),
      TeamPreference(teamCode: "2", emailEnabled: isOn),
    ]
    story.ask(
      .setEmailPreference(EmailPreference(enabled: false, team: "1")), as: "n",
      .replied(.emailPreferences(shown)))
    story.ask(
      .status, as: "n",
      .replied(
        .status(
          EnrollmentStatus(
            deviceID: "n", tenantSlug: "a", tenantName: "A", teamCodes: ["1", "2"], role: .manager,
            status: "active", teamEmailPreferences: shown, pushEnabled: true, hasApnsToken: true,
            buildEnvironment: "production", lastSeenAt: story.now))))
  }

  /// A manager of two teams, who wants no mails of the first, is told of the second, of one of both, and of the second.
  @Sendable private static func mailed(
    _ story: inout CheckStory, about team: TeamName, _ wereMailed: [Bool],
    _ result: PushDelivery.Result = .delivered
  ) {
    var fixture = Fixture()
    fixture.enrollments = [
      .init(
        deviceID: "w", tenantSlug: "a", role: .manager, teamCodes: ["1", "2"],
        teamManagerEmail: "w@a.example", hardwareIdentifier: S.fresh)
    ]
    story.control(.load(fixture))
    story.remember("w", "a", .manager, ["1", "2"])
    story.ask(
      .setEmailPreference(EmailPreference(enabled: false, team: "1")), as: "w",
      .replied(.emailPreferences([TeamPreference(teamCode: "1", emailEnabled: false)])))
    var pushes: [PushDelivery] = []
    for (number, team) in (["2", team, "2"] as [TeamName]).enumerated() {
      story.now += .minutes(10)
      var told = push(.dienstChanged, number, about: team, to: "w", at: story.now)
      told.result = team == "2" ? .delivered : result
      pushes.append(told)
      guard wereMailed[number] else { continue }
      story.receive(
        Notice(
          to: "w@a.example", event: .dienstChanged, tenantSlug: "a", teamCode: team,
          dienstID: "two", subject: "s", body: "b", ctaToken: nil, sentAt: story.now))
    }
    story.now += .minutes(10)
    story.inspect(pushes: pushes)
  }

  private static let diensten: [CheckCase] = [
    // A team that is not the manager's, and a name that is not there.
    refusal(.kk61, .teamAccessDenied, .volunteerNotFound) {
      scheduleTwo(&$0)
      $0.remove("Niemand", from: "two", $1)
    },
    // A team that was the manager's.
    refusal(.kk61, .teamAccessDenied, .volunteerNotFound) {
      scheduleTwo(&$0)
      $0.register(["1", "2"], role: .manager, as: "n")
      $0.ask(
        .removeTeams(["2"]), as: "n",
        .replied(.teamsRemoved(TeamRemoval(removed: 1, teamCodes: ["1"]))))
      $0.remove("Niemand", from: "two", as: "n", $1)
    },
    refusal(.kk53, .dienstNotFound, .teamAccessDenied) {
      $0.remove("Jan", from: "nowhere", $1)
    },
    refusal(.kk54, .teamAccessDenied, .dienstNotFound) {
      $0.add("Eva", to: "nowhere", as: "p", $1)
    },
    refusal(.kk56, .dienstInPast, .nameTooLong) { $0.add("Maximiliaan Alex", to: "past", $1) },
    refusal(.kk57, .dienstInPast, .volunteerNotFound) { $0.remove("Jan", from: "past", $1) },
    refusal(.kk58, .nameTooLong, .volunteerNotFound) { $0.remove("Maximiliaan Alex", $1) },
    CheckCase(.kk64) {
      $0.remove("Eva", S.refused(.volunteerNotFound))
    } fails: {
      $0.remove("Jan", S.refused(.volunteerNotFound))
    },
    CheckCase(.kk62) {
      $0.add("Eva", .replied(.dienst(S.dienst(names: ["Jan", "Eva"]))))
    } fails: {
      $0.add("Eva", .replied(.dienst(S.dienst(names: ["Eva", "Jan"]))))
    },
    // Two administrators at once: one changes the place, the other the staffing.
    CheckCase(.kk52) {
      changedTwice(&$0, minimum: 4)
    } fails: {
      changedTwice(&$0, minimum: 1)
    },
    // One cancels, the other changes the staffing; and whom a change of that leaves too few.
    CheckCase(.kk52) {
      changedTwice(&$0, minimum: 4, cancelling: true, status: .geannuleerd)
    } fails: {
      changedTwice(&$0, minimum: 4, cancelling: true)
    },
    CheckCase(.kk52) {
      changedTwice(&$0, minimum: 4)
    } fails: {
      changedTwice(&$0, minimum: 4, status: .volledig)
    },
    CheckCase(.kk48) {
      $0.list([S.dienst()])
    } fails: {
      var dienst = S.dienst()
      dienst.columns.notificationToken = claiming("1").token
      $0.list([dienst])
    },
  ]

  @Sendable private static func changedTwice(
    _ story: inout CheckStory, minimum: Int, cancelling isCancelled: Bool = false,
    status: Dienst.Status = .onbemand
  ) {
    let at = story.now
    if isCancelled { story.control(.cancelDienst(id: "future")) }
    story.now = at
    story.control(.changeDienst(.init(id: "future", minimumBemanning: 4)))
    story.now = at
    story.control(.changeDienst(.init(id: "future", locatieNaam: "Veld 2")))
    var dienst = S.dienst(version: 120)
    dienst.columns.eindTijd = S.start + .days(8)
    dienst.columns.locatieNaam = "Veld 2"
    dienst.columns.minimumBemanning = minimum
    dienst.columns.status = status
    story.list([dienst])
  }

  private static func claiming(_ team: TeamName, _ dienst: DienstID = "future") -> DienstClaim {
    let claims = NotificationClaims(tenantSlug: "a", dienstID: dienst, holder: "a-1", round: 0)
    return DienstClaim(dienstID: dienst, team: team, token: .issued(claims))
  }

  @Sendable private static func offersOfTheOther(
    _ story: inout CheckStory, _ outcome: Outcome<KantineKoning>
  ) {
    scheduleTwo(&story)
    story.register(["2"], role: .manager, on: S.phoneM, as: "n")
    story.ask(.offerTransfer(TransferOffer(dienstID: "two", offered: true)), as: "m", outcome)
    story.now += .minutes(5)
  }

  @Sendable private static func takesOver(_ story: inout CheckStory, _ status: Dienst.Status) {
    scheduleTwo(&story)
    story.control(.assignDienst(id: "two", team: "3"))
    var dienst = S.dienst("two", team: "1")
    dienst.columns.status = status
    let claims = NotificationClaims(tenantSlug: "a", dienstID: "two", holder: "a-3", round: 1)
    story.ask(
      .claimDienst(DienstClaim(dienstID: "two", team: "1", token: .issued(claims))), as: "m",
      .replied(.transfer(Transfer(dienst: dienst))))
  }

  @Sendable private static func looksAtItsOwn(
    _ story: inout CheckStory, _ outcome: Outcome<KantineKoning>
  ) {
    let query = TakeoverQuery(dienstID: "future", token: claiming("1").token)
    story.ask(.takeover(query), as: "m", outcome)
    story.now += .minutes(5)
  }

  private static let takeovers: [CheckCase] = [
    refusal(.kk118, .teamAccessDenied, .alreadyClaimed) {
      $0.ask(.claimDienst(claiming("3")), as: "m", $1)
    },
    refusal(.kk117, .dienstInPast, .alreadyClaimed) {
      $0.ask(.claimDienst(claiming("1", "past")), as: "m", $1)
    },
    refusal(.kk117, .alreadyClaimed, .dienstInPast) {
      $0.register(["2"], role: .manager, on: S.phoneM, as: "n")
      $0.ask(
        .takeover(TakeoverQuery(dienstID: "future", token: claiming("2").token)), as: "n", $1)
    },
    refusal(.kk55, .teamAccessDenied, .dienstNotFound) {
      $0.ask(.claimDienst(claiming("1")), as: "p", $1)
    },
    CheckCase(.kk118) {
      takesOver(&$0, .onbemand)
    } fails: {
      takesOver(&$0, .volledig)
    },
    CheckCase(.kk118) {
      looksAtItsOwn(&$0, S.refused(.ownDienst))
    } fails: {
      looksAtItsOwn(&$0, .replied(.dienst(S.dienst())))
    },
    // The other right of the phone manages the team.
    CheckCase(.kk119) {
      var dienst = S.dienst("two", team: "2")
      dienst.columns.offeredForTransfer = true
      offersOfTheOther(&$0, .replied(.transfer(Transfer(dienst: dienst))))
    } fails: {
      offersOfTheOther(&$0, S.refused(.teamAccessDenied))
    },
    CheckCase(.kk119) {
      $0.offer(true)
      var dienst = S.dienst()
      dienst.columns.offeredForTransfer = true
      $0.ask(.availableDiensten(currentTeam: "2"), as: "m", .replied(.diensten([dienst])))
    } fails: {
      $0.offer(true)
      $0.ask(.availableDiensten(currentTeam: "2"), as: "m", .replied(.diensten([])))
    },
    CheckCase(.kk117) {
      $0.control(.assignDienst(id: "future", team: nil))
      $0.available([S.dienst(team: nil)])
    } fails: {
      $0.control(.assignDienst(id: "future", team: nil))
      $0.available([])
    },
  ]

  private static let told: [CheckCase] = [
    // A dienst that was moved reminds a day before its new start.
    CheckCase(.kk99) {
      moved(&$0, told: S.start + .days(1) + .hours(2))
    } fails: {
      moved(&$0, told: nil)
    },
    CheckCase(.kk99) {
      moved(&$0, told: S.start + .days(1) + .hours(2))
    } fails: {
      moved(&$0, told: S.start + .days(1))
    },
    // The records before the newest are gone: what came after them is missed all the same.
    CheckCase(.kk99) {
      moved(&$0, told: S.start + .days(1) + .hours(2), from: 7)
    } fails: {
      moved(&$0, told: nil, from: 7)
    },
    CheckCase(.kk99) {
      takenOver(&$0, telling: [(.dienstTakenOver, "2", "l")])
    } fails: {
      takenOver(&$0, telling: [])
    },
    CheckCase(.kk99) {
      takenOver(&$0, telling: [(.dienstTakenOver, "2", "l")])
    } fails: {
      takenOver(&$0, telling: [(.dienstTakenOver, "2", "l"), (.dienstTakenOver, "1", "m")])
    },
    // Who is told of names, where nobody wants to be.
    CheckCase(.kk99) {
      takenOver(&$0, telling: [(.dienstTakenOver, "2", "l")])
    } fails: {
      takenOver(&$0, telling: [(.dienstTakenOver, "2", "l"), (.volunteersChanged, "1", "m")])
    },
  ]

  private static func push(
    _ event: PushEvent, _ number: Int, about team: TeamName = "2", to device: EnrollmentID = "l",
    at: Instant
  ) -> PushDelivery {
    PushDelivery(
      number: number, event: event, eventNumber: number, tenantSlug: "a", teamCode: team,
      dienstID: "two", title: "t", deviceID: device, apnsEnvironment: .production, sentAt: at,
      result: .skippedNoToken)
  }

  /// - Parameter first: The number of the oldest push that is shown.
  @Sendable private static func moved(
    _ story: inout CheckStory, told: Instant?, from first: Int = 0
  ) {
    scheduleTwo(&story)
    let (begun, start) = (story.now - .seconds(5), S.start + .days(2) + .hours(2))
    story.control(.changeDienst(.init(id: "two", startTijd: start)))
    var pushes = [
      push(.dienstAssigned, first, at: begun),
      push(.dienstChanged, first + 1, at: begun + .seconds(5)),
    ]
    if let told { pushes.append(push(.reminderDay, first + 2, at: told)) }
    story.now = S.start + .days(1) + .hours(3)
    story.inspect(pushes: pushes)
  }

  /// Team 1 takes over what team 2 has.
  @Sendable private static func takenOver(
    _ story: inout CheckStory,
    telling messages: [(event: PushEvent, team: TeamName, device: EnrollmentID)]
  ) {
    scheduleTwo(&story)
    story.now += .minutes(1)
    let (begun, taken) = (story.now - .seconds(65), story.now)
    story.ask(
      .claimDienst(claiming("1", "two")), as: "m",
      .replied(.transfer(Transfer(dienst: S.dienst("two", team: "1")))))
    story.now += .hours(1)
    let pushes = [
      push(.dienstAssigned, 0, at: begun), push(.dienstAssigned, 1, about: "1", to: "m", at: taken),
    ]
    story.inspect(
      pushes: pushes
        + messages.enumerated().map {
          push($1.event, $0 + 2, about: $1.team, to: $1.device, at: taken)
        })
  }
}
