import Contracts

extension Kilwinning.Rule {
  /// Login and session: KW-001 to KW-019.
  static let login = [
    Theme<Self>(
      "4.1 Login and session",
      [
        .kw001: "The list of fratelli is readable without a session.",
        .kw002: "Login needs only nome; there is no password and none may be demanded.",
        .kw003:
          "The name is matched exactly, after the white space around the input is trimmed; composed and decomposed letters are equal.",
        .kw004:
          "An unknown name is refused with 401, a missing or malformed one with 400; no session is created.",
        .kw005:
          "Login answers the fratello, admin_access, a token and when it expires: 28 800 s after the session was verified.",
        .kw006: "A login never invalidates other sessions; one fratello may hold any number.",
        .kw010: "The token travels as Authorization: Bearer token, one space, nothing after it.",
        .kw011:
          "The cookie of the login is accepted where no Authorization header is present; else the header alone decides.",
        .kw012:
          "Welcome, list, login and OPTIONS need no session; everything else answers 401 without one.",
        .kw013: "A session is valid until 28 800 s after it was last verified, inclusive.",
        .kw014: "Only login and a successful verification move the session's time forward.",
        .kw015: "The verification of an expired session fails and does not revive it.",
        .kw016:
          "An expired token is refused with SESSIONE_SCADUTA, a revoked or unknown one with NON_AUTENTICATO.",
        .kw017: "Logout revokes only the token that is presented; a second one with it is refused.",
        .kw018: "Expiry and logout change no fratello, tornata or presenza.",
        .kw019: "The verification answers the fratello as he is stored now.",
      ])
  ]
}
