import Contracts
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Answers what is no HTTP as everything else is answered: with a JSON document that says what is wrong.
///
/// The server under us answers such bytes with a bare 400, and some with nothing; it closes the connection in any case.
/// This stands between the two: it remembers the problem, and puts the document into the bare answer.
final class ProtocolProblems: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTP1Channel.Value.In
  typealias OutboundIn = HTTP1Channel.Value.Out
  typealias OutboundOut = HTTP1Channel.Value.Out

  static let mostFieldBytes = 16 << 10
  static let mostHeadBytes = 64 << 10
  static let mostFields = 100
  /// Where the parser gives up: what it still reads is judged by its parts.
  static let mostParsedBytes = 256 << 10
  static let mostHeaders =
    "the target and each header have at most \(mostFieldBytes) bytes, all together \(mostHeadBytes), and there are at most \(mostFields) headers"

  private var problem: (status: HTTPResponse.Status, message: String)?

  /// What the parser lets through is looked at where a version and all of a request's hosts are still seen.
  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(HostCheck(), position: .after(parser))
    } catch {
      preconditionFailure("the server under us has no parser to look behind: \(error)")
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard problem == nil else { return context.fireErrorCaught(error) }
    guard !(error is ChannelError), !(error is IOError) else {
      return context.fireErrorCaught(error)
    }
    problem = Self.describe(error)
    // What is no parser's error would be answered with nothing.
    context.fireErrorCaught(error is HTTPParserError ? error : HTTPParserError.unknown)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // The twin's own answers say who serves them.
    guard let problem, case .head(var head) = unwrapOutboundIn(data),
      head.headerFields[.server] == nil, head.status == .badRequest
    else { return context.write(data, promise: promise) }
    let document: JSON = ["error": "bad_request", "message": .string(problem.message)]
    let body = ByteBuffer(string: document.description)
    head.status = problem.status
    head.headerFields = [
      .contentType: "application/json; charset=utf-8", .contentLength: "\(body.readableBytes)",
      .server: "rehearsal", .date: HTTPDate.now, .connection: "close",
    ]
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: promise)
  }

  private static func describe(_ error: any Error) -> (HTTPResponse.Status, String) {
    if error is HostProblem {
      return (.badRequest, "an HTTP/1.1 request has one Host header, which names a host")
    }
    return switch error as? HTTPParserError {
    case .headerOverflow?:
      (
        .requestHeaderFieldsTooLarge, mostHeaders
      )
    case .invalidMethod?:
      (
        .notImplemented,
        "no method is called so; there are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
      )
    case .invalidVersion?: (.httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are spoken here")
    case .invalidContentLength?, .unexpectedContentLength?:
      (
        .badRequest,
        "Content-Length is one whole number, and nothing else says how long the body is"
      )
    case .invalidURL?, .invalidHost?, .invalidPort?, .invalidPath?, .invalidQueryString?,
      .invalidFragment?:
      (.badRequest, "the target is no path with a query, percent-encoded where it has to be")
    case .invalidHeaderToken?, .lfExpected?:
      (.badRequest, "a header is NAME: VALUE on a line of its own, ended by CR LF")
    case .invalidChunkSize?: (.badRequest, "a chunk's size is a hexadecimal number")
    default: (.badRequest, "this is no HTTP/1.1 request (RFC 9112)")
    }
  }
}

private struct HostProblem: Error {}

/// Refuses requests of HTTP/1.1 that do not name their host once (RFC 9112 §3.2), and whatever comes after one.
private final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart

  private var isBroken = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isBroken else { return }
    if case .head(let head) = unwrapInboundIn(data), head.version == .http1_1 {
      let hosts = head.headers["Host"]
      guard hosts.count == 1, !hosts[0].contains(where: { "/?#@, \t".contains($0) }) else {
        isBroken = true
        return context.fireErrorCaught(HostProblem())
      }
    }
    context.fireChannelRead(data)
  }
}

/// The parts of requests and responses, by names that need no further package.
extension NIOAsyncChannel {
  typealias In = Inbound
  typealias Out = Outbound
}
