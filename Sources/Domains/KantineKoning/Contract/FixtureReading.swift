import Contracts
import Timekeeping

// Entities as `load` and the creating commands take them. Inside a tenant an entity needs no tenant of its own.

extension Fixture {
  init(_ given: ControlParameters) throws(ControlProblem) {
    self.init()
    for item in try given.items("tenants") {
      let given = try ControlParameters(
        item.value, known: Tenant.names + ["teams", "managers", "diensten"], at: item.place)
      let tenant = try Tenant(given)
      tenants.append(tenant)
      try take(from: given, of: tenant.slug)
    }
    try take(from: given, of: nil)
    for item in try given.items("enrollments") {
      enrollments.append(
        try EnrollmentEntry(
          ControlParameters(item.value, known: EnrollmentEntry.names, at: item.place)))
    }
  }

  private mutating func take(
    from given: ControlParameters, of slug: String?
  ) throws(ControlProblem) {
    let tenant = slug == nil ? ["tenant"] : []
    for item in try given.items("teams") {
      let given = try ControlParameters(item.value, known: Team.names + tenant, at: item.place)
      teams.append(try Team(given, of: slug))
    }
    for item in try given.items("managers") {
      let given = try ControlParameters(item.value, known: Manager.names + tenant, at: item.place)
      managers.append(try Manager(given, of: slug))
    }
    for item in try given.items("diensten") {
      let given = try ControlParameters(
        item.value, known: DienstEntry.names + tenant, at: item.place)
      diensten.append(try DienstEntry(given, of: slug))
    }
  }
}

extension Fixture.Tenant {
  static let names = ["slug", "name", "club_logo_url", "enrollment_open", "enrollment_message"]

  init(_ given: ControlParameters) throws(ControlProblem) {
    let slug = try given.text("slug")
    self.init(
      slug: slug, name: try given.optionalText("name") ?? slug,
      clubLogoURL: try given.optionalText("club_logo_url"),
      enrollmentOpen: try given.flag("enrollment_open", standard: true),
      enrollmentMessage: try given.optionalText("enrollment_message"))
  }
}

extension Fixture.Team {
  static let names = ["id", "code", "naam"]

  init(_ given: ControlParameters, of slug: String?) throws(ControlProblem) {
    let code = try given.text("code")
    let tenant = if let slug { slug } else { try given.text("tenant") }
    self.init(
      tenantSlug: tenant, id: try given.optionalText("id") ?? "", code: code,
      naam: try given.optionalText("naam") ?? code)
  }
}

extension Fixture.Manager {
  static let names = ["email", "team_codes"]

  init(_ given: ControlParameters, of slug: String?) throws(ControlProblem) {
    let tenant = if let slug { slug } else { try given.text("tenant") }
    self.init(
      tenantSlug: tenant, email: try given.text("email"), teamCodes: try given.texts("team_codes"))
  }
}

extension Fixture.DienstEntry {
  static let names = [
    "id", "team", "start_tijd", "eind_tijd", "minimum_bemanning", "locatie_naam", "dienst_type",
    "aanmeldingen",
  ]

  init(_ given: ControlParameters, of slug: String?) throws(ControlProblem) {
    let tenant = if let slug { slug } else { try given.text("tenant") }
    self.init(
      id: try given.optionalText("id") ?? "", tenantSlug: tenant,
      team: try given.optionalText("team"), startTijd: try given.instant("start_tijd"),
      eindTijd: try given.instant("eind_tijd"),
      minimumBemanning: try given.optionalNumber("minimum_bemanning") ?? 2,
      locatieNaam: try given.optionalText("locatie_naam"), dienstType: try Self.type(given),
      aanmeldingen: try given.texts("aanmeldingen", standard: []))
  }

  private static func type(_ given: ControlParameters) throws(ControlProblem) -> DienstType? {
    guard let value = given.value("dienst_type") else { return nil }
    let members = try ControlParameters(
      value, known: ["naam", "icon"], at: "\(given.place): dienst_type")
    return DienstType(naam: try members.text("naam"), icon: try members.text("icon"))
  }
}

extension Fixture.EnrollmentEntry {
  static let names = [
    "device_id", "tenant", "role", "team_codes", "team_manager_email", "hardware_identifier",
    "apns_device_token", "build_environment", "status", "revoked_reason", "enrolled_at",
  ]

  init(_ given: ControlParameters) throws(ControlProblem) {
    guard let role = Role(rawValue: try given.text("role")) else {
      throw given.problem("role", "is manager or member")
    }
    let token = try given.optionalText("apns_device_token") ?? ""
    self.init(
      deviceID: try given.optionalText("device_id") ?? "", tenantSlug: try given.text("tenant"),
      role: role, teamCodes: try given.texts("team_codes"),
      teamManagerEmail: try given.optionalText("team_manager_email"),
      hardwareIdentifier: try given.optionalText("hardware_identifier") ?? "",
      apnsDeviceToken: token.isEmpty ? nil : token,
      buildEnvironment: try given.optionalText("build_environment"),
      enrolledAt: try given.optionalInstant("enrolled_at"), revoked: try Self.revocation(given))
  }

  private static func revocation(
    _ given: ControlParameters
  ) throws(ControlProblem) -> KantineKoning.RevocationReason? {
    let status = try given.optionalText("status") ?? "active"
    guard status == "active" || status == "revoked" else {
      throw given.problem("status", "is active or revoked")
    }
    guard let text = try given.optionalText("revoked_reason") else {
      return status == "revoked" ? .removed : nil
    }
    guard status == "revoked" else { throw given.problem("revoked_reason", "needs status revoked") }
    guard let reason = KantineKoning.RevocationReason(rawValue: text) else {
      let all = KantineKoning.RevocationReason.allCases.map(\.rawValue).joined(separator: ", ")
      throw given.problem("revoked_reason", "is one of \(all)")
    }
    return reason
  }
}
