import Contracts

extension AsiaTravelPlan {
  public enum Credential: Hashable, Sendable {
    /// `Authorization: Bearer …`.
    case bearer(SignedToken)
    /// Any other `Authorization` header: it counts as no token (ATP-25).
    case otherScheme(String)
    /// The cookies of the user agent; the provider's alone, the API sees none (ATP-04).
    case cookies([Cookie])
  }

  public static func credential(of wire: WireRequest) -> Credential? {
    if let header = wire.header("Authorization") {
      let scheme = "Bearer "
      return header.hasPrefix(scheme)
        ? .bearer(.text(String(header.dropFirst(scheme.count)))) : .otherScheme(header)
    }
    return wire.header("Cookie").map { header in
      .cookies(WireCookies(header).pairs.map { Cookie($0.name, $0.value) })
    }
  }

  public static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) {
    switch credential {
    case .bearer(let token):
      wire.headers.append(WireHeader("Authorization", "Bearer " + token.text(tokens)))
    case .otherScheme(let header): wire.headers.append(WireHeader("Authorization", header))
    case .cookies(let cookies):
      let pairs = cookies.map { "\($0.name)=\($0.value)" }
      wire.headers.append(WireHeader("Cookie", pairs.joined(separator: "; ")))
    }
  }
}
