import Contracts
import Testing
import Timekeeping

@Suite struct `The vocabulary of faults` {
  private func kind(_ json: String) throws -> FaultKind {
    let names = FaultKind.parameters(among: FaultWord.all).map(\.name)
    return try FaultKind(
      ControlParameters(#require(JSON(parsing: json)), known: names, at: "set"),
      among: FaultWord.all)
  }

  private func selection(_ json: String) throws -> FaultSelection {
    let names = FaultSelection.parameters.map(\.name) + ["share"]
    return try FaultSelection(
      ControlParameters(#require(JSON(parsing: json)), known: names, at: "set"),
      operations: ["read", "write"])
  }

  @Test func `has a name for every kind, by which it is read`() throws {
    for word in FaultWord.plain {
      let read = try kind(#"{"kind": "\#(word.name)"}"#)
      #expect(read == word.kind && read.name == word.name && !word.meaning.isEmpty)
    }
    #expect(Set(FaultWord.all.map(\.name)).count == FaultWord.all.count)
    #expect(FaultKind.delay(.seconds(1)).name == "delay")
    #expect(FaultKind.status(429, retryAfter: nil).name == "status")
  }

  @Test(
    arguments: [
      (#"{"kind": "delay", "delay": "250ms"}"#, .delay(.milliseconds(250))),
      (#"{"kind": "latency", "delay": "0s"}"#, .delay(.zero)),
      (
        #"{"kind": "status", "status": 429, "retryAfter": "2s"}"#,
        .status(429, retryAfter: .seconds(2))
      ),
      (#"{"kind": "serverError", "retryAfter": "30s"}"#, .status(503, retryAfter: .seconds(30))),
    ] as [(String, FaultKind)])
  func `reads what a kind takes`(json: String, expected: FaultKind) throws {
    #expect(try kind(json) == expected)
  }

  @Test(arguments: [
    ("{}", "'kind' is missing"), (#"{"kind": "requestlost"}"#, "did you mean 'requestLost'?"),
    (#"{"kind": "delay"}"#, "'delay' is missing, which the kind 'delay' needs"),
    (#"{"kind": "latency", "delay": "2m"}"#, "2min (minutes)"),
    (#"{"kind": "delay", "delay": "25h"}"#, "is longer than 1d"),
    (#"{"kind": "truncated", "delay": "1s"}"#, "has no meaning for the kind 'truncated'"),
    (#"{"kind": "status"}"#, "'status' is missing; give one from 400 to 599"),
    (#"{"kind": "status", "status": 200}"#, "400 to 599: 200"),
    (#"{"kind": "duplicate", "status": 500}"#, "goes with the kind 'status'"),
    (#"{"kind": "requestLost", "retryAfter": "1s"}"#, "goes with the kinds 'serverError'"),
  ])
  func `says what is wrong with a kind`(json: String, words: String) {
    #expect {
      try kind(json)
    } throws: {
      ("\($0)").hasPrefix("set: ") && "\($0)".contains(words)
    }
  }

  @Test func `selects by share, operation, time and number`() throws {
    #expect(try selection("{}") == FaultSelection())
    let given = try selection(
      #"{"share": "20%", "operation": "write", "from": "2026-03-21T06:00:00Z", "until": 1774080000000, "count": 3}"#
    )
    #expect(given.share == 0.2 && given.operation == "write" && given.count == 3)
    #expect(given.from == epoch + .hours(1) && given.until == epoch + .hours(3))
    #expect(given.fits(operation: "write", at: epoch + .hours(1), met: 2))
    #expect(!given.fits(operation: "read", at: epoch + .hours(1), met: 2))
    #expect(!given.fits(operation: "write", at: epoch + .hours(1), met: 3))
    #expect(!given.fits(operation: "write", at: epoch + .hours(3), met: 0))
    #expect(given.emptiness(at: epoch + .days(9)) == nil)
    #expect(
      FaultSelection(until: epoch).emptiness(at: epoch)?.contains("not later than now") == true)
  }

  @Test(arguments: [
    (#"{"share": 2}"#, "no number in 0...1"), (#"{"share": "many"}"#, "percentage such as"),
    (#"{"operation": "rite"}"#, "did you mean 'write'?"), (#"{"count": -1}"#, "is below 0"),
    (#"{"from": "noon"}"#, "is no instant"),
  ])
  func `says what is wrong with a selection`(json: String, words: String) {
    #expect { try selection(json) } throws: { "\($0)".contains(words) }
  }

  @Test func `what several do to one request does not lose an answer that nobody would have given`()
  {
    func met(_ kinds: FaultKind...) -> FaultsMet {
      var met = FaultsMet()
      for kind in kinds { met.add(kind) }
      return met
    }
    #expect(met().end == nil)
    #expect(met(.answerLost, .truncated).end == .answerLost)
    #expect(met(.requestLost, .answerLost).end == .requestLost)
    #expect(met(.answerLost, .serverError, .requestLost).end == .requestLost)
    #expect(met(.delay(.seconds(1)), .duplicate, .delay(.seconds(2))).delay == .seconds(3))
    #expect(met(.duplicate).isDuplicated && met(.duplicate).end == nil)
  }
}
