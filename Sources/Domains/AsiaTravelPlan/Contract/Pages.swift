import Contracts

/// The provider's HTML pages, as far as a user agent needs them: a form's action, a message.
enum Page {
  static func login(_ page: LoginPage) -> String {
    let message = page.message.map { #"<p id="kc-message">\#(escape($0))</p>"# } ?? ""
    return html(
      message
        + #"<form id="kc-form-login" method="post" action="\#(escape(page.action))">"#
        + #"<input name="username"><input name="password" type="password">"#
        + #"<button>Sign in</button><button name="cancel" value="true">Cancel</button></form>"#)
  }

  static func endSession(action: String) -> String {
    html(
      #"<form id="kc-logout-confirm" method="post" action="\#(escape(action))">"#
        + #"<input type="submit" name="confirmLogout" value="Logout"></form>"#)
  }

  static let signedOut = html(#"<p id="kc-page-title">You are logged out</p>"#)

  static func signedOut(reading html: String?) -> Bool {
    html.flatMap { text(of: "kc-page-title", in: $0) } == "You are logged out"
  }

  static func error(_ message: String) -> String {
    html(#"<p id="kc-error-message">\#(escape(message))</p>"#)
  }

  static func login(reading html: String?) -> LoginPage? {
    guard let html, let action = action(of: "kc-form-login", in: html) else { return nil }
    return LoginPage(action: action, message: text(of: "kc-message", in: html))
  }

  static func endSession(reading html: String?) -> String? {
    html.flatMap { action(of: "kc-logout-confirm", in: $0) }
  }

  static func error(reading html: String?) -> String? {
    html.flatMap { text(of: "kc-error-message", in: $0) }
  }

  private static func html(_ body: String) -> String {
    "<!DOCTYPE html><html><body>\(body)</body></html>"
  }

  private static func action(of form: String, in html: String) -> String? {
    guard let tag = part(of: html, after: #"id="\#(form)""#, before: ">") else { return nil }
    return part(of: tag, after: #"action=""#, before: "\"").map(unescape)
  }

  private static func text(of id: String, in html: String) -> String? {
    part(of: html, after: #"id="\#(id)">"#, before: "<").map(unescape)
  }

  private static func part(of text: String, after start: String, before end: String) -> String? {
    guard let from = text.firstRange(of: start)?.upperBound,
      let to = text[from...].firstRange(of: end)?.lowerBound
    else { return nil }
    return String(text[from..<to])
  }

  private static let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]

  private static func escape(_ text: String) -> String {
    entities.reduce(text) { $0.replacing(scalars: $1.0, with: $1.1) }
  }

  private static func unescape(_ text: String) -> String {
    entities.reversed().reduce(text) { $0.replacing(scalars: $1.1, with: $1.0) }
  }
}
