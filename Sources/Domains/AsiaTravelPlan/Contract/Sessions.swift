import Contracts

/// Tokens that answers bring their callers.
extension AsiaTravelPlan {
  public static let sessionMember = "access_token"
  public static let sessionOperations = ["token"]

  public static func recognised(_ reply: Reply, by tokens: any TokenCodec) -> Reply {
    guard case .tokens(var set) = reply else { return reply }
    set.accessToken = set.accessToken.recognised(by: tokens)
    set.idToken = set.idToken?.recognised(by: tokens)
    return .tokens(set)
  }
}

extension SignedToken {
  /// What it says, where a key of the harness signed it and nothing of it would be lost.
  fileprivate func recognised(by tokens: any TokenCodec) -> SignedToken {
    guard case .text(let text) = self, let key = tokens.key(of: text),
      let payload = tokens.verifiedPayload(of: text, key: key),
      let claims = JSON(parsing: payload).flatMap({ Claims($0) }), claims.document.bytes == payload
    else { return self }
    return .issued(claims, key: key)
  }
}
