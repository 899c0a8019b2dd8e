import KantineKoningContract

/// A link that opens the app (§6.3).
public enum DeepLink: Hashable, Sendable {
  /// The magic link: O3 with this token.
  case deviceEnroll(token: String)
  /// Opens a placeholder that only clears itself; no request (KK-126).
  case callToAction(token: String)
  /// Onboarding with the club preselected.
  case invite(QRPayload)
  /// Only when registered: O22, then O23.
  case claimDienst(tenant: Slug, dienstID: DienstID, token: String)

  /// Reads a link; the first form that fits decides, and a parameter that is missing makes it ineffective.
  ///
  /// - Returns: `nil` for anything else, which the app ignores (KK-125, KK-127).
  public static func parse(_ text: String) -> DeepLink? {
    guard let address = LinkAddress(text) else { return nil }
    if has(address, form: "device-enroll") {
      return address.parameter("token").map { .deviceEnroll(token: $0) }
    }
    if isCallToAction(address) {
      return address.parameter("token").map { .callToAction(token: $0) }
    }
    if QRPayload.isInvite(address) { return QRPayload.invite(address).map(DeepLink.invite) }
    guard has(address, form: "claim-dienst"), let tenant = address.parameter("tenant"),
      let dienst = address.parameter("dienst_id"), let token = address.parameter("token")
    else { return nil }
    return .claimDienst(tenant: Slug(tenant), dienstID: DienstID(dienst), token: token)
  }

  /// `kantinekoning://form?…`, or a page of the product with the form in its path.
  private static func has(_ address: LinkAddress, form: String) -> Bool {
    if address.scheme == "kantinekoning" { return address.host == form && address.path.isEmpty }
    return address.isOnAppHost && address.path.contains(form)
  }

  private static func isCallToAction(_ address: LinkAddress) -> Bool {
    if address.scheme == "kantinekoning" {
      return address.host == "cta" && address.path == "/shift-volunteer"
    }
    return address.isOnAppHost && address.path.contains("cta")
  }
}
