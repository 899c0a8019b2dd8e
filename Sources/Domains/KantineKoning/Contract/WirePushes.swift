import Contracts
import Timekeeping

/// Pushes, their records and the managers' mails, as `replay`, `--events` and the operator's commands show them.
extension Push {
  /// The payload that the phone gets, and how it was sent.
  func json(_ spelling: WireSpelling) -> JSON {
    [
      "event": .string(event.rawValue), "event_number": .number(eventNumber),
      "dienst_id": .optional(dienstID), "created_at": .string(createdAt.description),
      "delivery": .number(dispatch.delivery),
      "apns_device_token": .string(spelling.secret(dispatch.token)),
      "apns_env": .string(dispatch.environment.rawValue),
      "result": .string(dispatch.fate.rawValue), "payload": payload,
    ]
  }
}

extension PushDelivery {
  var json: JSON {
    [
      "number": .number(number), "event": .string(event.rawValue),
      "event_number": .number(eventNumber), "tenant_slug": .string(tenantSlug),
      "team_code": .string(teamCode), "dienst_id": .optional(dienstID), "title": .string(title),
      "device_id": .string(deviceID), "apns_env": .string(apnsEnvironment.rawValue),
      "sent_at": .string(sentAt.description), "result": .optional(result?.rawValue),
      "latency_ms": latencyMilliseconds.map(JSON.number) ?? .null,
    ]
  }

  init(_ members: WireMembers) throws(Malformed) {
    var result: Result?
    if let text = try members.optionalText("result") {
      guard let known = Result(rawValue: text) else { throw Malformed("'result' is none") }
      result = known
    }
    self.init(
      number: try members.number("number"), event: try members.pushEvent("event"),
      eventNumber: try members.number("event_number"),
      tenantSlug: try members.text("tenant_slug"), teamCode: try members.text("team_code"),
      dienstID: try members.optionalText("dienst_id"), title: try members.text("title"),
      deviceID: try members.text("device_id"),
      apnsEnvironment: try members.apnsEnvironment("apns_env"),
      sentAt: try members.instant("sent_at"), result: result,
      latencyMilliseconds: members.value("latency_ms") == nil
        ? nil : try members.number("latency_ms"))
  }
}

extension Notice {
  /// `kantinekoning://cta/shift-volunteer?token=…` (§6.3)
  static func appLink(_ token: String) -> String {
    "kantinekoning://cta/shift-volunteer?token=" + MobileTarget.encode(token)
  }

  func json(_ spelling: WireSpelling) -> JSON {
    let token = ctaToken.map(spelling.callToActionToken)
    let link = spelling.isComplete ? token?.string.map(Self.appLink) : nil
    return .given([
      ("to", .string(to)), ("event", .string(event.rawValue)),
      ("tenant_slug", .string(tenantSlug)), ("team_code", .string(teamCode)),
      ("dienst_id", .string(dienstID)), ("subject", .string(subject)), ("body", .string(body)),
      ("sent_at", .string(sentAt.description)), ("token", token), ("link", link.map(JSON.string)),
    ])
  }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      to: try members.text("to"), event: try members.pushEvent("event"),
      tenantSlug: try members.text("tenant_slug"), teamCode: try members.text("team_code"),
      dienstID: try members.text("dienst_id"), subject: try members.text("subject"),
      body: try members.text("body"),
      ctaToken: try members.optionalText("token").map { .text($0) },
      sentAt: try members.instant("sent_at"))
  }
}

extension ApnsVariables {
  var json: JSON { ["APNS_FORCE_ENV": .optional(forceEnv), "APNS_ENV": .optional(env)] }

  init(_ members: WireMembers) throws(Malformed) {
    self.init(
      forceEnv: try members.optionalText("APNS_FORCE_ENV"),
      env: try members.optionalText("APNS_ENV"))
  }
}

extension WireMembers {
  func apnsEnvironment(_ name: String) throws(Malformed) -> ApnsEnvironment {
    guard let environment = ApnsEnvironment(rawValue: try text(name)) else {
      throw Malformed("'\(name)' is no APNs environment")
    }
    return environment
  }

  func pushEvent(_ name: String) throws(Malformed) -> PushEvent {
    guard let event = PushEvent(rawValue: try text(name)) else {
      throw Malformed("'\(name)' is no event")
    }
    return event
  }
}
