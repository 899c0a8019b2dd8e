import Contracts
import DomainList
import Foundation
import KantineKoningDomain
import Serving
import Testing
import Timekeeping

@Suite struct `Faults between client and twin` {
  @Test func `server errors end when they are cleared`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      try await served.command("setFault", #"{"kind":"serverError"}"#)
      let failed = try await Client.ask("GET", served.url + "/nowhere")
      #expect(failed.status == 503)
      #expect(failed.json == ["error": "server_error"])
      try await served.command("clearFaults")
      #expect(try await Client.ask("GET", served.url + "/nowhere").status == 404)
    }
  }

  @Test func `a share of the requests is hit, the same at every start`() async throws {
    var runs: [[Int]] = []
    for _ in 1...2 {
      let statuses = try await ServedDomain.with(KantineKoningBackend()) { served in
        try await served.command("setFault", #"{"kind":"serverError","share":"30%"}"#)
        var statuses: [Int] = []
        for _ in 1...60 {
          statuses.append(try await Client.ask("GET", served.url + "/nowhere").status)
        }
        return statuses
      }
      runs.append(statuses)
    }
    // Of 60 at 30 % fewer than 6 or more than 32 come once in a hundred thousand streams.
    #expect((6...32).contains(runs[0].count { $0 == 503 }))
    #expect(runs[0] == runs[1])
  }

  @Test func `latency delays a request by what was asked for`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      try await served.command("setFault", #"{"kind":"latency","delay":"250ms"}"#)
      let begun = ContinuousClock.now
      #expect(try await Client.ask("GET", served.url + "/nowhere").status == 404)
      #expect(ContinuousClock.now - begun >= .milliseconds(250))
    }
  }

  @Test func `a lost request changes nothing, a lost answer does, and nobody is answered`()
    async throws
  {
    try await ServedDomain.with(ChimeBackend(), clock: .running(from: Domains.epoch)) { served in
      async let rung = Client.ask("GET", served.url + "/wait")
      #expect(await served.until { served.twin.waiting == 1 })

      try await served.command("setFault", #"{"kind":"requestLost"}"#)
      let lost = try Connection(port: served.port)
      await lost.send("GET /ring HTTP/1.1\r\nHost: x\r\n\r\n")
      lost.hangUp()
      #expect(served.twin.waiting == 1)
      try await served.command("clearFaults")

      try await served.command("setFault", #"{"kind":"answerLost"}"#)
      let deaf = try Connection(port: served.port)
      await deaf.send("GET /ring HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try await rung
      #expect(answer.status == 200)
      deaf.hangUp()
    }
  }

  @Test func `a status of one's own choice comes with the time to come again`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      try await served.command("setFault", #"{"kind":"status","status":429,"retryAfter":"1500ms"}"#)
      let answer = try await Client.ask("GET", served.url + "/nowhere")
      #expect(answer.status == 429 && answer.headers["retry-after"] == "2")
      try await served.command("clearFaults")
      #expect(try await Client.ask("GET", served.url + "/nowhere").status == 404)
    }
  }

  @Test func `a fault ends after so many requests, and meets its operation alone`() async throws {
    try await ServedDomain.with(ChimeBackend()) { served in
      try await served.command("setFault", #"{"kind":"serverError","operation":"ring","count":2}"#)
      var statuses: [Int] = []
      for path in ["/later/9", "/ring", "/ring", "/ring"] {
        statuses.append(try await Client.ask("GET", served.url + path).status)
      }
      #expect(statuses == [204, 503, 503, 204])
    }
  }

  @Test func `a connection is reset after the twin has acted, and an answer can arrive in half`()
    async throws
  {
    try await ServedDomain.with(ChimeBackend(), clock: .running(from: Domains.epoch)) { served in
      async let rung = Client.ask("GET", served.url + "/wait")
      #expect(await served.until { served.twin.waiting == 1 })
      try await served.command("setFault", #"{"kind":"connectionReset"}"#)
      let cut = try Connection(port: served.port)
      await cut.send("GET /ring HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await cut.isClosed())
      #expect(try await rung.status == 200)
    }
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let whole = try await Client.ask("GET", served.url + "/nowhere")
      try await served.command("setFault", #"{"kind":"truncated"}"#)
      let half = try await Client.ask("GET", served.url + "/nowhere")
      #expect(half.status == 404 && half.json == nil && !half.body.isEmpty)
      #expect(half.body == Array(whole.body.prefix(whole.body.count / 2)))
    }
  }

  @Test func `silence ends with 504 when the operation's time-out has passed`() async throws {
    try await ServedDomain.with(ChimeBackend()) { served in
      try await served.command("setFault", #"{"kind":"requestLost"}"#)
      #expect(try await Client.ask("GET", served.url + "/brief").status == 504)
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"kind":"fire"}"#, #"{"kind":"latency"}"#, #"{"kind":"latency","delay":"fast"}"#,
    #"{"kind":"serverError","delay":"1s"}"#, #"{"kind":"serverError","share":2}"#,
    #"{"kind":"serverError","share":"many"}"#, #"{"kind":"serverError","speed":1}"#,
    #"{"kind":"connectionRefused"}"#, #"{"kind":"status"}"#, #"{"kind":"status","status":200}"#,
    #"{"kind":"serverError","operation":"nothing"}"#, #"{"kind":"serverError","count":-1}"#,
    #"{"kind":"serverError","until":"2020-01-01T00:00:00Z"}"#,
  ])
  func `a switch that makes no sense is refused in words`(parameters: String) async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let answer = try await served.command("setFault", parameters)
      #expect(answer.status == 400)
      #expect(answer.json?["message"]?.string?.contains("setFault") == true)
      #expect(try await Client.ask("GET", served.url + "/nowhere").status == 404)
    }
  }
}
