import Contracts
import MimiSupplyContract
import Testing
import Timekeeping
import WireLine

@testable import MimiSupplyTwin

private let nonce = "0123456789abcdefghij-._ABCDEFGHI"

@Suite struct `MimiSupply's accounts, files and faults` {
  private func signIn(
    _ user: String, _ nonce: String, issued: Instant, role: String? = nil, hashing: String? = nil
  ) -> MimiSupply.Request {
    let hash = codec.sha256(Array((hashing ?? nonce).utf8)).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
    return .signIn(
      SignIn(
        identityToken: "sim.\(user).\(hash).\(issued.unixMilliseconds)", nonce: nonce,
        deviceID: "phone", fullName: "Eva Neu", role: role))
  }

  private func numbered(_ number: Int) -> String { String(nonce.dropLast()) + String(number) }

  @Test func `a first sign-in makes one profile and later ones find it (MS-103)`() throws {
    var city = City()
    guard
      case .signedIn(let first) = try city.content(signIn("eva", nonce, issued: city.now)),
      case .signedIn(let second) = try city.content(
        signIn("eva", numbered(2), issued: city.now))
    else { throw ControlProblem("not signed in") }
    #expect(first.isNewUser && first.requiresRoleSelection)
    #expect(!second.isNewUser && second.requiresRoleSelection)
    #expect(first.userRecordName == second.userRecordName && first.userToken != second.userToken)
    #expect(first.expiresAt == city.now + .hours(24))
    #expect(first.userProfile[UserProfile.role] == "customer")
    let both = city.twin.shelf.names(of: "UserProfile", by: .field(.appleUserID), .text("eva"))
    #expect(both.count == 1)
  }

  @Test func `identity tokens are refused for their reasons (MS-104)`() throws {
    var city = City()
    #expect(city.ask(signIn("eva", nonce, issued: city.now))?.reply != nil)
    let now = city.now
    let cases: [(MimiSupply.Request, String)] = [
      (signIn("eva", "short", issued: now), "invalid_token"),
      (signIn("e.va", numbered(1), issued: now), "invalid_token"),
      (signIn("eva", numbered(1), issued: now, hashing: "other"), "invalid_token"),
      (signIn("eva", nonce, issued: now), "nonce_reused"),
      (signIn("eva", numbered(3), issued: now - .minutes(10)), "token_expired"),
    ]
    for (request, reason) in cases {
      let failure = try city.refusal(request)
      #expect(failure.mimiReason == reason && failure.code == .authenticationFailed)
      #expect(failure.mimiError == "authenticationRequired")
    }
    let young = signIn("eva", numbered(4), issued: now - .minutes(10) + .milliseconds(1))
    #expect(city.ask(young)?.reply != nil)
    let admin = signIn("ann", numbered(5), issued: now, role: "admin")
    #expect(try city.refusal(admin).mimiReason == "role_not_selectable")
    let events = city.twin.audit.entries.map(\.event.rawValue)
    #expect(events.count { $0 == "login_attempt" } == 8)
    #expect(events.count { $0 == "login_failure" } == 6)
    #expect(events.count { $0 == "login_success" } == 2)
  }

  @Test func `a role is selected once and sessions are extended and ended`() throws {
    var city = City()
    guard case .signedIn(let eva) = try city.content(signIn("eva", nonce, issued: city.now)) else {
      throw ControlProblem("not signed in")
    }
    let credential = MimiSupply.Credential(apiToken: "a", userToken: eva.userToken)
    func ask(_ request: MimiSupply.Request) -> Outcome<MimiSupply>? {
      city.line.ask(request, with: credential, at: city.now)
    }
    #expect(ask(.selectRole("admin"))?.refusal?.failure.mimiReason == "role_not_selectable")
    guard case .roleSelected(let profile)? = ask(.selectRole("driver"))?.reply?.content else {
      throw ControlProblem("no role")
    }
    #expect(profile[UserProfile.role] == "driver")
    #expect(ask(.selectRole("driver"))?.refusal?.failure.mimiReason == "role_already_selected")
    city.now += .hours(24) - .nanoseconds(1)
    #expect(
      ask(.refresh)?.reply?.content
        == .refreshed(
          userToken: eva.userToken,
          expiresAt: Instant(unixMilliseconds: (city.now + .hours(24)).unixMilliseconds)))
    city.now += .hours(24)
    #expect(ask(.refresh)?.refusal?.failure.code == .authenticationFailed, "over to the instant")
    city = City()
    let token = try city.device("phone", of: "customer-1")
    #expect(try city.content(.signOut, as: "customer-1") == .done)
    #expect(try city.refusal(.refresh, as: "customer-1").code == .authenticationFailed)
    #expect(!city.twin.pushQueues.has(token))
  }

  @Test func `an account that leaves is anonymised and its partner is told (MS-116)`() throws {
    var city = City()
    let till = try city.device("till", of: "partner-1")
    _ = try city.save(city.order("o-1"), as: "customer-1")
    #expect(try city.content(.deleteAccount, as: "customer-1") == .done)
    let order = try #require(city.twin.shelf.record("o-1"))
    #expect(order[Order.customer]?.text.hasPrefix("deleted-") == true)
    #expect(order.created.userRecordName == order[Order.customer])
    #expect(city.twin.shelf.record("user-customer-1") == nil)
    #expect(try city.refusal(.refresh, as: "customer-1").code == .authenticationFailed)
    let told = try city.fetch(till)
    #expect(told.map(\.content) == [.customerDeleted(order: "o-1")])
    // The order runs on, and its address goes with the terminal commit.
    city.pass(.minutes(2))
    let ended = try #require(city.twin.shelf.record("o-1"))
    #expect(ended[Order.status] == "cancelled" && ended[Order.paymentStatus] == "refunded")
    #expect(ended[Order.deliveryAddress]?.contains("Gendarmenmarkt") == false)
    #expect(ended[Order.totalCents] == 1_499)
  }

  @Test func `a partner leaves without active orders alone, and takes none afterwards (MS-116)`()
    throws
  {
    var city = City()
    let order = try city.save(city.order("o-1"), as: "customer-1")
    let busy = try city.refusal(.deleteAccount, as: "partner-1")
    #expect(busy.code == .badRequest && busy.mimiReason == "partner_busy")
    #expect(busy.reason.contains("partner-1") && busy.reason.contains("o-1"))
    _ = try city.save(city.updating(order, [.status: .string("cancelled")]), as: "customer-1")
    #expect(try city.content(.deleteAccount, as: "partner-1") == .done)
    let left = try #require(try city.lookup("partner-1", as: nil, in: "public"))
    #expect(!left[Partner.isActive] && left.created.userRecordName.text.hasPrefix("deleted-"))
    #expect(left.fields[.phoneNumber] == nil && left.fields[.email] == nil)
    let late = try city.failure(city.order("o-2"), as: "customer-1")
    #expect(late.failure.mimiReason == "partner_inactive")
    // Another's partner goes on.
    #expect(try city.lookup("partner-2", as: nil, in: "public")?[Partner.isActive] == true)
  }

  @Test func `an export holds what is one's own and nothing of others (MS-115)`() throws {
    var city = City()
    _ = try city.save(city.order("o-1"), as: "customer-1")
    _ = try city.save(city.order("o-2", customer: "user-customer-2"), as: "customer-2")
    guard case .exported(let data) = try city.content(.exportAccount, as: "customer-1") else {
      throw ControlProblem("no export")
    }
    #expect(data["profile"]?["recordName"] == "user-customer-1")
    #expect(data["orders"]?.array?.map { $0["recordName"]?.string } == ["o-1"])
    #expect(data["paymentMethods"] == ["apple_pay"])
    #expect(!data.description.contains("user-customer-2"))
  }

  @Test func `temporary data go at local midnight, on days of clock change too (MS-114)`() throws {
    var city = City()
    #expect(city.twin.retentionDue == Instant("2026-03-21T23:00:00Z")!)
    city.now = Instant("2026-03-28T11:00:00Z")!
    // Who looks finds everything done that was due.
    _ = city.line.twin.handle(.control(.counters), from: .administration, at: city.now)
    #expect(city.twin.retentionDue == Instant("2026-03-28T23:00:00Z")!)
    city.line.advance(to: Instant("2026-03-29T12:00:00Z")!)
    #expect(city.twin.retentionDue == Instant("2026-03-29T22:00:00Z")!, "summer time")
  }

  // MARK: Files

  @Test func `a file is sent, named by a record, fetched, and counts from then on (MS-05, MS-110)`()
    throws
  {
    var city = City()
    let here = Location(database: "public")
    let asked = UploadRequest([.init("partner-1", recordType: "Partner", fieldName: "logo")])
    guard
      case .uploads(let targets) = try city.content(.requestUploads(here, asked), as: "partner-1")
    else { throw ControlProblem("no address") }
    let bytes = Array("the picture".utf8)
    guard
      case .uploaded(let asset) = try city.content(
        .upload(Upload(to: targets[0].url, .bytes(bytes))))
    else { throw ControlProblem("not uploaded") }
    #expect(asset.size == bytes.count)
    #expect(
      asset.fileChecksum
        == codec.sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    #expect(city.twin.files.files.all.values.first?.bytes != bytes, "stored enciphered")
    let partner = try #require(try city.lookup("partner-1", as: "partner-1", in: "public"))
    var forged = asset
    forged.receipt = "receipt_x"
    let missing = try city.failure(
      city.updating(partner, [.logo: .asset(forged)]), as: "partner-1", in: "public")
    #expect(missing.failure.native == .assetFileNotFound)
    let saved = try city.save(
      city.updating(partner, [.logo: .asset(asset)]), as: "partner-1", in: "public")
    guard case .asset(let stored)? = saved.fields[.logo], let url = stored.downloadURL else {
      throw ControlProblem("no address of the file")
    }
    #expect(stored.receipt == nil && url.hasPrefix("http://127.0.0.1:8080/assets/1/file/"))
    let path = url.replacing("http://127.0.0.1:8080", with: "")
    #expect(try city.content(.download(path: path)) == .downloaded(bytes))
    #expect(try city.content(.download(path: url)) == .downloaded(bytes))
    #expect(try city.refusal(.download(path: url + "0")).code == .notFound)
    city.now += .minutes(15)
    #expect(try city.refusal(.download(path: url)).code == .notFound)
    for (size, isTaken) in [(1 << 30, true), ((1 << 30) + 1, false)] {
      let outcome = city.ask(.upload(Upload(to: targets[0].url, .synthetic(size: size, seed: 1))))
      #expect((outcome?.reply != nil) == isTaken)
      if !isTaken { #expect(outcome?.refusal?.failure.mimiReason == "asset_too_large") }
    }
  }

  // MARK: Faults

  @Test func `injected faults meet the requests that fit and have no effect (MS-12)`() throws {
    var city = City()
    city.operate(
      .injectFault(
        InjectedFault(.zoneBusy, user: "user-customer-1", operation: "modify", count: 1)))
    let before = city.state
    let order = MimiSupply.Request.modify(
      Location(database: "private"), Modification([city.order("o-1")]))
    let busy = try city.refusal(order, as: "customer-1")
    #expect(busy.code == .tryAgainLater && busy.native == .zoneBusy)
    #expect(busy.retryAfter == .seconds(30) && city.state == before)
    #expect(city.ask(order, as: "customer-1")?.reply != nil, "the fault is used up")
    city.operate(.injectFault(InjectedFault(.answerLost, user: "user-customer-2")))
    let second = MimiSupply.Request.modify(
      Location(database: "private"),
      Modification([city.order("o-2", customer: "user-customer-2")]))
    #expect(city.ask(second, as: "customer-2") == nil)
    #expect(city.twin.shelf.record("o-2") != nil, "it happened, and nobody heard of it")
    city.operate(.endFaults)
    city.operate(.injectFault(InjectedFault(.latency, delay: .seconds(2))))
    #expect(city.ask(.currentUser(Location(database: "public")), as: "customer-2") == nil)
    city.pass(.seconds(2))
    #expect(city.line.late.last?.outcome.reply != nil)
  }

  @Test func `a fault ends after it begins, and consents and risks are somebody's`() {
    var city = City()
    func refusal(_ control: Control) -> String? {
      let handled = city.line.twin.handle(.control(control), from: .administration, at: city.now)
      guard case .now(.failure(let refusal)) = handled.answer else { return nil }
      return refusal.failure.reason
    }
    let hour = Span.hours(1)
    #expect(
      refusal(
        .injectFault(InjectedFault(.zoneBusy, from: city.now + hour, until: city.now)))
        == "injectFault: 'until' is 2026-03-21T11:00:00.000Z, not later than 'from', 2026-03-21T12:00:00.000Z: nobody would meet it"
    )
    #expect(
      refusal(.injectFault(InjectedFault(.zoneBusy, until: city.now)))?.contains("now, 2026")
        == true)
    #expect(refusal(.injectFault(InjectedFault(.zoneBusy, until: city.now + hour))) == nil)
    for control in [
      Control.setConsent(user: "nobody", kind: "location", granted: false),
      .setConsent(user: "partner-1", kind: "location", granted: false),
      .setRiskScore(user: "nobody", score: 1),
    ] {
      #expect(refusal(control)?.contains("there is no such user") == true, "\(control)")
    }
    #expect(
      refusal(.setConsent(user: "user-driver-1", kind: "location", granted: false)) == nil)
  }

  @Test func `zones are made and unmade where nothing lies in them`() throws {
    var city = City()
    let here = Location(database: "private")
    func modify(_ kind: ZoneOperation.Kind, _ name: String) throws -> ZoneResult {
      let request = MimiSupply.Request.modifyZones(here, [.init(kind, Zone(name))])
      guard case .zones(let results) = try city.content(request, as: "customer-1") else {
        throw ControlProblem("no zones")
      }
      return results[0]
    }
    guard case .zone(let made, true, _) = try modify(.create, "mine") else {
      throw ControlProblem("not made")
    }
    #expect(made == Zone("mine", owner: "user-customer-1"))
    let order = try city.save(city.order("o-1"), as: "customer-1", zone: Zone("mine"))
    #expect(order.zone == made)
    guard case .failed(_, let failure) = try modify(.delete, "mine") else {
      throw ControlProblem("deleted with its order")
    }
    #expect(failure.code == .accessDenied)
    _ = try modify(.create, "empty")
    #expect(try modify(.delete, "empty") == .deleted(Zone("empty")))
    guard case .failed(_, let gone) = try modify(.delete, "empty") else {
      throw ControlProblem("deleted twice")
    }
    #expect(gone.code == .zoneNotFound)
    #expect(
      try city.refusal(
        .modifyZones(Location(database: "public"), [.init(.create, Zone("x"))]), as: "customer-1"
      ).code == .badRequest)
    let foreign = Query(RecordQuery("Order"), zone: Zone("mine"))
    #expect(try city.refusal(.query(here, foreign), as: "customer-2").code == .zoneNotFound)
    #expect(
      city.ask(.query(here, foreign), as: "partner-1")?.reply != nil, "who sees a record in it")
  }
}
