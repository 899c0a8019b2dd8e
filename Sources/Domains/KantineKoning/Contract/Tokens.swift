import Contracts
import Foundation

extension DeviceClaims {
  /// The claims as the payload of a JWT, named as §7.1 names them.
  public var payload: JSON {
    [
      "device_id": .name(deviceID), "tenant_slug": .name(tenantSlug),
      "role": .string(role.rawValue), "team_codes": .names(teamCodes), "iat": .int(iat),
      "exp": exp.map { .int($0) } ?? .null, "purpose": "device",
    ]
  }

  /// Reads a verified payload; `nil` when it is not that of a device token.
  public init?(payload: JSON) {
    guard payload["purpose"] == "device", let deviceID: EnrollmentID = payload["device_id"]?.name(),
      let tenantSlug: Slug = payload["tenant_slug"]?.name(),
      let role = payload["role"]?.string.flatMap(Role.init),
      let teamCodes: [TeamName] = payload["team_codes"]?.names(),
      case .int(let iat)? = payload["iat"]
    else { return nil }
    var exp: Int64?
    switch payload["exp"] {
    case .int(let seconds): exp = seconds
    case nil, .null: exp = nil
    default: return nil
    }
    self.init(
      deviceID: deviceID, tenantSlug: tenantSlug, role: role, teamCodes: teamCodes, iat: iat,
      exp: exp)
  }
}

extension DeviceToken {
  /// The bytes of the token: signed now when nobody has looked at them before.
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }
}

extension EnrollmentClaims {
  /// The claims as JSON, named as §7.2 names them.
  public var payload: JSON {
    var members: JSONObject = [
      "tenant_slug": .name(tenantSlug), "tenant_name": .string(tenantName),
      "team_codes": .names(teamCodes), "role": .string(role),
    ]
    if let email { members["email"] = .string(email) }
    members["purpose"] = .string(purpose)
    members["exp"] = .int(exp)
    members["jti"] = .name(jti)
    members["max_uses"] = 1
    return .object(members)
  }

  /// Reads claims; `nil` when one is missing or of the wrong type. `tenant_name` is ignored and may be missing.
  public init?(payload: JSON) {
    guard let tenantSlug: Slug = payload["tenant_slug"]?.name(),
      let teamCodes: [TeamName] = payload["team_codes"]?.names(),
      let role = payload["role"]?.string,
      let purpose = payload["purpose"]?.string, case .int(let exp)? = payload["exp"],
      let jti: TokenID = payload["jti"]?.name(), !jti.isEmpty
    else { return nil }
    self.init(
      tenantSlug: tenantSlug, tenantName: payload["tenant_name"]?.string ?? "",
      teamCodes: teamCodes, role: role, email: payload["email"]?.string, purpose: purpose,
      exp: exp, jti: jti)
  }
}

extension EnrollmentToken {
  /// The bytes of the token: a link's is signed now, a member's is padded standard Base64 (§7.2).
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .link(let claims): tokens.sign(payload: claims.payload.bytes)
    case .member(let claims): Data(claims.payload.bytes).base64EncodedString()
    case .text(let text): text
    }
  }

  /// What a token's bytes say: a link's after its signature was verified, a member's as it stands.
  ///
  /// - Returns: `nil` for anything forged or malformed; purpose, role and time are not judged here.
  public func claims(
    verifiedBy tokens: any TokenCodec
  ) -> (claims: EnrollmentClaims, isSigned: Bool)? {
    switch self {
    case .link(let claims): return (claims, true)
    case .member(let claims): return (claims, false)
    case .text(let text):
      if text.utf8.contains(UInt8(ascii: ".")) {
        guard let payload = tokens.verifiedPayload(of: text).flatMap({ JSON(parsing: $0) }),
          let claims = EnrollmentClaims(payload: payload)
        else { return nil }
        return (claims, true)
      }
      guard let payload = Self.base64(text).flatMap({ JSON(parsing: $0) }),
        let claims = EnrollmentClaims(payload: payload)
      else { return nil }
      return (claims, false)
    }
  }

  /// Decodes the standard or the URL alphabet, padded or not (§7.2).
  private static func base64(_ text: String) -> [UInt8]? {
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let bare = standard.prefix { $0 != "=" }
    guard standard.dropFirst(bare.count).allSatisfy({ $0 == "=" }) else { return nil }
    let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    return Data(base64Encoded: bare + padding).map(Array.init)
  }
}
