import Contracts
import KantineKoningContract
import Timekeeping

private typealias S = CheckStory

extension CheckCases {
  static let app = paths + removals + repairs + pushes + pushTokens

  // MARK: The app's own paths

  private static let link = EnrollmentToken.link(S.claims(["1"], role: "manager"))

  @Sendable private static func question(
    _ story: inout CheckStory, _ codes: [TeamName], _ reply: KantineKoning.Reply
  ) {
    story.ask(
      .requestEnrollment(
        EnrollmentRequest(email: "m@a.example", tenantSlug: "a", teamCodes: codes)),
      .replied(reply))
  }

  static let paths: [CheckCase] = [
    CheckCase(.kk11) {
      $0.register(["3", "4"], as: "n")
    } fails: {
      $0.remember("n", "a", .member, ["3"])
      let answer = $0.answer("n", "a", .member, ["3"])
      $0.registers(.member(S.claims(["3", "4"])), .replied(.registered(answer)))
    },
    CheckCase(.kk24) {
      $0.note(.installed(.release))
      question(&$0, [], .allowedTeams([]))
      question(&$0, ["1"], .emailSent)
      $0.registers(link, S.refused(.enrollmentLimitExceeded))
    } fails: {
      $0.note(.installed(.release))
      question(&$0, ["1"], .emailSent)
      $0.registers(link, S.refused(.enrollmentLimitExceeded))
    },
    CheckCase(.kk25) {
      $0.note(.installed(.release))
      $0.ask(.searchTeams(tenant: "a", query: "3"), .replied(.teams([])))
      $0.register(["3"], as: "n")
    } fails: {
      $0.note(.installed(.release))
      $0.ask(.searchTeams(tenant: "b", query: "3"), .replied(.teams([])))
      $0.register(["3"], as: "n")
    },
    CheckCase(.kk29) {
      $0.note(.installed(.release))
      $0.register(["3"], as: "n")
    } fails: {
      $0.note(.installed(.release))
      $0.registers(
        .member(S.claims(["3"], lifetime: 86_400)), S.refused(.invalidOrExpiredToken))
    },
    CheckCase(.kk33) {
      $0.note(.phase(.launching))
      $0.note(.phase(.registered))
      $0.foreground()
    } fails: {
      $0.note(.phase(.registered))
      $0.foreground()
    },
    CheckCase(.kk43) {
      $0.note(.pushTokenLogged(line(bearer: String(repeating: "b", count: 20))))
    } fails: {
      $0.note(.pushTokenLogged(line(bearer: String(repeating: "b", count: 21))))
    },
    CheckCase(.kk44) {
      $0.foreground()
      $0.list([], tenant: "a")
    } fails: {
      $0.foreground()
      $0.list([])
    },
    CheckCase(.kk65) {
      $0.foreground()
      $0.note(.syncSkipped(.throttled))
      $0.foreground()
      $0.sync()
    } fails: {
      $0.foreground()
      $0.foreground()
    },
    CheckCase(.kk66) {
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
    } fails: {
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1)
    },
    CheckCase(.kk120) {
      mails(&$0, on: true)
    } fails: {
      mails(&$0, on: false)
    },
    CheckCase(.kk128) {
      refresh(&$0)
      $0.note(.listShown([shown("x"), shown("y")]))
    } fails: {
      refresh(&$0)
      $0.note(.listShown([shown("x")]))
    },
  ]

  @Sendable private static func mails(_ story: inout CheckStory, on isOn: Bool) {
    story.ask(
      .status, as: "m",
      .replied(
        .status(
          EnrollmentStatus(
            deviceID: "m", tenantSlug: "a", tenantName: "A", teamCodes: ["1"], role: .manager,
            status: "active",
            teamEmailPreferences: [TeamPreference(teamCode: "1", emailEnabled: isOn)],
            pushEnabled: true, hasApnsToken: false, buildEnvironment: nil, lastSeenAt: story.now)))
    )
  }

  @Sendable private static func refresh(_ story: inout CheckStory) {
    story.tenants([("a", ["1", "2"]), ("b", ["1"])])
    story.refresh([
      ([S.dienst("x")], "a", .milliseconds(80)),
      ([S.dienst("y", tenant: "b")], "b", .milliseconds(120)),
    ])
  }

  private static func shown(_ id: DienstID) -> KantineKoning.ShownDienst {
    .init(id: id, startTijd: S.start, updatedAt: S.start)
  }

  // MARK: Removal and reset

  @Sendable private static func swipe(
    _ story: inout CheckStory, _ level: SwipedAway.Level, leavesNothing: Bool = false,
    isToCall: Bool = true
  ) {
    story.note(
      .swipedAway(
        SwipedAway(
          level: level, tenant: "a", code: level == .team ? "1" : nil, deviceIDs: ["p"],
          leavesNothing: leavesNothing, isToCall: isToCall)))
  }

  @Sendable private static func later(_ story: inout CheckStory) { story.now += .hours(1) }

  @Sendable private static func remove(_ names: [TeamName], _ story: inout CheckStory) {
    story.ask(
      .removeTeams(names), as: "p",
      .replied(.teamsRemoved(TeamRemoval(removed: 1, teamCodes: ["2"]))))
  }

  static let removals: [CheckCase] = [
    CheckCase(.kk82) {
      swipe(&$0, .team)
      remove(["1"], &$0)
      swipe(&$0, .team, isToCall: false)
      later(&$0)
    } fails: {
      swipe(&$0, .team)
      later(&$0)
    },
    CheckCase(.kk83) {
      swipe(&$0, .club)
      $0.ask(.removeTenant(slug: "a"), as: "p", .unknown(.timedOut))
    } fails: {
      swipe(&$0, .club)
      $0.ask(.removeTenant(slug: "a"), as: "q", S.refused(.tenantMismatch))
      later(&$0)
    },
    CheckCase(.kk84) {
      $0.note(.resetConfirmed(isToCall: true))
      $0.ask(.removeAll, as: "p", .unknown(.timedOut))
      $0.note(.resetLocally(lostDeviceIDs: ["p"]))
    } fails: {
      $0.note(.resetConfirmed(isToCall: true))
      $0.ask(.removeAll, as: "p", .unknown(.timedOut))
      later(&$0)
    },
    CheckCase(.kk85) {
      $0.note(.resetLocally(lostDeviceIDs: ["p"]))
      $0.note(.phase(.onboarding))
    } fails: {
      swipe(&$0, .team, leavesNothing: true)
      $0.note(.phase(.launching))
    },
    CheckCase(.kk86) {
      remove(["a-1"], &$0)
      $0.list([S.dienst(team: "2")])
      $0.tenants([("a", ["2"]), ("b", ["1"])])
    } fails: {
      remove(["a-1"], &$0)
      $0.list([S.dienst(team: "1")])
    },
    CheckCase(.kk87) {
      $0.note(.pulledToRefresh(deviceIDs: ["p", "q"]))
      $0.list([], as: "p")
      $0.list([], as: "q")
    } fails: {
      $0.note(.pulledToRefresh(deviceIDs: ["p", "q"]))
      $0.list([], as: "p")
      later(&$0)
    },
  ]

  static let repairs: [CheckCase] = [
    CheckCase(.kk76) {
      lostClubB(&$0)
      $0.inspect([S.row("q", ["1"], tenant: "b", hardware: S.phoneP, active: false)])
    } fails: {
      lostClubB(&$0)
      $0.inspect([S.row("q", ["1"], tenant: "b", hardware: S.phoneP)])
    }
  ]

  @Sendable private static func lostClubB(_ story: inout CheckStory) {
    story.note(
      .swipedAway(
        SwipedAway(
          level: .club, tenant: "b", code: nil, deviceIDs: ["q"], leavesNothing: false,
          isToCall: true)))
    story.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
  }

  // MARK: Pushes

  @Sendable private static func pushes(
    _ story: inout CheckStory, to device: EnrollmentID = "n", through environment: ApnsEnvironment,
    _ result: PushDelivery.Result
  ) {
    let delivery = story.delivery(to: device, through: environment, result)
    story.now += .minutes(2)
    story.inspect(pushes: [delivery])
  }

  /// A phone of a development build with a token for one of the services.
  @Sendable private static func developer(
    _ story: inout CheckStory, token: String
  ) {
    story.remember("n", "a", .member, ["3"])
    let answer = story.answer("n", "a", .member, ["3"])
    story.ask(
      .register(
        Registration(
          token: .member(S.claims(["3"])), apnsDeviceToken: token,
          buildEnvironment: "development", hardwareIdentifier: S.fresh)),
      .replied(.registered(answer)))
  }

  private static func token(_ environment: ApnsEnvironment) -> String {
    var stream = RandomStream(seed: 1, owner: 2, purpose: 3, drawn: 0)
    return ApnsToken.issue(for: environment, drawing: &stream)
  }

  static let pushes: [CheckCase] = [
    CheckCase(.kk91) {
      $0.receive()
      $0.note(.refreshingAfterPush(eventNumber: 1, deviceIDs: ["p"]))
      $0.list([], as: "p")
    } fails: {
      $0.receive()
      later(&$0)
    },
    CheckCase(.kk92) {
      developer(&$0, token: token(.sandbox))
      pushes(&$0, through: .sandbox, .delivered)
    } fails: {
      developer(&$0, token: token(.sandbox))
      pushes(&$0, through: .production, .timeout)
    },
    CheckCase(.kk94) {
      developer(&$0, token: token(.production))
      pushes(&$0, through: .sandbox, .timeout)
    } fails: {
      developer(&$0, token: token(.production))
      pushes(&$0, through: .sandbox, .delivered)
    },
    CheckCase(.kk95) {
      developer(&$0, token: "geen token")
      pushes(&$0, through: .sandbox, .badDeviceToken)
    } fails: {
      developer(&$0, token: String(repeating: "a", count: 64))
      pushes(&$0, through: .sandbox, .delivered)
    },
    CheckCase(.kk96) {
      $0.receive()
    } fails: {
      $0.receive(team: "")
    },
    CheckCase(.kk97) {
      $0.note(.pushOpened(opened(waited: .seconds(2))))
    } fails: {
      $0.note(.pushOpened(opened(waited: .milliseconds(2_001))))
    },
    CheckCase(.kk99) {
      $0.receive(event: 1)
      $0.receive(event: 2)
    } fails: {
      $0.receive(event: 1)
      $0.receive(event: 1)
    },
    CheckCase(.kk100) {
      let sent = $0.delivery(to: "m", .delivered, title: "Test")
      alert(&$0, [sent])
    } fails: {
      alert(&$0, [])
    },
  ]

  private static func opened(waited: Span) -> PushOpening {
    PushOpening(
      eventNumber: 1, tenant: "a", team: "1", follows: true, hasNavigated: true, waited: waited)
  }

  @Sendable private static func alert(_ story: inout CheckStory, _ sent: [PushDelivery]) {
    story.control(
      .sendTestPush(deviceID: "m", title: "Test", body: "b"), .replied(.pushDeliveries(sent)))
  }

  // MARK: Push tokens

  private static func line(bearer: String? = nil, token: String = "aaaaaaaa…") -> TokenUpdateLine {
    TokenUpdateLine(
      token: token, buildEnvironment: "production", detectedEnvironment: .production, isNew: true,
      sinceLastUpdate: nil, bearer: bearer, isTaken: true, duration: .milliseconds(100),
      finalEnvironment: .production, isKept: true)
  }

  @Sendable private static func update(
    _ story: inout CheckStory, _ token: String, build: String? = "production",
    version: String? = "2.4.2", reaching count: Int = 2
  ) {
    let update = ApnsTokenUpdate(token: token, buildEnvironment: build, appVersion: version)
    story.ask(.updateApnsToken(update), as: "p", .replied(.apnsTokenUpdated(count)))
  }

  private static let text = String(repeating: "a", count: 64)

  static let pushTokens: [CheckCase] = [
    CheckCase(.kk88) {
      $0.note(.pushTokenGiven(stableHash(text)))
      update(&$0, text)
    } fails: {
      $0.note(.pushTokenGiven(stableHash(text)))
      later(&$0)
    },
    CheckCase(.kk89) {
      $0.note(.installed(.release))
      update(&$0, text)
    } fails: {
      $0.note(.installed(.release))
      update(&$0, text, version: nil)
    },
    CheckCase(.kk90) {
      update(&$0, text)
    } fails: {
      update(&$0, text, reaching: 1)
    },
    CheckCase(.kk93) {
      $0.note(.installed(.releaseTesting))
      update(&$0, text, build: "development")
    } fails: {
      $0.note(.installed(.releaseTesting))
      update(&$0, text)
    },
    CheckCase(.kk98) {
      $0.note(.installed(.release))
      update(&$0, text)
      $0.note(.pushTokenLogged(line()))
    } fails: {
      $0.note(.installed(.release))
      update(&$0, text)
      $0.note(.pushTokenLogged(line(token: text)))
    },
    CheckCase(.kk134) {
      $0.note(.installed(.release))
      update(&$0, token(.production))
    } fails: {
      $0.note(.installed(.release))
      update(&$0, token(.sandbox))
    },
    CheckCase(.kk137) {
      $0.note(.notificationsRefused)
      $0.register(["3"], as: "n")
    } fails: {
      $0.note(.notificationsRefused)
      update(&$0, text)
    },
  ]
}
