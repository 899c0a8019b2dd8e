import Contracts
import Timekeeping

/// Whose names may stand where a replay asks for a token.
extension KantineKoning {
  public static let sessionOperations = ["register"]

  /// A loaded enrollment is called by its `device_id`; its token is issued at the instant of the load.
  public static func sessions(
    broughtBy command: Request, at now: Instant, tokens: any TokenCodec
  ) -> [(name: String, token: String)] {
    guard case .control(.load(let fixture)) = command else { return [] }
    return fixture.enrollments.filter { !$0.deviceID.isEmpty }.map { entry in
      let claims = DeviceClaims(
        deviceID: entry.deviceID, tenantSlug: entry.tenantSlug, role: entry.role,
        teamCodes: entry.teamCodes, iat: now.unixSeconds, exp: nil)
      return (entry.deviceID.text, DeviceToken.issued(claims).text(signedBy: tokens))
    }
  }
}
