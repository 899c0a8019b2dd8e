/// A contract that declares its operations and commands in a table; the whole wire mapping follows from it.
public protocol DeclaredContract: WireContract where Request: DeclaredRequest {
  /// The codes of its refusals with their statuses.
  associatedtype RefusalKind: Contracts.RefusalKind

  static var table: ContractTable<Self> { get }

  /// What a request proves its caller with.
  static func credential(of wire: WireRequest) -> Credential?
  static func present(_ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec)

  /// A target as it goes into a request that no operation takes: without what proves its caller.
  static func bare(_ target: String) -> String

  /// What a server sends with every answer of a service.
  static func headers(ofEveryAnswerOf service: Int) -> [WireHeader]

  /// How `done` is written.
  static var doneDocument: JSON { get }

  /// The security schemes by their names in OpenAPI; where nothing else is said, each alone proves a caller.
  static var security: JSONObject { get }
  /// What an operation asks of them, any one of the list.
  static func requirements(of access: Endpoint<Self>.Access) -> JSON
}

extension DeclaredContract {
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] { [] }
  public static func service(of request: Request) -> Int { table.service(of: request) ?? 0 }
  public static func bare(_ target: String) -> String { target }
  public static var done: Reply? { nil }
  public static var doneDocument: JSON { [:] }
  public static var security: JSONObject { ["bearer": ["type": "http", "scheme": "bearer"]] }
  public static func requirements(of access: Endpoint<Self>.Access) -> JSON {
    let ways = security.members.map { JSON.object([$0.name: []]) }
    return switch access {
    case .open: []
    case .optional: .array([[:]] + ways)
    case .required: .array(ways)
    }
  }

  public static var operations: [Operation] { table.operations }
  public static func operation(of request: Request) -> Int { table.operation(of: request) }

  public static func route(of operation: Operation) -> WireRoute? {
    table.endpoints.first { $0.operation == operation }?.route
  }

  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    if !table.mixer(reply, &digest) { digest.mix(-1) }
  }

  public static func fingerprint(of reply: Reply, to operation: Int, into digest: inout Digest) {
    if !table.mix(reply, to: operation, into: &digest) { fingerprint(of: reply, into: &digest) }
  }
}

// MARK: - Requests

extension DeclaredContract {
  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    (request(wire), credential(of: wire))
  }

  private static func request(_ wire: WireRequest) -> Request {
    let path = table.targets.path(of: wire.target)
    let here = path.map { ways(to: $0, wire.service) } ?? []
    let taking = here.first { $0.way.method == wire.method && !$0.endpoint.isReadElsewhere }
    do throws(Unread.Fault) {
      let query = taking == nil ? WireForm() : try table.targets.query(of: wire.target)
      let document = try table.bodies.document(of: wire, for: taking?.way.body)
      guard let (_, endpoint, _, variables) = taking else {
        var allowed: [String] = []
        for method in here.map(\.way.method) where !allowed.contains(method) {
          allowed.append(method)
        }
        return .unread(
          .unrouted(
            Unread.Unrouted(
              wire.method, bare(wire.target), service: wire.service, allowed: allowed)))
      }
      let parts = WireParts(
        path: variables, query: query, headers: wire.headers, body: document, target: wire.target,
        content: wire.body)
      do throws(Malformed) { return try endpoint.read(parts) } catch { throw Unread.Fault(error) }
    } catch {
      return .unread(.malformed(operation: taking?.index ?? table.unrouted, error))
    }
  }

  /// What can be asked for at a path of a service.
  private static func ways(
    to path: [String], _ service: Int
  ) -> [(index: Int, endpoint: Endpoint<Self>, way: WireWay, variables: [String: String])] {
    table.endpoints.enumerated().flatMap { index, endpoint in
      endpoint.route.service == service
        ? endpoint.ways.compactMap { way in
          way.variables(in: path).map { (index, endpoint, way, $0) }
        } : []
    }
  }

  /// The body of a request as its operation declares it, in full; empty for a request of another kind.
  /// - Precondition: No token of it has to be signed.
  public static func document(of request: Request) -> JSON {
    let parts = table.endpoint(of: request)?.write(request, .wire(NoSignatures()))
    return .object(parts?.body ?? JSONObject())
  }

  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire = wire(request, .wire(tokens))
    if let credential { present(credential, in: &wire, tokens: tokens) }
    return wire
  }

  /// A request without its credential, its secrets spelt as asked.
  public static func wire(_ request: Request, _ spelling: Spelling) -> WireRequest {
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
    if let (name, parameters) = table.command(of: request, spelling) {
      return WireRequest(
        "POST", "/_rehearsal/\(domain)/\(name)", headers: [BodyRules.jsonType],
        body: JSON.object(parameters).bytes)
    }
    programFault("\(domain): neither an operation nor a command: \(show(request))")
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
      if reply == done { return WireResponse(200, body: doneDocument) }
      for form in table.replyForms(for: request) {
        if let response = form.write(reply, request, spelling) { return response }
      }
      programFault("\(domain): \(reply) is no answer to \(show(request))")
    case .failure(let refusal):
      for form in table.refusalForms(for: request) {
        if let response = form.write(refusal) { return response }
      }
      programFault("\(domain): no form is declared for \(refusal)")
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
    guard let done, request.unread == nil, table.endpoint(of: request) == nil,
      table.replyForms(for: request).isEmpty
    else { return nil }
    return (200..<300).contains(response.status) ? .success(done) : nil
  }

  /// A list in a header may name more than is documented, in any order and letter case.
  public static func missingHeader(in response: WireResponse, to request: Request) -> Int? {
    guard let service = table.service(of: request) else { return nil }
    return headers(ofEveryAnswerOf: service).firstIndex { header in
      let sent = response.header(header.name)?.listed ?? []
      return !header.value.listed.allSatisfy(sent.contains)
    }
  }
}

extension String {
  /// The members of a header's list, in lower case.
  fileprivate var listed: [String] {
    split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
  }
}

extension DeclaredContract {
  public static func objection(to response: WireResponse, of request: Request) -> WireObjection {
    let forms = table.replyForms(for: request).filter { $0.status == response.status }
    let problem = forms.lazy.compactMap { $0.objection(response) }.first
    let isRefusal = RefusalKind.allCases.contains { $0.status == response.status }
    return WireObjection(
      response, isDeclared: !forms.isEmpty || isRefusal,
      problem: problem ?? (isRefusal ? .invalid("is no refusal of this contract") : nil))
  }
}

// MARK: - Commands and people who read along

extension DeclaredContract {
  public static var controls: [ControlDeclaration] { table.commands.map(\.declaration) }

  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    guard let command = table.commands.first(where: { $0.name == name }) else {
      let names = table.commands.map(\.name)
      let hint = nearest(name, among: names).map { "did you mean '\($0)'?" }
      throw ControlProblem(
        "\(domain) has no command '\(printable(name))'; "
          + (hint ?? "there are \(names.joined(separator: ", "))"))
    }
    return try command.read(parameters)
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
    return table.command(of: request, .redacted).map { [$0.name: .object($0.parameters)] } ?? [:]
  }

  public static func show(_ reply: Reply) -> JSON {
    if reply == done { return doneDocument }
    let forms =
      table.endpoints.flatMap(\.replies) + table.commands.flatMap(\.answers)
      + table.unroutedAnswers
    for form in forms {
      if let response = form.write(reply, nil, .redacted) { return response.body ?? [:] }
    }
    return [:]
  }
}

extension DeclaredContract where Signal == Never, Address == Never {
  public static func show(_ signal: Never, to address: Never, tokens: any TokenCodec) -> JSON {}
  public static func show(_ signal: Never) -> JSON {}
}
