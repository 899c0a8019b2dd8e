import Contracts
import Timekeeping

// The entities of §2 as JSON, each written and read beside itself.

extension TeamInfo {
  var json: JSON {
    var members: JSONObject = ["id": .string(id), "code": .string(code), "naam": .string(naam)]
    if let role { members["role"] = .string(role.rawValue) }
    return .object(members)
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      id: try members.text("id"), code: try members.text("code"), naam: try members.text("naam"),
      role: members.value("role") == nil ? nil : try members.role("role"))
  }
}

extension RegistrationAnswer {
  func json(_ spelling: WireSpelling) -> JSON {
    var members: JSONObject = [
      "device_id": .string(deviceID), "tenant_slug": .string(tenantSlug),
      "tenant_name": .string(tenantName), "role": .string(role.rawValue),
    ]
    if let email { members["email"] = .string(email) }
    members["team_codes"] = .strings(teamCodes)
    members["teams"] = .array(teams.map(\.json))
    members["build_environment"] = .optional(buildEnvironment)
    members["api_token"] = spelling.deviceToken(apiToken)
    return .object(members)
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      deviceID: try members.text("device_id"), tenantSlug: try members.text("tenant_slug"),
      tenantName: try members.text("tenant_name"), role: try members.role("role"),
      email: try members.optionalText("email"),
      teams: try all(try members.array("teams"), TeamInfo.init),
      buildEnvironment: try members.optionalText("build_environment"),
      apiToken: .text(try members.text("api_token")))
  }
}

extension CleanupSummary {
  var json: JSON {
    [
      "synced": true,
      "cleanup_summary": [
        "enrollments_revoked": .number(enrollmentsRevoked),
        "teams_removed": .number(teamsRemoved), "tenants_affected": .strings(tenantsAffected),
      ],
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    let summary = try WireMembers(members.value("cleanup_summary"))
    self.init(
      enrollmentsRevoked: try summary.number("enrollments_revoked"),
      teamsRemoved: try summary.number("teams_removed"),
      tenantsAffected: try summary.optionalTexts("tenants_affected") ?? [])
  }
}

extension EnrollmentStatus {
  var json: JSON {
    let preferences = JSONObject(
      teamEmailPreferences.map { (name: $0.teamCode, value: .bool($0.emailEnabled)) })
    return [
      "device_id": .string(deviceID), "tenant_slug": .string(tenantSlug),
      "tenant_name": .string(tenantName), "team_codes": .strings(teamCodes),
      "role": .string(role.rawValue), "status": .string(status),
      "team_email_preferences": .object(preferences), "push_enabled": .bool(pushEnabled),
      "has_apns_token": .bool(hasApnsToken), "build_environment": .optional(buildEnvironment),
      "last_seen_at": .string(lastSeenAt.description),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    let codes = try members.texts("team_codes")
    let preferences = try WireMembers(members.value("team_email_preferences"))
    var shown: [TeamPreference] = []
    for code in codes where preferences.value(code) != nil {
      shown.append(TeamPreference(teamCode: code, emailEnabled: try preferences.flag(code)))
    }
    self.init(
      deviceID: try members.text("device_id"), tenantSlug: try members.text("tenant_slug"),
      tenantName: try members.text("tenant_name"), teamCodes: codes,
      role: try members.role("role"), status: try members.text("status"),
      teamEmailPreferences: shown, pushEnabled: try members.flag("push_enabled"),
      hasApnsToken: try members.flag("has_apns_token"),
      buildEnvironment: try members.optionalText("build_environment"),
      lastSeenAt: try members.instant("last_seen_at"))
  }
}

extension TenantInfo {
  var json: JSON {
    [
      "slug": .string(slug), "club_name": .string(clubName),
      "club_logo_url": .optional(clubLogoURL), "season_ended": .bool(seasonEnded),
      "teams": .array(teams.map(\.json)),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      slug: try members.text("slug"), clubName: try members.text("club_name"),
      clubLogoURL: try members.optionalText("club_logo_url"),
      seasonEnded: try members.flag("season_ended"),
      teams: try all(try members.array("teams"), TeamInfo.init))
  }
}

extension Dienst {
  var json: JSON {
    [
      "id": .string(id), "tenant_id": .string(tenantSlug), "team": team?.json ?? .null,
      "start_tijd": .string(startTijd.description), "eind_tijd": .string(eindTijd.description),
      "minimum_bemanning": .number(minimumBemanning), "status": .string(status.rawValue),
      "locatie_naam": .optional(locatieNaam), "aanmeldingen": .strings(aanmeldingen),
      "aanmeldingen_count": .number(aanmeldingen.count),
      "updated_at": .string(updatedAt.description), "dienst_type": dienstType?.json ?? .null,
      "offered_for_transfer": .bool(offeredForTransfer),
    ]
  }

  /// With its notification token, where O21 gave one.
  func json(_ spelling: WireSpelling) -> JSON {
    guard let notificationToken, case .object(var members) = json else { return json }
    members["notification_token"] = spelling.notificationToken(notificationToken)
    return .object(members)
  }

  init(_ members: WireMembers) throws(Malformed) {
    guard let status = Status(rawValue: try members.text("status")) else {
      throw Malformed("'status' is no status of a dienst")
    }
    self.init(
      id: try members.text("id"), tenantSlug: try members.text("tenant_id"),
      team: members.value("team") == nil
        ? nil : try TeamInfo(try WireMembers(members.value("team"))),
      startTijd: try members.instant("start_tijd"), eindTijd: try members.instant("eind_tijd"),
      minimumBemanning: try members.number("minimum_bemanning"), status: status,
      locatieNaam: try members.optionalText("locatie_naam"),
      aanmeldingen: try members.texts("aanmeldingen"),
      updatedAt: try members.instant("updated_at"),
      dienstType: members.value("dienst_type") == nil
        ? nil : try DienstType(try WireMembers(members.value("dienst_type"))),
      offeredForTransfer: try members.flag("offered_for_transfer"),
      notificationToken: try members.optionalText("notification_token").map { .text($0) })
  }
}

extension DienstType {
  var json: JSON { ["naam": .string(naam), "icon": .string(icon)] }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(naam: try members.text("naam"), icon: try members.text("icon"))
  }
}

extension EnrollmentListing {
  var json: JSON {
    let entries: [JSON] = entries.map {
      ["tenant_slug": .string($0.tenantSlug), "role": .string($0.role.rawValue)]
    }
    return [
      "hardware_identifier": .string(hardwareIdentifier), "enrollments": .array(entries),
      "lines": .strings(lines),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      hardwareIdentifier: try members.text("hardware_identifier"),
      entries: try all(try members.array("enrollments")) { (entry) throws(Malformed) in
        Entry(tenantSlug: try entry.text("tenant_slug"), role: try entry.role("role"))
      })
  }
}

extension Inspection {
  func json(_ spelling: WireSpelling) -> JSON {
    [
      "enrollments": .array(enrollments.map { $0.json(spelling) }),
      "push_deliveries": .array(deliveries.map(\.json)),
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      enrollments: try all(try members.array("enrollments")) { (entry) throws(Malformed) in
        Enrollment(
          deviceID: try entry.text("device_id"), tenantSlug: try entry.text("tenant_slug"),
          role: try entry.role("role"), teamCodes: try entry.texts("team_codes"),
          hardwareIdentifier: try entry.text("hardware_identifier"),
          isActive: try entry.text("status") == "active",
          revokedReason: try entry.optionalText("revoked_reason").flatMap(
            KantineKoning.RevocationReason.init))
      },
      deliveries: members.value("push_deliveries") == nil
        ? [] : try all(try members.array("push_deliveries"), PushDelivery.init))
  }
}

extension Inspection.Enrollment {
  fileprivate func json(_ spelling: WireSpelling) -> JSON {
    [
      "device_id": .string(deviceID), "tenant_slug": .string(tenantSlug),
      "role": .string(role.rawValue), "team_codes": .strings(teamCodes),
      "hardware_identifier": .string(spelling.hardware(hardwareIdentifier)),
      "status": isActive ? "active" : "revoked",
      "revoked_reason": .optional(revokedReason?.rawValue),
    ]
  }
}
