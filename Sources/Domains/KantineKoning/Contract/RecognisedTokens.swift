import Contracts

extension KantineKoning {
  public static func recognised(_ reply: Reply, by tokens: any TokenCodec) -> Reply {
    guard case .registered(let answer) = reply, case .text(let text) = answer.apiToken,
      let payload = tokens.verifiedPayload(of: text).flatMap({ JSON(parsing: $0) }),
      let claims = DeviceClaims(payload: payload)
    else { return reply }
    var known = answer
    known.apiToken = .issued(claims)
    return .registered(known)
  }
}
