import Timekeeping

/// All that a contract declares about its operations and commands.
public struct ContractTable<Agreement: DeclaredContract>: Sendable {
  public let endpoints: [Endpoint<Agreement>]
  public let commands: [Command<Agreement>]
  /// Those of the endpoints in their order, then `unrouted` for requests that none of them takes, then `control` where there are commands.
  public let operations: [Operation]
  /// By service: how refusals travel where an endpoint says nothing else.
  let refusalForms: [[RefusalForm<Agreement>]]
  let bodies: BodyRules
  /// The codes with which every operation may refuse.
  let refusals: [Agreement.RefusalKind]

  /// - Parameters:
  ///   - unrouted: Where the documents say what happens to a request that no operation takes.
  ///   - refusalForms: By service, as `services` counts them.
  ///   - refusals: The codes with which every operation may refuse.
  public init(
    _ endpoints: [Endpoint<Agreement>], commands: [Command<Agreement>] = [],
    unrouted: String, operator source: String = "",
    refusalForms: [[RefusalForm<Agreement>]], refusals: [Agreement.RefusalKind] = [],
    bodies: BodyRules = BodyRules()
  ) {
    self.endpoints = endpoints
    self.commands = commands
    self.refusalForms = refusalForms
    self.refusals = refusals
    self.bodies = bodies
    operations =
      endpoints.map(\.operation) + [Operation("unrouted", "Unknown routes", source: unrouted)]
      + (commands.isEmpty
        ? [] : [Operation("control", "Operator's commands", kind: .control, source: source)])
  }

  public var unrouted: Int { endpoints.count }
  private var control: Int { endpoints.count + 1 }

  /// - Precondition: The endpoint is one of the table's.
  public func index(of endpoint: Endpoint<Agreement>) -> Int {
    guard let index = endpoints.firstIndex(where: { $0.operation == endpoint.operation }) else {
      preconditionFailure("no endpoint '\(endpoint.operation.name)' is in the table")
    }
    return index
  }

  func operation(of request: Agreement.Request) -> Int {
    switch request.unread {
    case .malformed(let operation, _): operation
    case .unrouted: unrouted
    case nil: endpoints.firstIndex { $0.takes(request) } ?? control
    }
  }

  /// `nil` for a request that goes another way.
  func endpoint(of request: Agreement.Request) -> Endpoint<Agreement>? {
    let operation = operation(of: request)
    return endpoints.indices.contains(operation) ? endpoints[operation] : nil
  }

  func replyForms(for request: Agreement.Request) -> [ReplyForm<Agreement>] {
    endpoint(of: request)?.replies ?? []
  }

  /// `nil` for a command.
  func service(of request: Agreement.Request) -> Int? {
    switch request.unread {
    case .unrouted(let unrouted): unrouted.service
    case .malformed(let operation, _):
      endpoints.indices.contains(operation) ? endpoints[operation].route.service : 0
    case nil: endpoint(of: request)?.route.service
    }
  }

  func refusalForms(for request: Agreement.Request) -> [RefusalForm<Agreement>] {
    (endpoint(of: request)?.refusalForms ?? []) + refusalForms[service(of: request) ?? 0]
  }
}
