import Backends
import Contracts
import Replays
import Testing
import Timekeeping

@Suite struct `Driving a twin line by line` {
  private func script() -> ReplayScript<ToyBackend> {
    let setup = TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: NoTokens())
    return ReplayScript(
      SteppedTwin(ToyBackend(persons: { _ in [] }), setup: setup, starts: epoch))
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
    ("{{{{", "{{"), ("a {{{{b}} c", "a {{b}} c"), ("{{{{{{1.body.now}}", "{{NOW"),
    ("{{1.body.now}}{{{{", "NOW{{"), ("{{{{{", "{{{"), ("{{{{{{{{", "{{{{"), ("}} {", "}} {"),
    ("{{{{1.body.now}}}}", "{{1.body.now}}}}"),
  ])
  func `two braces that begin no value are written four times`(text: String, sent: String) throws {
    var script = script()
    let now = try script.perform(line: #"{"control":{"advance":{"by":"1h"}}}"#)
    let found = try #require(now["body"]?["now"]?.string)
    let line = JSON.object(["control": ["advance": ["by": .string(text)]]])
    let refused = try script.perform(line: line.description)
    // What was sent is no span, and the answer says so.
    let wanted = sent.replacing("NOW", with: found)
    #expect(refused["body"]?["message"]?.string?.contains("'\(wanted)'") == true, "\(refused)")
  }

  @Test(arguments: [
    ("[]", 1, "is no JSON object"), ("nonsense", 2, "is no JSON object"),
    (#"{"at":"+1s","path" "/x"}"#, 20, "':' was expected"),
    (#"{"at":"later","method":"GET","path":"/x"}"#, 7, "has no readable 'at'"),
    (#"{"at":5,"method":"GET","path":"/x"}"#, 7, "has no readable 'at'"),
    (#"{"at":"2020-01-01T00:00:00Z","method":"GET","path":"/x"}"#, 7, "time does not run back"),
    (
      #"{"at":"+90000d","method":"GET","path":"/x"}"#, 7,
      "has an 'at' that is not possible: the time lies beyond 2200-01-01T00:00:00.000Z, where every clock ends"
    ),
    (#"{"at":"2200-01-01T00:00:00.000000001Z","control":{"reset":{}}}"#, 7, "beyond 2200-01-01"),
    (#"{"at":"+2m","method":"GET","path":"/x"}"#, 7, "2min (minutes) or 2ms"),
    (#"{"at":"+2","method":"GET","path":"/x"}"#, 7, "a time needs a unit, e.g. 2s"),
    (#"{"method":"GET"}"#, 1, "needs a 'method' and a 'path'"),
    (#"{"method":"GET","path":"x"}"#, 24, "needs a 'method' and a 'path'"),
    (#"{"methode":"GET","path":"/x"}"#, 2, "did you mean 'method'?"),
    (#"{"method":"GET","path":"/x","method":"PUT"}"#, 29, "has 'method' twice"),
    (#"{"method":"GET","path":"/x","headers":"a: b"}"#, 39, "'headers' that are no object"),
    (
      #"{"method":"GET","path":"/x","headers":{"a":"b", "c":1}}"#, 53,
      "a header 'c' that is no text"
    ),
    (#"{"as":7,"method":"GET","path":"/x"}"#, 7, "an 'as' that is no text"),
    (#"{"method":"GET","path":"/x","as":"anna"}"#, 34, "names nobody: 'anna'"),
    (#"{"method":"GET","path":"/x/{{abc}}"}"#, 28, "begins with no line's number"),
    (#"{"method":"GET","path":"/x","body":{"a":["{{ 9.body }}"]}}"#, 43, "none has been answered"),
    (#"{"method":"GET","path":"/x/{{1.body"}"#, 28, "a '{{' without its '}}'; the text itself is"),
    (#"{"path":"/x", "control":{"reset":{}}}"#, 9, "has 'control' and 'path'"),
    (#"{"control":{"reset":{},"advance":{}}}"#, 12, "needs exactly one command"),
    (#"{"control":"reset"}"#, 12, "needs exactly one command"),
  ])
  func `a line that is none is a problem in words, with its column`(
    line: String, column: Int, words: String
  ) {
    var script = script()
    #expect {
      try script.perform(line: line)
    } throws: { error in
      guard let problem = error as? ReplayProblem else { return false }
      #expect(problem.column == column)
      #expect(problem.what.contains(words))
      return true
    }
  }

  @Test(arguments: [
    (#"{"control":{"fly":{}}}"#, 404, "no command 'fly'"),
    (#"{"control":{"setRule":{"id":"TO-9","binds":false}}}"#, 400, "there is no limit 'TO-9'"),
    (#"{"control":{"advance":{"by":"5"}}}"#, 400, "needs a unit"),
    (#"{"control":{"advance":{"by":"2m"}}}"#, 400, "2min (minutes) or 2ms"),
    (#"{"control":{"advance":{"by":"-1s"}}}"#, 400, "is no span"),
    (#"{"control":{"advance":{"by":"90000d"}}}"#, 400, "where every clock ends"),
    (#"{"control":{"advance":{"to":"2200-06-01T00:00:00Z"}}}"#, 400, "where every clock ends"),
    (#"{"control":{"advance":{"to":"2020-01-01T00:00:00Z"}}}"#, 400, "time does not run back"),
    (#"{"control":{"advance":{"by":"1h","to":"2026-04-01T00:00:00Z"}}}"#, 400, "not both"),
    (#"{"control":{"advance":{"for":"1h"}}}"#, 400, "no parameter 'for'"),
    (#"{"control":{"advance":{}}}"#, 400, "advance needs"),
    (#"{"control":{"advance":null}}"#, 400, "advance needs"),
    (#"{"control":{"advance":[1]}}"#, 400, "an object of parameters is expected"),
  ])
  func `a command that is refused is an answer, and the next line goes on`(
    line: String, status: Int, words: String
  ) throws {
    var script = script()
    let refused = try script.perform(line: line)
    #expect(refused["status"] == .number(status))
    #expect(refused["body"]?["message"]?.string?.contains(words) == true, "\(refused)")
    let now = try script.perform(line: #"{"control":{"advance":{"by":"0s"}}}"#)
    #expect(now["body"] == ["now": "2026-03-21T05:00:00.000Z"])
  }

  @Test func `the clock goes up to its end and stays there`() throws {
    var script = script()
    let end = try script.perform(
      line: #"{"at":"2200-01-01T00:00:00Z","method":"GET","path":"/look"}"#)
    #expect(end["status"] == 200)
    let beyond = try script.perform(line: #"{"control":{"advance":{"by":"1ns"}}}"#)
    #expect(beyond["status"] == 400)
    #expect(try script.perform(line: #"{"control":{"advance":{"by":"0s"}}}"#)["status"] == 200)
  }

  @Test func `a reset sets the clock back to where it began`() throws {
    var script = script()
    _ = try script.perform(line: #"{"at":"+3h","method":"GET","path":"/look"}"#)
    _ = try script.perform(line: #"{"control":{"reset":{}}}"#)
    let now = try script.perform(line: #"{"control":{"advance":{"by":"0s"}}}"#)
    #expect(now["body"] == ["now": "2026-03-21T05:00:00.000Z"])
  }
}
