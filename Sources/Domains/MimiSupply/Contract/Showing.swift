import Contracts

extension MimiSupply {
  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .notification(let notification): ["notification": notification.document]
    }
  }

  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON {
    switch (signal, address) {
    case (.notification(let notification), .device(let token)):
      ["token": .string(token), "notification": notification.document]
    }
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let isShown): ["foreground": .bool(isShown)]
    case .offerDecided(let offer, let accepted):
      ["offerDecided": ["offer": .string(offer), "accepted": .bool(accepted)]]
    case .app(let note): note.document
    case .listening: ["listening": [:]]
    case .onDelivery(let begins): ["onDelivery": .bool(begins)]
    }
  }

  /// Tokens, identities and addresses that open something by themselves are left out.
  public static func show(_ request: Request) -> JSON {
    switch request {
    case .poll(let poll): return ["timeout": poll.timeoutSeconds.map(JSON.number) ?? .null]
    case .upload(let upload): return show(upload.content)
    case .download: return [:]
    case .registerToken(_, let environment, _): return ["apnsEnvironment": .string(environment)]
    case .signIn(let asked): return ["deviceID": .optional(asked.deviceID)]
    case .partnerStats(let partner): return ["partner": .string(partner)]
    case .malformed(let operation, _, let problem):
      return ["malformed": .string("\(operation): \(problem.rawValue)")]
    case .unrouted(let method, let target): return ["unrouted": .string("\(method) \(target)")]
    case .control(.delivered(_, let notification)):
      return ["delivered": ["notification": .string(notification)]]
    case .control(.load(let fixture)):
      return [
        "load": [
          "users": .number(fixture.users.count), "sessions": .number(fixture.sessions.count),
          "records": .number(fixture.records.count),
        ]
      ]
    case .control(.setApiTokens): return ["setApiTokens": [:]]
    case .control(let control): return .object([control.name: control.parameters])
    case .inspect(let types): return ["inspect": types.map { ["types": .strings($0)] } ?? [:]]
    default:
      guard case .object(var body) = document(of: request) else { return [:] }
      body["database"] = location(of: request).database.map(JSON.string)
      return .object(body)
    }
  }

  private static func show(_ content: Upload.Content) -> JSON {
    switch content {
    case .bytes(let bytes): ["bytes": .number(bytes.count)]
    case .synthetic(let size, _): ["synthetic": .number(size)]
    case .unreadable: ["synthetic": nil]
    }
  }

  public static func show(_ reply: Reply) -> JSON {
    switch reply.content {
    case .tokenCreated(let token):
      ["apnsEnvironment": .string(token.apnsEnvironment), "apnsToken": "…"]
    case .uploads(let targets):
      ["tokens": .array(targets.map { ["fieldName": .string($0.fieldName)] })]
    case .uploaded(let asset):
      ["fileChecksum": .string(asset.fileChecksum), "size": .number(asset.size)]
    case .downloaded(let bytes): ["bytes": .number(bytes.count)]
    case .signedIn(let answer):
      [
        "userRecordName": .string(answer.userRecordName), "isNewUser": .bool(answer.isNewUser),
        "requiresRoleSelection": .bool(answer.requiresRoleSelection),
      ]
    case .refreshed(_, let expires): ["expiresAt": .int(expires.unixMilliseconds)]
    default: document(of: reply.content)
    }
  }
}
