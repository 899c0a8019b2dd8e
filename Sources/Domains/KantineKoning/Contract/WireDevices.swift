import Contracts

/// O6 to O10 over HTTP.
extension KantineKoning {
  static func deviceRoutes(to path: [String]) -> [Route] {
    switch path {
    case ["enrollments", "remove-teams"]:
      [
        Route(method: "POST", operation: .removeTeams) { (_, body) throws(Malformed) in
          .removeTeams(try WireMembers(body: body).texts("team_codes"))
        }
      ]
    case ["enrollments", "tenant"]:
      [
        Route(method: "DELETE", operation: .removeTenant) { (_, body) throws(Malformed) in
          .removeTenant(slug: try WireMembers(body: body).text("tenant_slug"))
        }
      ]
    case ["enrollments", "all"]:
      [Route(method: "DELETE", operation: .removeAll) { (_, _) throws(Malformed) in .removeAll }]
    case ["enrollment", "email-preferences"]:
      [
        Route(method: "PUT", operation: .emailPreferences) { (_, body) throws(Malformed) in
          let members = try WireMembers(body: body)
          return .setEmailPreference(
            EmailPreference(
              enabled: try members.flag("email_notifications_enabled"),
              team: try members.text("team_code")))
        }
      ]
    case ["device", "apns-token"]:
      [
        Route(method: "POST", operation: .apnsToken) { (_, body) throws(Malformed) in
          let members = try WireMembers(body: body)
          return .updateApnsToken(
            ApnsTokenUpdate(
              token: try members.text("apns_device_token"),
              buildEnvironment: try members.optionalText("build_environment"),
              appVersion: try members.optionalText("app_version"),
              buildNumber: try members.optionalText("build_number")))
        }
      ]
    default: []
    }
  }

  static func deviceRequest(_ request: Request, spelling: WireSpelling) -> WireRequest {
    switch request {
    case .removeTeams(let codes):
      send("POST", "/enrollments/remove-teams", ["team_codes": .strings(codes)])
    case .removeTenant(let slug):
      send("DELETE", "/enrollments/tenant", ["tenant_slug": .string(slug)])
    case .removeAll: WireRequest("DELETE", basePath + "/enrollments/all")
    case .setEmailPreference(let preference):
      send(
        "PUT", "/enrollment/email-preferences",
        [
          "email_notifications_enabled": .bool(preference.enabled),
          "team_code": .string(preference.team),
        ])
    case .updateApnsToken(let update):
      send(
        "POST", "/device/apns-token",
        [
          "apns_device_token": .string(spelling.secret(update.token)),
          "build_environment": .optional(update.buildEnvironment),
          "app_version": .optional(update.appVersion),
          "build_number": .optional(update.buildNumber),
        ])
    default: preconditionFailure("a request that is none of O6 to O10")
    }
  }
}

extension TeamRemoval {
  var json: JSON { ["removed": .number(removed), "team_codes": .strings(teamCodes)] }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      removed: try members.number("removed"), teamCodes: try members.texts("team_codes"))
  }
}

extension [TeamPreference] {
  var json: JSON {
    let preferences = JSONObject(
      map { (name: $0.teamCode, value: JSON.bool($0.emailEnabled)) })
    return ["team_email_preferences": .object(preferences)]
  }

  init(_ members: WireMembers) throws(Malformed) {
    guard let preferences = members.value("team_email_preferences")?.object else {
      throw Malformed("'team_email_preferences' is no object")
    }
    self = []
    for (code, value) in preferences.members.sorted(by: { $0.name < $1.name }) {
      guard let enabled = value.bool else { throw Malformed("'\(code)' is not true or false") }
      append(TeamPreference(teamCode: code, emailEnabled: enabled))
    }
  }
}

extension FoundEnrollment {
  var json: JSON {
    [
      "device_id": .string(deviceID), "tenant_slug": .string(tenantSlug),
      "role": .string(role.rawValue), "team_codes": .strings(teamCodes),
      "status": isActive ? "active" : "revoked", "push_enabled": .bool(pushEnabled),
      "has_apns_token": .bool(hasApnsToken), "build_environment": .optional(buildEnvironment),
      "is_test_user": .bool(isTestUser), "apns_env": .string(apnsEnvironment.rawValue),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      deviceID: try members.text("device_id"), tenantSlug: try members.text("tenant_slug"),
      role: try members.role("role"), teamCodes: try members.texts("team_codes"),
      isActive: try members.text("status") == "active",
      pushEnabled: try members.flag("push_enabled"),
      hasApnsToken: try members.flag("has_apns_token"),
      buildEnvironment: try members.optionalText("build_environment"),
      isTestUser: try members.flag("is_test_user"),
      apnsEnvironment: try members.apnsEnvironment("apns_env"))
  }
}
