import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Pushes of Kantine Koning's twin` {
  // MARK: Events and receivers

  @Test func `assigning, changing and cancelling a dienst are pushed to its team`() {
    var canteen = Canteen()
    canteen.listener()
    canteen.listener(["MO13-1"], on: "phone-2", number: 2)
    canteen.operate(.assignDienst(id: "d-open", team: "JO11-3"))
    #expect(canteen.reached == ["dienst_assigned to 1"])
    canteen.operate(.assignDienst(id: "d-open", team: "JO11-3"))
    #expect(canteen.reached == [], "it had the dienst already")
    canteen.operate(.changeDienst(.init(id: "d-open", locatieNaam: "Terras")))
    #expect(canteen.reached == ["dienst_changed to 1"])
    #expect(canteen.pushes[0].push.body == "JO11-3: Terras, 25-03 10:00", "Amsterdam's clock")
    canteen.operate(.changeDienst(.init(id: "d-open", locatieNaam: "Terras")))
    #expect(canteen.reached == [], "nothing changed")
    canteen.operate(.cancelDienst(id: "d-open"))
    #expect(canteen.reached == ["dienst_cancelled to 1"])
    canteen.operate(.cancelDienst(id: "d-open"))
    #expect(canteen.reached == [])
    canteen.operate(.cancelDienst(id: "d-past"))
    #expect(canteen.reached == [], "what is past concerns nobody")
    canteen.operate(.assignDienst(id: "d-far", team: "MO13-1"))
    #expect(canteen.reached == ["dienst_assigned to 2"])
  }

  @Test func `a scheduled dienst is pushed, a loaded one is not`() {
    var canteen = Canteen()
    canteen.listener()
    let entry = Fixture.DienstEntry(
      id: "d-new", tenantSlug: Canteen.wilhelmus, team: "JO11-3",
      startTijd: Canteen.start + .days(9), eindTijd: Canteen.start + .days(9) + .hours(2))
    canteen.operate(.scheduleDienst(entry))
    #expect(canteen.reached == ["dienst_assigned to 1"])
    var loaded = entry
    loaded.id = "d-loaded"
    canteen.operate(.load(Fixture(diensten: [loaded])))
    #expect(canteen.reached == [])
  }

  @Test func `a takeover is pushed to the former team and to the new one`() {
    var (canteen, first, other) = `Taking diensten over at Kantine Koning's twin`.twoManagers()
    canteen.hand(Canteen.token(1), with: first)
    canteen.hand(Canteen.token(2), with: other)
    canteen.offer(with: first)
    let token = canteen.ticket("d-future", with: other)
    canteen.claim("d-future", for: "MO13-1", by: token, with: other)
    #expect(canteen.reached == ["dienst_taken_over to 1", "dienst_assigned to 2"])
  }

  @Test func `reminders come 7 days and 24 hours ahead while the dienst is understaffed`() {
    var canteen = Canteen()
    canteen.listener(["MO13-1"])
    // d-other begins on day 3: its week is past, its day is not.
    let day = Canteen.start + .days(2)
    #expect(canteen.twin.nextDue == day)
    #expect(canteen.pass(to: day - .seconds(1)) == [])
    #expect(canteen.pass(to: day) == ["reminder_day to 1"])
    #expect(canteen.pushes[0].push.createdAt == day)
    let entry = Fixture.DienstEntry(
      id: "d-new", tenantSlug: Canteen.wilhelmus, team: "MO13-1",
      startTijd: day + .days(20), eindTijd: day + .days(20) + .hours(2))
    canteen.operate(.scheduleDienst(entry))
    #expect(canteen.pass(to: day + .days(13) + .hours(1)) == ["reminder_week to 1"])
    #expect(canteen.pushes[0].push.createdAt == day + .days(13), "as at the instant it was due")
    #expect(canteen.pass(to: day + .days(19)) == ["reminder_day to 1"])
    #expect(canteen.pass(to: day + .days(30)) == [])
  }

  @Test func `no reminder for a dienst that is manned, cancelled, moved or nobody's`() {
    var canteen = Canteen()
    let member = canteen.listener()
    canteen.manage(["1"], on: "phone-2")
    let soon = Canteen.start + .days(10)
    func schedule(_ id: DienstID, _ team: TeamName?, _ names: [String] = []) {
      canteen.operate(
        .scheduleDienst(
          .init(
            id: id, tenantSlug: Canteen.wilhelmus, team: team, startTijd: soon,
            eindTijd: soon + .hours(2), aanmeldingen: names)))
    }
    schedule("manned", "JO11-3", ["Jan", "Piet"])
    schedule("one", "JO11-3", ["Jan"])
    schedule("cancelled", "JO11-3")
    schedule("open", nil)
    schedule("moved", "JO11-3")
    canteen.operate(.cancelDienst(id: "cancelled"))
    canteen.operate(.changeDienst(.init(id: "moved", startTijd: soon + .hours(1))))
    canteen.pass(to: soon - .days(7))
    #expect(canteen.pushes.map { $0.push.dienstID } == ["one"])
    canteen.operate(.changeDienst(.init(id: "moved", startTijd: soon)))
    canteen.operate(.changeDienst(.init(id: "moved", startTijd: soon + .hours(1))))
    canteen.pass(to: soon - .days(7) + .hours(2))
    #expect(canteen.pushes.map { $0.push.dienstID } == ["moved"], "once, at its new time")
    #expect(member.registration != nil)
  }

  @Test func `only active enrollments with push and a token are sent to, the others recorded`() {
    var canteen = Canteen()
    let on = canteen.listener().registration!.deviceID
    let none = canteen.follow(["JO11-3"], on: "phone-2").registration!.deviceID
    let off = canteen.listener(on: "phone-3", number: 3).registration!.deviceID
    let gone = canteen.listener(on: "phone-4", number: 4).registration!.deviceID
    canteen.operate(.setPushEnabled(deviceID: off, enabled: false))
    canteen.operate(.revokeEnrollment(deviceID: gone, reason: .adminRevoked))
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == ["dienst_cancelled to 1"])
    canteen.answerPushes()
    #expect(canteen.results(of: on) == [.delivered])
    #expect(canteen.results(of: none) == [.skippedNoToken])
    #expect(canteen.results(of: off) == [.skippedPushDisabled])
    #expect(canteen.results(of: gone) == [], "KK-99: revoked enrollments receive nothing")
  }

  @Test func `KK-99: one event reaches a phone once, whatever its number of enrollments`() {
    var canteen = Canteen()
    // The same phone before and after its identifier changed, and two phones that say nothing of themselves.
    for phone: HardwareID in ["old", "new", "", ""] { canteen.listener(on: phone) }
    canteen.listener(on: "phone-2", number: 2)
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == ["dienst_cancelled to 1", "dienst_cancelled to 2"])
    let first = canteen.pushes.map(\.push.eventNumber)
    #expect(Set(first).count == 1)
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.reached.count == 2, "another event is another push")
    #expect(canteen.pushes[0].push.eventNumber != first[0])
  }

  @Test func `added and removed names are pushed only where that is switched on`() {
    for switchedOn in [false, true] {
      var configuration = KantineKoningConfiguration()
      configuration.pushesVolunteerChanges = switchedOn
      var canteen = Canteen(configuration: configuration)
      canteen.listener(on: "phone-2", number: 2)
      let token = canteen.manage(["JO11-3"]).token
      canteen.add("Jan", with: token)
      #expect(canteen.reached == (switchedOn ? ["volunteers_changed to 2"] : []))
      canteen.remove("Jan", with: token)
      #expect(canteen.reached.count == (switchedOn ? 1 : 0))
    }
  }

  @Test func `managers are mailed as well, one mail an address, unless they do without`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    canteen.manage(["JO11-3"], on: "phone-2")
    canteen.follow(["JO11-3"], on: "phone-3")
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.lastNotices.map(\.to) == [Canteen.manager])
    #expect(canteen.lastNotices[0].ctaToken == nil, "there is nothing to enter")
    canteen.ask(.removeAll, with: token)
    guard case .success(.notices(let all)) = canteen.operate(.notices) else { return }
    #expect(all.count == 1 && all[0].event == .dienstCancelled)
  }

  @Test func `KK-120: a manager whose push works and who wants no mail gets none`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    canteen.ask(
      .setEmailPreference(EmailPreference(enabled: false, team: "JO11-3")), with: token)
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.lastNotices.count == 1, "no push token: the mail is forced")
    canteen.hand(Canteen.token(1), with: token)
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.lastNotices.isEmpty && canteen.reached.count == 1)
  }

  // MARK: APNs

  /// Every row of §6.1 with every value of every column, `nil` and texts that are no environment among them.
  @Test func `KK-92: the APNs environment is chosen by the table, exhaustively`() {
    let texts = [nil, "", "sandbox", "production", "Sandbox", "auto"]
    let builds = [
      nil, "development", "debug", "production", "release", "appstore", "testing", "Development",
      "DEBUG", "", "other",
    ]
    for force in texts {
      for env in texts {
        for isTestUser in [false, true] {
          for build in builds {
            let expected: ApnsEnvironment =
              if force == "sandbox" || force == "production" {
                force == "sandbox" ? .sandbox : .production
              } else if env == "sandbox" || env == "production" {
                env == "sandbox" ? .sandbox : .production
              } else if isTestUser || build == "development" || build == "debug" {
                .sandbox
              } else {
                .production
              }
            let chosen = ApnsEnvironment.chosen(
              ApnsVariables(forceEnv: force, env: env), isTestUser: isTestUser,
              buildEnvironment: build)
            #expect(
              chosen == expected, "\(force ?? "-") \(env ?? "-") \(isTestUser) \(build ?? "-")")
          }
        }
      }
    }
  }

  @Test func `KK-92, KK-94: an override sends to the wrong service until it is unset`() {
    var canteen = Canteen()
    canteen.listener(build: "production")
    canteen.listener(on: "phone-2", number: 2, for: .sandbox, build: "development")
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.reached.count == 2)
    canteen.operate(.setApnsEnvironment(ApnsVariables(env: "sandbox")))
    #expect(
      canteen.operate(.readApnsEnvironment)
        == .success(.apnsEnvironment(ApnsVariables(env: "sandbox"))))
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == ["dienst_cancelled to 2"])
    #expect(canteen.pushes.map(\.push.dispatch.fate) == [.timeout, .delivered])
    canteen.operate(.setApnsEnvironment(ApnsVariables(forceEnv: "production")))
    canteen.operate(.assignDienst(id: "d-open", team: "JO11-3"))
    #expect(canteen.reached == ["dienst_assigned to 1"], "APNS_FORCE_ENV goes before APNS_ENV")
    canteen.operate(.setApnsEnvironment(ApnsVariables(forceEnv: "", env: "")))
    canteen.operate(.cancelDienst(id: "d-open"))
    #expect(canteen.reached.count == 2)
  }

  @Test func `is_test_user sends to the sandbox`() {
    var canteen = Canteen()
    let device = canteen.listener(build: "production").registration!.deviceID
    canteen.operate(.setTestUser(deviceID: device, isTestUser: true))
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.pushes.map(\.push.dispatch.environment) == [.sandbox])
    #expect(canteen.reached == [], "the phone's token is one of production")
  }

  @Test(arguments: [
    KantineKoningConfiguration.WrongApnsEnvironment.timeout, .badDeviceToken,
  ])
  func `KK-94: the wrong service delivers nothing, as a time-out or as the real one answers`(
    mode: KantineKoningConfiguration.WrongApnsEnvironment
  ) {
    var configuration = KantineKoningConfiguration()
    configuration.wrongApnsEnvironment = mode
    var canteen = Canteen(configuration: configuration)
    let token = canteen.listener(build: "development").token
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == [])
    #expect(canteen.pushes.map(\.address) == [.apns(.sandbox)])
    #expect(canteen.results() == [nil], "not before APNs has answered")
    canteen.now += .seconds(10)
    // `deliveries` replaced the last effects: the answer is given by hand.
    let result: PushDelivery.Result = mode == .timeout ? .timeout : .badDeviceToken
    _ = canteen.send(.apns(.feedback(delivery: 0, result)), from: .environment)
    #expect(canteen.results() == [result])
    #expect(canteen.deliveries()[0].latencyMilliseconds == 10_000)
    #expect(canteen.status(token)?.hasApnsToken == true, "it is a real token")
  }

  @Test(arguments: [
    "none", String(repeating: "a", count: 64), String(Canteen.token(1).dropLast()),
    Canteen.token(1).uppercased(),
  ])
  func `KK-95: text that APNs never issued is a bad device token`(text: String) {
    var canteen = Canteen()
    let answer = canteen.follow(["JO11-3"])
    canteen.hand(text, with: answer.token)
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == [])
    canteen.answerPushes()
    #expect(canteen.results() == [.badDeviceToken])
  }

  @Test func `a tester may issue a token of any 64 digits`() {
    var canteen = Canteen()
    let text = String(repeating: "a", count: 64)
    let report = KantineKoning.Request.apns(.issued(token: text, .sandbox))
    #expect(canteen.send(report, from: .administration) == .success(.done))
    #expect(
      canteen.send(.apns(.issued(token: "a", .sandbox)), from: .administration).refusal
        == .invalidParameter)
    let answer = canteen.follow(["JO11-3"])
    canteen.hand(text, build: "development", with: answer.token)
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == ["dienst_cancelled to ?"])
  }

  @Test func `410: the token of a deleted app is cleared on every enrollment that has it`() {
    var canteen = Canteen()
    let one = canteen.listener().token
    let two = canteen.listener(on: "phone-2").token
    let other = canteen.listener(on: "phone-3", number: 3).token
    canteen.ask(.apns(.appDeleted(token: Canteen.token(1))))
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == ["dienst_cancelled to 3"])
    canteen.answerPushes()
    #expect(canteen.results() == [.unregistered, .delivered])
    #expect(canteen.status(one)?.hasApnsToken == false)
    #expect(canteen.status(two)?.hasApnsToken == false)
    #expect(canteen.status(other)?.hasApnsToken == true)
  }

  @Test func `what APNs answers is not for phones to say, and counts once`() {
    var canteen = Canteen()
    let token = canteen.listener().token
    canteen.operate(.cancelDienst(id: "d-future"))
    let feedback = KantineKoning.Request.apns(.feedback(delivery: 0, .unregistered))
    #expect(canteen.ask(feedback, with: token).refusal == .notFound)
    _ = canteen.send(.apns(.feedback(delivery: 0, .delivered)), from: .environment)
    _ = canteen.send(feedback, from: .environment)
    _ = canteen.send(.apns(.feedback(delivery: 99, .unregistered)), from: .environment)
    #expect(canteen.results() == [.delivered])
    #expect(canteen.status(token)?.hasApnsToken == true)
  }

  @Test func `during an outage of APNs pushes time out, and come again after it`() {
    var canteen = Canteen()
    canteen.listener()
    canteen.operate(.setApnsOutage(true))
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.reached == [] && canteen.pushes[0].push.dispatch.fate == .timeout)
    canteen.operate(.setApnsOutage(false))
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.reached.count == 1)
  }

  // MARK: Operator

  @Test func `KK-100: an operator sends a test alert with title and text to one enrollment`() {
    var canteen = Canteen()
    let device = canteen.listener(["JO11-3", "VR1"]).registration!.deviceID
    canteen.listener(on: "phone-2", number: 2)
    let answer = canteen.operate(
      .sendTestPush(deviceID: device, title: "Test", body: "Manual test"))
    guard case .success(.pushDeliveries(let sent)) = answer else { return }
    #expect(sent.map(\.deviceID) == [device] && sent[0].event == .test)
    #expect(canteen.reached == ["test to 1"])
    let push = canteen.pushes[0].push
    #expect(push.title == "Test" && push.body == "Manual test")
    #expect(
      canteen.operate(.sendTestPush(deviceID: "none", title: "", body: "")).refusal
        == .deviceNotFound)
    canteen.operate(.revokeEnrollment(deviceID: device, reason: .adminRevoked))
    #expect(
      canteen.operate(.sendTestPush(deviceID: device, title: "", body: "")).refusal
        == .deviceNotFound, "revoked enrollments receive nothing")
  }

  @Test func `an enrollment is found by its manager's address`() {
    var canteen = Canteen()
    let device = canteen.manage(["JO11-3", "1"]).registration!.deviceID
    canteen.follow(["VR1"])
    let answer = canteen.operate(.findEnrollments(email: " M@Example.org "))
    guard case .success(.foundEnrollments(let found)) = answer else { return }
    #expect(found.map(\.deviceID) == [device])
    #expect(found[0].apnsEnvironment == .production && found[0].isActive)
    #expect(canteen.operate(.findEnrollments(email: "x@y.zz")) == .success(.foundEnrollments([])))
  }

  @Test func `the records of pushes are bounded, and inspection shows the newest hundred`() {
    var configuration = KantineKoningConfiguration()
    configuration.deliveryCapacity = 150
    var canteen = Canteen(configuration: configuration)
    let device = canteen.listener().registration!.deviceID
    for _ in 0..<160 {
      canteen.operate(.sendTestPush(deviceID: device, title: "T", body: "B"))
      canteen.answerPushes()
    }
    #expect(canteen.deliveries().map(\.number) == Array(10..<160))
    #expect(canteen.results().allSatisfy { $0 == .delivered })
    guard case .success(.inspection(let shown)) = canteen.send(.inspect(since: 0), from: .harness)
    else {
      return
    }
    #expect(shown.deliveries.map(\.number) == Array(60..<160))
  }

  @Test func `KK-96: the payload is the one of the document, and names tenant and team`() {
    var canteen = Canteen()
    canteen.listener()
    canteen.operate(.cancelDienst(id: "d-future"))
    let push = canteen.pushes[0].push
    let golden = """
      {"aps":{"alert":{"title":"Dienst geannuleerd","body":"JO11-3: Kantine, 28-03 10:00"},\
      "sound":"default"},"tenant_slug":"vvwilhelmus","team_code":"JO11-3"}
      """
    #expect(push.payload.description == golden)
  }
}
