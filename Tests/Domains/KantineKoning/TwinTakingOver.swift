import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Taking diensten over at Kantine Koning's twin` {
  static let second = "k@example.org"

  /// Two managers: the first has JO11-3 and 1, the second MO13-1.
  static func twoManagers(off: Set<KantineKoning.Rule> = []) -> (Canteen, DeviceToken, DeviceToken)
  {
    var fixture = Fixture.twoClubs
    fixture.managers.append(
      .init(tenantSlug: Canteen.wilhelmus, email: second, teamCodes: ["MO13-1", "VR1"]))
    var canteen = Canteen(off: off, fixture: fixture)
    let first = canteen.manage(["JO11-3"]).token
    let other = canteen.manage(["MO13-1"], on: "phone-2", as: second).token
    return (canteen, first, other)
  }

  @Test func `KK-117: future, not cancelled diensten that are nobody's or offered are available`() {
    var (canteen, first, other) = Self.twoManagers()
    #expect(canteen.available(other)?.map(\.id) == ["d-open"])
    canteen.offer(with: first)
    canteen.offer("d-now", with: first)
    canteen.offer("d-far", with: first)
    let list = canteen.available(other)
    #expect(list?.map(\.id) == ["d-now", "d-open", "d-future"], "within 60 days, by start")
    #expect(list?.allSatisfy { $0.notificationToken != nil } == true)
    #expect(canteen.diensten(first).shows("d-future") == true)
    canteen.now += .seconds(1)
    #expect(canteen.available(other)?.map(\.id) == ["d-open", "d-future"], "d-now has begun")
    canteen.operate(.cancelDienst(id: "d-open"))
    #expect(canteen.available(other)?.map(\.id) == ["d-future"])
  }

  @Test func `O21 leaves out the diensten of the looking team, or of every team of the token`() {
    var (canteen, first, other) = Self.twoManagers()
    canteen.offer(with: first)
    #expect(canteen.available(first)?.map(\.id) == ["d-open"])
    #expect(canteen.available(first, for: "JO11-3")?.map(\.id) == ["d-open"])
    #expect(canteen.available(first, for: "w-JO11-3")?.map(\.id) == ["d-open"])
    #expect(canteen.available(first, for: "VR1")?.map(\.id) == ["d-open", "d-future"])
    #expect(canteen.available(other, for: "none")?.map(\.id) == ["d-open", "d-future"])
    let agovv = canteen.manage(["JO11-3"], of: Canteen.agovv, on: "phone-3").token
    #expect(canteen.available(agovv) == [], "KK-53: another tenant's diensten are not listed")
  }

  @Test func `KK-118: of two claims of one dienst the first wins, and the names go`() throws {
    var (canteen, first, other) = Self.twoManagers()
    canteen.add("Jan", with: first)
    canteen.offer(with: first)
    let one = canteen.manage(["1"], on: "phone-3").token
    let token = canteen.ticket("d-future", with: other)
    #expect(token == canteen.ticket("d-future", with: one), "one token for everybody")
    let won = try #require(
      canteen.claim("d-future", for: "MO13-1", by: token, with: other).transfer)
    #expect(won.dienst.team?.code == "MO13-1")
    #expect(won.dienst.aanmeldingen == [] && won.dienst.status == .onbemand)
    #expect(!won.dienst.offeredForTransfer && won.message != nil)
    #expect(canteen.claim("d-future", for: "1", by: token, with: one).refusal == .alreadyClaimed)
    #expect(canteen.diensten(first).shows("d-future") == false)
    #expect(canteen.diensten(other).shows("d-future") == true)
  }

  @Test(arguments: [true, false])
  func `KK-118: whichever of two racing claims comes first gets the dienst`(otherFirst: Bool) {
    var (canteen, first, other) = Self.twoManagers()
    let token = canteen.ticket("d-open", with: other)
    let claims: [(TeamName, DeviceToken)] = [("MO13-1", other), ("JO11-3", first)]
    let answers = (otherFirst ? claims : claims.reversed()).map { team, bearer in
      canteen.claim("d-open", for: team, by: token, with: bearer)
    }
    #expect(answers[0].transfer?.dienst.team?.code == (otherFirst ? "MO13-1" : "JO11-3"))
    #expect(answers[1].refusal == .alreadyClaimed)
  }

  @Test func `KK-118: a team cannot claim its own dienst`() {
    var (canteen, first, other) = Self.twoManagers()
    canteen.offer(with: first)
    let token = canteen.ticket("d-future", with: other)
    #expect(canteen.claim("d-future", for: "JO11-3", by: token, with: first).refusal == .ownDienst)
  }

  @Test func `KK-119: the offering team stays responsible, and a withdrawal hides the dienst`() {
    var (canteen, first, other) = Self.twoManagers()
    let offered = canteen.offer(with: first).transfer
    #expect(offered?.dienst.offeredForTransfer == true && offered?.message == nil)
    #expect(offered?.dienst.team?.code == "JO11-3")
    #expect(canteen.add("Jan", with: first).dienst?.aanmeldingen == ["Jan"])
    let token = canteen.ticket("d-future", with: other)
    #expect(canteen.offer("d-future", false, with: first).transfer?.dienst.aanmeldingen == ["Jan"])
    #expect(canteen.available(other)?.map(\.id) == ["d-open"])
    #expect(
      canteen.claim("d-future", for: "MO13-1", by: token, with: other).refusal == .alreadyClaimed)
    canteen.offer(with: first)
    #expect(
      canteen.claim("d-future", for: "MO13-1", by: token, with: other).refusal == .alreadyClaimed,
      "the token of a withdrawn offer stays outdated")
  }

  @Test func `a token is outdated with a takeover, also when the dienst comes back`() {
    var (canteen, first, other) = Self.twoManagers()
    let old = canteen.ticket("d-open", with: other)
    canteen.claim("d-open", for: "MO13-1", by: old, with: other)
    canteen.operate(.assignDienst(id: "d-open", team: nil))
    #expect(canteen.claim("d-open", for: "JO11-3", by: old, with: first).refusal == .alreadyClaimed)
    let new = canteen.ticket("d-open", with: first)
    #expect(canteen.claim("d-open", for: "JO11-3", by: new, with: first).transfer != nil)
  }

  @Test func `O23 judges in its order: dienst, token, team, time, holder, availability`() {
    var (canteen, first, other) = Self.twoManagers()
    canteen.offer("d-now", with: first)
    canteen.offer(with: first)
    let now = canteen.ticket("d-now", with: other)
    let future = canteen.ticket("d-future", with: other)
    func claim(_ id: DienstID, _ team: TeamName, _ token: NotificationToken) -> KKRefusal.Code? {
      canteen.claim(id, for: team, by: token, with: other).refusal
    }
    canteen.now += .seconds(1)
    #expect(claim("none", "VR1", .text("forged")) == .dienstNotFound)
    #expect(claim("d-agovv", "VR1", .text("forged")) == .dienstNotFound, "KK-53")
    #expect(claim("d-now", "VR1", .text("forged")) == .teamAccessDenied)
    #expect(claim("d-now", "MO13-1", future) == .teamAccessDenied, "token of another dienst")
    #expect(claim("d-now", "VR1", now) == .teamAccessDenied, "not covered by an enrollment")
    #expect(claim("d-now", "none", now) == .teamAccessDenied)
    #expect(claim("d-now", "MO13-1", now) == .dienstInPast)
    canteen.offer("d-future", false, with: first)
    #expect(claim("d-future", "MO13-1", future) == .alreadyClaimed)
  }

  @Test func `a forged notification token is refused, a signed one read back`() {
    var (canteen, _, other) = Self.twoManagers()
    let token = canteen.ticket("d-open", with: other)
    let text = token.text(signedBy: Canteen.codec)
    #expect(
      NotificationToken.text(text).claims(verifiedBy: Canteen.codec)
        == token.claims(verifiedBy: Canteen.codec))
    let forged = NotificationToken.text(String(text.dropLast(2)) + "xx")
    #expect(
      canteen.claim("d-open", for: "MO13-1", by: forged, with: other).refusal == .teamAccessDenied)
    guard case .issued(let claims) = canteen.follow(["VR1"], on: "phone-9").token else { return }
    let device = Canteen.codec.sign(payload: claims.payload.bytes)
    #expect(
      canteen.claim("d-open", for: "MO13-1", by: .text(device), with: other).refusal
        == .teamAccessDenied, "another purpose")
    #expect(
      canteen.claim("d-open", for: "MO13-1", by: .text(text), with: other).transfer != nil)
  }

  @Test func `a claim or an offer may be for any team that the phone manages in the tenant`() {
    var (canteen, first, _) = Self.twoManagers()
    let one = canteen.manage(["1"]).token
    let token = canteen.ticket("d-open", with: one)
    #expect(
      canteen.claim("d-open", for: "1", by: token, with: first).transfer?.dienst.team?.code == "1")
    #expect(canteen.offer("d-open", with: first).transfer != nil)
    #expect(canteen.offer("d-other", with: first).refusal == .teamAccessDenied)
  }

  @Test func `KK-55: members look at nothing, claim nothing and offer nothing`() {
    var (canteen, _, other) = Self.twoManagers()
    let member = canteen.follow(["JO11-3"], on: "phone-4").token
    let token = canteen.ticket("d-open", with: other)
    #expect(
      canteen.ask(.availableDiensten(currentTeam: nil), with: member).refusal == .teamAccessDenied)
    #expect(canteen.preview("d-open", by: token, with: member).refusal == .teamAccessDenied)
    #expect(
      canteen.claim("d-open", for: "JO11-3", by: token, with: member).refusal == .teamAccessDenied)
    #expect(canteen.offer(with: member).refusal == .teamAccessDenied)
  }

  @Test func `O22 shows an available dienst, and own_dienst to a phone of the holder alone`() {
    var (canteen, first, other) = Self.twoManagers()
    canteen.offer(with: first)
    let token = canteen.ticket("d-future", with: other)
    let shown = canteen.preview("d-future", by: token, with: other).dienst
    #expect(shown?.id == "d-future" && shown?.notificationToken == nil)
    #expect(canteen.preview("none", by: token, with: other).refusal == .dienstNotFound)
    #expect(canteen.preview("d-open", by: token, with: other).refusal == .teamAccessDenied)
    guard case .failure(let own) = canteen.preview("d-future", by: token, with: first) else {
      return
    }
    #expect(own.kind == .ownDienst && own.message != nil && own.status == 409)
    canteen.manage(["1"])
    #expect(canteen.preview("d-future", by: token, with: first).dienst != nil, "two teams")
    canteen.offer("d-future", false, with: first)
    #expect(canteen.preview("d-future", by: token, with: other).refusal == .alreadyClaimed)
    let query = TakeoverQuery(dienstID: "d-future", tenant: Canteen.agovv, token: token)
    #expect(canteen.ask(.takeover(query), with: other).refusal == .tenantMismatch)
  }

  @Test func `O24: an offer needs a dienst of one's own that has not begun`() {
    var (canteen, first, other) = Self.twoManagers()
    #expect(canteen.offer("d-agovv", with: first).refusal == .dienstNotFound)
    #expect(canteen.offer("d-open", with: first).refusal == .teamAccessDenied)
    #expect(canteen.offer("d-past", with: other).refusal == .teamAccessDenied, "team before time")
    #expect(canteen.offer("d-past", with: first).refusal == .dienstInPast)
    #expect(canteen.offer("d-now", with: first).transfer != nil, "the start itself is future")
  }

  @Test func `KK-52: offer, withdrawal and claim each look newer`() throws {
    var (canteen, first, other) = Self.twoManagers()
    let one = try #require(canteen.offer(with: first).transfer).dienst.updatedAt
    #expect(canteen.offer(with: first).transfer?.dienst.updatedAt == one, "nothing changed")
    let two = try #require(canteen.offer("d-future", false, with: first).transfer).dienst.updatedAt
    canteen.offer(with: first)
    let token = canteen.ticket("d-future", with: other)
    let claimed = canteen.claim("d-future", for: "MO13-1", by: token, with: other).transfer
    let three = try #require(claimed).dienst.updatedAt
    #expect(one < two && two < three)
  }

  // MARK: O25

  /// The token of the mail that tells the managers of JO11-3 of a new dienst.
  private static func mailed(_ canteen: inout Canteen) throws -> CallToActionToken {
    canteen.manage(["JO11-3"])
    canteen.operate(.assignDienst(id: "d-open", team: "JO11-3"))
    return try #require(canteen.lastNotices.first?.ctaToken)
  }

  private static func enter(
    _ names: [String], by token: CallToActionToken, _ canteen: inout Canteen
  ) -> KKAnswer {
    canteen.ask(.answerCallToAction(CallToAction(token: token, names: names)))
  }

  @Test func `O25 enters all names of a mail or none`() throws {
    var canteen = Canteen()
    let token = try Self.mailed(&canteen)
    #expect(Self.enter([" Jan ", "Fatima"], by: token, &canteen).dienst?.status == .volledig)
    #expect(Self.enter(["Piet", "Jan"], by: token, &canteen).refusal == .volunteerExists)
    #expect(Self.enter(["Piet", "Piet"], by: token, &canteen).refusal == .volunteerExists)
    #expect(Self.enter(["Piet", " "], by: token, &canteen).refusal == .invalidName)
    #expect(Self.enter([], by: token, &canteen).refusal == .invalidName)
    #expect(
      Self.enter([String(repeating: "x", count: 16)], by: token, &canteen).refusal == .nameTooLong)
    #expect(
      Self.enter(["Piet"], by: token, &canteen).dienst?.aanmeldingen == ["Jan", "Fatima", "Piet"])
  }

  @Test func `O25: a token is good until the dienst begins, moves or changes hands`() throws {
    var canteen = Canteen()
    let token = try Self.mailed(&canteen)
    let text = token.text(signedBy: Canteen.codec)
    canteen.now = Canteen.start + .days(4)
    #expect(Self.enter(["Jan"], by: .text(text), &canteen).dienst != nil, "its start included")
    canteen.now += .seconds(1)
    #expect(Self.enter(["Piet"], by: token, &canteen).refusal == .invalidOrExpiredToken)
    canteen = Canteen()
    let again = try Self.mailed(&canteen)
    #expect(Self.enter(["Jan"], by: .text("forged"), &canteen).refusal == .invalidOrExpiredToken)
    canteen.operate(.assignDienst(id: "d-open", team: "1"))
    #expect(Self.enter(["Jan"], by: again, &canteen).refusal == .invalidOrExpiredToken)
  }
}
