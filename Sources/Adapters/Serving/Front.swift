import Backends
import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Turns what arrives at one port into requests of a contract, and answers of the twin into responses.
struct Front<Room: Backend>: Sendable {
  typealias Agreement = Room.Agreement

  private let twin: ServedTwin<Room>
  private let service: Int
  private let faults: Faults
  private let options: ServingOptions
  private let plane: ControlPlane<Room>

  init(_ twin: ServedTwin<Room>, service: Int, faults: Faults, options: ServingOptions) {
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
    guard let body = try await read(&request, of: channel) else {
      // Who has not read the answer by then was not going to.
      _ = channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
      return Self.response(.tooLarge, to: request, isLast: true)
    }
    let wire = wireRequest(of: request, body: body, from: channel.remoteAddress?.ipAddress)
    if let answer = control(wire) { return Self.response(answer, to: request) }
    let (answer, waited) = try await answer(wire, to: request)
    return Self.response(answer, to: request, isLast: waited)
  }

  // MARK: - Reading

  private var mostBodyBytes: Int { options.mostBodyBytes ?? Agreement.mostBodyBytes }

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
    // HEAD is GET without the body (RFC 9110 §9.3.2); no contract needs to know.
    let method = request.method == .head ? "GET" : request.method.rawValue
    return WireRequest(
      method, request.head.path ?? "/", headers: headers, body: body, service: service, peer: peer)
  }

  // MARK: - Answering

  private func control(_ wire: WireRequest) -> WireResponse? {
    let path = WireTarget.withoutOrigin(wire.target).prefix { $0 != "?" }
    guard path == "/_rehearsal" || path.hasPrefix("/_rehearsal/") else { return nil }
    return options.control ? plane.answer(wire, at: path) : .notFound
  }

  /// The twin's answer with the faults that the request meets, and whether its connection was watched meanwhile: such
  /// a connection cannot be used again.
  private func answer(
    _ wire: WireRequest, to request: Request
  ) async throws -> (WireResponse, waited: Bool) {
    let met = faults.draw()
    if met.isServerError { return (.serverError, false) }
    if met.delay > .zero { try await Task.sleep(for: .nanoseconds(met.delay.nanoseconds)) }
    if met.isRequestLost { return (try await silence(for: wire, to: request), true) }
    let begun = twin.begin(wire)
    if met.isAnswerLost { return (try await silence(for: wire, to: request), true) }
    switch begun {
    case .answered(let response): return (response, false)
    case .waiting(let ticket):
      return (try await watching(request) { await twin.lateAnswer(to: ticket) }, true)
    }
  }

  /// Says nothing until the client hangs up or has lost its patience.
  private func silence(for wire: WireRequest, to request: Request) async throws -> WireResponse {
    let operation = Agreement.operation(of: Agreement.read(wire).request)
    let patience = Agreement.operations[operation].timeout
    return try await watching(request) {
      try await Task.sleep(for: .nanoseconds(patience.nanoseconds))
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

extension WireResponse {
  static var notFound: WireResponse { WireResponse(404, body: ["error": "not_found"]) }
  static var serverError: WireResponse { WireResponse(503, body: ["error": "server_error"]) }
  static var tooLarge: WireResponse { WireResponse(413, body: ["error": "content_too_large"]) }
}
