import Foundation
import HTTPLoad
import Testing
import Timekeeping

/// Calls one after another, or so many at a time, and what became of them.
private func call(
  _ url: String, times: Int = 1, places: Int = 4, method: String? = nil, headers: [String] = [],
  body: [UInt8]? = nil, options: HTTPOptions = HTTPOptions(timeOut: .seconds(10), keptBytes: 64)
) throws -> [HTTPAnswer] {
  var answers: [HTTPAnswer] = []
  let client = try HTTPClient(places: places, options: options) { _, answer in
    answers.append(answer)
  }
  let route = try HTTPRoute(url, method: method, headers: headers, body: body)
  var sent = 0
  let end = client.clock + .seconds(60)
  while answers.count < times, client.clock < end {
    while sent < times, client.hasRoom {
      client.send(route, tag: sent)
      sent += 1
    }
    client.turn(until: client.clock + .milliseconds(50))
  }
  return answers
}

@Suite struct `A call over HTTP` {
  let server: Server

  init() throws { server = try Server() }

  @Test func `brings status, size and body`() throws {
    let answers = try call(server.url("ok"), times: 50)
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
    let answers = try call(server.url("status/200"), method: method, body: body)
    #expect(answers.map(\.status) == [200])
  }

  @Test(arguments: [
    ("closes-mid-body", HTTPFailure.truncated), ("chunked-cut", .truncated),
    ("length-too-long", .responseTimeOut), ("length-no-number", .unparsable),
    ("byte-a-second", .responseTimeOut), ("chunked-garbage", .unparsable),
    ("large-header", .unparsable), ("never", .responseTimeOut), ("no-http", .unparsable),
    ("closes", .reset), ("resets", .reset),
  ])
  func `that fails says how`(path: String, failure: HTTPFailure) throws {
    let options = HTTPOptions(timeOut: .milliseconds(path == "large-header" ? 20_000 : 700))
    let answers = try call(server.url(path), times: 3, options: options)
    #expect(answers.map(\.failure) == [failure, failure, failure], "\(answers.map(\.explanation))")
  }

  @Test(arguments: [("hints-first", 200), ("nothing-with-body", 204), ("length-too-short", 200)])
  func `takes an answer that is odd but whole`(path: String, status: Int) throws {
    let answers = try call(server.url(path), times: 5)
    #expect(answers.map(\.status) == Array(repeating: status, count: 5))
    #expect(answers.allSatisfy { $0.failure == nil })
  }

  @Test func `is reset with each tenth connection and no other`() throws {
    let answers = try call(server.url("resets-each-tenth"), times: 200, places: 3)
    #expect(answers.count { $0.failure == .reset } == 20)
    #expect(answers.count { $0.failure == nil && $0.status == 200 } == 180)
  }

  @Test func `goes to nobody where nobody listens`() throws {
    let listener = try Listener()
    let answers = try call("http://127.0.0.1:\(listener.port)/", times: 5)
    #expect(answers.map(\.failure) == Array(repeating: .refused, count: 5))
    #expect(answers.allSatisfy { $0.failure?.isUnreached == true })
  }

  @Test func `speaks no TLS with a server that has none`() throws {
    let url = "https://127.0.0.1:\(server.port)/ok"
    let answers = try call(url, options: HTTPOptions(timeOut: .seconds(2)))
    #expect(answers.map(\.failure) == [.tls], "\(answers.map(\.explanation))")
  }

  @Test func `follows no redirect`() throws {
    #expect(try call(server.url("redirect")).map(\.status) == [302])
  }

  @Test func `leaves nothing behind, whatever failed ten thousand times`() throws {
    var failures = 0
    let paths = ["closes", "closes-mid-body", "chunked-garbage", "resets"]
    let routes = try paths.map { try HTTPRoute(server.url($0)) }
    let client = try HTTPClient(places: 8, options: HTTPOptions(timeOut: .seconds(20))) {
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

/// A port that is taken and on which nobody answers: bound, and not listened on.
private final class Listener {
  private let descriptor: Int32
  let port: Int

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isBound)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
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
  }

  @Test func `to a host that nobody knows is a problem with its name`() {
    #expect {
      try HTTPRoute("http://no-such-host.invalid/")
    } throws: { "\($0)".contains("no-such-host.invalid") }
  }
}
