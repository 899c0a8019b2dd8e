import Backends
import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Timekeeping

/// Turns what arrives at one port into requests of a contract, and answers of the twin into responses.
struct Front<Domain: Backend>: Sendable {
  typealias Contract = Domain.Contract

  private let twin: ServedTwin<Domain>
  private let service: Int
  private let faults: Faults
  private let options: ServingOptions
  private let plane: ControlPlane<Domain>

  init(_ twin: ServedTwin<Domain>, service: Int, faults: Faults, options: ServingOptions) {
    self.twin = twin
    self.service = service
    self.faults = faults
    self.options = options
    plane = ControlPlane(twin, faults: faults)
  }

  /// Answers one request of a connection; throwing closes it.
  var respond: HTTPChannelHandler.Responder {
    { (request, writer: consuming ResponseWriter, channel) in
      // Without it, clients that ask first wait a second before they send their body (RFC 9110 §10.1.1).
      if request.headers[.expect]?.lowercased() == "100-continue", !isTooLong(request) {
        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
      }
      let response = try await response(to: request, of: channel)
      try await writer.write(response: response.head, body: response.body)
    }
  }

  private func response(to request: Request, of channel: any Channel) async throws -> Response {
    var request = request
    if let excess = Self.excess(of: request) {
      _ = channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
      return Self.response(excess, to: request, isLast: true)
    }
    guard let body = try await read(&request, of: channel) else {
      // Who has not read the answer by then was not going to.
      _ = channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
      return Self.response(.tooLarge, to: request, isLast: true)
    }
    let wire = wireRequest(of: request, body: body, from: channel.remoteAddress?.ipAddress)
    if request.method == .options, wire.target == "*" {
      return Self.response(.options(of: Self.methods), to: request)
    }
    if let answer = control(wire) {
      return Self.response(Self.describing(answer, to: request), to: request)
    }
    let (answer, waited) = try await answer(wire, to: request)
    return Self.response(Self.describing(answer, to: request), to: request, isLast: waited)
  }

  // MARK: - Reading

  /// What is said to a head that is longer than allowed. The parser allows more, so that a target can be told from a header.
  private static func excess(of request: Request) -> WireResponse? {
    let most = ProtocolProblems.mostFieldBytes
    if request.head.path?.utf8.count ?? 0 > most {
      return .tooLong(414, "the target has at most \(most) bytes")
    }
    var whole = 0
    for header in request.headers {
      let bytes = header.name.rawName.utf8.count + header.value.utf8.count
      if bytes > most { return .tooLong(431, ProtocolProblems.mostHeaders) }
      whole += bytes
    }
    return whole > ProtocolProblems.mostHeadBytes
      ? .tooLong(431, ProtocolProblems.mostHeaders) : nil
  }

  private var mostBodyBytes: Int { options.mostBodyBytes ?? Contract.mostBodyBytes }

  /// The whole body; `nil` when it is longer than allowed.
  private func read(_ request: inout Request, of channel: any Channel) async throws -> [UInt8]? {
    guard
      request.headers[.contentLength] != nil || request.headers[.transferEncoding] != nil
    else { return [] }
    if isTooLong(request) { return nil }
    // However slowly it trickles: the body as a whole has its time.
    let deadline = channel.eventLoop.scheduleTask(in: .init(options.readTimeout)) {
      channel.close(promise: nil)
    }
    defer { deadline.cancel() }
    var bytes: [UInt8] = []
    for try await part in request.body {
      guard bytes.count + part.readableBytes <= mostBodyBytes else { return nil }
      bytes.append(contentsOf: part.readableBytesView)
    }
    request.body = RequestBody(buffer: ByteBuffer(bytes: bytes))
    return bytes
  }

  /// Whether a body is announced that is longer than allowed.
  private func isTooLong(_ request: Request) -> Bool {
    guard let length = request.headers[.contentLength] else { return false }
    return Int(length).map { $0 > mostBodyBytes } ?? true
  }

  private func wireRequest(
    of request: Request, body: [UInt8], from peer: String?
  ) -> WireRequest {
    var headers = request.headers.map { WireHeader($0.name.rawName, $0.value) }
    if let host = request.head.authority { headers.append(WireHeader("Host", host)) }
    let target = request.head.path ?? "/"
    // HEAD is GET without the body (RFC 9110 §9.3.2), unless the contract says otherwise.
    let isRead =
      request.method == .head
      && (Contract.answersHead(service: service) || Self.isControl(target))
    return WireRequest(
      isRead ? "GET" : request.method.rawValue, target, headers: headers, body: body,
      service: service, peer: peer)
  }

  // MARK: - Answering

  /// What can be asked of this server at all.
  private static var methods: String { "DELETE, GET, HEAD, PATCH, POST, PUT" }

  /// Where the contract itself knows no OPTIONS at a path, they are the methods that it knows there (RFC 9110 §9.3.7).
  private static func describing(_ answer: WireResponse, to request: Request) -> WireResponse {
    guard request.method == .options, answer.status == 405, let methods = answer.header("Allow")
    else { return answer }
    return .options(of: methods)
  }

  private func control(_ wire: WireRequest) -> WireResponse? {
    guard Self.isControl(wire.target) else { return nil }
    return options.control ? plane.answer(wire, at: Self.path(of: wire.target)) : .notFound
  }

  private static func isControl(_ target: String) -> Bool {
    let path = path(of: target)
    return path == "/_rehearsal" || path.hasPrefix("/_rehearsal/")
  }

  private static func path(of target: String) -> Substring {
    WireTarget.withoutOrigin(target).prefix { $0 != "?" }
  }

  /// The twin's answer with the faults that the request meets, and whether its connection was watched meanwhile: such
  /// a connection cannot be used again.
  private func answer(
    _ wire: WireRequest, to request: Request
  ) async throws -> (WireResponse, waited: Bool) {
    let met = faults.meet(operation: { operation(of: wire) }, at: { twin.now })
    if met.delay > .zero { try await Task.sleep(for: .nanoseconds(met.delay.nanoseconds)) }
    switch met.end {
    case .status(let status, let retryAfter): return (.error(status, retryAfter), false)
    case .requestLost: return (try await silence(for: wire, to: request), true)
    case .connectionRefused: throw CutOff()
    default: break
    }
    let begun = twin.begin(wire)
    if met.isDuplicated, case .waiting(let ticket) = twin.begin(wire) { twin.abandon(ticket) }
    if met.end == .answerLost { return (try await silence(for: wire, to: request, begun), true) }
    if met.end == .connectionReset {
      if case .waiting(let ticket) = begun { twin.abandon(ticket) }
      throw CutOff()
    }
    let (response, waited) = try await answer(begun, of: wire, to: request)
    return (met.end == .truncated ? response.truncated : response, waited)
  }

  private func answer(
    _ begun: ServedTwin<Domain>.Begun, of wire: WireRequest, to request: Request
  ) async throws -> (WireResponse, waited: Bool) {
    switch begun {
    case .answered(let response): (response, false)
    case .waiting(let ticket):
      (
        Contract.suited(
          try await watching(request) { await twin.lateAnswer(to: ticket) }, to: wire), true
      )
    }
  }

  private func operation(of wire: WireRequest) -> Int {
    Contract.operation(of: Contract.read(wire).request)
  }

  /// Says nothing until the client hangs up or has lost its patience.
  private func silence(
    for wire: WireRequest, to request: Request, _ begun: ServedTwin<Domain>.Begun? = nil
  ) async throws -> WireResponse {
    let patience = Contract.operations[operation(of: wire)].timeout
    let end = ContinuousClock.now + .nanoseconds(patience.nanoseconds)
    return try await watching(request) {
      if case .waiting(let ticket)? = begun { _ = await twin.lateAnswer(to: ticket) }
      try await Task.sleep(until: end, clock: .continuous)
      return WireResponse(504, body: ["error": "timed_out"])
    }
  }

  /// Does something lengthy; when the client hangs up meanwhile it is cancelled, and the connection closed.
  private func watching(
    _ request: Request, _ work: @Sendable () async throws -> WireResponse
  ) async throws -> WireResponse {
    try await request.body.consumeWithCancellationOnInboundClose { _ in try await work() }
  }

  // MARK: - Writing

  private static func response(
    _ answer: WireResponse, to request: Request, isLast: Bool = false
  ) -> Response {
    var headers = HTTPFields()
    for header in answer.headers {
      if let name = HTTPField.Name(header.name) {
        headers.append(HTTPField(name: name, value: header.value))
      }
    }
    var body = ByteBuffer()
    switch answer.content {
    case .empty: break
    case .json(let document):
      headers[.contentType] = "application/json; charset=utf-8"
      body.writeString(document.description)
    case .bytes(let bytes, let mediaType):
      headers[.contentType] = mediaType
      body.writeBytes(bytes)
    }
    headers[.server] = "rehearsal"
    headers[.date] = HTTPDate.now
    if isLast { headers[.connection] = "close" }
    if request.method == .head { headers[.contentLength] = String(body.readableBytes) }
    let isBare = request.method == .head || body.readableBytes == 0
    var response = Response(
      status: .init(code: answer.status), headers: headers,
      body: isBare ? ResponseBody() : ResponseBody(byteBuffer: body))
    if answer.status == 204 || answer.status == 304 { response.headers[.contentLength] = nil }
    return response
  }
}

/// Closes a connection without an answer.
private struct CutOff: Error {}

extension WireResponse {
  static var notFound: WireResponse { WireResponse(404, body: ["error": "not_found"]) }

  /// What a front answers by itself (RFC 9110 §10.2.3: whole seconds, rounded up).
  static func error(_ status: Int, _ retryAfter: Span?) -> WireResponse {
    let seconds = retryAfter.map { ($0.nanoseconds + 999_999_999) / 1_000_000_000 }
    return WireResponse(
      status, headers: seconds.map { [WireHeader("Retry-After", String($0))] } ?? [],
      body: ["error": status == 503 ? "server_error" : "injected_status"])
  }

  /// The first half of the body, as a broken proxy may pass it on.
  var truncated: WireResponse {
    guard case .json(let document) = content else {
      guard case .bytes(let bytes, let mediaType) = content else { return self }
      return truncated(Array(bytes), mediaType)
    }
    return truncated(Array(document.description.utf8), "application/json; charset=utf-8")
  }

  private func truncated(_ bytes: [UInt8], _ mediaType: String) -> WireResponse {
    var response = self
    response.content = .bytes(Array(bytes.prefix(bytes.count / 2)), mediaType: mediaType)
    return response
  }
  static func tooLong(_ status: Int, _ message: String) -> WireResponse {
    WireResponse(status, body: ["error": "bad_request", "message": .string(message)])
  }

  static func options(of methods: String) -> WireResponse {
    WireResponse(204, headers: [WireHeader("Allow", methods + ", OPTIONS")])
  }

  static var tooLarge: WireResponse { WireResponse(413, body: ["error": "content_too_large"]) }
}
