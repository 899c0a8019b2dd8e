import Timekeeping

/// An HTTP request as a contract's wire mapping sees it.
public struct WireRequest: Hashable, Sendable {
  public var method: String
  /// Path and query as sent, percent-encoded.
  public var target: String
  public var headers: [WireHeader]
  public var body: [UInt8]
  /// Which of the contract's `services` it goes to; a service is a server with an address of its own.
  public var service: Int
  /// The network address that it came from, as the server saw it. A client never sends it; a domain that limits
  /// requests by address takes it into its credential, because a twin knows nothing else of a caller.
  public var peer: String?
  /// Who a twin in process says that the caller is, for a server that is told so in plain headers; a client never sends it as it is.
  public var caller: [String: String]?

  public init(
    _ method: String, _ target: String, headers: [WireHeader] = [], body: [UInt8] = [],
    service: Int = 0, peer: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.service = service
    self.peer = peer
  }

  /// The first header of a name, whatever its case.
  public func header(_ name: String) -> String? { headers.value(of: name) }
}

public struct WireHeader: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension WireHeader {
  /// In which an answer of a served twin's control plane says when it was made, by the twin's clock.
  public static let momentName = "Rehearsal-Now"

  public static func moment(_ instant: Instant) -> WireHeader {
    WireHeader(momentName, instant.precise)
  }
}

extension [WireHeader] {
  /// The first value of a name, whatever its case.
  public func value(of name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// An HTTP response as a contract's wire mapping sees it.
public struct WireResponse: Hashable, Sendable {
  /// What an answer holds. A server sends `json` as `application/json; charset=utf-8`.
  public enum Content: Hashable, Sendable {
    /// A redirect, a 204: no byte at all.
    case empty
    case json(JSON)
    /// Anything else: an HTML page, a CSV export, an image; the media type is its `Content-Type`.
    case bytes([UInt8], mediaType: String)
  }

  public var status: Int
  /// Without `Content-Type` and `Content-Length`, which follow from the content.
  public var headers: [WireHeader]
  public var content: Content

  public init(_ status: Int, headers: [WireHeader] = [], content: Content) {
    self.status = status
    self.headers = headers
    self.content = content
  }

  public init(_ status: Int, headers: [WireHeader] = [], body: JSON? = nil) {
    self.init(status, headers: headers, content: body.map(Content.json) ?? .empty)
  }

  /// The JSON document of an answer that is one.
  public var body: JSON? {
    get { if case .json(let document) = content { document } else { nil } }
    set { content = newValue.map(Content.json) ?? .empty }
  }

  /// The text of an answer that is neither JSON nor empty.
  public var text: String? {
    guard case .bytes(let bytes, _) = content else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The first header of a name, whatever its case.
  public func header(_ name: String) -> String? { headers.value(of: name) }

  /// An HTML page.
  public static func page(_ html: String) -> Content {
    .bytes(Array(html.utf8), mediaType: "text/html; charset=utf-8")
  }
}

/// A contract that can be spoken over HTTP.
public protocol WireContract: ServiceContract {
  /// Control commands by their names in scenarios, in `replay` and below `/_rehearsal/<domain>/`.
  static var controls: [ControlDeclaration] { get }

  /// The servers that a client of this domain speaks to, by their names; the first is the backend itself, the twin
  /// listens for the n-th on its n-th port. Everything else that varies in a path (realm, container) is part of the
  /// request, because the mapping knows no configuration.
  static var services: [String] { get }

  /// The member of an answer that gives its caller a token for the requests to come.
  static var sessionMember: String { get }

  /// The operations, by name, whose answer may hold `sessionMember`: they may be asked for under a name that has no
  /// token yet.
  static var sessionOperations: [String] { get }

  /// What callers that a command of the operator brought may be called, and the tokens that they present: the sessions
  /// and enrollments of a fixture.
  static func sessions(
    broughtBy command: Request, at now: Instant, tokens: any TokenCodec
  ) -> [(name: String, token: String)]

  /// Whether a text is a token itself, where a caller's name may stand as well.
  static func isToken(_ text: String) -> Bool

  /// The most bytes of a body that a server takes in; a rule of the backend's own about sizes lies below it.
  static var mostBodyBytes: Int { get }

  /// The header in which a server says how long the twin took, in whole microseconds; `nil` says it nowhere.
  static var serviceTimeHeader: String? { get }

  /// Which of `services` takes a request.
  static func service(of request: Request) -> Int

  /// Whether a service answers HEAD wherever it answers GET (RFC 9110 §9.3.2), so that no request says HEAD; to one that does not, it is a
  /// method like any other.
  static func answersHead(service: Int) -> Bool

  /// How an operation is asked for over HTTP; `nil` when it has no route of its own.
  static func route(of operation: Operation) -> WireRoute?

  /// The interface as an OpenAPI 3.1 document, where the contract's declarations say enough; `nil` leaves it to what `route(of:)` tells.
  static var openAPI: JSON? { get }

  /// What a client sent, typed. Everything a backend must answer is a request, malformed ones included. Requests of
  /// the operator, the environment and the harness have no route here: they come in by `control`.
  static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?)

  /// A typed request as a client sends it.
  static func write(_ request: Request, credential: Credential?, tokens: any TokenCodec)
    -> WireRequest

  /// The answer to a request as a server sends it.
  static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse

  /// The answer to a request as a client reads it; `nil` when it cannot be read, so that the outcome is unknown.
  static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?

  /// An answer as a server sends it to that very request: with what depends on headers that a typed request does not hold.
  static func suited(_ response: WireResponse, to wire: WireRequest) -> WireResponse

  /// The place of the first header that an answer lacks among those that a server sends with every answer of that service; `nil` where
  /// it lacks none.
  static func missingHeader(in response: WireResponse, to request: Request) -> Int?

  /// What is wrong with an answer that `read` could not read.
  static func objection(to response: WireResponse, of request: Request) -> WireObjection

  /// A reply that came over a wire as a journey keeps it: tokens that the harness's own key signed, as those of served twins are,
  /// become again what they say.
  static func recognised(_ reply: Reply, by tokens: any TokenCodec) -> Reply

  /// The answer to a command that says nothing more; `nil` for a contract without commands.
  static var done: Reply? { get }

  /// A control command by name with its parameters.
  static func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Request

  /// A signal as `replay` and the outbox print it; its tokens are signed now, since a tester will follow them.
  static func show(_ signal: Signal, to address: Address, tokens: any TokenCodec) -> JSON

  /// A signal and where it went, from the document that `show(_:to:tokens:)` gives; `nil` for a document that is none. Tokens that the
  /// harness's own key signed become again what they say.
  static func heard(_ document: JSON, by tokens: any TokenCodec) -> Addressed<Self>?

  /// A signal for `--events`: secrets are redacted.
  static func show(_ signal: Signal) -> JSON

  /// A device's note for `--events`.
  static func show(_ note: Note) -> JSON

  /// A request for `--events`: secrets are redacted.
  static func show(_ request: Request) -> JSON

  /// A reply for `--events`: secrets are redacted.
  static func show(_ reply: Reply) -> JSON
}

extension WireContract {
  public static var services: [String] { ["backend"] }
  public static func route(of operation: Operation) -> WireRoute? { nil }
  public static func recognised(_ reply: Reply, by tokens: any TokenCodec) -> Reply { reply }
  public static func suited(_ response: WireResponse, to wire: WireRequest) -> WireResponse {
    response
  }
  public static func missingHeader(in response: WireResponse, to request: Request) -> Int? { nil }
  public static func objection(to response: WireResponse, of request: Request) -> WireObjection {
    WireObjection(response, isDeclared: (200..<300).contains(response.status))
  }
  public static func heard(_ document: JSON, by tokens: any TokenCodec) -> Addressed<Self>? { nil }
  public static var done: Reply? { nil }
  public static var openAPI: JSON? { nil }
  public static func service(of request: Request) -> Int { 0 }
  public static func answersHead(service: Int) -> Bool { true }
  public static var sessionMember: String { "api_token" }
  public static var sessionOperations: [String] { [] }
  public static func sessions(
    broughtBy command: Request, at now: Instant, tokens: any TokenCodec
  ) -> [(name: String, token: String)] { [] }
  /// Three parts between dots, as a JWT has.
  public static func isToken(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).count == 3
  }
  public static var mostBodyBytes: Int { 1 << 20 }
  public static var serviceTimeHeader: String? { nil }
}

/// Where an operation is found, for descriptions of an interface; the mapping itself is `read` and `write`.
public struct WireRoute: Hashable, Sendable {
  public let method: String
  /// The path from the root, its variable segments in braces: `/orders/{id}`.
  public let path: String
  /// The names that the query may hold.
  public let query: [String]
  /// The service that takes it, counted as in `services`.
  public let service: Int

  public init(_ method: String, _ path: String, query: [String] = [], service: Int = 0) {
    self.method = method
    self.path = path
    self.query = query
    self.service = service
  }
}

extension WireContract {
  /// The methods that some operation takes at a target, for the header `Allow` (RFC 9110 §10.2.1); `nil` when none does.
  public static func methods(at target: String, service: Int = 0) -> String? {
    let path = WireTarget(parsing: target).path
    var methods: [String] = []
    for route in operations.compactMap({ route(of: $0) })
    where route.service == service && route.takes(path) && !methods.contains(route.method) {
      methods.append(route.method)
    }
    // What can be got can be asked about (RFC 9110 §9.3.2).
    if methods.contains("GET"), answersHead(service: service) { methods.append("HEAD") }
    return methods.isEmpty ? nil : methods.sorted().joined(separator: ", ")
  }
}

extension WireRoute {
  /// Whether a path is this route's, segment for segment; a variable one takes any text that is not empty.
  func takes(_ segments: [String]) -> Bool {
    let own = path.split(separator: "/")
    return own.count == segments.count
      && zip(own, segments).allSatisfy { own, given in
        own.hasPrefix("{") ? !given.isEmpty : own == given
      }
  }
}

/// What is wrong with a control command.
public struct ControlProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// One control command of a twin, as `rehearse commands` lists it.
public struct ControlDeclaration: Hashable, Sendable {
  public struct Parameter: Hashable, Sendable {
    public let name: String
    /// What it holds, in words: `slug`, `bool`, `instant or +span`.
    public let type: String
    public let isRequired: Bool
    public let meaning: String
    /// Other names under which it may be given.
    public var aliases: [String] = []

    public init(_ name: String, _ type: String, optional: Bool = false, _ meaning: String) {
      self.name = name
      self.type = type
      isRequired = !optional
      self.meaning = meaning
    }
  }

  public let name: String
  public let meaning: String
  public var parameters: [Parameter]
  /// Whether it does nothing unless one of its parameters is given.
  public var needsSome = false

  /// The command that moves a clock; a run moves its own.
  public static let clock = "advance"

  public init(_ name: String, _ meaning: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.meaning = meaning
    self.parameters = parameters
  }
}
