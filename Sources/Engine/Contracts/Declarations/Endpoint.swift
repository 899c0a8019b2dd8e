import Timekeeping

/// An operation with the way over HTTP, declared once: reading and writing on both sides, malformed requests, redaction, digest and the
/// description of the interface follow from it.
public struct Endpoint<Contract: DeclaredContract>: Sendable {
  public typealias Request = Contract.Request

  public typealias Body = WireBody

  /// Whether a caller has to prove itself.
  public enum Access: Hashable, Sendable { case open, optional, required }

  public let operation: Operation
  public let route: WireRoute
  public let body: Body
  public let access: Access
  public let replies: [ReplyForm<Contract>]
  /// Where refusals of this operation travel otherwise than those of the contract.
  public let refusalForms: [RefusalForm<Contract>]
  /// With which codes it may refuse, beside those that every operation has.
  public let refusals: [Contract.RefusalKind]
  public let members: [ShapeMember]
  /// Whether another endpoint of the same method and path reads the requests of both and stands for those that cannot be read: what is asked decides which of the two it is.
  public private(set) var isReadElsewhere = false
  /// How it is asked for: as `route` says, then otherwise.
  public private(set) var ways: [WireWay]
  let takes: @Sendable (Request) -> Bool
  let read: @Sendable (WireParts) throws(Malformed) -> Request
  /// `nil` for a request of another operation.
  let write: @Sendable (Request, Spelling) -> WireParts?

  /// - Parameters:
  ///   - path: From the root, variable segments in braces: `/orders/{id}`.
  ///   - shape: What is asked with: in the path, the query, headers and the body.
  ///   - make: The typed request, and back.
  public init<Asked: Sendable>(
    _ name: String, _ title: String, source: String, _ method: String, _ path: String,
    service: Int = 0, body: Body = .none, access: Access = .required,
    timeout: Span = .seconds(60), isLongPoll: Bool = false, asks shape: Shape<Asked>,
    _ make: @escaping @Sendable (Asked) -> Request,
    _ get: @escaping @Sendable (Request) -> Asked?, answers: [ReplyForm<Contract>],
    refusalForms: [RefusalForm<Contract>] = [], refuses: [Contract.RefusalKind] = []
  ) {
    operation = Operation(
      name, title, source: source, timeout: timeout, isLongPoll: isLongPoll)
    route = WireRoute(
      method, path, query: shape.members.filter { $0.location == .query }.map(\.name),
      service: service)
    self.body = body
    self.access = access
    replies = answers
    self.refusalForms = refusalForms
    refusals = refuses
    members = shape.members
    ways = [WireWay(method, path, body)]
    takes = { get($0) != nil }
    read = Self.reading(shape, make)
    write = Self.writing(shape, get)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func reading<Asked: Sendable>(
    _ shape: Shape<Asked>, _ make: @escaping @Sendable (Asked) -> Request
  ) -> @Sendable (WireParts) throws(Malformed) -> Request {
    { (parts) throws(Malformed) in make(try shape.readParts(parts)) }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func writing<Asked: Sendable>(
    _ shape: Shape<Asked>, _ get: @escaping @Sendable (Request) -> Asked?
  ) -> @Sendable (Request, Spelling) -> WireParts? {
    { request, spelling in get(request).map { shape.writeParts($0, spelling) } }
  }

  /// Without parameters.
  public init(
    _ name: String, _ title: String, source: String, _ method: String, _ path: String,
    service: Int = 0, access: Access = .required, timeout: Span = .seconds(60),
    isLongPoll: Bool = false, asks request: Request, answers: [ReplyForm<Contract>],
    refusalForms: [RefusalForm<Contract>] = [], refuses: [Contract.RefusalKind] = []
  ) {
    self.init(
      name, title, source: source, method, path, service: service, access: access,
      timeout: timeout, isLongPoll: isLongPoll, asks: Shape.empty, { _ in request },
      { $0 == request ? NoMembers() : nil }, answers: answers, refusalForms: refusalForms,
      refuses: refuses)
  }
}

extension Endpoint {
  /// The requests of this one are read by another endpoint of the same method and path.
  public var readElsewhere: Endpoint {
    var endpoint = self
    endpoint.isReadElsewhere = true
    return endpoint
  }

  /// May be asked for otherwise, too: by another method, at another path, with another kind of body. A client takes the first way whose path
  /// holds just what it has to say.
  public func also(_ method: String? = nil, _ path: String? = nil, body: Body? = nil) -> Endpoint {
    var endpoint = self
    endpoint.ways.append(WireWay(method ?? route.method, path ?? route.path, body ?? self.body))
    return endpoint
  }

  /// A request with these parts, as a client sends it.
  func wire(_ parts: WireParts, _ bodies: BodyRules) -> WireRequest {
    let way = ways.first { $0.variables == Set(parts.path.keys) } ?? ways[0]
    var target = parts.target ?? WireTarget(way.path(parts.path), parts.query).text
    if parts.target != nil, !parts.query.items.isEmpty {
      target += (target.contains("?") ? "&" : "?") + parts.query.text
    }
    var wire = WireRequest(way.method, target, service: route.service)
    switch way.body {
    case .none: if bodies.isTypeAlwaysSent { wire.headers = [BodyRules.jsonType] }
    case .bytes: wire.body = parts.content
    case .json, .optionalJSON, .lenientJSON:
      wire.headers = [BodyRules.jsonType]
      wire.body = parts.content.isEmpty ? JSON.object(parts.body).bytes : parts.content
    case .form:
      wire.headers = [WireHeader("Content-Type", "application/x-www-form-urlencoded")]
      var form = WireForm()
      for (name, value) in parts.body.members where !value.isNull {
        form.append(name, value.string ?? value.description)
      }
      wire.body = Array(form.text.utf8)
    }
    wire.headers += parts.headers
    return wire
  }

  /// A request that can be read, from the members' examples.
  var example: WireParts {
    var parts = WireParts()
    for member in members {
      if let example = member.example, member.location != .target,
        member.isRequired || member.location == .body
      {
        parts.set(member.name, in: member.location, to: example)
      }
    }
    return parts
  }
}
