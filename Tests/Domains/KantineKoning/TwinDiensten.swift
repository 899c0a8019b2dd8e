import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Diensten and volunteers at Kantine Koning's twin` {
  // MARK: O14

  @Test func `KK-45, KK-46: the window has both its ends and nothing a second beyond`() {
    var fixture = Fixture.twoClubs
    let edges: [(DienstID, Instant)] = [
      ("first", Canteen.start - .days(365)), ("before", Canteen.start - .days(365) - .seconds(1)),
      ("last", Canteen.start + .days(60)), ("after", Canteen.start + .days(60) + .seconds(1)),
    ]
    fixture.diensten = edges.map {
      .init(
        id: $0.0, tenantSlug: Canteen.wilhelmus, team: "VR1", startTijd: $0.1,
        eindTijd: $0.1 + .hours(1))
    }
    var canteen = Canteen(fixture: fixture)
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.diensten(token).dienstIDs == ["first", "last"])
  }

  @Test(
    arguments: [
      ("0", "0", ["d-now"]), ("2", "0", ["d-past", "d-now"]), ("1", "7", ["d-now", "d-future"]),
      ("1000", "1000", ["d-old", "d-past", "d-now", "d-future", "d-far"]),
    ])
  func `KK-47: past_days and future_days change the window`(
    past: String, future: String, ids: [DienstID]
  ) {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3"]).token
    #expect(canteen.diensten(token, past: past, future: future).dienstIDs == ids)
  }

  @Test(arguments: ["-1", "1001", "1.5", "ten", "", " 1", "+1", "99999999999999999999"])
  func `KK-47: other numbers are invalid_parameter`(text: String) {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3"]).token
    #expect(canteen.diensten(token, past: text).refusal == .invalidParameter)
    #expect(canteen.diensten(token, future: text).refusal == .invalidParameter)
    #expect(canteen.diensten(token, tenant: Canteen.agovv, past: text).refusal == .tenantMismatch)
  }

  @Test func `KK-37, KK-48: a list holds the visible teams of its own enrollment alone`() {
    var canteen = Canteen()
    let agovv = canteen.follow(["JO11-3"], of: Canteen.agovv).token
    let other = canteen.follow(["MO13-1"]).token
    #expect(canteen.diensten(agovv).dienstIDs == ["d-agovv"])
    #expect(canteen.diensten(other).dienstIDs == ["d-other"])
  }

  @Test func `KK-40: a removed team disappears although the token still names it`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3", "1"]).token
    canteen.sync([item("manager", ["1"])], with: token)
    #expect(canteen.diensten(token).dienstIDs == [])
    #expect(canteen.add("Jan", with: token).refusal == .teamAccessDenied)
  }

  @Test func `lists of several teams are in order of start, then id, cancelled ones included`() {
    var canteen = Canteen()
    let same = Canteen.start + .days(7)
    canteen.operate(
      .scheduleDienst(
        .init(
          id: "d-a", tenantSlug: Canteen.wilhelmus, team: "MO13-1", startTijd: same,
          eindTijd: same + .hours(2))))
    canteen.operate(.cancelDienst(id: "d-a"))
    let token = canteen.follow(["JO11-3", "MO13-1"]).token
    #expect(
      canteen.diensten(token, past: "0").dienstIDs == ["d-now", "d-other", "d-a", "d-future"])
  }

  // MARK: O15, O16

  @Test func `KK-62: the answer is the dienst after the change`() throws {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    let one = try #require(canteen.add(" Jan ", with: token).dienst)
    #expect(one.aanmeldingen == ["Jan"] && one.status == .gedeeltelijk)
    let two = try #require(canteen.add("Piet", with: token).dienst)
    #expect(two.aanmeldingen == ["Jan", "Piet"] && two.status == .volledig)
    #expect(canteen.add("Klaas", with: token).dienst?.aanmeldingen.count == 3, "KK-63")
    canteen.remove("Jan", with: token)
    canteen.remove("Klaas", with: token)
    let none = try #require(canteen.remove("Piet", with: token).dienst)
    #expect(none.aanmeldingen.isEmpty && none.status == .onbemand)
  }

  @Test func `KK-52: updated_at rises with every change, by a millisecond at least`() throws {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    let first = try #require(canteen.add("Jan", with: token).dienst)
    let second = try #require(canteen.add("Piet", with: token).dienst)
    #expect(second.updatedAt == first.updatedAt + .milliseconds(1))
    canteen.now += .nanoseconds(5_000_700_000)
    let third = try #require(canteen.remove("Piet", with: token).dienst)
    #expect(third.updatedAt == Canteen.start + .seconds(5))
    canteen.add("Jan", with: token)
    #expect(canteen.diensten(token).refusal == nil)
  }

  @Test func `KK-54, KK-55: members are read-only`() {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3"]).token
    #expect(canteen.add("Jan", with: token).refusal == .teamAccessDenied)
    #expect(canteen.remove("Jan", with: token).refusal == .teamAccessDenied)
    #expect(canteen.add("Jan", to: "none", with: token).refusal == .teamAccessDenied)
  }

  @Test func `KK-56, KK-57: names change up to the start of a dienst, that instant included`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(canteen.add("Jan", to: "d-now", with: token).dienst != nil)
    canteen.now += .seconds(1)
    #expect(canteen.add("Piet", to: "d-now", with: token).refusal == .dienstInPast)
    #expect(canteen.remove("Jan", from: "d-now", with: token).refusal == .dienstInPast)
    #expect(canteen.add("", to: "d-now", with: token).refusal == .dienstInPast, "time before value")
  }

  @Test(
    arguments: [
      ("ABCDEFGHIJKLMNO", 15), ("ABCDEFGHIJKLMNOP", 16),
      (String(repeating: "👩‍👩‍👧‍👦", count: 15), 15), (String(repeating: "👩‍👩‍👧‍👦", count: 16), 16),
      (String(repeating: "e\u{301}", count: 15), 15),
      (String(repeating: "e\u{301}", count: 16), 16),
      ("  ABCDEFGHIJKLMNO\u{2003}\n", 15), (String(repeating: "🇳🇱", count: 15), 15),
    ])
  func `KK-58: a name has at most fifteen characters as people count them`(name: String, count: Int)
  {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    let answer = canteen.add(name, with: token)
    #expect(answer.refusal == (count > 15 ? .nameTooLong : nil))
    #expect(answer.dienst.map { $0.aanmeldingen[0].count == count } ?? true)
  }

  @Test func `KK-59: composed and decomposed names are equal, upper and lower case are not`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(
      canteen.add("Andre\u{301}", with: token).dienst?.aanmeldingen[0].unicodeScalars.count == 5)
    #expect(canteen.add("Andr\u{e9}", with: token).refusal == .volunteerExists)
    #expect(canteen.add(" andré ", with: token).dienst?.aanmeldingen.count == 2)
    #expect(canteen.remove("Andr\u{e9}", with: token).dienst?.aanmeldingen == ["andré"])
    #expect(canteen.remove("Andr\u{e9}", with: token).refusal == .volunteerNotFound)
  }

  @Test(arguments: ["", "   ", "\n\t", "\u{a0}\u{2003}"])
  func `KK-60: a name of nothing but white space is invalid_name`(name: String) {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(canteen.add(name, with: token).refusal == .invalidName)
    #expect(canteen.remove(name, with: token).refusal == .invalidName)
  }

  @Test
  func `KK-61: the manager's enrollment covers the dienst's team, and an open dienst has none`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(canteen.add("Jan", to: "d-other", with: token).refusal == .teamAccessDenied)
    #expect(canteen.add("Jan", to: "d-open", with: token).refusal == .teamAccessDenied)
    canteen.operate(.assignDienst(id: "d-open", team: "w-JO11-3"))
    #expect(canteen.add("Jan", to: "d-open", with: token).dienst?.team?.code == "JO11-3")
  }

  // MARK: O13

  @Test func `O13 finds codes and names whatever their case, in natural order`() {
    var canteen = Canteen()
    func search(_ text: String, of club: Slug = Canteen.wilhelmus) -> KKAnswer {
      canteen.ask(.searchTeams(tenant: club, query: text))
    }
    #expect(search(" jo ").teamCodes == ["JO9-1", "JO11-1", "JO11-3"])
    #expect(search("TEAM vr").teamCodes == ["VR1"])
    #expect(search("11-").teamCodes == ["JO11-1", "JO11-3"])
    #expect(search("  ").teamCodes == [])
    #expect(search("x", of: "nowhere").refusal == .tenantNotFound)
  }

  @Test func `O13 answers at most fifty teams`() {
    var fixture = Fixture.twoClubs
    fixture.teams += (1...60).map {
      .init(tenantSlug: Canteen.agovv, id: "x-\($0)", code: "X\($0)", naam: "X")
    }
    var canteen = Canteen(fixture: fixture)
    let found = canteen.ask(.searchTeams(tenant: Canteen.agovv, query: "x")).teamCodes
    #expect(found == (1...50).map { "X\($0)" })
  }
}
