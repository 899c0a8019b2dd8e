import CCurl
import Contracts
import Foundation

/// One request that can be sent again and again: parsed, checked and resolved once.
public final class HTTPRoute {
  /// The name in objectives and reports: the path, without what follows `?`.
  public let name: String
  /// Method and URL without user, password and query, as text that is safe to show.
  public let title: String
  public let method: String
  public let host: String
  /// The URL as it may be shown: without user and password, and with the values of its query left out.
  public let shownURL: String
  /// Whether being sent twice has the same effect as once.
  let isIdempotent: Bool
  let isEncrypted: Bool
  let url: OpaquePointer
  let headers: UnsafeMutablePointer<curl_slist>?
  /// Whether each call is the last over its connection, and says so.
  let closes: Bool
  let resolved: UnsafeMutablePointer<curl_slist>?
  let body: [UInt8]?
  /// As they were given.
  private let lines: [String]
  private let origin: String

  /// - Parameters:
  ///   - url: `http` or `https`, absolute.
  ///   - method: `nil` is GET, or POST where there is a body.
  ///   - headers: Each `Name: value`.
  ///   - name: `nil` takes the path.
  ///   - closes: Whether each call is to be the last over its connection.
  public init(
    _ url: String, method: String? = nil, headers: [String] = [], body: [UInt8]? = nil,
    name: String? = nil, closes: Bool = false
  ) throws(HTTPProblem) {
    let method = method ?? (body == nil ? "GET" : "POST")
    guard Self.isToken(method) else { throw .badMethod(method) }
    // libcurl would leave it out, or wait for a body in the answer.
    guard method != "HEAD" || body == nil else { throw .bodyOfHead }
    for header in headers where !Self.isHeader(header) { throw .badHeader(Self.nameOnly(header)) }
    let length = body?.count ?? 0
    for header in headers where Self.nameOnly(header).lowercased() == "content-length" {
      let said = header.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
      guard said == "\(length)" else { throw .wrongLength(length) }
    }
    let parts = try URLParts(url)
    let found = try Addresses.of(parts)
    self.method = method
    isIdempotent = Self.idempotent.contains(method)
    self.url = parts.handle
    self.body = body ?? (Self.carrying.contains(method) ? [] : nil)
    lines = headers
    origin = parts.origin
    host = parts.host
    isEncrypted = parts.isEncrypted
    shownURL = parts.shown
    self.name = name ?? printable(parts.path, limit: 120)
    title = "\(method) \(printable(parts.shown, limit: 200))"
    let isClosing = headers.contains(where: Self.isClosing)
    self.closes = closes || isClosing
    let own =
      headers.map(Self.forLibcurl) + Self.quiet(headers)
      + (closes && !isClosing ? ["Connection: close"] : [])
    self.headers = own.reduce(nil) { curl_slist_append($0, $1) }
    resolved = found.map { curl_slist_append(nil, $0) } ?? nil
  }

  static let redirects: Set<Int> = [301, 302, 303, 307, 308]

  /// Where a redirect of its own server leads, with what browsers make of the method; `nil` where that is another server's, who is to see
  /// neither headers nor bodies that were not meant for it.
  ///
  /// - Source: RFC 9110 §15.4.
  func redirected(to url: String, by status: Int) -> HTTPRoute? {
    let becomesGet =
      status == 303 && method != "HEAD" || status < 303 && method == "POST"
    do throws(HTTPProblem) {
      let next = try HTTPRoute(
        url, method: becomesGet ? "GET" : method,
        headers: becomesGet ? lines.filter { !Self.isOfBody($0) } : lines,
        body: becomesGet ? nil : body, name: name, closes: closes)
      return next.origin == origin ? next : nil
    } catch {
      return nil
    }
  }

  /// - Source: RFC 9110 §9.2.2.
  private static let idempotent: Set<String> = [
    "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE",
  ]

  /// Methods that say how long their body is, even where there is none.
  /// - Source: RFC 9110 §8.6.
  private static let carrying: Set<String> = ["POST", "PUT", "PATCH"]

  /// Whether a header speaks of the body, and goes where the body goes.
  /// - Source: RFC 9110 §15.4.
  private static func isOfBody(_ header: String) -> Bool {
    let name = nameOnly(header).lowercased()
    return name.hasPrefix("content-")
      || ["digest", "expect", "last-modified", "trailer", "transfer-encoding"].contains(name)
  }

  deinit {
    curl_url_cleanup(url)
    curl_slist_free_all(headers)
    curl_slist_free_all(resolved)
  }

  /// What libcurl would add by itself and a load does not want: a wait for "100 Continue" before each larger body, and a form's type
  /// where none was named.
  private static func quiet(_ headers: [String]) -> [String] {
    let given = Set(headers.map { nameOnly($0).lowercased() })
    return ["Expect:", "Content-Type:"].filter { !given.contains(nameOnly($0).lowercased()) }
  }

  /// Whether a header says that its request is the last over its connection.
  /// - Source: RFC 9112 §9.6.
  private static func isClosing(_ header: String) -> Bool {
    let name = nameOnly(header)
    return name.lowercased() == "connection"
      && header.dropFirst(name.count + 1).split(separator: ",").contains {
        $0.trimmingCharacters(in: .whitespaces).lowercased() == "close"
      }
  }

  /// A header as libcurl takes it: one without a value would be left out, but for a semicolon.
  private static func forLibcurl(_ header: String) -> String {
    let name = nameOnly(header)
    let isEmpty = header.dropFirst(name.count + 1).allSatisfy { $0 == " " || $0 == "\t" }
    return isEmpty ? name + ";" : header
  }

  /// The name of a header; values may be secrets.
  static func nameOnly(_ header: String) -> String {
    String(header.prefix { $0 != ":" })
  }

  private static func isHeader(_ header: String) -> Bool {
    let name = nameOnly(header)
    return name.utf8.count < header.utf8.count && isToken(name)
      && !header.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
  }

  /// - Source: RFC 9110 §5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
