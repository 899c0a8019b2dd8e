import Contracts
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server answered, as an independent client read it.
struct Answered: Sendable {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]

  var json: JSON? { JSON(parsing: body) }
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Foundation's client.
enum Client {
  static func ask(
    _ method: String, _ url: String, body: String? = nil, token: String? = nil
  ) async throws -> Answered {
    var request = URLRequest(url: URL(string: url)!, timeoutInterval: 60)
    request.httpMethod = method
    if let body {
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = response as! HTTPURLResponse
    let headers = Dictionary(
      http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") },
      uniquingKeysWith: { $1 })
    return Answered(status: http.statusCode, headers: headers, body: Array(data))
  }
}

/// A connection that says exactly what it is told, for what no decent client sends. Its calls block a thread of
/// Dispatch, never one of the tasks' own.
final class Connection: Sendable {
  private let socket: Int32
  private let queue = DispatchQueue(label: "connection")

  init(port: Int) throws {
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var patience = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { Foundation.close(socket) }

  /// Ends the connection as a client does that is killed.
  func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

  func send(_ text: String) async {
    await blocking { socket in
      var rest = ArraySlice(text.utf8)
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // A server that has heard enough closes; what it said before can still be read.
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    }
  }

  /// The next answer; `nil` when the server closes, or says nothing for 15 s.
  func receive() async -> Answered? { await receive(withBody: true) }

  /// The next answer to a HEAD.
  func receiveHead() async -> Answered? { await receive(withBody: false) }

  private func receive(withBody: Bool) async -> Answered? {
    await blocking { socket in
      var bytes: [UInt8] = []
      while !bytes.ends(with: Array("\r\n\r\n".utf8)) {
        guard let next = Self.read(1, from: socket).first else { return nil }
        bytes.append(next)
      }
      let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
      let status = Int(lines[0].split(separator: " ")[1]) ?? 0
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
          headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      let length = withBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
      var body: [UInt8] = []
      while body.count < length {
        let part = Self.read(length - body.count, from: socket)
        guard !part.isEmpty else { break }
        body += part
      }
      return Answered(status: status, headers: headers, body: body)
    }
  }

  /// Whether the server has closed its side, after everything that it said was read.
  func isClosed() async -> Bool { await blocking { Self.read(1, from: $0).isEmpty } }

  private static func read(_ count: Int, from socket: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = recv(socket, &buffer, count, 0)
    return read > 0 ? Array(buffer.prefix(read)) : []
  }

  private func blocking<Value: Sendable>(
    _ work: @escaping @Sendable (Int32) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { [socket] in continuation.resume(returning: work(socket)) }
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count) == end[...] }
}
