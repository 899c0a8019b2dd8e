/// A contract that declares its operations and commands in a table; the whole wire mapping follows from it.
public protocol DeclaredContract: WireContract where Request: DeclaredRequest {
  /// The codes of its refusals with their statuses.
  associatedtype RefusalKind: Contracts.RefusalKind

  static var table: ContractTable<Self> { get }

  /// What a request proves its caller with.
  static func credential(of wire: WireRequest) -> Credential?
  static func present(_ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec)

  /// What a server sends with every answer of a service.
  static func headers(ofEveryAnswerOf service: Int) -> [WireHeader]

  /// The answer to a command that says nothing more; `nil` for a contract without commands.
  static var done: Reply? { get }

  /// The security schemes by their names in OpenAPI; each alone proves a caller.
  static var security: JSONObject { get }
}

extension DeclaredContract {
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] { [] }
  public static var done: Reply? { nil }
  public static var security: JSONObject { ["bearer": ["type": "http", "scheme": "bearer"]] }

  public static var operations: [Operation] { table.operations }
  public static func operation(of request: Request) -> Int { table.operation(of: request) }

  public static func route(of operation: Operation) -> WireRoute? {
    table.endpoints.first { $0.operation == operation }?.route
  }

  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    for (index, endpoint) in table.endpoints.enumerated() {
      for form in endpoint.replies where form.mix(reply, &digest) {
        digest.mix(index)
        return
      }
    }
    digest.mix(-1)
  }
}

// MARK: - Requests

extension DeclaredContract {
  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    (request(wire), credential(of: wire))
  }

  private static func request(_ wire: WireRequest) -> Request {
    let target = WireTarget(parsing: wire.target)
    let here = table.endpoints.enumerated().compactMap { index, endpoint in
      endpoint.route.service == wire.service
        ? endpoint.variables(in: target.path).map { (index, endpoint, $0) } : nil
    }
    let taking = here.first { $0.1.route.method == wire.method }
    let operation = taking?.0 ?? table.unrouted
    if let most = table.bodies.most, wire.body.count > most {
      return .unread(.malformed(operation: operation, .tooLarge))
    }
    guard let document = table.bodies.document(of: wire, for: taking?.1) else {
      return .unread(.malformed(operation: operation, .noDocument))
    }
    guard let (_, endpoint, variables) = taking else {
      var allowed: [String] = []
      for method in here.map(\.1.route.method) where !allowed.contains(method) {
        allowed.append(method)
      }
      return .unread(
        .unrouted(
          Unread.Unrouted(wire.method, wire.target, service: wire.service, allowed: allowed)))
    }
    let parts = WireParts(
      path: variables, query: target.query, headers: wire.headers, body: document,
      target: wire.target)
    do { return try endpoint.read(parts) } catch {
      return .unread(.malformed(operation: operation, Unread.Fault(error)))
    }
  }

  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire = wire(request, .wire(tokens))
    if let credential { present(credential, in: &wire, tokens: tokens) }
    return wire
  }

  private static func wire(_ request: Request, _ spelling: Spelling) -> WireRequest {
    switch request.unread {
    case .malformed(let operation, let fault): return broken(operation, fault)
    case .unrouted(let it):
      let headers = table.bodies.isTypeAlwaysSent ? [BodyRules.jsonType] : []
      return WireRequest(it.method, it.target, headers: headers, service: it.service)
    case nil: break
    }
    for endpoint in table.endpoints {
      if let parts = endpoint.write(request, spelling) { return endpoint.wire(parts, table.bodies) }
    }
    for command in table.commands {
      if let parameters = command.write(request, spelling) {
        return WireRequest(
          "POST", "/_rehearsal/\(domain)/\(command.name)", headers: [BodyRules.jsonType],
          body: JSON.object(parameters).bytes)
      }
    }
    preconditionFailure("\(domain): neither an operation nor a command: \(show(request))")
  }
}

// MARK: - Answers

extension DeclaredContract {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    var response = written(result, to: request, .wire(tokens))
    if let service = table.service(of: request) {
      response.headers += headers(ofEveryAnswerOf: service)
    }
    return response
  }

  private static func written(
    _ result: Result<Reply, Refusal>, to request: Request, _ spelling: Spelling
  ) -> WireResponse {
    switch result {
    case .success(let reply):
      if reply == done { return WireResponse(200, body: [:]) }
      for form in table.replyForms(for: request) {
        if let response = form.write(reply, request, spelling) { return response }
      }
      preconditionFailure("\(domain): \(reply) is no answer to \(show(request))")
    case .failure(let refusal):
      for form in table.refusalForms(for: request) {
        if let response = form.write(refusal) { return response }
      }
      preconditionFailure("\(domain): no form is declared for \(refusal)")
    }
  }

  public static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?
  {
    for form in table.replyForms(for: request) {
      if let reply = form.read(response, request) { return .success(reply) }
    }
    for form in table.refusalForms(for: request) {
      if let refusal = form.read(response) { return .failure(refusal) }
    }
    guard let done, request.unread == nil, table.endpoint(of: request) == nil else { return nil }
    return response.status == 200 ? .success(done) : nil
  }
}

// MARK: - Commands and people who read along

extension DeclaredContract {
  public static var controls: [ControlDeclaration] { table.commands.map(\.declaration) }

  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    guard let command = table.commands.first(where: { $0.name == name }) else {
      let hint = nearest(name, among: table.commands.map(\.name)).map { "; did you mean '\($0)'?" }
      throw ControlProblem("\(domain) has no command '\(printable(name))'\(hint ?? "")")
    }
    return try command.request(parameters)
  }

  public static func show(_ request: Request) -> JSON {
    switch request.unread {
    case .malformed(let operation, let fault):
      return ["malformed": .string("\(table.operations[operation].name): \(fault)")]
    case .unrouted(let it):
      return [
        "unrouted": .string("\(it.method) \(it.target)"), "service": .string(services[it.service]),
      ]
    case nil: break
    }
    for endpoint in table.endpoints {
      if let parts = endpoint.write(request, .redacted) { return .object(parts.together) }
    }
    for command in table.commands {
      if let parameters = command.write(request, .redacted) {
        return [command.name: .object(parameters)]
      }
    }
    return [:]
  }

  public static func show(_ reply: Reply) -> JSON {
    for endpoint in table.endpoints {
      for form in endpoint.replies {
        if let response = form.write(reply, nil, .redacted) { return response.body ?? [:] }
      }
    }
    return [:]
  }
}

extension DeclaredContract where Signal == Never, Address == Never {
  public static func show(_ signal: Never, to address: Never, tokens: any TokenCodec) -> JSON {}
  public static func show(_ signal: Never) -> JSON {}
}
