import Contracts
import Timekeeping

/// Control commands by name with their parameters.
extension KantineKoning {
  public static func control(
    _ name: String, _ parameters: JSON
  ) throws(ControlProblem) -> Request {
    guard let declared = controls.first(where: { $0.name == name }) else {
      let names = controls.map(\.name)
      let hint = nearest(name, among: names).map { "did you mean '\($0)'?" }
      throw ControlProblem(
        "no control command '\(name)'; \(hint ?? "there are " + names.joined(separator: ", "))")
    }
    let given = try ControlParameters(
      parameters.isNull ? .object([:]) : parameters, known: declared.parameters.map(\.name),
      at: name)
    if name == "inspect" { return .inspect }
    if let report = try ApnsReport(named: name, given) { return .apns(report) }
    if let control = try boardControl(name, given) { return .control(control) }
    return .control(try control(name, given))
  }

  private static func control(
    _ name: String, _ given: ControlParameters
  ) throws(ControlProblem) -> Control {
    switch name {
    case "load": .load(try Fixture(given))
    case "createTenant": .createTenant(try Fixture.Tenant(given))
    case "changeTenant":
      .changeTenant(
        TenantChange(
          slug: try given.text("tenant"), name: try given.optionalText("name"),
          clubLogoURL: try given.optionalText("club_logo_url"),
          enrollmentMessage: try given.optionalText("enrollment_message")))
    case "createTeam": .createTeam(try Fixture.Team(given, of: nil))
    case "setManager": .setManager(try Fixture.Manager(given, of: nil))
    case "scheduleDienst": .scheduleDienst(try Fixture.DienstEntry(given, of: nil))
    case "changeDienst":
      .changeDienst(
        DienstChange(
          id: try given.text("id"), startTijd: try given.optionalInstant("start_tijd"),
          eindTijd: try given.optionalInstant("eind_tijd"),
          minimumBemanning: try given.optionalNumber("minimum_bemanning"),
          locatieNaam: try given.optionalText("locatie_naam")))
    case "cancelDienst": .cancelDienst(id: try given.text("id"))
    case "assignDienst":
      .assignDienst(id: try given.text("id"), team: try given.optionalText("team"))
    case "setEnrollmentOpen":
      .setEnrollmentOpen(
        tenant: try given.text("tenant"), open: try given.flag("open"),
        message: try given.optionalText("message"))
    case "endSeason": .endSeason(tenant: try given.text("tenant"))
    case "resetSeason": .resetSeason(tenant: try given.text("tenant"))
    case "revokeEnrollment": try revocation(given)
    case "setPushEnabled":
      .setPushEnabled(
        deviceID: try given.text("device_id"), enabled: try given.flag("push_enabled"))
    case "setTestUser":
      .setTestUser(
        deviceID: try given.text("device_id"), isTestUser: try given.flag("is_test_user"))
    case "listEnrollments":
      .listEnrollments(hardwareIdentifier: try given.text("hardware_identifier"))
    case "findEnrollments": .findEnrollments(email: try given.text("email"))
    case "setApnsEnvironment":
      .setApnsEnvironment(
        ApnsVariables(
          forceEnv: try given.optionalText("APNS_FORCE_ENV"),
          env: try given.optionalText("APNS_ENV")))
    case "readApnsEnvironment": .readApnsEnvironment
    case "setApnsOutage": .setApnsOutage(try given.flag("outage"))
    case "sendTestPush":
      .sendTestPush(
        deviceID: try given.text("device_id"), title: try given.text("title"),
        body: try given.text("body"))
    case "pushDeliveries": .pushDeliveries(deviceID: try given.optionalText("device_id"))
    case "notices": .notices
    case "cleanUp": .cleanUp
    case "outbox": .outbox
    case "configure": .configure(try Deployment.read(given))
    case "advance": try advance(given)
    case "setRule": try rule(given)
    case "reset": .reset
    default: preconditionFailure("'\(name)' is declared and not read")
    }
  }

  private static func revocation(_ given: ControlParameters) throws(ControlProblem) -> Control {
    let text = try given.optionalText("reason") ?? RevocationReason.adminRevoked.rawValue
    guard let reason = RevocationReason(rawValue: text),
      reason == .adminRevoked || reason == .securityBreach
    else { throw given.problem("reason", "is admin_revoked or security_breach") }
    return .revokeEnrollment(deviceID: try given.text("device_id"), reason: reason)
  }

  private static func advance(_ given: ControlParameters) throws(ControlProblem) -> Control {
    let to = try given.optionalInstant("to")
    guard let text = try given.optionalText("by") else {
      guard to != nil else { throw ControlProblem("advance: either 'by' or 'to' is needed") }
      return .advance(to: to, by: nil)
    }
    guard to == nil else { throw ControlProblem("advance: 'by' or 'to', not both") }
    guard let span = Span(text), span >= .zero else {
      throw given.problem("by", "is no span forward: '\(text)'; write 1h or 90s")
    }
    return .advance(to: nil, by: span)
  }

  private static func rule(_ given: ControlParameters) throws(ControlProblem) -> Control {
    let id = LimitID(try given.text("id"))
    guard KantineKoning.limits.contains(where: { $0.id == id }) else {
      let near = nearest(id.text, among: KantineKoning.limits.map(\.id.text)) ?? "KK-58"
      throw given.problem("id", "is no rule: '\(id)'; did you mean '\(near)'?")
    }
    return .setRule(id, binds: try given.flag("binds"))
  }
}

extension ControlParameters {
  /// Parameters as they are declared, or under their aliases.
  init(_ value: JSON, known: [String], at place: String) throws(ControlProblem) {
    try self.init(value, known: known, aliases: KantineKoning.aliases, at: place)
  }
}
