import Backends
import Contracts
import MimiSupplyContract
import MimiSupplyDomain
import Replays
import Testing
import Timekeeping
import WireLine

@Suite struct `Replaying MimiSupply` {
  private static let privately = "/database/1/iCloud.com.mimisupply.app/production/private"

  /// An order from the sign-in to the offer at a driver's long poll, every line as `rehearse replay` reads it.
  private static let lines = [
    #"{"at": "2026-03-21T11:00:00Z", "control": {"loadSampleWorld": {}}}"#,
    #"{"as": "session-driver-2", "method": "POST", "path": "PRIVATE/tokens/create?ckAPIToken=a", "body": {"apnsEnvironment": "production"}}"#,
    #"{"as": "session-driver-2", "method": "POST", "path": "PRIVATE/subscriptions/modify?ckAPIToken=a", "body": {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "driver-offers", "subscriptionType": "query", "firesOn": ["create"], "query": {"recordType": "DriverOffer"}}}]}}"#,
    #"{"as": "session-customer-1", "method": "POST", "path": "PRIVATE/records/modify?ckAPIToken=a", "body": {"operations": [{"operationType": "create", "record": {"recordType": "Order", "recordName": "o-1", "fields": {"customerId": {"value": "user-customer-1"}, "partnerId": {"value": "partner-1"}, "items": {"value": "[{\"id\":\"1\",\"productId\":\"product-1-1\",\"productName\":\"Currywurst\",\"quantity\":2,\"unitPriceCents\":650,\"totalPriceCents\":1300}]"}, "status": {"value": "payment_confirmed"}, "subtotalCents": {"value": 1300}, "deliveryFeeCents": {"value": 199}, "platformFeeCents": {"value": 0}, "taxCents": {"value": 0}, "totalCents": {"value": 1499}, "deliveryAddress": {"value": "{\"street\":\"G 1\",\"city\":\"Berlin\",\"state\":\"Berlin\",\"postalCode\":\"10117\",\"country\":\"DE\",\"latitude\":52.5137,\"longitude\":13.3927}"}, "estimatedDeliveryTime": {"value": 1774092600000}, "paymentMethod": {"value": "apple_pay"}, "paymentStatus": {"value": "completed"}, "createdAt": {"value": 1774090800000}, "updatedAt": {"value": 1774090800000}}}}]}}"#,
    #"{"as": "session-partner-1", "method": "POST", "path": "PRIVATE/records/modify?ckAPIToken=a", "body": {"operations": [{"operationType": "update", "record": {"recordName": "o-1", "recordChangeTag": "{{4.body.records.0.recordChangeTag}}", "fields": {"status": {"value": "accepted"}}}}]}}"#,
    #"{"method": "GET", "path": "{{2.body.webcourierURL}}?timeout=5"}"#,
    #"{"as": "session-driver-2", "method": "POST", "path": "PRIVATE/records/modify?ckAPIToken=a", "body": {"operations": [{"operationType": "forceUpdate", "record": {"recordName": "{{6.body.0.offerid}}", "recordType": "DriverOffer", "fields": {"state": {"value": "accepted"}}}}]}}"#,
    #"{"as": "session-customer-1", "method": "POST", "path": "PRIVATE/records/lookup?ckAPIToken=a", "body": {"records": [{"recordName": "o-1"}, {"recordName": "driver-2"}], "desiredKeys": ["status", "driverId", "name"]}}"#,
    #"{"method": "GET", "path": "{{2.body.webcourierURL}}?timeout=5"}"#,
    #"{"as": "session-customer-2", "method": "POST", "path": "PRIVATE/records/lookup?ckAPIToken=a", "body": {"records": [{"recordName": "o-1"}]}}"#,
  ].map { $0.replacing("PRIVATE", with: privately) }

  private func play() throws -> [JSON] {
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: codec)
    var script = ReplayScript(
      SteppedTwin(MimiSupplyBackend(), setup: setup, starts: Instant("2026-03-21T05:00:00Z")!))
    return try Self.lines.map { line in try script.perform(line: line) }
  }

  @Test func `a file leads from an empty twin to an accepted offer, twice alike`() throws {
    let answers = try play()
    for (index, answer) in answers.enumerated() {
      #expect(answer["status"] == 200, "line \(index + 1): \(answer)")
    }
    #expect(answers[4]["signals"]?.array?.count == 1, "the offer's push leaves")
    #expect(answers[5]["body"]?[0]?["orderid"] == "o-1")
    #expect(answers[6]["body"]?["records"]?[0]?["fields"]?["state"]?["value"] == "accepted")
    let seen = answers[7]["body"]?["records"]
    #expect(seen?[0]?["fields"]?["driverId"]?["value"] == "driver-2")
    #expect(seen?[1]?["fields"]?["name"]?["value"] == "Rolf Roller")
    #expect(answers[8]["body"] == [], "nothing came within five seconds")
    #expect(answers[9]["body"]?["records"]?[0]?["serverErrorCode"] == "NOT_FOUND")
    #expect(try play() == answers)
  }

  @Test func `an inspection shows every type, or those that are asked for (§11)`() throws {
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: codec)
    var script = ReplayScript(
      SteppedTwin(MimiSupplyBackend(), setup: setup, starts: Instant("2026-03-21T05:00:00Z")!))
    _ = try script.perform(line: #"{"control": {"loadSampleWorld": {}}}"#)
    let whole = try script.perform(line: #"{"control": {"inspect": {}}}"#)["body"]?["records"]
    #expect(whole?["UserProfile"]?.array?.isEmpty == false)
    #expect(whole?["DriverLocation"] == [])
    let line = #"{"control": {"inspect": {"types": ["UserProfile"]}}}"#
    let some = try script.perform(line: line)["body"]?["records"]?.object
    #expect(some?.members.map(\.name) == ["UserProfile"])
  }

  @Test func `a session of a loaded fixture may be presented, whatever its token looks like`()
    throws
  {
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: codec)
    var script = ReplayScript(
      SteppedTwin(MimiSupplyBackend(), setup: setup, starts: Instant("2026-03-21T05:00:00Z")!))
    let load = """
      {"control": {"load": {"users": [{"userRecordName": "u-anna"}], "sessions": \
      [{"ckWebAuthToken": "key of Anna", "userRecordName": "u-anna", "deviceID": "d"}]}}}
      """
    _ = try script.perform(line: load)
    func ask(as caller: String) throws -> JSON? {
      let line = """
        {"as": "\(caller)", "method": "GET", "path": \
        "/database/1/iCloud.com.mimisupply.app/production/public/users/current?ckAPIToken=a"}
        """
      return try script.perform(line: line)["status"]
    }
    #expect(try ask(as: "key of Anna") == 200)
    #expect(try ask(as: "u-anna") == 200, "a user of the fixture by its name")
    #expect(try ask(as: "session_unknown") == 401, "a token that nobody was given")
    #expect(throws: ReplayProblem.self, "neither a token nor anybody's name") {
      try ask(as: "key of Bert")
    }
  }
}
