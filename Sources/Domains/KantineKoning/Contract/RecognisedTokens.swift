import Contracts

extension KantineKoning {
  public static func recognised(_ reply: Reply, by tokens: any TokenCodec) -> Reply {
    guard case .registered(var answer) = reply,
      let claims = answer.apiToken.claims(verifiedBy: tokens)
    else { return reply }
    answer.apiToken = .issued(claims)
    return .registered(answer)
  }
}
