import Contracts
import Timekeeping

// MARK: Requests

extension Kilwinning {
  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire =
      switch request {
      case .logIn(let nome): posting("/api/fratelli/login", ["nome": .string(nome)])
      case .me: getting(["api", "fratelli", "me"])
      case .presenze(let query):
        getting(
          ["api", "presenze", "fratello", String(query.fratelloID)], ["anno": query.anno])
      case .confirm(let confirmation): confirming(confirmation)
      case .malformed(let operation, let fault): malformed(operation, fault)
      case .unrouted(let method, let target, _): WireRequest(method, target, headers: [contentType])
      }
    wire.peer = credential?.peer
    switch credential?.authorization {
    case .bearer(let token): wire.headers.append(WireHeader("Authorization", "Bearer \(token)"))
    case .malformed(let header): wire.headers.append(WireHeader("Authorization", header))
    case nil: break
    }
    if let cookie = credential?.cookie {
      wire.headers.append(WireHeader("Cookie", "kilwinning_session=\(cookie)"))
    }
    return wire
  }

  /// The client sends it with every request, `GET` included (KW-151).
  private static let contentType = WireHeader("Content-Type", "application/json")

  private static func getting(_ path: [String], _ query: WireForm = WireForm()) -> WireRequest {
    WireRequest("GET", WireTarget(path, query).text, headers: [contentType])
  }

  private static func posting(_ target: String, _ body: JSON) -> WireRequest {
    WireRequest("POST", target, headers: [contentType], body: body.bytes)
  }

  private static func confirming(_ confirmation: Confirmation) -> WireRequest {
    var body: JSONObject = [
      "tornata_id": .number(confirmation.tornataID), "presente": .bool(confirmation.presente),
    ]
    body["fratello_id"] = confirmation.fratelloID.map(JSON.number)
    var wire = posting("/api/presenze", .object(body))
    if let key = confirmation.idempotencyKey {
      wire.headers.append(WireHeader("Idempotency-Key", key))
    }
    return wire
  }

  /// A request that shows exactly this fault.
  private static func malformed(_ operation: MobileOperation, _ fault: Fault) -> WireRequest {
    var wire =
      switch operation {
      case .logIn: posting("/api/fratelli/login", ["nome": "Ignoto"])
      case .me: getting(["api", "fratelli", "me"])
      case .presenze: getting(["api", "presenze", "fratello", "1"])
      case .confirm: posting("/api/presenze", ["tornata_id": 1, "presente": true])
      case .unrouted: posting("/api/nulla", [:])
      }
    switch fault {
    case .tooLarge: wire.body = Array(repeating: UInt8(ascii: " "), count: largestBodyBytes + 1)
    case .notJSON: wire.body = Array("{".utf8)
    case .missing(let field): wire.body = replacing(field, by: nil, in: wire.body)
    case .invalid("Idempotency-Key"):
      wire.headers.append(WireHeader("Idempotency-Key", String(repeating: "k", count: 65)))
    case .invalid(let field): wire.body = replacing(field, by: [], in: wire.body)
    case .invalidPathID: wire.target = "/api/presenze/fratello/x"
    case .repeatedAnno: wire.target += "?anno=2025&anno=2026"
    }
    return wire
  }

  private static func replacing(_ field: String, by value: JSON?, in body: [UInt8]) -> [UInt8] {
    var object = JSON(parsing: body)?.object ?? [:]
    object[field] = value
    return JSON.object(object).bytes
  }
}

// MARK: Answers

extension Kilwinning {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    var response =
      switch result {
      case .success(.loggedIn(let login)): loggedIn(login)
      case .success(.fratello(let fratello)): WireResponse(200, body: document(fratello))
      case .success(.presenze(let presenze)):
        WireResponse(200, body: .array(presenze.map(document)))
      case .success(.confirmed(let answer)):
        WireResponse(
          200,
          body: [
            "success": true, "message": .optional(answer.message),
            "oltre_termine": .bool(answer.oltreTermine),
          ])
      case .failure(let refusal): refused(refusal)
      }
    response.headers += crossOrigin
    return response
  }

  /// KW-160.
  private static let crossOrigin = [
    WireHeader("Access-Control-Allow-Origin", "*"),
    WireHeader("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS"),
    WireHeader("Access-Control-Allow-Headers", "Content-Type, Authorization, Idempotency-Key"),
  ]

  private static func loggedIn(_ login: Login) -> WireResponse {
    WireResponse(
      200,
      headers: [
        WireHeader(
          "Set-Cookie",
          "kilwinning_session=\(login.token); HttpOnly; Path=/api; SameSite=Strict")
      ],
      body: [
        "user": document(login.user), "admin_access": .bool(login.user.adminAccess),
        "token": .string(login.token), "expires_at": text(login.expiresAt),
      ])
  }

  private static func refused(_ refusal: Refusal) -> WireResponse {
    var body: JSONObject = [
      "success": false, "error": .string(refusal.message), "code": .string(refusal.code),
    ]
    body["field"] = refusal.field.map(JSON.string)
    var response = WireResponse(refusal.kind.status, body: .object(body))
    if let seconds = refusal.retryAfterSeconds {
      response.headers.append(WireHeader("Retry-After", String(seconds)))
    }
    if !refusal.allowed.isEmpty {
      response.headers.append(WireHeader("Allow", refusal.allowed.joined(separator: ", ")))
    }
    return response
  }

  private static func document(_ fratello: Fratello) -> JSON {
    [
      "id": .number(fratello.id), "nome": .string(fratello.nome),
      "first_name": .string(fratello.firstName), "last_name": .string(fratello.lastName),
      "email": .string(fratello.email), "grado": .string(fratello.grado.rawValue),
      "degree": .string(fratello.grado.rawValue), "carica_fissa": .optional(fratello.caricaFissa),
      "role": .string(fratello.caricaFissa ?? "Nessuno"),
      "admin_access": .bool(fratello.adminAccess),
      "registration_date": text(fratello.registrationDate),
      "data_iniziazione": text(fratello.dataIniziazione),
      "data_passaggio": text(fratello.dataPassaggio),
      "data_elevazione": text(fratello.dataElevazione),
    ]
  }

  private static func document(_ presenza: Presenza) -> JSON {
    [
      "id": presenza.id.map(JSON.number) ?? .null, "fratello_id": .number(presenza.fratelloID),
      "brother_id": .number(presenza.fratelloID), "tornata_id": .number(presenza.tornataID),
      "presente": .bool(presenza.status == .presente), "status": .string(presenza.status.rawValue),
      "confirmed_at": text(presenza.confirmedAt),
    ]
  }

  /// UTC in whole seconds: older clients reject fractions (§2.0).
  private static func text(_ instant: Instant?) -> JSON {
    guard let instant else { return .null }
    return .string(Instant(unixSeconds: instant.unixSeconds).description.prefix(19) + "Z")
  }
}

// MARK: Showing

extension Kilwinning {
  /// These operations need no command.
  public static let controls: [ControlDeclaration] = []

  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    throw ControlProblem("\(domain) has no command '\(name)'")
  }

  public static func show(_ request: Request) -> JSON {
    switch request {
    case .logIn(let nome): ["nome": .string(nome)]
    case .me: [:]
    case .presenze(let query):
      ["fratello_id": .number(query.fratelloID), "anno": .optional(query.anno)]
    case .confirm(let confirmation):
      [
        "tornata_id": .number(confirmation.tornataID), "presente": .bool(confirmation.presente),
        "fratello_id": confirmation.fratelloID.map(JSON.number) ?? .null,
        "idempotency_key": .optional(confirmation.idempotencyKey),
      ]
    case .malformed(let operation, let fault):
      ["malformed": .string("\(operation): \(fault)")]
    case .unrouted(let method, let target, _): ["unrouted": .string("\(method) \(target)")]
    }
  }

  public static func show(_ reply: Reply) -> JSON {
    switch reply {
    case .loggedIn(let login):
      ["user": document(login.user), "token": "…", "expires_at": text(login.expiresAt)]
    case .fratello(let fratello): document(fratello)
    case .presenze(let presenze): .array(presenze.map(document))
    case .confirmed(let answer): ["oltre_termine": .bool(answer.oltreTermine)]
    }
  }
}
