import Contracts

extension AsiaTravelPlan {
  public static let controls: [ControlDeclaration] = [
    ControlDeclaration(
      "rotateKeys", "The provider signs with a new key from now on.",
      [.init("keepOld", "bool", "whether the old key stays published")]),
    ControlDeclaration(
      "keySetArrived", "The environment brings the keys that the API fetched.",
      [
        .init("realm", "text", "the provider's realm"),
        .init("keys", "list of keys", optional: true, "none when nobody answered"),
      ]),
  ]

  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    switch name {
    case "rotateKeys":
      guard let keepOld = parameters["keepOld"]?.bool else {
        throw ControlProblem("rotateKeys: 'keepOld' is true or false")
      }
      return .control(.rotateKeys(keepOld: keepOld))
    case "keySetArrived":
      guard let realm = parameters["realm"]?.string else {
        throw ControlProblem("keySetArrived: 'realm' is missing")
      }
      if parameters["keys"] ?? .null == .null { return .keySetArrived(realm: realm, nil) }
      guard let keys = keySet(parameters) else {
        throw ControlProblem("keySetArrived: 'keys' is a list of RSA keys with kid, n and e")
      }
      return .keySetArrived(realm: realm, keys)
    default: throw ControlProblem("\(domain) has no command '\(name)'")
    }
  }

  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .keySetFetch(let realm, let keys):
      [
        "to": "provider",
        "keySetFetch": ["realm": .string(realm), "kids": .strings(keys.keys.map(\.kid))],
      ]
    }
  }

  /// Passwords, codes, verifiers and tokens are left out.
  public static func show(_ request: Request) -> JSON {
    switch request {
    case .authorize(let asked):
      [
        "realm": .string(asked.realm), "client_id": .optional(asked.clientID),
        "redirect_uri": .optional(asked.redirectURI), "prompt": .optional(asked.prompt),
      ]
    case .logIn(let form): ["username": .string(form.username), "password": "…"]
    case .token(let asked):
      [
        "realm": .string(asked.realm), "grant_type": .optional(asked.grantType),
        "client_id": .optional(asked.clientID),
      ]
    case .keySet(let realm): ["realm": .string(realm)]
    case .endSession(let asked):
      [
        "realm": .string(asked.realm), "client_id": .optional(asked.clientID),
        "post_logout_redirect_uri": .optional(asked.postLogoutRedirectURI),
      ]
    case .confirmEndSession: [:]
    case .booking(let id), .activities(let id), .invoices(let id): ["booking": .string(id)]
    case .unrouted(let method, let target, let service):
      ["unrouted": .string("\(method) \(target)"), "service": .string(services[service])]
    case .keySetArrived(let realm, let keys):
      ["realm": .string(realm), "keys": keys.map { .number($0.keys.count) } ?? .null]
    case .control(.rotateKeys(let keepOld)): ["keepOld": .bool(keepOld)]
    }
  }

  public static func show(_ reply: Reply) -> JSON {
    switch reply {
    case .loginPage(let page): ["page": "login", "message": .optional(page.message)]
    case .redirected(let redirect):
      ["location": .string(redirect.target), "code": redirect.code == nil ? .null : "…"]
    case .tokens(let set):
      [
        "access_token": "…", "expires_in": .number(set.expiresInSeconds),
        "scope": .string(set.scope),
      ]
    case .keys(let set): ["kids": .strings(set.keys.map(\.kid))]
    case .endSessionPage: ["page": "end session"]
    case .booking(let detail): detail.document
    case .activities(let activities): .array(activities.map(\.document))
    case .invoices(let invoices): .array(invoices.map(\.document))
    case .done: [:]
    }
  }
}
