import Contracts
import MimiSupplyContract
import Testing
import Timekeeping
import WireLine

/// What the specification prints, read and written by the mapping: a mistake that reading and writing share would
/// survive every round trip.
@Suite struct `Samples of the city's specification` {
  @Test func `the status change of MS 3.9 is read, and its answer written as it stands there`()
    throws
  {
    let asked = """
      {"operations":[{"operationType":"update","record":{"recordType":"Order","recordName":"o-7",\
      "recordChangeTag":"4k","fields":{"status":{"value":"preparing"}}}}]}
      """
    let wire = WireRequest(
      "POST",
      "/database/1/iCloud.com.mimisupply.app/production/private/records/modify"
        + "?ckAPIToken=a&ckWebAuthToken=u", headers: [WireHeader("X-Mimi-Device-Id", "d-4")],
      body: Array(asked.utf8))
    let (request, credential) = MimiSupply.read(wire)
    let draft = RecordDraft(
      name: "o-7", type: "Order", changeTag: "4k", fields: [.status: .untyped("\"preparing\"")])
    #expect(
      request
        == .modify(Location(database: "private"), Modification([.init(.update, draft)])))
    #expect(credential == .init(apiToken: "a", userToken: "u", deviceID: "d-4"))
    let written = MimiSupply.write(request, credential: credential, tokens: codec)
    #expect(written.target == wire.target && JSON(parsing: written.body) == JSON(parsing: asked))

    let answer = """
      {"records":[{"recordName":"o-7","recordType":"Order","recordChangeTag":"4t",\
      "zoneID":{"zoneName":"_defaultZone","ownerRecordName":"u-3"},\
      "fields":{"status":{"value":"preparing","type":"STRING"}},\
      "created":{"timestamp":1755000000000,"userRecordName":"u-3","deviceID":"d-1"},\
      "modified":{"timestamp":1755000300000,"userRecordName":"u-9","deviceID":"d-4"}}]}
      """
    let document = try #require(JSON(parsing: answer))
    let read = try #require(MimiSupply.read(WireResponse(200, body: document), to: request))
    guard case .success(let reply) = read, case .items(let items) = reply.content,
      case .saved(let record)? = items.first
    else { throw ControlProblem("not saved") }
    #expect(record.modified.timestamp - record.created.timestamp == .seconds(300))
    #expect(MimiSupply.write(read, to: request, tokens: codec).body == document)
  }

  @Test func `both errors of MS 3.9 are read and written as they stand there`() throws {
    let request = MimiSupply.Request.modify(Location(database: "private"), Modification([]))
    let item = """
      {"records":[{"recordName":"o-7","serverErrorCode":"BAD_REQUEST","reason":"…",\
      "ckErrorCode":"CKErrorConstraintViolation","ckErrorNumber":19,"mimiReason":"illegal_transition"}]}
      """
    let partial = try #require(
      MimiSupply.read(WireResponse(200, body: JSON(parsing: item)), to: request))
    guard case .success(let reply) = partial, case .items(let items) = reply.content,
      case .failed(let failed)? = items.first
    else { throw ControlProblem("no failure of an item") }
    #expect(failed.failure.mimiReason == "illegal_transition")
    #expect(MimiSupply.write(partial, to: request, tokens: codec).body == JSON(parsing: item))

    let whole = """
      {"uuid":"1","serverErrorCode":"TRY_AGAIN_LATER","reason":"…","retryAfter":2.5,\
      "ckErrorCode":"CKErrorZoneBusy","ckErrorNumber":23}
      """
    let busy = try #require(
      MimiSupply.read(WireResponse(503, body: JSON(parsing: whole)), to: request))
    guard case .failure(let refusal) = busy else { throw ControlProblem("no refusal") }
    #expect(refusal.failure.retryAfter == .milliseconds(2_500))
    let written = MimiSupply.write(busy, to: request, tokens: codec)
    #expect(written.body == JSON(parsing: whole))
    #expect(written.header("Retry-After") == "3", "whole seconds, rounded up")
  }

  @Test func `what is shown of requests and answers holds no secret`() {
    let shown = [
      MimiSupply.show(.poll(Poll(following: "/courier/1/SECRET"))),
      MimiSupply.show(.control(.delivered(token: "SECRET", notification: "n"))),
      MimiSupply.show(.signIn(SignIn(identityToken: "SECRET", nonce: "SECRET", deviceID: "d"))),
      MimiSupply.show(
        MimiSupply.read(WireRequest("GET", "/x?ckAPIToken=SECRET&ckWebAuthToken=SECRET")).request),
    ]
    for document in shown { #expect(!document.description.contains("SECRET")) }
  }

  @Test func `an item's result changes a fingerprint`() {
    let record = { (tag: String) in
      ItemResult.failed(ItemFailure("o", Failure(.conflict, .serverRecordChanged, mimiReason: tag)))
    }
    var digests: [Digest] = []
    for tag in ["a", "b"] {
      var digest = Digest()
      MimiSupply.fingerprint(of: MimiSupply.Reply(.items([record(tag)]), csn: 1), into: &digest)
      digests.append(digest)
    }
    #expect(digests[0] != digests[1])
  }
}
