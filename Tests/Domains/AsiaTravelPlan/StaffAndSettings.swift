import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

private func office(_ rule: AsiaTravelPlan.Rule?) throws -> Office {
  try Office(without: rule.map { [$0] } ?? [])
}

@Suite struct `Staff` {
  private static let own = AsiaTravelPlan.Request.booking(id: "booking_a")

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp54])
  func `are found by their whole username in any case (ATP-54)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    for (name, isFound) in [("Ada", true), (" ADA ", true), ("ad", false), ("", false)] {
      let credential = try office.forged(of: "una") { $0["preferred_username"] = .string(name) }
      #expect(try office.ask(Self.own, with: credential).isReplied == isFound, "'\(name)'")
    }
    let longer = try office.forged(of: "una") { $0["preferred_username"] = "adam" }
    #expect(try office.ask(Self.own, with: longer).isReplied == (rule != nil))
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp52])
  func `are found by preferred_username and nothing else (ATP-52)`(rule: AsiaTravelPlan.Rule?)
    throws
  {
    var office = try office(rule)
    let bySub = try office.forged(of: "una") { $0["sub"] = "ada" }
    #expect(try office.ask(Self.own, with: bySub).isReplied == (rule != nil))
    let byEmail = try office.forged(of: "una") { $0["email"] = "ada" }
    #expect(try office.ask(Self.own, with: byEmail).isReplied == (rule != nil))
    var lenient = try Office { $0.mapsFallbacks = true }
    #expect(try lenient.ask(Self.own, with: bySub).kind == .unauthorized, "of another agency's key")
    #expect(
      try lenient.ask(Self.own, with: lenient.forged(of: "una") { $0["sub"] = "ada" }).isReplied)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp53])
  func `without a record have access to no booking (ATP-53)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    #expect(try office.status(.bookings(.app), as: "una") == (rule == nil ? 403 : 200))
    #expect(try office.status(Self.own, as: "una") == (rule == nil ? 403 : 200))
    #expect(try office.ask(.me, as: "una").reply?.identity?.user?.staffID == nil)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp56])
  func `are looked up with every request (ATP-56)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    #expect(try office.status(Self.own, as: "una") == 403)
    let new = NewStaff(name: "Una", usernames: ["Una", " una"])
    let record = try #require(try office.ask(.addStaff(new), as: "mia").reply?.staffRecord)
    #expect(record.usernames == ["una"] && record.isActive)
    _ = try office.ask(.assign(Assignment("booking_a", to: record.id)), as: "mia")
    #expect(try office.status(Self.own, as: "una") == (rule == nil ? 200 : 403))
    #expect(try office.status(Self.own, as: "ada") == 403)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp57])
  func `are the only ones who need a record (ATP-57)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    for user in ["mia", "alma", "carl"] {
      #expect(try office.status(Self.own, as: user) == (rule == nil ? 200 : 403))
    }
    #expect(try office.status(Self.own, as: "ada") == 200)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp55])
  func `have usernames of their own (ATP-55)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let outcome = try office.ask(
      .addStaff(NewStaff(name: "Eve", usernames: ["eve", " ADA"])), as: "mia")
    #expect(outcome.isReplied == (rule != nil))
    if rule == nil { #expect(outcome.refusal == .api(.usernameInUse, about: "Ada Alpha")) }
    #expect(try office.status(Self.own, as: "ada") == 200)
    try office.tell(.setStaff(StaffRecord(id: "staff_a", name: "Ada A.", usernames: ["ada"])))
    #expect(try office.status(Self.own, as: "dora") == 200, "as an accountant")
    #expect(try office.status(.addActivity(.note("x", on: "booking_a")), as: "dora") == 403)
  }

  @Test func `are created with what is said, lists as text too (OP-10)`() throws {
    var office = try Office()
    let wire = WireRequest(
      "POST", "/api/v1/staff",
      body: Array(
        #"{"name": " Eve ", "usernames": "Eve, evelyn,,EVE", "languages": ["de", 1], "active": false}"#
          .utf8))
    let record = try office.ask(AsiaTravelPlan.read(wire).request, as: "alma").reply?.staffRecord
    #expect(record?.name == "Eve" && record?.usernames == ["eve", "evelyn"])
    #expect(
      record?.languages == ["de", "1"] && record?.destinations == [] && record?.isActive == false)
    #expect(
      try office.ask(.addStaff(NewStaff(name: " ", usernames: ["x"])), as: "alma").kind
        == .nameRequired)
    for names in [nil, [], [" "]] as [[String]?] {
      #expect(
        try office.ask(.addStaff(NewStaff(name: "X", usernames: names)), as: "alma").kind
          == .usernameRequired)
    }
  }

  @Test func `are listed by name, inactive ones where asked for (OP-09)`() throws {
    var office = try Office()
    let active = try office.ask(.staff(withInactive: false), as: "mia").reply?.staff
    #expect(active?.map(\.name) == ["Ada Alpha", "ben Beta"])
    let all = try office.ask(.staff(withInactive: true), as: "mia").reply?.staff
    #expect(all?.map(\.name) == ["Ada Alpha", "ben Beta", "Zoe Zeta"])
    #expect(all?.first?.usernames == ["ada", "dora"])
    for (query, withInactive) in [
      ("", false), ("?active=true", false), ("?active=false", true), ("?active=0", false),
    ] {
      let wire = WireRequest("GET", "/api/v1/staff" + query)
      #expect(AsiaTravelPlan.read(wire).request == .staff(withInactive: withInactive))
    }
  }

  @Test func `who are inactive keep what is assigned, unless the agency says otherwise (O-11)`()
    throws
  {
    for isBlocked in [false, true] {
      var office = try Office { $0.blocksInactiveStaff = isBlocked }
      try office.tell(
        .setStaff(
          StaffRecord(id: "staff_a", name: "Ada Alpha", isActive: false, usernames: ["ada"])))
      #expect(try office.status(Self.own, as: "ada") == (isBlocked ? 403 : 200))
    }
  }

  @Test func `are told who they are (OP-11, OP-12)`() throws {
    var office = try Office()
    let dora = try office.ask(.me, as: "dora").reply?.identity?.user
    #expect(dora?.sub == "dora-id" && dora?.email == "dora@example.test")
    #expect(dora?.roles == [.accountant, .staff] && dora?.staffID == "staff_a")
    #expect(try office.ask(.me, as: "mia").reply?.identity?.user?.staffID == nil)
    #expect(try office.ask(.browserMe, as: "mia").reply == .identity(Identity(nil)))
    var built = try Office(with: [.noMe])
    #expect(try built.ask(.me, as: "mia").kind == .notFound)
    #expect(try built.ask(.me, as: "visitor").kind == .unauthorized)
  }
}

@Suite struct `The bootstrap document` {
  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp66])
  func `needs no token and has its members (ATP-66)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let outcome = try office.ask(.bootstrap, as: "visitor")
    #expect(outcome.isReplied == (rule == nil))
    guard rule == nil else { return }
    let document = AsiaTravelPlan.show(try #require(outcome.reply))
    #expect(
      document.description
        == #"{"app":{"min_supported_version":"1.0.0","latest_version":"1.0.0","force_update":false},"#
        + #""api":{"contract_version":"2026-03-01.1"},"features":{"bookings":true,"customers":false,"tours":false}}"#
    )
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp73])
  func `names the version of the contract (ATP-73)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let version = try office.ask(.bootstrap, as: "visitor").reply?.bootstrap?.contractVersion
    #expect((version == "2026-03-01.1") == (rule == nil))
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp74])
  func `has no newest version that is too old (ATP-74)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    try office.tell(
      .configure(
        Adjustment {
          $0.leastVersion = AppVersion("2.0")
          $0.latestVersion = AppVersion("1.9")
          $0.forcesUpdate = true
        }))
    let document = try #require(try office.ask(.bootstrap, as: "visitor").reply?.bootstrap)
    #expect(document.latestVersion.isOlder(than: document.leastVersion) == (rule != nil))
    #expect(document.forcesUpdate && document.leastVersion.text == "2.0")
  }

  @Test(
    arguments: [
      ("1.0.0", "1.0.0", false), ("1", "1.0.0", false), ("1.0.0", "1", false),
      ("1.9", "1.10", true), ("1.10", "1.9", false), ("2.0", "1.9", false), ("1.2b3", "1.2", false),
      ("x", "0.1", true),
      ("2.0", "10.0", true), ("", "0", false), ("1.0.0", "1.0.0.1", true),
    ])
  func `compares versions by numbers (ATP-69)`(version: String, other: String, isOlder: Bool) {
    #expect(AppVersion(version).isOlder(than: AppVersion(other)) == isOlder)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp31])
  func `is one of eight endpoints that exist (ATP-31)`(rule: AsiaTravelPlan.Rule?) throws {
    let eight: [AsiaTravelPlan.Request] = [
      .bootstrap, .bookings(.app), .booking(id: "booking_a"),
      .changeStage(StageChange("booking_a", to: .won)),
      .assign(Assignment("booking_a", to: "staff_a")), .activities(booking: "booking_a"),
      .addActivity(.note("x", on: "booking_a")), .invoices(booking: "booking_a"),
    ]
    var office = try office(rule)
    for request in eight {
      #expect(try office.ask(request, as: "alma").isReplied == (rule == nil), "\(request)")
    }
  }

  @Test func `stands beside the state of the backend (OP-18)`() throws {
    var office = try Office()
    let reply = try #require(try office.ask(.health, as: "visitor").reply)
    #expect(AsiaTravelPlan.show(reply)["ok"] == true)
    #expect(
      AsiaTravelPlan.show(reply)["stage_values"]?.strings == Booking.Stage.allCases.map(\.rawValue))
  }
}
