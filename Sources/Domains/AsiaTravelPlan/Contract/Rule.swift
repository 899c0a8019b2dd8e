import Contracts

extension AsiaTravelPlan {
  /// The rules that these operations touch; the statements are the specification's.
  public enum Rule: String, Contracts.Rule {
    case atp04, atp09, atp12, atp15, atp16, atp17, atp22, atp24, atp25, atp27
    case atp31, atp34, atp35, atp36, atp85, atp93, atp94, atp95

    public static let themes = [
      Theme<Self>(
        "4.1 Scope and surface", keptBy: .device,
        [
          .atp04: "The app uses no HTML page of the backend and sends no cookie to the API."
        ]),
      Theme<Self>(
        "4.2 Who may enter", keptBy: .device,
        [
          .atp09:
            "The app clears its session and does not enter when the token holds no allowed role."
        ]),
      Theme<Self>(
        "4.3 Authentication and tokens",
        [
          .atp12: "Login is OpenID Connect authorization code with PKCE, method S256.",
          .atp15: "The redirect URI is exactly asiatravelplan://auth/callback, for logout too.",
        ]),
      Theme<Self>(
        "4.3 Authentication and tokens", keptBy: .device,
        [
          .atp16: "Sign out clears the local session and calls the end-session endpoint."
        ]),
      Theme<Self>(
        "4.3 Authentication and tokens",
        [
          .atp17: "Where the post-logout URI is not registered, remote logout fails."
        ]),
      Theme<Self>(
        "4.3 Authentication and tokens", keptBy: .device,
        [
          .atp22: "On refresh failure the app logs out cleanly."
        ]),
      Theme<Self>(
        "4.3 Authentication and tokens",
        [
          .atp24:
            "A token is accepted only with a valid signature of a published key, the right issuer, not expired and not early.",
          .atp25: "The header must be Bearer with capital B; other schemes count as no token.",
          .atp27:
            "An access token stays valid until it expires; no refresh survives a remote logout.",
        ]),
      Theme<Self>(
        "4.4 API contract",
        [
          .atp31: "The endpoints exist under exactly their documented paths and methods.",
          .atp34:
            "A booking always shows staff, staff_name and stage; its activities are obtainable.",
          .atp35: "owner_id equals staff and owner_name equals staff_name, always.",
        ]),
      Theme<Self>(
        "4.5 Rights per role",
        [
          .atp36: "atp_staff reads only bookings assigned to them."
        ]),
      Theme<Self>(
        "4.9 Effects of operations",
        [
          .atp85: "The timeline comes oldest first and is append-only.",
          .atp93: "Errors come as documented, in the documented order.",
          .atp94: "Invoices come latest change first; amounts are integers.",
          .atp95: "Every answer carries the cross-origin headers.",
        ]),
    ]
  }
}
