import Timekeeping

/// All that a contract declares about its operations and commands.
public struct ContractTable<Contract: DeclaredContract>: Sendable {
  public let endpoints: [Endpoint<Contract>]
  public let commands: [Command<Contract>]
  /// Those of the endpoints in their order, then `unrouted` for requests that none of them takes, then `control` where there are commands, then those without a way over HTTP.
  public let operations: [Operation]
  /// By service: how refusals travel where an endpoint says nothing else.
  let refusalForms: [[RefusalForm<Contract>]]
  let bodies: BodyRules
  let targets: TargetRules
  /// The codes with which every operation may refuse.
  let refusals: [Contract.RefusalKind]
  /// How requests that no operation takes are answered where they are not refused.
  let unroutedAnswers: [ReplyForm<Contract>]
  /// Which endpoint takes a request, as its index.
  private let taker: @Sendable (Contract.Request) -> Int?
  /// Takes a reply into a digest; whether it is one of an endpoint's.
  let mixer: @Sendable (Contract.Reply, inout Digest) -> Bool
  /// By endpoint, the same for a reply of its own; empty where one reply may answer several of them.
  private let ownMixers: [@Sendable (Contract.Reply, inout Digest) -> Bool]

  /// - Parameters:
  ///   - unrouted: Where the documents say what happens to a request that no operation takes.
  ///   - refusalForms: By service, as `services` counts them.
  ///   - refusals: The codes with which every operation may refuse.
  ///   - unroutedAnswers: How requests that no operation takes are answered where they are not refused: `OPTIONS` of any path.
  ///   - isEachReplyOfOneOperation: Whether no two endpoints are answered by the same kind of reply: then a digest need not look for
  ///     the one that a reply answers.
  ///   - timeout: How long clients wait for the answer to a request that no operation takes.
  ///   - others: Operations of the harness and the environment.
  public init(
    _ endpoints: [Endpoint<Contract>], commands: [Command<Contract>] = [],
    unrouted: String, operator source: String = "",
    refusalForms: [[RefusalForm<Contract>]], refusals: [Contract.RefusalKind] = [],
    unroutedAnswers: [ReplyForm<Contract>] = [], bodies: BodyRules = BodyRules(),
    targets: TargetRules = .lenient, isEachReplyOfOneOperation: Bool = false,
    timeout: Span = .seconds(60), others: [Operation] = []
  ) {
    self.endpoints = endpoints
    self.commands = commands
    self.refusalForms = refusalForms
    self.refusals = refusals
    self.unroutedAnswers = unroutedAnswers
    taker = Self.taker(endpoints)
    mixer = Self.mixer(endpoints[...])
    ownMixers =
      isEachReplyOfOneOperation
      ? endpoints.indices.map { Self.mixer(endpoints[$0...$0]) } : []
    self.bodies = bodies
    self.targets = targets
    operations =
      endpoints.map(\.operation) + [
        Operation("unrouted", "Unknown routes", source: unrouted, timeout: timeout)
      ]
      + (commands.isEmpty
        ? [] : [Operation("control", "Operator's commands", kind: .control, source: source)])
      + others
  }

  public var unrouted: Int { endpoints.count }
  private var control: Int { endpoints.count + 1 }

  /// - Precondition: The endpoint is one of the table's.
  public func index(of endpoint: Endpoint<Contract>) -> Int {
    guard let index = endpoints.firstIndex(where: { $0.operation == endpoint.operation }) else {
      programFault(
        "\(Contract.domain): endpoint '\(endpoint.operation.name)' is not in the contract's table")
    }
    return index
  }

  /// Whether callers of an operation have to prove themselves.
  public func needsCredential(_ operation: Int) -> Bool {
    endpoints.indices.contains(operation) && endpoints[operation].access == .required
  }

  /// Whether the reply is the operation's own, so that it was mixed.
  func mix(_ reply: Contract.Reply, to operation: Int, into digest: inout Digest) -> Bool {
    operation < ownMixers.count && ownMixers[operation](reply, &digest)
  }

  /// The operation that a request is, found by asking each endpoint; a contract with many may look at the request itself.
  public func operation(of request: Contract.Request) -> Int {
    switch request.unread {
    case .malformed(let operation, _): operation
    case .unrouted: unrouted
    case nil: taker(request) ?? control
    }
  }

  // Each closure holds the next: going through the endpoints would copy every one of them for each request.

  private static func taker(
    _ endpoints: [Endpoint<Contract>]
  ) -> @Sendable (Contract.Request) -> Int? {
    var all: @Sendable (Contract.Request) -> Int? = { _ in nil }
    for (index, endpoint) in endpoints.enumerated().reversed() {
      let (takes, others) = (endpoint.takes, all)
      all = { takes($0) ? index : others($0) }
    }
    return all
  }

  private static func mixer(
    _ endpoints: ArraySlice<Endpoint<Contract>>
  ) -> @Sendable (Contract.Reply, inout Digest) -> Bool {
    var all: @Sendable (Contract.Reply, inout Digest) -> Bool = { _, _ in false }
    for (index, endpoint) in zip(endpoints.indices, endpoints).reversed() {
      for form in endpoint.replies.reversed() {
        let (mix, others) = (form.mix, all)
        all = { reply, digest in
          guard mix(reply, &digest) else { return others(reply, &digest) }
          digest.mix(index)
          return true
        }
      }
    }
    return all
  }

  /// The command that a request is, with its parameters; `nil` for an operation.
  public func command(
    of request: Contract.Request, _ spelling: Spelling
  ) -> (name: String, parameters: JSONObject)? {
    for command in commands {
      if let parameters = command.write(request, spelling) { return (command.name, parameters) }
    }
    return nil
  }

  /// `nil` for a request that goes another way.
  func endpoint(of request: Contract.Request) -> Endpoint<Contract>? {
    let operation = Contract.operation(of: request)
    return endpoints.indices.contains(operation) ? endpoints[operation] : nil
  }

  func replyForms(for request: Contract.Request) -> [ReplyForm<Contract>] {
    if let endpoint = endpoint(of: request) { return endpoint.replies }
    if case .unrouted? = request.unread { return unroutedAnswers }
    return commands.first { $0.takes(request) }?.answers ?? []
  }

  /// `nil` for a command.
  func service(of request: Contract.Request) -> Int? {
    switch request.unread {
    case .unrouted(let unrouted): unrouted.service
    case .malformed(let operation, _):
      endpoints.indices.contains(operation) ? endpoints[operation].route.service : 0
    case nil: endpoint(of: request)?.route.service
    }
  }

  func refusalForms(for request: Contract.Request) -> [RefusalForm<Contract>] {
    (endpoint(of: request)?.refusalForms ?? []) + refusalForms[service(of: request) ?? 0]
  }
}
