import CCurl
import Contracts

/// A URL as libcurl reads it, with the parts that others need.
struct URLParts {
  /// For libcurl's own use; whoever takes it frees it.
  let handle: OpaquePointer
  let isEncrypted: Bool
  let host: String
  let port: String
  let path: String
  /// Scheme, host and port.
  var origin: String { "\(isEncrypted ? "https" : "http")://\(host.lowercased()):\(port)" }
  /// Without user and password, and with the values of its query left out.
  let shown: String

  init(_ url: String) throws(HTTPProblem) {
    let safe = Self.redacted(url)
    guard !url.isEmpty, !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw .badURL(safe, reason: "it is empty or holds blanks or control characters")
    }
    guard let scheme = url.firstRange(of: "://").map({ url[..<$0.lowerBound].lowercased() }),
      scheme == "http" || scheme == "https"
    else { throw .badURL(safe, reason: "it begins with neither http:// nor https://") }
    guard let handle = curl_url() else { throw .noMeans("memory") }
    let code = curl_url_set(
      handle, CURLUPART_URL, Self.encoded(url), UInt32(CURLU_PATH_AS_IS))
    guard code == CURLUE_OK else {
      curl_url_cleanup(handle)
      throw .badURL(safe, reason: String(cString: curl_url_strerror(code)))
    }
    self.handle = handle
    isEncrypted = scheme == "https"
    host = Self.part(CURLUPART_HOST, of: handle) ?? ""
    port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
    path = Self.part(CURLUPART_PATH, of: handle) ?? "/"
    shown = safe
  }

  private static func part(_ what: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, what, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// A URL whose path and query hold no byte that a URL cannot: each is written as `%XX`. What is written so already stays, and so do brackets,
  /// which all servers take.
  ///
  /// - Source: RFC 3986 §2.1, §3.3, §3.4.
  private static func encoded(_ url: String) -> String {
    let url = url.utf8
    let start = url.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    let bytes = url[end...].flatMap { byte -> [UInt8] in
      guard byte >= 0x80 || #""<>\^`{|}"#.utf8.contains(byte) else { return [byte] }
      let digits = String(byte, radix: 16, uppercase: true)
      return Array("%\(digits)".utf8)
    }
    return String(decoding: url[..<end] + bytes, as: UTF8.self)
  }

  /// A URL without what may be secret in it, whether it can be read or not: user and password, the values of its query, its fragment.
  static func redacted(_ url: String) -> String {
    // By scalars: a combining mark after one of these signs makes another character of it to Swift, and hides nothing.
    var text = url.unicodeScalars[...]
    if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
    var query = ""
    if let mark = text.firstIndex(of: "?") {
      let names = text[text.index(after: mark)...].split(separator: "&").map { pair in
        pair.firstIndex(of: "=").map { String(pair[..<$0]) + "=…" } ?? "…"
      }
      query = "?" + names.joined(separator: "&")
      text = text[..<mark]
    }
    let start = text.firstRange(of: "://".unicodeScalars)?.upperBound ?? text.startIndex
    let end = text[start...].firstIndex(of: "/") ?? text.endIndex
    guard let at = text[start..<end].lastIndex(of: "@") else { return String(text) + query }
    return String(text[..<start]) + "…@" + String(text[text.index(after: at)...]) + query
  }
}
