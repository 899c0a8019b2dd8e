import Contracts

extension AsiaTravelPlan {
  /// The rules that these operations touch; the statements are the specification's.
  public static let limits: [Limit] = [
    Limit(
      "ATP-04", "The app uses no HTML page of the backend and sends no cookie to the API.",
      source: "4.1 Scope and surface", keeper: .device),
    Limit(
      "ATP-09",
      "The app clears its session and does not enter when the token holds no allowed role.",
      source: "4.2 Who may enter", keeper: .device),
    Limit(
      "ATP-12", "Login is OpenID Connect authorization code with PKCE, method S256.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-15", "The redirect URI is exactly asiatravelplan://auth/callback, for logout too.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-16", "Sign out clears the local session and calls the end-session endpoint.",
      source: "4.3 Authentication and tokens", keeper: .device),
    Limit(
      "ATP-17", "Where the post-logout URI is not registered, remote logout fails.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-22", "On refresh failure the app logs out cleanly.",
      source: "4.3 Authentication and tokens", keeper: .device),
    Limit(
      "ATP-24",
      "A token is accepted only with a valid signature of a published key, the right issuer, not expired and not early.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-25", "The header must be Bearer with capital B; other schemes count as no token.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-27",
      "An access token stays valid until it expires; no refresh survives a remote logout.",
      source: "4.3 Authentication and tokens"),
    Limit(
      "ATP-31", "The endpoints exist under exactly their documented paths and methods.",
      source: "4.4 API contract"),
    Limit(
      "ATP-34",
      "A booking always shows staff, staff_name and stage; its activities are obtainable.",
      source: "4.4 API contract"),
    Limit(
      "ATP-35", "owner_id equals staff and owner_name equals staff_name, always.",
      source: "4.4 API contract"),
    Limit(
      "ATP-36", "atp_staff reads only bookings assigned to them.", source: "4.5 Rights per role"),
    Limit(
      "ATP-85", "The timeline comes oldest first and is append-only.",
      source: "4.9 Effects of operations"),
    Limit(
      "ATP-93", "Errors come as documented, in the documented order.",
      source: "4.9 Effects of operations"),
    Limit(
      "ATP-94", "Invoices come latest change first; amounts are integers.",
      source: "4.9 Effects of operations"),
    Limit(
      "ATP-95", "Every answer carries the cross-origin headers.",
      source: "4.9 Effects of operations"
    ),
  ]
}
