import Backends
import Contracts
import Replays
import Testing
import Timekeeping

@Suite struct `Driving a twin line by line` {
  private func script() -> ReplayScript<ToyBackend> {
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rules: Rules(), tokens: NoTokens())
    return ReplayScript(
      TwinSession(ToyBackend(residents: { _ in [] }), setup: setup, starts: dawn))
  }

  @Test func `a line is answered with status, headers, body and signals`() throws {
    var script = script()
    let answer = try script.perform(line: #"{"at":"+5s","method":"GET","path":"/look"}"#)
    #expect(answer.description == #"{"status":200,"headers":{},"body":null,"signals":[]}"#)
  }

  @Test func `the clock moves by instants, by spans after the line before, and by command`() throws
  {
    var script = script()
    _ = try script.perform(line: #"{"at":"2026-03-21T06:00:00Z","method":"GET","path":"/look"}"#)
    _ = try script.perform(line: #"{"at":"+90s","method":"GET","path":"/look"}"#)
    let answer = try script.perform(line: #"{"control":{"advance":{"by":"1h"}}}"#)
    #expect(answer["body"]?["now"] == "2026-03-21T07:01:30.000Z")
  }

  @Test func `a value of an earlier answer can be used, whole or inside a text`() throws {
    var script = script()
    _ = try script.perform(line: #"{"control":{"advance":{"by":"1h"}}}"#)
    let answer = try script.perform(line: #"{"control":{"advance":{"to":"{{1.body.now}}"}}}"#)
    #expect(answer["body"]?["now"] == "2026-03-21T06:00:00.000Z")
    #expect(throws: ReplayProblem.self) {
      try script.perform(line: #"{"method":"GET","path":"/{{9.body.x}}"}"#)
    }
  }

  @Test(arguments: [
    ("[]", "is no JSON object"), ("nonsense", "is no JSON object"),
    (#"{"at":"later","method":"GET","path":"/x"}"#, "has no readable 'at'"),
    (#"{"at":"2020-01-01T00:00:00Z","method":"GET","path":"/x"}"#, "time does not run back"),
    (#"{"method":"GET"}"#, "needs a 'method' and a 'path'"),
    (#"{"methode":"GET","path":"/x"}"#, "has a key 'methode' that nobody reads"),
    (#"{"control":{"fly":{}}}"#, "the toy has no commands"),
    (#"{"control":{"setRule":{"id":"TO-9","binds":false}}}"#, "there is no limit 'TO-9'"),
    (#"{"control":{"advance":{"by":"5"}}}"#, "advance needs"),
  ])
  func `a bad line is a problem in words`(line: String, words: String) {
    var script = script()
    #expect {
      try script.perform(line: line)
    } throws: { error in
      (error as? ReplayProblem)?.what.contains(words) == true
    }
  }
}
