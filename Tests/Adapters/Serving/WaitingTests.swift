import Contracts
import DomainList
import Foundation
import Replays
import Serving
import Testing
import Timekeeping

@Suite struct `Waiting for a ticket` {
  @Test func `ends with a later request of somebody else`() async throws {
    let epoch: JSON = "2026-03-21T05:00:00.000Z"
    try await ServedDomain.with(ChimeBackend()) { served in
      async let first = Client.ask("GET", served.url + "/wait")
      async let second = Client.ask("GET", served.url + "/wait")
      #expect(await served.until { served.twin.waiting == 2 })
      #expect(try await Client.ask("GET", served.url + "/ring").status == 204)
      let answers = try await [first, second]
      #expect(answers.map(\.json) == [["rang": epoch], ["rang": epoch]])
    }
  }

  @Test func `ends with a timer that rings by itself`() async throws {
    try await ServedDomain.with(ChimeBackend(), clock: .running(from: Domains.epoch)) { served in
      // Who waits is there before the bell is set: on a busy machine it would ring for nobody.
      async let waiting = Client.ask("GET", served.url + "/wait")
      #expect(await served.until { served.twin.waiting == 1 })
      #expect(try await Client.ask("GET", served.url + "/later/150").status == 204)
      let rung = try await waiting
      #expect(rung.status == 200)
      let at = rung.json?["rang"]?.string.flatMap { Instant($0) }
      #expect(at.map { $0 >= Domains.epoch + .milliseconds(150) } == true)
    }
  }

  @Test func `ends with 504 after the operation's time-out, by the running clock`() async throws {
    try await ServedDomain.with(ChimeBackend(), clock: .running(from: Domains.epoch)) { served in
      let begun = ContinuousClock.now
      let answer = try await Client.ask("GET", served.url + "/brief")
      #expect(answer.status == 504)
      #expect(answer.json == ["error": "timed_out"])
      #expect(ContinuousClock.now - begun >= .milliseconds(100))
    }
  }

  @Test func `ends with 504 when a manual clock is moved past the time-out`() async throws {
    try await ServedDomain.with(ChimeBackend()) { served in
      async let brief = Client.ask("GET", served.url + "/brief")
      async let long = Client.ask("GET", served.url + "/wait")
      #expect(await served.until { served.twin.waiting == 2 })
      try await served.command("advance", #"{"by":"1s"}"#)
      let expired = try await brief
      #expect(expired.status == 504)
      #expect(served.twin.waiting == 1)
      try await served.command("reset")
      let forgotten = try await long
      #expect(forgotten.status == 503)
    }
  }

  @Test func `is given up when the client hangs up`() async throws {
    try await ServedDomain.with(ChimeBackend()) { served in
      let connection = try Connection(port: served.port)
      await connection.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await served.until { served.twin.waiting == 1 })
      connection.hangUp()
      #expect(await served.until { served.twin.waiting == 0 })
    }
  }

  @Test func `ends when the server stops, with an answer`() async throws {
    let answer = try await ServedDomain.with(ChimeBackend()) { served in
      let waiting = Task { try await Client.ask("GET", served.url + "/wait") }
      #expect(await served.until { served.twin.waiting == 1 })
      // A busy machine may need more than the second that a server gives otherwise.
      await served.server.stop(grace: .seconds(60))
      return try await waiting.value
    }
    #expect(answer.status == 503)
  }

  @Test func `ends when the world outside answers, served and replayed`() async throws {
    let served = try await ServedDomain.with(ChimeBackend()) { served in
      let answer = try await Client.ask("GET", served.url + "/unlock")
      let sent = try await Client.ask("GET", served.control + "/signals").json
      let entry: JSON = ["number": 1, "at": "2026-03-21T05:00:00.000Z", "signal": "keyWanted"]
      #expect(sent == [entry])
      let later = try await Client.ask("GET", served.control + "/signals?after=1").json
      #expect(later == [])
      return answer
    }
    var script = ReplayScript(
      SteppedTwin(ChimeBackend(), setup: Domains.setup(), starts: Domains.epoch))
    let replayed = try script.perform(line: #"{"method":"GET","path":"/unlock"}"#)
    #expect(served.status == 200)
    #expect(served.json == replayed["body"])
    #expect(replayed["signals"] == ["keyWanted"])
  }

  @Test func `moves the clock of a replay to the answer, and nowhere when none comes`() throws {
    var script = ReplayScript(
      SteppedTwin(ChimeBackend(), setup: Domains.setup(), starts: Domains.epoch))
    _ = try script.perform(line: #"{"method":"GET","path":"/later/5000"}"#)
    let rung = try script.perform(line: #"{"method":"GET","path":"/wait"}"#)
    #expect(rung["body"] == ["rang": "2026-03-21T05:00:05.000Z"])
    #expect(rung["waited"] == "5s")
    let silence = try script.perform(line: #"{"method":"GET","path":"/wait"}"#)
    #expect(silence["status"] == 504)
    #expect(silence["body"]?["message"]?.string?.contains("the clock stays") == true)
    #expect(silence["waited"] == nil)
    let now = try script.perform(line: #"{"control":{"advance":{"by":"0s"}}}"#)
    #expect(now["body"] == ["now": "2026-03-21T05:00:05.000Z"])
  }

  @Test func `each service of a domain has its own port`() async throws {
    try await ServedDomain.with(ChimeBackend()) { served in
      #expect(served.server.addresses.map(\.service) == ["tower", "keeper"])
      #expect(Set(served.server.addresses.map(\.port)).count == 2)
      for address in served.server.addresses {
        let answer = try await Client.ask("GET", address.url + "/ring")
        #expect(answer.status == 204)
      }
    }
  }
}
