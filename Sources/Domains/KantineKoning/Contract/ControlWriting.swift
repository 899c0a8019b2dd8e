import Contracts
import Timekeeping

/// Control commands as `/_rehearsal/kantine-koning/<name>` takes them.
extension KantineKoning.Control {
  var name: String {
    switch self {
    case .load: "load"
    case .createTenant: "createTenant"
    case .changeTenant: "changeTenant"
    case .createTeam: "createTeam"
    case .setManager: "setManager"
    case .scheduleDienst: "scheduleDienst"
    case .changeDienst: "changeDienst"
    case .cancelDienst: "cancelDienst"
    case .assignDienst: "assignDienst"
    case .setEnrollmentOpen: "setEnrollmentOpen"
    case .endSeason: "endSeason"
    case .resetSeason: "resetSeason"
    case .changeTeam: "changeTeam"
    case .createDienstType: "createDienstType"
    case .changeDienstType: "changeDienstType"
    case .createLocation: "createLocation"
    case .changeLocation: "changeLocation"
    case .setLeaderboardOptOut: "setLeaderboardOptOut"
    case .createBanner: "createBanner"
    case .removeBanner: "removeBanner"
    case .revokeEnrollment: "revokeEnrollment"
    case .setPushEnabled: "setPushEnabled"
    case .setTestUser: "setTestUser"
    case .listEnrollments: "listEnrollments"
    case .findEnrollments: "findEnrollments"
    case .setApnsEnvironment: "setApnsEnvironment"
    case .readApnsEnvironment: "readApnsEnvironment"
    case .setApnsOutage: "setApnsOutage"
    case .sendTestPush: "sendTestPush"
    case .pushDeliveries: "pushDeliveries"
    case .notices: "notices"
    case .cleanUp: "cleanUp"
    case .configure: "configure"
    case .setRule: "setRule"
    case .outbox: "outbox"
    case .advance: "advance"
    case .reset: "reset"
    }
  }

  var parameters: JSON {
    switch self {
    case .load(let fixture): fixture.json
    case .createTenant(let tenant): tenant.json
    case .changeTenant(let change):
      .given([
        ("tenant", .string(change.slug)), ("name", change.name.map(JSON.string)),
        ("club_logo_url", change.clubLogoURL.map(JSON.string)),
        ("enrollment_message", change.enrollmentMessage.map(JSON.string)),
      ])
    case .createTeam(let team): team.json
    case .setManager(let manager): manager.json
    case .scheduleDienst(let entry): entry.json
    case .changeDienst(let change):
      .given([
        ("id", .string(change.id)),
        ("start_tijd", change.startTijd.map { .string($0.description) }),
        ("eind_tijd", change.eindTijd.map { .string($0.description) }),
        ("minimum_bemanning", change.minimumBemanning.map(JSON.number)),
        ("locatie_naam", change.locatieNaam.map(JSON.string)),
      ])
    case .cancelDienst(let id): ["id": .string(id)]
    case .assignDienst(let id, let team): ["id": .string(id), "team": .optional(team)]
    case .setEnrollmentOpen(let tenant, let open, let message):
      .given([
        ("tenant", .string(tenant)), ("open", .bool(open)), ("message", message.map(JSON.string)),
      ])
    case .endSeason(let tenant), .resetSeason(let tenant): ["tenant": .string(tenant)]
    case .changeTeam(let tenant, let team, let naam):
      ["tenant": .string(tenant), "team": .string(team), "naam": .string(naam)]
    case .createDienstType(let tenant, let type), .changeDienstType(let tenant, let type):
      ["tenant": .string(tenant), "naam": .string(type.naam), "icon": .string(type.icon)]
    case .createLocation(let tenant, let naam):
      ["tenant": .string(tenant), "naam": .string(naam)]
    case .changeLocation(let tenant, let naam, let to):
      ["tenant": .string(tenant), "naam": .string(naam), "to": .string(to)]
    case .setLeaderboardOptOut(let tenant, let optOut):
      ["tenant": .string(tenant), "opt_out": .bool(optOut)]
    case .createBanner(let banner): banner.parameters
    case .removeBanner(let id): ["id": .string(id)]
    case .revokeEnrollment(let deviceID, let reason):
      ["device_id": .string(deviceID), "reason": .string(reason.rawValue)]
    case .setPushEnabled(let deviceID, let enabled):
      ["device_id": .string(deviceID), "push_enabled": .bool(enabled)]
    case .setTestUser(let deviceID, let isTestUser):
      ["device_id": .string(deviceID), "is_test_user": .bool(isTestUser)]
    case .listEnrollments(let identifier): ["hardware_identifier": .string(identifier)]
    case .findEnrollments(let email): ["email": .string(email)]
    case .setApnsEnvironment(let variables):
      .given([
        ("APNS_FORCE_ENV", variables.forceEnv.map(JSON.string)),
        ("APNS_ENV", variables.env.map(JSON.string)),
      ])
    case .setApnsOutage(let outage): ["outage": .bool(outage)]
    case .sendTestPush(let deviceID, let title, let body):
      ["device_id": .string(deviceID), "title": .string(title), "body": .string(body)]
    case .pushDeliveries(let deviceID): .given([("device_id", deviceID.map(JSON.string))])
    case .configure(let values): KantineKoning.Deployment.parameters(values)
    case .setRule(let limit, let binds): ["id": .string(limit.text), "binds": .bool(binds)]
    case .advance(let to, let by):
      .given([
        ("to", to.map { .string($0.description) }),
        ("by", by.map { .string("\($0.nanoseconds)ns") }),
      ])
    case .cleanUp, .outbox, .reset: .object([:])
    case .readApnsEnvironment, .notices: .object([:])
    }
  }
}

extension JSON {
  /// An object of the members that have a value.
  static func given(_ members: [(name: String, value: JSON?)]) -> JSON {
    .object(JSONObject(members.compactMap { name, value in value.map { (name, $0) } }))
  }

  /// Text that is there; an empty one asks for a generated value.
  fileprivate static func identifier(_ text: String) -> JSON? {
    text.isEmpty ? nil : .string(text)
  }
}

extension Fixture {
  fileprivate var json: JSON {
    [
      "tenants": .array(tenants.map(\.json)), "teams": .array(teams.map(\.json)),
      "managers": .array(managers.map(\.json)), "diensten": .array(diensten.map(\.json)),
      "enrollments": .array(enrollments.map(\.json)),
    ]
  }
}

extension Fixture.Tenant {
  fileprivate var json: JSON {
    .given([
      ("slug", .string(slug)), ("name", .string(name)),
      ("club_logo_url", clubLogoURL.map(JSON.string)), ("enrollment_open", .bool(enrollmentOpen)),
      ("enrollment_message", enrollmentMessage.map(JSON.string)),
    ])
  }
}

extension Fixture.Team {
  fileprivate var json: JSON {
    .given([
      ("tenant", .string(tenantSlug)), ("id", .identifier(id)), ("code", .string(code)),
      ("naam", .string(naam)),
    ])
  }
}

extension Fixture.Manager {
  fileprivate var json: JSON {
    [
      "tenant": .string(tenantSlug), "email": .string(email),
      "team_codes": .strings(teamCodes),
    ]
  }
}

extension Fixture.DienstEntry {
  fileprivate var json: JSON {
    .given([
      ("id", .identifier(id)), ("tenant", .string(tenantSlug)),
      ("team", team.map(JSON.string)), ("start_tijd", .string(startTijd.description)),
      ("eind_tijd", .string(eindTijd.description)),
      ("minimum_bemanning", .number(minimumBemanning)),
      ("locatie_naam", locatieNaam.map(JSON.string)), ("dienst_type", dienstType?.json),
      ("aanmeldingen", .strings(aanmeldingen)),
    ])
  }
}

extension Fixture.EnrollmentEntry {
  fileprivate var json: JSON {
    .given([
      ("device_id", .identifier(deviceID)), ("tenant", .string(tenantSlug)),
      ("role", .string(role.rawValue)), ("team_codes", .strings(teamCodes)),
      ("team_manager_email", teamManagerEmail.map(JSON.string)),
      ("hardware_identifier", .string(hardwareIdentifier)),
      ("apns_device_token", apnsDeviceToken.map(JSON.string)),
      ("build_environment", buildEnvironment.map(JSON.string)),
      ("status", revoked == nil ? "active" : "revoked"),
      ("revoked_reason", revoked.map { .string($0.rawValue) }),
      ("enrolled_at", enrolledAt.map { .string($0.description) }),
    ])
  }
}
