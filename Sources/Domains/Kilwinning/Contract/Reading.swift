import Contracts
import Timekeeping

// MARK: Requests

extension Kilwinning {
  /// Bodies above this are refused before they are parsed (KW-152).
  public static let largestBodyBytes = 102_400

  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    (request(wire), credential(wire))
  }

  private static func request(_ wire: WireRequest) -> Request {
    let route = Route(wire)
    if wire.body.count > largestBodyBytes { return .malformed(route.operation, .tooLarge) }
    // The body parser runs before any route (§3.3), but only for JSON (KW-152).
    let document = isJSON(wire) && !wire.body.isEmpty ? JSON(parsing: wire.body) : [:]
    guard let document, document.object != nil || document.array != nil else {
      return .malformed(route.operation, .notJSON)
    }
    switch route {
    case .logIn: return logIn(document)
    case .me: return .me
    case .presenze(let id, let query):
      guard let id = decimal(id) else { return .malformed(.presenze, .invalidPathID) }
      guard query.count(of: "anno") < 2 else { return .malformed(.presenze, .repeatedAnno) }
      return .presenze(PresenzeQuery(fratelloID: id, anno: query["anno"]))
    case .confirm: return confirmation(document, key: wire.header("Idempotency-Key"))
    case .unrouted(let allowed):
      return .unrouted(method: wire.method, target: wire.target, allowed: allowed)
    }
  }

  private enum Route {
    case logIn, me, confirm
    case presenze(String, WireForm)
    case unrouted(allowed: [String])

    init(_ wire: WireRequest) {
      let target = WireTarget(parsing: wire.target)
      switch (wire.method, Array(target.path.prefix(1)), Array(target.path.dropFirst())) {
      case ("POST", ["api"], ["fratelli", "login"]): self = .logIn
      case (_, ["api"], ["fratelli", "login"]): self = .unrouted(allowed: ["POST"])
      case ("GET", ["api"], ["fratelli", "me"]): self = .me
      case (_, ["api"], ["fratelli", "me"]): self = .unrouted(allowed: ["GET"])
      case ("POST", ["api"], ["presenze"]): self = .confirm
      case (_, ["api"], ["presenze"]): self = .unrouted(allowed: ["POST"])
      case (let method, ["api"], let rest)
      where rest.count == 3 && rest.starts(with: ["presenze", "fratello"]):
        self = method == "GET" ? .presenze(rest[2], target.query) : .unrouted(allowed: ["GET"])
      default: self = .unrouted(allowed: [])
      }
    }

    var operation: MobileOperation {
      switch self {
      case .logIn: .logIn
      case .me: .me
      case .presenze: .presenze
      case .confirm: .confirm
      case .unrouted: .unrouted
      }
    }
  }

  private static func isJSON(_ wire: WireRequest) -> Bool {
    wire.header("Content-Type")?.lowercased().hasPrefix("application/json") ?? false
  }

  private static func decimal(_ text: String) -> Int? {
    guard !text.isEmpty,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func logIn(_ body: JSON) -> Request {
    switch body["nome"] {
    case nil, .null: .malformed(.logIn, .missing(field: "nome"))
    case .string(let nome)
    where nome.unicodeScalars.allSatisfy(\.properties.isWhitespace):
      .malformed(.logIn, .missing(field: "nome"))
    case .string(let nome): .logIn(nome: nome)
    default: .malformed(.logIn, .invalid(field: "nome"))
    }
  }

  private static func confirmation(_ body: JSON, key: String?) -> Request {
    func fault(_ field: String) -> Request {
      let isMissing = body[field] == nil || body[field] == .null
      return .malformed(.confirm, isMissing ? .missing(field: field) : .invalid(field: field))
    }
    guard let tornata = body["tornata_id"]?.int else { return fault("tornata_id") }
    guard let presente = body["presente"]?.bool else { return fault("presente") }
    let fratello = body["fratello_id"]?.int
    if let sent = body["fratello_id"], sent != .null, fratello == nil {
      return fault("fratello_id")
    }
    if let key, !(1...64).contains(key.count) {
      return .malformed(.confirm, .invalid(field: "Idempotency-Key"))
    }
    return .confirm(
      Confirmation(
        tornataID: tornata, presente: presente, fratelloID: fratello, idempotencyKey: key))
  }

  private static func credential(_ wire: WireRequest) -> Credential? {
    let credential = Credential(
      peer: wire.peer, authorization: wire.header("Authorization").map(authorization),
      cookie: wire.header("Cookie").flatMap(cookie))
    return credential == Credential() ? nil : credential
  }

  /// `Bearer`, in any case, one space, a token and nothing after it (KW-010).
  private static func authorization(_ header: String) -> Authorization {
    let parts = header.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty else {
      return .malformed(header)
    }
    return .bearer(String(parts[1]))
  }

  private static func cookie(_ header: String) -> String? {
    for pair in header.split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == "kilwinning_session" { return String(parts[1]) }
    }
    return nil
  }
}

// MARK: Answers

extension Kilwinning {
  public static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?
  {
    guard let body = response.body else { return nil }
    guard response.status == 200 else { return refusal(response, body).map { .failure($0) } }
    let reply: Reply? =
      switch request {
      case .logIn: login(body).map { .loggedIn($0) }
      case .me: fratello(body).map { .fratello($0) }
      case .presenze: presenze(body).map { .presenze($0) }
      case .confirm: acknowledgement(body).map { .confirmed($0) }
      case .malformed, .unrouted: nil
      }
    return reply.map { .success($0) }
  }

  private static func refusal(_ response: WireResponse, _ body: JSON) -> Refusal? {
    guard let code = body["code"]?.string, let kind = Refusal.Code(rawValue: code),
      kind.status == response.status
    else { return nil }
    return Refusal(
      kind, body["error"]?.string ?? "", field: body["field"]?.string,
      retryAfterSeconds: response.header("Retry-After").flatMap { Int($0) },
      allowed: response.header("Allow").map { header in
        header.split(separator: ",").map { String($0.drop { $0 == " " }) }
      } ?? [])
  }

  private static func login(_ body: JSON) -> Login? {
    guard let user = body["user"].flatMap(fratello), let token = body["token"]?.string,
      let expires = instant(body["expires_at"]), body["admin_access"]?.bool == user.adminAccess
    else { return nil }
    return Login(user: user, token: token, expiresAt: expires)
  }

  private static func fratello(_ body: JSON) -> Fratello? {
    guard let id = body["id"]?.int, let nome = body["nome"]?.string,
      let first = body["first_name"]?.string, let last = body["last_name"]?.string,
      let email = body["email"]?.string,
      let grado = body["grado"]?.string.flatMap(Fratello.Grado.init),
      body["degree"] == body["grado"], body["role"]?.string != nil,
      let admin = body["admin_access"]?.bool, let registered = instant(body["registration_date"])
    else { return nil }
    return Fratello(
      id: id, nome: nome, firstName: first, lastName: last, email: email, grado: grado,
      caricaFissa: body["carica_fissa"]?.string, adminAccess: admin, registrationDate: registered,
      dataIniziazione: instant(body["data_iniziazione"]),
      dataPassaggio: instant(body["data_passaggio"]),
      dataElevazione: instant(body["data_elevazione"]))
  }

  private static func presenze(_ body: JSON) -> [Presenza]? {
    guard let items = body.array else { return nil }
    let presenze = items.compactMap(presenza)
    return presenze.count == items.count ? presenze : nil
  }

  private static func presenza(_ body: JSON) -> Presenza? {
    guard let fratello = body["fratello_id"]?.int, body["brother_id"] == body["fratello_id"],
      let tornata = body["tornata_id"]?.int,
      let status = body["status"]?.string.flatMap(Presenza.Status.init),
      body["presente"]?.bool == (status == .presente)
    else { return nil }
    return Presenza(
      id: body["id"]?.int, fratelloID: fratello, tornataID: tornata, status: status,
      confirmedAt: instant(body["confirmed_at"]))
  }

  private static func acknowledgement(_ body: JSON) -> Acknowledgement? {
    guard body["success"]?.bool == true else { return nil }
    return Acknowledgement(
      message: body["message"]?.string, oltreTermine: body["oltre_termine"]?.bool ?? false)
  }

  private static func instant(_ value: JSON?) -> Instant? { value?.string.flatMap { Instant($0) } }
}
