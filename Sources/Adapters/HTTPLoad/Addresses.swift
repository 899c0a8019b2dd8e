import Foundation
import Synchronization

/// Where hosts are: asked once, before calls are made, so that no call waits for a name server and no name server meets the load.
enum Addresses {
  private static let known = Mutex<[String: String]>([:])

  /// As libcurl takes it, `HOST:PORT:ADDRESS,…`; `nil` where the host is an address itself.
  static func of(_ url: URLParts) throws(HTTPProblem) -> String? {
    var number = in_addr()
    guard !url.host.hasPrefix("["), inet_pton(AF_INET, url.host, &number) != 1 else { return nil }
    let list: String
    if let found = known.withLock({ $0[url.host] }) {
      list = found
    } else {
      list = try ask(url.host)
      known.withLock { $0[url.host] = list }
    }
    return "\(url.host):\(url.port):\(list)"
  }

  private static func ask(_ host: String) throws(HTTPProblem) -> String {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      throw .unresolvable(host: host, reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    var next = list
    while let entry = next {
      if let text = text(of: entry.pointee), !found.contains(text) { found.append(text) }
      next = entry.pointee.ai_next
    }
    return found.joined(separator: ",")
  }

  private static func text(of entry: addrinfo) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(
      entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return address.contains(":") ? "[\(address)]" : address
  }
}
