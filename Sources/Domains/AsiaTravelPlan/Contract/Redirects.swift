import Contracts

/// What the user agent sees of the provider: pages and redirects (7.2, 7.5).
extension AsiaTravelPlan {
  static let loginPage = ReplyForm<Self>.page(
    Reply.loginPage, \.loginPage, html: Page.login(_:), reading: Page.login(reading:))

  static let signedOut = ReplyForm<Self>.page(
    { _ in .signedOut }, { $0 == .signedOut ? true : nil }, html: { _ in Page.signedOut },
    reading: { Page.signedOut(reading: $0) ? true : nil })

  /// 302 to the app or the next page, with what the user agent keeps.
  static let redirected = ReplyForm<Self>(
    status: 302, mediaType: nil,
    write: { reply, request, spelling in
      guard let redirect = reply.redirected else { return nil }
      if case .redacted = spelling {
        return WireResponse(302, body: ["location": .string(redirect.target)])
      }
      return found(
        redirect.target,
        [
          "state": redirect.state, "session_state": redirect.sessionState, "code": redirect.code,
        ], redirect.cookies.map { setting($0, realm: request.map(realm) ?? "") })
    },
    read: { response, _ in
      guard let (target, query) = location(response), query["error"] == nil else { return nil }
      return .redirected(
        Redirect(
          to: target, state: query["state"], sessionState: query["session_state"],
          code: query["code"],
          cookies: response.headers.filter { $0.name.lowercased() == "set-cookie" }
            .compactMap { cookieChange($0.value) }))
    },
    mix: { reply, digest in
      guard let redirect = reply.redirected else { return false }
      redirect.mix(into: &digest)
      return true
    })

  /// The user agent is sent back with an error.
  static let sentBack = RefusalForm<Self>(
    schema: [:],
    write: { refusal in
      guard case .sentBack(let error) = refusal else { return nil }
      return found(
        error.target,
        ["error": error.error, "error_description": error.description, "state": error.state], [])
    },
    read: { response in
      guard let (target, query) = location(response), let error = query["error"] else {
        return nil
      }
      return .sentBack(
        AuthorizationError(
          to: target, error, description: query["error_description"], state: query["state"]))
    })

  private static func found(
    _ target: String, _ query: WireForm, _ cookies: [WireHeader]
  ) -> WireResponse {
    // A registered address may have a query of its own (RFC 6749 §3.1.2).
    let joint = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    let location = query.items.isEmpty ? target : target + joint + query.text
    return WireResponse(302, headers: [WireHeader("Location", location)] + cookies, content: .empty)
  }

  private static func location(_ response: WireResponse) -> (target: String, query: WireForm)? {
    guard response.status == 302, let location = response.header("Location") else { return nil }
    let parts = location.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), WireForm(parsing: parts.count > 1 ? String(parts[1]) : ""))
  }

  private static func setting(_ change: CookieChange, realm: String) -> WireHeader {
    let age = change.value == nil ? "; Max-Age=0" : ""
    return WireHeader(
      "Set-Cookie", "\(change.name)=\(change.value ?? ""); Path=/realms/\(realm)/; HttpOnly\(age)")
  }

  private static func cookieChange(_ header: String) -> CookieChange? {
    let attributes = header.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let pair = attributes.first?.split(separator: "=", maxSplits: 1), let name = pair.first
    else { return nil }
    let isGone = attributes.contains { $0.lowercased() == "max-age=0" }
    return CookieChange(String(name), pair.count > 1 && !isGone ? String(pair[1]) : nil)
  }

  /// The realm in whose pages the user agent is.
  private static func realm(of request: Request) -> String {
    if let asked = request.authorize { return asked.realm }
    if let asked = request.endSession { return asked.realm }
    let path = WireTarget(parsing: request.logIn?.action ?? request.confirmation ?? "").path
    return path.count > 1 ? path[1] : ""
  }
}
