import Foundation
import Synchronization

/// A server of its own process that answers as its path says, rightly or not: what a load over HTTP is tested against.
///
/// It prints its port and serves until its standard input ends. Every connection has a thread; nothing of the product is in it.
@main
struct FaultyServer {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(listener, plain, length) == 0 && listen(listener, 4_096) == 0
          && getsockname(listener, plain, &length) == 0
      }
    }
    guard isBound else { exit(1) }
    FileHandle.standardOutput.write(Data("\(UInt16(bigEndian: address.sin_port))\n".utf8))
    Thread.detachNewThread {
      while FileHandle.standardInput.availableData.count > 0 {}
      exit(0)
    }
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      let thread = Thread { Visit(connection).serve() }
      thread.stackSize = 256 * 1_024
      thread.start()
    }
  }
}

/// What all connections count together.
enum Counts {
  static let connections = Atomic<Int>(0)
  static let answers = Atomic<Int>(0)
  /// How long each delayed answer was held, in nanoseconds, for comparing with what the client saw.
  static let held = Mutex<[Int64]>([])
}

/// One connection.
final class Visit {
  private let socket: Int32
  private let number: Int
  private var isOver = false
  private var unread: [UInt8] = []

  init(_ socket: Int32) {
    self.socket = socket
    number = Counts.connections.add(1, ordering: .relaxed).newValue
  }

  func serve() {
    while !isOver, let path = nextPath() { answer(path) }
    close(socket)
  }

  /// The path of the next request, whose body, if any, is read and forgotten.
  private func nextPath() -> String? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let found = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<found.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<found.upperBound)
        let marker = "content-length: "
        let length = head.lowercased().firstRange(of: marker).flatMap { range in
          Int(head.lowercased()[range.upperBound...].prefix { $0.isNumber })
        }
        while unread.count < length ?? 0 { guard fill() else { return nil } }
        unread.removeFirst(length ?? 0)
        let parts = head.split(separator: " ")
        return parts.count > 1 ? String(parts[1]) : nil
      }
      guard fill() else { return nil }
    }
  }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    unread += buffer.prefix(count)
    // Nobody here speaks TLS.
    return unread.first != 0x16
  }

  private func answer(_ path: String) {
    let words = path.split(separator: "/").map(String.init)
    switch words.first ?? "ok" {
    case "ok": ok()
    case "status": say("HTTP/1.1 \(words[1]) Odd\r\nContent-Length: 4\r\n\r\nodd\n")
    case "redirect":
      say("HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n")
    case "closes-mid-body":
      say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 50))
      isOver = true
    case "length-too-long":
      say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok\n")
    case "length-too-short":
      say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more than was announced")
    case "length-no-number": say("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok\n")
    case "byte-a-second":
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n" where say(String(byte)) {
        usleep(1_000_000)
      }
    case "chunked-garbage":
      say(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nthis is no length\r\nxx\r\n0\r\n\r\n")
    case "chunked-cut":
      say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      isOver = true
    case "hints-first":
      say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
      ok()
    case "nothing-with-body": say("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")
    case "large-header": largeHeader()
    case "never": while fill() {}
    case "no-http":
      say("220 mail.example ESMTP\r\n")
      isOver = true
    case "closes": isOver = true
    case "resets": reset()
    case "resets-each-tenth": if number % 10 == 0 { reset() } else { okAndClose() }
    case "fixed":
      hold(nanoseconds: milliseconds(words, 1))
      ok()
    case "bimodal":
      let turn = Counts.answers.add(1, ordering: .relaxed).newValue
      hold(nanoseconds: milliseconds(words, turn % 5 == 0 ? 2 : 1))
      ok()
    case "exponential":
      // The golden ratio's multiples fill the unit interval evenly, so that few answers already have the distribution.
      let turn = Double(Counts.answers.add(1, ordering: .relaxed).newValue)
      let place = (turn * 0.6180339887498949).truncatingRemainder(dividingBy: 1)
      hold(nanoseconds: Int64(-Double(milliseconds(words, 1)) * log1p(-place)))
      ok()
    case "connections":
      let count = String(Counts.connections.load(ordering: .relaxed))
      say(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(count.utf8.count)\r\n\r\n"
          + count)
      isOver = true
    case "held":
      let held = Counts.held.withLock { list in
        defer { list = [] }
        return list.map(String.init).joined(separator: "\n")
      }
      say("HTTP/1.1 200 OK\r\nContent-Length: \(held.utf8.count)\r\n\r\n" + held)
    default: say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    }
  }

  private func ok() { say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n") }

  private func okAndClose() {
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
    isOver = true
  }

  private func largeHeader() {
    let line = "X-Large: " + String(repeating: "y", count: 8_180) + "\r\n"
    guard say("HTTP/1.1 200 OK\r\n") else { return }
    for _ in 0..<(40 * 1_024 * 1_024 / line.utf8.count) { guard say(line) else { return } }
    say("\r\n")
  }

  private func reset() {
    var abruptly = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &abruptly, socklen_t(MemoryLayout<linger>.size))
    isOver = true
  }

  private func milliseconds(_ words: [String], _ place: Int) -> Int64 {
    Int64((words.count > place ? Double(words[place]) ?? 0 : 0) * 1e6)
  }

  private func hold(nanoseconds: Int64) {
    var (before, after) = (timespec(), timespec())
    clock_gettime(CLOCK_MONOTONIC, &before)
    var pause = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&pause, nil)
    clock_gettime(CLOCK_MONOTONIC, &after)
    let took =
      Int64(after.tv_sec - before.tv_sec) * 1_000_000_000 + Int64(after.tv_nsec - before.tv_nsec)
    Counts.held.withLock { $0.append(took) }
  }

  @discardableResult
  private func say(_ text: String) -> Bool {
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else {
        isOver = true
        return false
      }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
