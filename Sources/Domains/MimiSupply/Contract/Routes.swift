import Contracts

/// Where each operation is found (§3.1, §3.2, §3.4).
extension MimiSupply {
  /// How an operation's path is put together.
  enum Place {
    /// `/database/1/{container}/{environment}/{database}/…`
    case database(String, String)
    /// The same; the database may be left out (§3.1).
    case token(String, String)
    case mimi([String])
  }

  static func place(of operation: MobileOperation) -> (method: String, Place)? {
    switch operation {
    case .query: ("POST", .database("records", "query"))
    case .lookup: ("POST", .database("records", "lookup"))
    case .modify: ("POST", .database("records", "modify"))
    case .changes: ("POST", .database("records", "changes"))
    case .listZones: ("GET", .database("zones", "list"))
    case .lookupZones: ("POST", .database("zones", "lookup"))
    case .modifyZones: ("POST", .database("zones", "modify"))
    case .changedZones: ("POST", .database("zones", "changes"))
    case .listSubscriptions: ("GET", .database("subscriptions", "list"))
    case .lookupSubscriptions: ("POST", .database("subscriptions", "lookup"))
    case .modifySubscriptions: ("POST", .database("subscriptions", "modify"))
    case .createToken: ("POST", .token("tokens", "create"))
    case .registerToken: ("POST", .token("tokens", "register"))
    case .requestUploads: ("POST", .database("assets", "upload"))
    case .currentUser: ("GET", .database("users", "current"))
    case .signIn: ("POST", .mimi(["auth", "apple"]))
    case .selectRole: ("POST", .mimi(["auth", "role"]))
    case .refresh: ("POST", .mimi(["auth", "refresh"]))
    case .signOut: ("POST", .mimi(["auth", "signout"]))
    case .exportAccount: ("POST", .mimi(["account", "export"]))
    case .deleteAccount: ("POST", .mimi(["account", "delete"]))
    case .partnerStats: ("GET", .mimi(["partners", "{id}", "stats"]))
    case .upload, .download, .poll, .unrouted, .control, .inspect: nil
    }
  }

  /// The operations that need no body (§3.1).
  static func isRead(_ operation: MobileOperation) -> Bool {
    place(of: operation)?.method == "GET"
  }

  private static let byPath: [String: MobileOperation] = Dictionary(
    uniqueKeysWithValues: MobileOperation.allCases.compactMap { operation in
      switch place(of: operation)?.1 {
      case .database(let a, let b)?, .token(let a, let b)?: ("\(a)/\(b)", operation)
      case .mimi(let path)?: ("mimi/" + path.joined(separator: "/"), operation)
      case nil: nil
      }
    } + [("changes/database", .changedZones)])

  /// The operation that a path names, whatever the method; `nil` when none does.
  static func operation(at path: [String]) -> (MobileOperation, Location, subject: String?)? {
    switch path.first {
    case "database" where path.count > 5 && path[1] == "1":
      let rest = Array(path.dropFirst(4))
      guard let operation = byPath[rest.suffix(2).joined(separator: "/")] else { return nil }
      var location = Location(container: path[2], environment: path[3], database: nil)
      if rest.count == 3 {
        location.database = rest[0]
      } else {
        guard rest.count == 2, case .token? = place(of: operation)?.1 else { return nil }
      }
      return (operation, location, nil)
    case "mimi" where path.count > 2 && path[1] == "1":
      let rest = Array(path.dropFirst(2))
      let nowhere = Location(database: nil)
      if rest.count == 3, rest[0] == "partners", rest[2] == "stats" {
        return (.partnerStats, nowhere, rest[1])
      }
      return byPath["mimi/" + rest.joined(separator: "/")].map { ($0, nowhere, nil) }
    default: return nil
    }
  }

  /// What is wrong with a request that no operation takes (§3.1, check 1; §7.1).
  public static func routeProblem(method: String, target: String) -> Failure {
    let path = WireTarget(parsing: target).path
    if path.count > 2, ["database", "mimi"].contains(path[0]), path[1] != "1" {
      return Failure(
        .badRequest, .incompatibleVersion,
        "version \(printable(path[1])) is not spoken here, only 1")
    }
    if operation(at: path) != nil || isFile(path) {
      return Failure(
        .badRequest, .invalidArguments, "\(printable(method)) is no method of this path")
    }
    return Failure(.notFound, .unknownItem, "there is no such path")
  }

  private static func isFile(_ path: [String]) -> Bool {
    path.starts(with: ["courier", "1"]) || path.starts(with: ["assets", "1"])
  }

  public static func route(of operation: Operation) -> WireRoute? {
    guard let known = MobileOperation(named: operation.name) else { return nil }
    switch known {
    case .poll: return WireRoute("GET", "/courier/1/{token}", query: ["timeout"])
    case .upload: return WireRoute("POST", "/assets/1/upload/{ticket}")
    case .download: return WireRoute("GET", "/assets/1/file/{file}/{expires}/{key}")
    default: break
    }
    guard let (method, place) = place(of: known) else { return nil }
    let credentials = ["ckAPIToken", "ckWebAuthToken"]
    let path =
      switch place {
      case .database(let a, let b):
        "/database/1/{container}/{environment}/{database}/\(a)/\(b)"
      case .token(let a, let b): "/database/1/{container}/{environment}/\(a)/\(b)"
      case .mimi(let rest): "/mimi/1/" + rest.joined(separator: "/")
      }
    return WireRoute(method, path, query: credentials)
  }
}
