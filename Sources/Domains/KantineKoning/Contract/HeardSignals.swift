import Contracts
import Timekeeping

extension KantineKoning {
  public static func heard(
    _ document: JSON, by tokens: any TokenCodec
  ) -> Addressed<KantineKoning>? {
    switch document["signal"]?.string {
    case "mail":
      guard var mail = Mail.shape.value(in: document) else { return nil }
      mail.token = mail.token.recognised(by: tokens)
      return Addressed(to: .mailbox(mail.to), .mail(mail))
    case "notice":
      guard var notice = Notice.shape.value(in: document) else { return nil }
      if let claims = notice.ctaToken?.claims(verifiedBy: tokens) {
        notice.ctaToken = .issued(claims)
      }
      return Addressed(to: .mailbox(notice.to), .notice(notice))
    case "push":
      guard let push = Push(document) else { return nil }
      let dispatch = push.dispatch
      return Addressed(
        to: dispatch.fate == .delivered ? .push(dispatch.token) : .apns(dispatch.environment),
        .push(push))
    default: return nil
    }
  }
}

extension EnrollmentToken {
  /// As what it says, where that can be read.
  fileprivate func recognised(by tokens: any TokenCodec) -> EnrollmentToken {
    guard let (claims, isSigned) = claims(verifiedBy: tokens) else { return self }
    return isSigned ? .link(claims) : .member(claims)
  }
}

extension Push {
  /// From the document that people read.
  fileprivate init?(_ document: JSON) {
    let payload = document["payload"]
    guard let event = document["event"]?.string.flatMap(PushEvent.init),
      let number = document["event_number"]?.int, let slug: Slug = payload?["tenant_slug"]?.name(),
      let team: TeamName = payload?["team_code"]?.name(), let alert = payload?["aps"]?["alert"],
      let title = alert["title"]?.string, let body = alert["body"]?.string,
      let created = document["created_at"]?.string.flatMap({ Instant($0) }),
      let dispatch = ApnsDispatch(document)
    else { return nil }
    self.init(
      event: event, eventNumber: number, tenantSlug: slug, teamCode: team,
      dienstID: document["dienst_id"]?.name(), title: title, body: body, createdAt: created,
      dispatch: dispatch)
  }
}

extension ApnsDispatch {
  fileprivate init?(_ document: JSON) {
    guard let delivery = document["delivery"]?.int,
      let token = document["apns_device_token"]?.string,
      let environment = document["apns_env"]?.string.flatMap(ApnsEnvironment.init),
      let fate = document["result"]?.string.flatMap(PushDelivery.Result.init)
    else { return nil }
    self.init(delivery: delivery, token: token, environment: environment, fate: fate)
  }
}
