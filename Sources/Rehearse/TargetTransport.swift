import Contracts
import Foundation
import HTTPLoad
import Simulation
import Timekeeping

/// Carries requests of contracts over HTTP to the servers of a run.
///
/// At most so many are under way as it has connections; others wait here, which is part of their response times.
final class TargetTransport: WireTransport {
  private struct Waiting {
    let route: HTTPRoute
    let timeOut: Span
    let onEnd: (WireEnding) -> Void
  }

  /// By domain, then by service.
  private let servers: [String: [URL]]
  private let client: HTTPClient
  private let box: Box

  /// What has left, by tag: the client's closure is made before this is.
  private final class Box {
    var underWay: [Int: (WireEnding) -> Void] = [:]
  }

  private var line: [Waiting] = []
  private var next = 0
  /// Whoever cannot be sent is told in `rest`, as everybody is.
  private var failed: [(onEnd: (WireEnding) -> Void, why: String)] = []

  static let connections = 256
  /// More than any contract's answers hold.
  private static let keptBytes = 64 << 20

  init(_ servers: [String: [URL]]) throws(HTTPProblem) {
    self.servers = servers
    let box = Box()
    self.box = box
    client = try HTTPClient(
      places: Self.connections,
      options: HTTPOptions(keptBytes: Self.keptBytes, keepsHeaders: true),
      onEnd: { tag, answer in box.underWay.removeValue(forKey: tag)?(Self.ending(answer)) })
  }

  func send(
    _ request: WireRequest, of domain: String, timeOut: Span,
    onEnd: @escaping (WireEnding) -> Void
  ) {
    do throws(HTTPProblem) {
      line.append(
        Waiting(route: try route(request, of: domain), timeOut: timeOut, onEnd: onEnd))
      move()
    } catch {
      failed.append((onEnd, "\(error)"))
    }
  }

  private func move() {
    var moved = 0
    while moved < line.count, client.hasRoom {
      next += 1
      box.underWay[next] = line[moved].onEnd
      client.send(line[moved].route, tag: next, timeOut: line[moved].timeOut)
      moved += 1
    }
    line.removeFirst(moved)
  }

  func rest(until nanoseconds: UInt64) {
    let told = failed
    failed = []
    let now = WallClock.monotonic.nanoseconds()
    for (onEnd, why) in told { onEnd(WireEnding(.unreached(why), at: now)) }
    client.turn(until: told.isEmpty ? Instant(nanoseconds: Int64(nanoseconds)) : client.clock)
    move()
  }

  private func route(_ request: WireRequest, of domain: String) throws(HTTPProblem) -> HTTPRoute {
    guard let servers = servers[domain], servers.indices.contains(request.service) else {
      preconditionFailure("the targets were checked before the run")
    }
    let base = servers[request.service].absoluteString
    return try HTTPRoute(
      (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target,
      method: request.method, headers: request.headers.map { "\($0.name): \($0.value)" },
      body: request.body.isEmpty && ["GET", "HEAD", "DELETE"].contains(request.method)
        ? nil : request.body)
  }

  private static func ending(_ answer: HTTPAnswer) -> WireEnding {
    let nanoseconds = UInt64(answer.ended.nanoseconds)
    let what: WireEnding.Answer =
      switch answer.failure {
      case nil: .response(response(answer))
      case let failure? where failure.isUnreached: .unreached(failure.words)
      case .responseTimeOut: .timedOut
      case .reset: .reset
      default: .unreadable
      }
    return WireEnding(what, at: nanoseconds)
  }

  private static func response(_ answer: HTTPAnswer) -> WireResponse {
    let headers = answer.headers.map { WireHeader($0.name, $0.value) }
    let type = headers.value(of: "content-type") ?? ""
    let others = headers.filter {
      !["content-type", "content-length"].contains($0.name.lowercased())
    }
    let content: WireResponse.Content
    if answer.body.isEmpty {
      content = .empty
    } else if type.lowercased().contains("json"), let document = JSON(parsing: answer.body) {
      content = .json(document)
    } else {
      content = .bytes(answer.body, mediaType: type)
    }
    return WireResponse(answer.status, headers: others, content: content)
  }
}
