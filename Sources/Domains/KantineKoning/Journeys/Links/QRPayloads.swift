import Contracts
import KantineKoningContract

/// What a scanned code yields: a club, and nothing else (§6.2). A scan makes no request.
public struct QRPayload: Hashable, Sendable {
  public let slug: Slug, name: String

  public init(slug: Slug, name: String) { (self.slug, self.name) = (slug, name) }

  /// Reads a payload: a direct form, or one nested in the `data` parameter of any address, one level deep.
  ///
  /// - Returns: `nil` for anything else, which the app ignores (KK-123, KK-124, KK-127).
  public static func parse(_ text: String) -> QRPayload? {
    guard let address = LinkAddress(text) else { return nil }
    if let direct = direct(address) { return direct }
    // Query parsing has decoded it once; the app decodes it a second time when that is of no use.
    guard let data = address.parameter("data") else { return nil }
    return LinkAddress(data).flatMap(direct)
      ?? WireForm.decode(strictly: data).flatMap { LinkAddress($0) }.flatMap(direct)
  }

  private static func direct(_ address: LinkAddress) -> QRPayload? {
    if address.scheme == "kantinekoning", address.host == "tenant", address.path.isEmpty {
      guard let slug = address.parameter("slug"), let name = address.parameter("name") else {
        return nil
      }
      return QRPayload(slug: Slug(slug), name: name)
    }
    return isInvite(address) ? invite(address) : nil
  }

  /// Whether an address has the form of an invitation, whatever its parameters.
  static func isInvite(_ address: LinkAddress) -> Bool {
    if address.scheme == "kantinekoning" { return address.host == "invite" && address.path.isEmpty }
    return address.isOnAppHost && address.path.contains("invite")
  }

  static func invite(_ address: LinkAddress) -> QRPayload? {
    guard let slug = address.parameter("tenant"),
      let name = address.parameter("tenant_name", plusIsSpace: true)
    else { return nil }
    return QRPayload(slug: Slug(slug), name: name)
  }
}
