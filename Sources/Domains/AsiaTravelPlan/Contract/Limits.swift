import Contracts

extension AsiaTravelPlan {
  /// The rules that these operations touch; the statements are the specification's.
  public static let limits: [Limit] =
    Limit.stated(
      under: "4.1 Scope and surface", keptBy: .device,
      [
        "ATP-04": "The app uses no HTML page of the backend and sends no cookie to the API."
      ])
    + Limit.stated(
      under: "4.2 Who may enter", keptBy: .device,
      [
        "ATP-09":
          "The app clears its session and does not enter when the token holds no allowed role."
      ])
    + Limit.stated(
      under: "4.3 Authentication and tokens",
      [
        "ATP-12": "Login is OpenID Connect authorization code with PKCE, method S256.",
        "ATP-15": "The redirect URI is exactly asiatravelplan://auth/callback, for logout too.",
      ])
    + Limit.stated(
      under: "4.3 Authentication and tokens", keptBy: .device,
      [
        "ATP-16": "Sign out clears the local session and calls the end-session endpoint."
      ])
    + Limit.stated(
      under: "4.3 Authentication and tokens",
      [
        "ATP-17": "Where the post-logout URI is not registered, remote logout fails."
      ])
    + Limit.stated(
      under: "4.3 Authentication and tokens", keptBy: .device,
      [
        "ATP-22": "On refresh failure the app logs out cleanly."
      ])
    + Limit.stated(
      under: "4.3 Authentication and tokens",
      [
        "ATP-24":
          "A token is accepted only with a valid signature of a published key, the right issuer, not expired and not early.",
        "ATP-25": "The header must be Bearer with capital B; other schemes count as no token.",
        "ATP-27":
          "An access token stays valid until it expires; no refresh survives a remote logout.",
      ])
    + Limit.stated(
      under: "4.4 API contract",
      [
        "ATP-31": "The endpoints exist under exactly their documented paths and methods.",
        "ATP-34":
          "A booking always shows staff, staff_name and stage; its activities are obtainable.",
        "ATP-35": "owner_id equals staff and owner_name equals staff_name, always.",
      ])
    + Limit.stated(
      under: "4.5 Rights per role",
      [
        "ATP-36": "atp_staff reads only bookings assigned to them."
      ])
    + Limit.stated(
      under: "4.9 Effects of operations",
      [
        "ATP-85": "The timeline comes oldest first and is append-only.",
        "ATP-93": "Errors come as documented, in the documented order.",
        "ATP-94": "Invoices come latest change first; amounts are integers.",
        "ATP-95": "Every answer carries the cross-origin headers.",
      ])
}
