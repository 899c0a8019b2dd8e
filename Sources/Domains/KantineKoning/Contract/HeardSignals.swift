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
      guard let push = Push.shape.value(in: document) else { return nil }
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
