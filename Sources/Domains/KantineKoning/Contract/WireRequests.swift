import Contracts

/// Requests over HTTP (§3.1, §3.4).
extension KantineKoning: WireContract {
  static let basePath = "/api/mobile/v1"
  static let controlPath = "/_rehearsal/kantine-koning"

  // MARK: Reading

  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    (request(of: wire), credential(of: wire))
  }

  /// What the `Authorization` header says (§3.2 step 2).
  private static func credential(of wire: WireRequest) -> Credential? {
    guard let header = wire.header("Authorization") else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .malformed }
    return .bearer(.text(String(parts[1])))
  }

  private static func request(of wire: WireRequest) -> Request {
    let target = MobileTarget(wire.target)
    guard let segments = target.segments, segments.starts(with: ["api", "mobile", "v1"]) else {
      return .unrouted(methodNotAllowed: false)
    }
    let path = Array(segments.dropFirst(3))
    // No route has an empty part: what is left out of a path is not found, whatever stands around it (§3.2 step 1).
    guard !path.contains("") else { return .unrouted(methodNotAllowed: false) }
    let routes = routes(to: path) + boardRoutes(to: path)
    guard !routes.isEmpty else { return .unrouted(methodNotAllowed: false) }
    guard let route = routes.first(where: { $0.method == wire.method }) else {
      return .unrouted(methodNotAllowed: true)
    }
    do throws(Malformed) {
      return try route.read(try target.parameters(), wire.body)
    } catch {
      return .malformed(route.operation, error.why)
    }
  }

  struct Route {
    let method: String
    let operation: MobileOperation
    let read: ([String: String], [UInt8]) throws(Malformed) -> Request
  }

  /// The operations that a path below the base has.
  private static func routes(to path: [String]) -> [Route] {
    switch path {
    case ["enrollments", "request"]:
      [
        Route(method: "POST", operation: .requestEnrollment) { (_, body) throws(Malformed) in
          .requestEnrollment(try EnrollmentRequest(WireMembers(body: body)))
        }
      ]
    case ["enrollments", "register"]:
      [
        Route(method: "POST", operation: .register) { (_, body) throws(Malformed) in
          .register(try Registration(WireMembers(body: body)))
        }
      ]
    case ["enrollments", "sync"]:
      [
        Route(method: "POST", operation: .sync) { (_, body) throws(Malformed) in
          .sync(try SyncRequest(WireMembers(body: body)))
        }
      ]
    case ["enrollments", "status"]:
      [Route(method: "GET", operation: .status) { (_, _) throws(Malformed) in .status }]
    case ["tenants"]:
      [Route(method: "GET", operation: .tenants) { (_, _) throws(Malformed) in .tenants }]
    case ["teams", "search"]:
      [
        Route(method: "GET", operation: .searchTeams) { (query, _) throws(Malformed) in
          guard let tenant = query["tenant"], let text = query["q"] else {
            throw Malformed("'tenant' and 'q' are required")
          }
          return .searchTeams(tenant: tenant, query: text)
        }
      ]
    case ["diensten"]:
      [
        Route(method: "GET", operation: .diensten) { (query, _) throws(Malformed) in
          .diensten(
            DienstenQuery(
              tenant: query["tenant"], pastDays: query["past_days"],
              futureDays: query["future_days"]))
        }
      ]
    default: volunteerRoutes(to: path) + deviceRoutes(to: path) + takeoverRoutes(to: path)
    }
  }

  private static func volunteerRoutes(to path: [String]) -> [Route] {
    guard path.count == 3, path[0] == "diensten", path[2] == "volunteer" else { return [] }
    let id = path[1]
    return [
      Route(method: "POST", operation: .addVolunteer) { (query, body) throws(Malformed) in
        let naam = try WireMembers(body: body).text("naam")
        return .addVolunteer(VolunteerChange(dienstID: id, tenant: query["tenant"], naam: naam))
      },
      Route(method: "DELETE", operation: .removeVolunteer) { (query, _) throws(Malformed) in
        guard let naam = query["naam"] else { throw Malformed("'naam' is missing") }
        return .removeVolunteer(VolunteerChange(dienstID: id, tenant: query["tenant"], naam: naam))
      },
    ]
  }

  // MARK: Writing

  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire = wireRequest(request, spelling: .wire(tokens))
    switch credential {
    case .bearer(let token):
      let text = token.text(signedBy: tokens)
      wire.headers.insert(WireHeader("Authorization", "Bearer \(text)"), at: 0)
    case .malformed: wire.headers.insert(WireHeader("Authorization", "Basic"), at: 0)
    case nil: break
    }
    return wire
  }

  /// A request as it goes over the wire, its secrets spelled as asked.
  static func wireRequest(_ request: Request, spelling: WireSpelling) -> WireRequest {
    switch request {
    case .requestEnrollment(let asked): post("/enrollments/request", asked.json)
    case .register(let asked): post("/enrollments/register", asked.json(spelling))
    case .sync(let asked): post("/enrollments/sync", asked.json(spelling))
    case .status: WireRequest("GET", basePath + "/enrollments/status")
    case .tenants: WireRequest("GET", basePath + "/tenants")
    case .searchTeams(let tenant, let query):
      WireRequest(
        "GET", MobileTarget.write(basePath + "/teams/search", [("tenant", tenant), ("q", query)]))
    case .diensten(let query):
      WireRequest(
        "GET",
        MobileTarget.write(
          basePath + "/diensten",
          [
            ("tenant", query.tenant), ("past_days", query.pastDays),
            ("future_days", query.futureDays),
          ]))
    case .addVolunteer(let change):
      post(
        MobileTarget.write(volunteerPath(change), [("tenant", change.tenant)]),
        ["naam": .string(change.naam)])
    case .removeVolunteer(let change):
      WireRequest(
        "DELETE",
        MobileTarget.write(
          basePath + volunteerPath(change), [("tenant", change.tenant), ("naam", change.naam)]))
    case .removeTeams, .removeTenant, .removeAll, .setEmailPreference, .updateApnsToken:
      deviceRequest(request, spelling: spelling)
    case .availableDiensten, .takeover, .claimDienst, .offerTransfer, .answerCallToAction:
      takeoverRequest(request, spelling: spelling)
    case .apns(let report):
      WireRequest(
        "POST", controlPath + "/" + report.name, headers: [jsonHeader],
        body: report.parameters(spelling).bytes)
    case .searchClubs(let query): searchClubs(query)
    case .leaderboard(let query): leaderboard("/leaderboard", query)
    case .globalLeaderboard(let query): leaderboard("/leaderboard/global", query)
    case .banners(let query): banners(query)
    case .seasonSummary(let tenant, let team): seasonSummary(of: team, in: tenant)
    case .malformed(let operation, _): malformed(operation)
    case .unrouted(methodNotAllowed: false): WireRequest("GET", basePath + "/nowhere")
    case .unrouted(methodNotAllowed: true): WireRequest("PATCH", basePath + "/enrollments/status")
    case .control(let control):
      WireRequest(
        "POST", controlPath + "/" + control.name, headers: [jsonHeader],
        body: control.parameters.bytes)
    case .inspect:
      WireRequest(
        "POST", controlPath + "/inspect", headers: [jsonHeader], body: JSON.object([:]).bytes)
    }
  }

  static let jsonHeader = WireHeader("Content-Type", "application/json")

  private static func post(_ path: String, _ body: JSON) -> WireRequest { send("POST", path, body) }

  static func send(_ method: String, _ path: String, _ body: JSON) -> WireRequest {
    WireRequest(method, basePath + path, headers: [jsonHeader], body: body.bytes)
  }

  private static func volunteerPath(_ change: VolunteerChange) -> String {
    "/diensten/" + MobileTarget.encode(change.dienstID) + "/volunteer"
  }

  /// Bytes that an operation cannot read: a body that is no JSON, a query that is no text.
  private static func malformed(_ operation: MobileOperation) -> WireRequest {
    let path: String =
      switch operation {
      case .allowedTeams, .requestEnrollment: "/enrollments/request"
      case .register: "/enrollments/register"
      case .sync: "/enrollments/sync"
      case .status: "/enrollments/status"
      case .tenants: "/tenants"
      case .searchTeams: "/teams/search"
      case .diensten: "/diensten"
      case .addVolunteer, .removeVolunteer: "/diensten/none/volunteer"
      case .searchClubs: "/tenants/search"
      case .leaderboard: "/leaderboard"
      case .globalLeaderboard: "/leaderboard/global"
      case .banners: "/banners"
      case .seasonSummary: "/season-summary/none/none"
      case .removeTeams: "/enrollments/remove-teams"
      case .removeTenant: "/enrollments/tenant"
      case .removeAll: "/enrollments/all"
      case .emailPreferences: "/enrollment/email-preferences"
      case .apnsToken: "/device/apns-token"
      case .availableDiensten: "/diensten/available"
      case .takeover: "/diensten/none"
      case .claimDienst: "/diensten/none/claim"
      case .transferOffer: "/diensten/none/transfer-offer"
      case .shiftVolunteer: "/cta/shift-volunteer"
      case .unrouted, .control, .inspect, .apns: "/nowhere"
      }
    switch operation {
    case .allowedTeams, .requestEnrollment, .register, .sync, .addVolunteer:
      return WireRequest(
        "POST", basePath + path, headers: [jsonHeader], body: Array("{".utf8))
    case .removeVolunteer: return WireRequest("DELETE", basePath + path)
    case .removeTeams, .apnsToken, .claimDienst, .shiftVolunteer:
      return WireRequest(
        "POST", basePath + path, headers: [jsonHeader], body: Array("{".utf8))
    case .emailPreferences, .transferOffer:
      return WireRequest("PUT", basePath + path, headers: [jsonHeader], body: Array("{".utf8))
    case .removeTenant:
      return WireRequest("DELETE", basePath + path, headers: [jsonHeader], body: Array("{".utf8))
    case .removeAll: return WireRequest("DELETE", basePath + path + "?q=%")
    case .availableDiensten, .takeover, .apns:
      return WireRequest("GET", basePath + path + "?q=%")
    case .status, .tenants, .searchTeams, .diensten, .searchClubs, .leaderboard,
      .globalLeaderboard, .banners, .seasonSummary, .unrouted, .control, .inspect:
      return WireRequest("GET", basePath + path + "?q=%")
    }
  }
}

// MARK: - Bodies

extension EnrollmentRequest {
  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      email: try members.text("email"), tenantSlug: try members.text("tenant_slug"),
      teamCodes: try members.optionalTexts("team_codes") ?? [],
      platform: try members.optionalText("platform"))
  }

  var json: JSON {
    [
      "email": .string(email), "tenant_slug": .string(tenantSlug),
      "team_codes": .strings(teamCodes), "platform": .optional(platform),
    ]
  }
}

extension Registration {
  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      token: .text(try members.text("enrollment_token")),
      apnsDeviceToken: try members.optionalText("apns_device_token") ?? "",
      platform: try members.optionalText("platform"),
      buildEnvironment: try members.optionalText("build_environment"),
      hardwareIdentifier: try members.optionalText("hardware_identifier") ?? "",
      appVersion: try members.optionalText("app_version"),
      buildNumber: try members.optionalText("build_number"))
  }

  func json(_ spelling: WireSpelling) -> JSON {
    [
      "enrollment_token": spelling.enrollmentToken(token),
      "apns_device_token": .string(spelling.secret(apnsDeviceToken)),
      "platform": .optional(platform), "build_environment": .optional(buildEnvironment),
      "hardware_identifier": .string(spelling.hardware(hardwareIdentifier)),
      "app_version": .optional(appVersion), "build_number": .optional(buildNumber),
    ]
  }
}

extension SyncRequest {
  init(_ members: WireMembers) throws(Malformed) {
    var items: [SyncItem] = []
    for value in try members.array("enrollments") {
      let item = try WireMembers(value)
      items.append(
        SyncItem(
          tenantSlug: try item.optionalText("tenant_slug"), role: try item.optionalText("role"),
          teamCodes: try item.optionalTexts("team_codes"),
          hardwareIdentifier: try item.optionalText("hardware_identifier"),
          teamManagerEmail: try item.optionalText("team_manager_email"),
          appVersion: try item.optionalText("app_version"),
          buildNumber: try item.optionalText("build_number")))
    }
    self.init(items: items)
  }

  func json(_ spelling: WireSpelling) -> JSON {
    ["enrollments": .array(items.map { $0.json(spelling) })]
  }
}

extension SyncItem {
  fileprivate func json(_ spelling: WireSpelling) -> JSON {
    var members = JSONObject()
    members["tenant_slug"] = tenantSlug.map(JSON.string)
    members["role"] = role.map(JSON.string)
    members["team_codes"] = teamCodes.map(JSON.strings)
    members["hardware_identifier"] = hardwareIdentifier.map { .string(spelling.hardware($0)) }
    members["team_manager_email"] = teamManagerEmail.map(JSON.string)
    members["app_version"] = appVersion.map(JSON.string)
    members["build_number"] = buildNumber.map(JSON.string)
    return .object(members)
  }
}
