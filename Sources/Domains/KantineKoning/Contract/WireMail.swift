import Contracts
import Timekeeping

/// A magic-link mail (§2.5, §6.3).
extension Mail {
  /// `kantinekoning://device-enroll?token=…`
  static func appLink(_ token: String) -> String {
    "kantinekoning://device-enroll?token=" + WireTarget.encode(token)
  }

  /// `https://kantinekoning.com/device-enroll?token=…`
  static func webLink(_ token: String) -> String {
    "https://kantinekoning.com/device-enroll?token=" + WireTarget.encode(token)
  }

  /// With its links: a mail that cannot be followed is of no use to its reader. Shortened, it shows none.
  func json(_ spelling: WireSpelling) -> JSON {
    let text = spelling.enrollmentToken(token)
    var members: JSONObject = [
      "to": .string(to), "tenant_slug": .string(tenantSlug), "team_codes": .strings(teamCodes),
      "platform": .optional(platform), "sent_at": .string(sentAt.description),
      "expires_at": .string(expiresAt.description), "token": text,
    ]
    if spelling.isComplete, let token = text.string {
      members["link"] = .string(Self.appLink(token))
      members["link_app"] = .string(Self.appLink(token))
      members["link_web"] = .string(Self.webLink(token))
    }
    return .object(members)
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      to: try members.text("to"), tenantSlug: try members.text("tenant_slug"),
      teamCodes: try members.texts("team_codes"), platform: try members.optionalText("platform"),
      token: .text(try members.text("token")), sentAt: try members.instant("sent_at"),
      expiresAt: try members.instant("expires_at"))
  }
}

/// What `replay`, the outbox and `--events` print.
extension KantineKoning {
  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON {
    switch signal {
    case .mail(let mail):
      var members: JSONObject = ["signal": "mail"]
      for (name, value) in mail.json(.wire(tokens)).object?.members ?? [] { members[name] = value }
      return .object(members)
    }
  }

  public static func show(_ request: Request) -> JSON {
    switch request {
    // A fixture is the operator's own file and holds identifiers in full.
    case .control(.load(let fixture)):
      return [
        "control": "load", "tenants": .number(fixture.tenants.count),
        "teams": .number(fixture.teams.count), "managers": .number(fixture.managers.count),
        "diensten": .number(fixture.diensten.count),
        "enrollments": .number(fixture.enrollments.count),
      ]
    case .control(let control):
      return ["control": .string(control.name), "parameters": control.parameters]
    case .inspect: return ["control": "inspect"]
    default: break
    }
    let wire = wireRequest(request, spelling: .redacted)
    var members: JSONObject = ["method": .string(wire.method), "path": .string(wire.target)]
    if let body = JSON(parsing: wire.body) { members["body"] = body }
    return .object(members)
  }

  public static func show(_ reply: Reply) -> JSON { json(of: reply, spelling: .redacted) }
}
