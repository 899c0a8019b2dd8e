import Foundation
import HTTPLoad
import LoadTargets
import Testing
import Timekeeping

@Suite struct `A call over HTTP` {
  let server: FaultyProcess

  init() throws { server = try FaultyProcess() }

  @Test func `brings status, size and body`() throws {
    let answers = try calls(server.url("ok"), times: 50)
    #expect(answers.count == 50)
    #expect(
      answers.allSatisfy {
        $0.failure == nil && $0.status == 200 && $0.bytes == 3 && $0.body == Array("ok\n".utf8)
      })
    #expect(answers.allSatisfy { $0.ended >= $0.sent })
  }

  @Test(arguments: ["GET", "HEAD", "POST", "DELETE", "PROPFIND"])
  func `is made with any method`(method: String) throws {
    let body = method == "POST" ? Array("{}".utf8) : nil
    // Whoever answers a HEAD with a body is not believed about the next answer.
    let answers = try calls(server.url("status/200"), method: method, body: body)
    #expect(answers.map(\.status) == [200])
  }

  @Test(arguments: [
    ("closes", HTTPFailure.reset), ("resets", .reset),
    ("closes-mid-header", .truncated), ("closes-mid-body", .truncated), ("chunked-cut", .truncated),
    ("length-far-too-long", .truncated), ("length-beyond-numbers", .unparsable),
    ("length-no-number", .unparsable), ("length-negative", .unparsable),
    ("lengths-differ", .unparsable), ("lengths-differ-in-a-list", .unparsable),
    ("length-with-a-sign", .unparsable), ("length-in-letters", .unparsable),
    ("closes-mid-status", .reset),
    ("chunked-garbage", .unparsable), ("chunked-too-large", .unparsable),
    ("chunked-wrong-size", .unparsable), ("chunked-negative", .unparsable),
    ("no-http", .unparsable), ("binary", .unparsable), ("http-0.9", .unparsable),
    ("no-status", .unparsable), ("status-of-four", .unparsable), ("other-version", .unparsable),
    ("header-without-colon", .unparsable), ("header-with-zero", .unparsable),
    ("large-header", .unparsable),
    ("endless-header", .unparsable), ("endless-hints", .unparsable),
  ])
  func `that fails says how`(path: String, failure: HTTPFailure) throws {
    let answers = try calls(server.url(path), times: 3, options: HTTPOptions(timeOut: .seconds(20)))
    #expect(answers.map(\.failure) == [failure, failure, failure], "\(answers.map(\.explanation))")
  }

  @Test(arguments: [
    "never", "byte-a-second", "length-too-long", "chunked-without-end", "endless-body", "switches",
  ])
  func `that does not end is given up`(path: String) throws {
    let answers = try calls(
      server.url(path), times: 3, options: HTTPOptions(timeOut: .milliseconds(700)))
    let late = HTTPFailure.responseTimeOut
    #expect(answers.map(\.failure) == [late, late, late], "\(answers.map(\.explanation))")
  }

  /// To libcurl 0 ms are for ever.
  @Test(arguments: [Span.nanoseconds(1), .microseconds(300), .milliseconds(1)])
  func `is given up after the shortest time-out, too`(timeOut: Span) throws {
    let answers = try calls(
      server.url("never"), times: 20, slots: 1, options: HTTPOptions(timeOut: timeOut))
    let late: [HTTPFailure] = [.responseTimeOut, .connectTimeOut]
    #expect(answers.count == 20)
    #expect(answers.allSatisfy { $0.failure.map(late.contains) == true }, "\(answers)")
  }

  @Test(arguments: [
    ("continue-first", 200, 3), ("hints/20", 200, 3), ("nothing-with-body", 204, 0),
    ("unchanged-with-body", 304, 0), ("length-too-short", 200, 2), ("lengths-agree", 200, 3),
    ("lengths-agree-in-a-list", 200, 3),
    ("length-and-chunks", 200, 3), ("chunked", 200, 3),
    ("packed", 200, 8), ("without-length", 200, 3), ("http-1.0", 200, 3), ("redirect", 302, 0),
  ])
  func `takes an answer that is odd but whole`(path: String, status: Int, bytes: Int) throws {
    let answers = try calls(server.url(path), times: 5, slots: 1)
    #expect(answers.map(\.status) == Array(repeating: status, count: 5))
    #expect(
      answers.allSatisfy { $0.failure == nil && $0.bytes == bytes },
      "\(answers.map(\.explanation)) \(answers.map(\.bytes))")
  }

  @Test func `takes what was said before it asked, on each connection by itself`() throws {
    let answers = try calls("http://127.0.0.1:\(server.eagerPort)/ok", times: 20, slots: 2)
    #expect(answers.allSatisfy { $0.failure == nil && $0.status == 200 && $0.bytes == 3 })
  }

  @Test(arguments: ["at-once", "alone"])
  func `never takes an answer that belongs to nobody`(how: String) throws {
    for (place, answer) in try callApart(server.url("twice/\(how)"), times: 20).enumerated() {
      #expect(answer.status == 200 && answer.body == Array("ok\n".utf8), "\(place): \(answer)")
    }
  }

  @Test func `goes on where the server left a kept connection`() throws {
    let answers = try callApart(server.url("leaves"), times: 20)
    // The connection was seen to be closed before it was used again, so that nothing had to be sent twice.
    #expect(answers.allSatisfy { $0.failure == nil && $0.requests.repeated == 0 })
  }

  @Test(arguments: ["GET", "PUT", "DELETE"])
  func `is sent again where a kept connection ends, and says so`(method: String) throws {
    let answers = try calls(server.url("drops-second"), times: 20, slots: 1, method: method)
    #expect(answers.allSatisfy { $0.failure == nil && $0.status == 200 })
    // The second of each connection found it closing, and became the first of the next one.
    #expect(answers.map(\.requests.repeated) == [0] + Array(repeating: 1, count: 19))
  }

  @Test func `is not sent again where that could have another effect`() throws {
    let answers = try calls(
      server.url("drops-second"), times: 20, slots: 1, method: "POST", body: Array("{}".utf8))
    #expect(
      answers.map(\.failure) == (0..<10).flatMap { _ in [nil, HTTPFailure.reset] },
      "\(answers.map(\.explanation))")
    #expect(answers.allSatisfy { $0.requests.repeated == 0 })
  }

  @Test(arguments: ["GET", "POST"])
  func `that a kept connection took is never one that reached nobody`(method: String) throws {
    let answers = try calls(server.url("exits-at-second"), times: 2, slots: 1, method: method)
    #expect(answers.map(\.failure) == [nil, .reset], "\(answers.map(\.explanation))")
    #expect(answers[1].requests.first == 1)
  }

  /// Calls over one connection, each after the server has done what it does behind an answer.
  private func callApart(_ url: String, times: Int) throws -> [HTTPAnswer] {
    var answers: [HTTPAnswer] = []
    let client = try HTTPClient(
      slots: 1, options: HTTPOptions(timeOut: .seconds(20), keptBytes: 64)
    ) { answers.append($1) }
    let route = try HTTPRoute(url)
    for done in 1...times {
      client.send(route, tag: done)
      while answers.count < done { client.turn(until: client.clock + .milliseconds(5)) }
      while try count("strays") < done { usleep(1_000) }
    }
    return answers
  }

  @Test func `is given one time for all the redirects that it follows`() throws {
    // Each is held for 150 ms.
    var options = following(8)
    options.timeOut = .milliseconds(400)
    let answers = try calls(server.url("slow-redirects/302/6/ok"), times: 3, options: options)
    let late = HTTPFailure.responseTimeOut
    #expect(answers.map(\.failure) == [late, late, late], "\(answers.map(\.explanation))")
  }

  private func count(_ what: String) throws -> Int {
    let answer = try #require(try calls(server.url(what)).first)
    return try #require(Int(String(decoding: answer.body, as: UTF8.self)))
  }

  @Test func `is reset with each tenth connection and no other`() throws {
    let answers = try calls(server.url("resets-each-tenth"), times: 200, slots: 3)
    #expect(answers.count { $0.failure == .reset } == 20)
    #expect(answers.count { $0.failure == nil && $0.status == 200 } == 180)
  }

  private func following(_ most: Int) -> HTTPOptions {
    var options = HTTPOptions(timeOut: .seconds(10), keptBytes: 64)
    options.follows = most
    return options
  }

  @Test(arguments: ["301/1", "302/3", "303/1", "307/2", "308/3"])
  func `follows redirects of its own server where that was asked for`(redirects: String) throws {
    let url = server.url("redirects/\(redirects)/ok")
    let followed = try calls(url, times: 8, options: following(3))
    #expect(followed.map(\.status) == Array(repeating: 200, count: 8))
    #expect(followed.allSatisfy { $0.failure == nil && $0.body == Array("ok\n".utf8) })
    let left = try calls(url)
    #expect(left.map { "\($0.status)" } == [String(redirects.prefix(3))])
    #expect(left[0].failure == nil)
  }

  @Test(arguments: ["302/4/ok", "302/1/away", "302/1/nowhere", "302/1/other"])
  func `follows no further than allowed, and to no other server`(redirects: String) throws {
    let answer = try calls(server.url("redirects/\(redirects)"), options: following(3))[0]
    #expect(answer.failure == .unexpectedStatus(302) && !answer.explanation.isEmpty)
  }

  @Test(arguments: [(301, "GET "), (302, "GET "), (303, "GET "), (307, "POST x"), (308, "POST x")])
  func `keeps its method and body where the redirect says so`(status: Int, seen: String) throws {
    let answer = try calls(
      server.url("redirects/\(status)/1/method"), method: "POST", body: Array("x".utf8),
      options: following(1))[0]
    #expect(String(decoding: answer.body, as: UTF8.self) == seen)
  }

  /// What the server read of a call, line by line.
  private func seen(
    _ path: String, _ method: String? = nil, headers: [String] = [], body: String? = nil,
    follows: Int = 0
  ) throws -> [String] {
    let answer = try #require(
      try calls(
        server.url(path), method: method, headers: headers, body: body.map { Array($0.utf8) },
        options: {
          var options = HTTPOptions(timeOut: .seconds(10), keptBytes: 4_096)
          options.follows = follows
          return options
        }()
      ).first)
    #expect(answer.failure == nil, "\(answer.explanation)")
    return String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `without a body says so where its method has one`(method: String) throws {
    #expect(try seen("echo", method).contains("Content-Length: 0"))
    #expect(try seen("echo", "DELETE").allSatisfy { !$0.hasPrefix("Content-Length") })
  }

  @Test func `carries a header without a value`() throws {
    let lines = try seen("echo", headers: ["X-Empty:", "X-Blank: ", "Accept:", "X-Full: a"])
    #expect(["X-Empty:", "X-Blank:", "Accept:", "X-Full: a"].allSatisfy(lines.contains))
    #expect(!lines.contains("Accept: */*"))
  }

  @Test func `writes what a URL cannot hold as its bytes, in path and query alike`() throws {
    let line = try seen(#"echo/ä"<>^`{|}\%41[1]?ä"<>^`{|}\=%zz&a[]=ä#fragment"#)[0]
    let odd = "%C3%A4%22%3C%3E%5E%60%7B%7C%7D%5C"
    #expect(line == "GET /echo/\(odd)%41[1]?\(odd)=%zz&a[]=%C3%A4 HTTP/1.1")
  }

  @Test(arguments: [301, 302, 303])
  func `leaves the headers of its body behind where a redirect makes it a GET`(
    status: Int
  ) throws {
    let headers = ["Content-Type: text/plain", "content-language: nl", "X-Kept: 1"]
    let lines = try seen(
      "redirects/\(status)/1/echo", headers: headers, body: "x", follows: 1)
    #expect(lines[0] == "GET /echo HTTP/1.1" && lines.contains("X-Kept: 1"))
    #expect(lines.allSatisfy { !$0.lowercased().hasPrefix("content-") }, "\(lines)")
    let kept = try seen("redirects/307/1/echo", headers: headers, body: "x", follows: 1)
    #expect(kept.contains("Content-Type: text/plain") && kept.last == "x")
  }

  @Test(arguments: ["Connection: close", "connection: x, Close", nil])
  func `is the last over its connection where it says so`(header: String?) throws {
    let said = try seen("echo", headers: header.map { [$0] } ?? [])
    #expect(said.contains { $0.lowercased().hasPrefix("connection:") } == (header != nil))
    let route = try HTTPRoute(
      server.url("echo"), headers: header.map { [$0] } ?? [], closes: header == nil)
    let answers = try calls(route, times: 5, slots: 1, options: HTTPOptions(keptBytes: 4_096))
    #expect(
      answers.allSatisfy {
        $0.failure == nil && String(decoding: $0.body, as: UTF8.self).lowercased().contains("close")
      })
    // One each, one for the call before and one for the question.
    #expect(server.ask("connections") == "7")
  }

  @Test func `with HEAD waits for no body, and carries none`() throws {
    let answers = try calls(
      server.url("header-only"), times: 3, slots: 1, method: "HEAD",
      options: HTTPOptions(timeOut: .seconds(20)))
    #expect(answers.allSatisfy { $0.failure == nil && $0.bytes == 0 }, "\(answers)")
    #expect(server.ask("connections") == "2")
    #expect(throws: HTTPProblem.bodyOfHead) {
      try HTTPRoute(server.url("ok"), method: "HEAD", body: [0x78])
    }
  }

  @Test func `says no other length than that of its body`() throws {
    for (body, said) in [("abc", "5"), ("abc", "x"), ("abc", ""), (nil, "3")] as [(String?, String)]
    {
      #expect(throws: HTTPProblem.wrongLength(body?.utf8.count ?? 0)) {
        try HTTPRoute(
          server.url("ok"), method: "POST", headers: ["content-length: \(said)"],
          body: body.map { Array($0.utf8) })
      }
    }
    let lines = try seen("echo", "POST", headers: ["Content-Length: 3"], body: "abc")
    #expect(lines.filter { $0.lowercased().hasPrefix("content-length") } == ["Content-Length: 3"])
    #expect(lines.last == "abc")
  }

  @Test func `with a line of its header beyond all reason says that, and not that memory lacks`()
    throws
  {
    let answer = try calls(server.url("long-line"))[0]
    #expect(answer.failure == .unparsable && answer.explanation.contains("too long"))
  }

  @Test func `goes to nobody where nobody listens`() throws {
    let listener = try Listener()
    let answers = try calls("http://127.0.0.1:\(listener.port)/", times: 5)
    #expect(answers.map(\.failure) == Array(repeating: .refused, count: 5))
    #expect(answers.allSatisfy { $0.failure?.isUnreached == true })
  }

  @Test func `goes nowhere where connections are never taken`() throws {
    let listener = try Listener(takesNobody: true)
    let options = HTTPOptions(connectTimeOut: .milliseconds(300), timeOut: .seconds(20))
    let answers = try calls("http://127.0.0.1:\(listener.port)/", times: 3, options: options)
    let late = HTTPFailure.connectTimeOut
    #expect(answers.map(\.failure) == [late, late, late], "\(answers.map(\.explanation))")
  }

  @Test func `speaks no TLS with a server that has none`() throws {
    let url = "https://127.0.0.1:\(server.port)/ok"
    let answers = try calls(url, options: HTTPOptions(timeOut: .seconds(2)))
    #expect(answers.map(\.failure) == [.tls], "\(answers.map(\.explanation))")
  }

  @Test func `leaves nothing behind, whatever failed ten thousand times`() throws {
    var failures = 0
    let paths = [
      "closes", "closes-mid-header", "closes-mid-body", "chunked-garbage", "chunked-cut", "resets",
      "length-negative", "lengths-differ", "length-beyond-numbers", "no-http", "binary",
      "no-status",
    ]
    let routes = try paths.map { try HTTPRoute(server.url($0)) }
    let client = try HTTPClient(slots: 8, options: HTTPOptions(timeOut: .seconds(20))) {
      _, answer in
      if answer.failure != nil { failures += 1 }
    }
    func fail(_ count: Int) {
      let goal = failures + count
      var sent = 0
      let end = client.clock + .seconds(120)
      while failures < goal, client.clock < end {
        while sent < count, client.hasRoom {
          client.send(routes[sent % routes.count], tag: sent)
          sent += 1
        }
        client.turn(until: client.clock + .milliseconds(50))
      }
    }
    fail(2_000)
    let (descriptors, memory) = (Self.descriptors, Self.residentKilobytes)
    fail(8_000)
    #expect(failures == 10_000)
    #expect(Self.descriptors <= descriptors + 8)
    #expect(Self.residentKilobytes <= memory + 4_096)
  }

  private static var descriptors: Int {
    let all = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return all?.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      return target?.hasPrefix("socket:") == true
    } ?? 0
  }

  private static var residentKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

/// A port that is taken and on which nobody answers: nobody listens, or the queue of those who wait to be taken is full.
final class Listener {
  private var descriptors: [Int32] = []
  let port: Int

  init(takesNobody: Bool = false) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors = [descriptor]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = Self.plain(&address) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
    try #require(isBound)
    port = Int(UInt16(bigEndian: address.sin_port))
    guard takesNobody else { return }
    try #require(listen(descriptor, 0) == 0)
    // More than the kernel lets wait; none of them is waited for.
    for _ in 0..<8 {
      let visitor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(visitor)
      _ = Self.plain(&address) { connect(visitor, $0, length) == 0 }
    }
  }

  private static func plain(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Bool
  ) -> Bool {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

@Suite struct `A route` {
  @Test(arguments: [
    "", "localhost", "ftp://127.0.0.1/", "http://", "http://127.0.0.1:99999/", "http://a b/",
    "http://127.0.0.1/\u{1B}[2J", "file:///etc/passwd", "http://[::1",
    "http://127.0.0.1\r\nHost: x/",
  ])
  func `is not made of what is no URL`(url: String) {
    #expect(throws: HTTPProblem.self) { try HTTPRoute(url) }
  }

  @Test(arguments: ["NoColon", "Bad Name: x", "X: a\r\nY: b", ": empty", "X: \u{0}"])
  func `takes no header that would be two, or none`(header: String) {
    #expect(throws: HTTPProblem.badHeader(String(header.prefix { $0 != ":" }))) {
      try HTTPRoute("http://127.0.0.1/", headers: [header])
    }
  }

  @Test func `shows neither password nor what a query says`() throws {
    let route = try HTTPRoute("http://anna:secret@127.0.0.1:8/a/b?token=secret&x=1#secret")
    #expect(route.shownURL == "http://…@127.0.0.1:8/a/b?token=…&x=…")
    #expect(!route.title.contains("secret") && route.name == "/a/b")
    let problem = #expect(throws: HTTPProblem.self) {
      try HTTPRoute("http://anna:secret@:x/?k=secret")
    }
    #expect(!"\(problem.map(\.description) ?? "secret")".contains("secret"))
    // A combining mark after a sign makes another character of it to Swift, and hides nothing.
    let marked = #expect(throws: HTTPProblem.self) {
      try HTTPRoute("http://anna:secret@\u{301}:x/?\u{301}k=\u{301}secret#\u{301}secret")
    }
    #expect(!"\(marked.map(\.description) ?? "secret")".contains("secret"))
  }

  @Test func `to a host that nobody knows is a problem with its name`() {
    #expect {
      try HTTPRoute("http://no-such-host.invalid/")
    } throws: { "\($0)".contains("no-such-host.invalid") }
  }
}
