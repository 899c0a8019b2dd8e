import Foundation
import Synchronization

/// What all connections count together.
enum Counts {
  static let connections = Atomic<Int>(0)
  static let answers = Atomic<Int>(0)
  /// Requests that came whole, but for those that ask for a count.
  static let requests = Atomic<Int>(0)
  static let questions: Set<String> = ["/connections", "/requests", "/strays", "/held"]
  /// Answers that nobody asked for, and connections that were ended while nobody asked.
  static let strays = Atomic<Int>(0)
  /// How long each delayed answer was held, in nanoseconds, for comparing with what the client saw.
  static let held = Mutex<[Int64]>([])
}

/// One connection.
final class Visit {
  private let socket: Int32
  private let number: Int
  private var isOver = false
  private var strays = 0
  private var unread: [UInt8] = []
  private var head = ""
  private var body = ""

  init(_ socket: Int32) {
    self.socket = socket
    number = Counts.connections.add(1, ordering: .relaxed).newValue
  }

  /// - Parameter answeringFirst: Whether the first answer comes before the request.
  func serve(answeringFirst: Bool) {
    if answeringFirst { ok() }
    var answered = 0
    while !isOver, let path = nextPath() {
      if !Counts.questions.contains(path) { Counts.requests.add(1, ordering: .relaxed) }
      if answeringFirst, answered == 0 { isOver = true } else { answer(path, after: answered) }
      answered += 1
    }
    close(socket)
    if strays > 0 { Counts.strays.add(strays, ordering: .relaxed) }
  }

  /// A server that lets nobody in without a token of its own, which lives for a second; `seen` says how many tokens it gave, and how many
  /// requests came with one that was good and how many without.
  private func gate(_ what: String) {
    switch what {
    case "token":
      guard body.contains("grant_type=client_credentials"), body.contains("client_id=load"),
        body.contains("client_secret=s3cret"), body.contains("scope=tools")
      else {
        say("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        return
      }
      let token = Gate.give()
      json(#"{"access_token": "\#(token)", "token_type": "Bearer", "expires_in": 1}"#)
    case "openid-configuration":
      let host = head.firstMatch(of: /(?i)host: *([^\r\n]+)/).map { String($0.1) } ?? ""
      json(#"{"token_endpoint": "http://\#(host)/gate/token"}"#)
    case "seen":
      isOver = true
      json(Gate.seen)
    default:
      Gate.look(at: head)
      json("[]")
    }
  }

  private func json(_ text: String) {
    say(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
        + text)
  }

  /// The path of the next request, whose head and body are kept until the one after it.
  private func nextPath() -> String? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let found = unread.firstRange(of: end) {
        head = String(decoding: unread[..<found.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<found.upperBound)
        let marker = "content-length: "
        let length = head.lowercased().firstRange(of: marker).flatMap { range in
          Int(head.lowercased()[range.upperBound...].prefix { $0.isNumber })
        }
        while unread.count < length ?? 0 { guard fill() else { return nil } }
        body = String(decoding: unread.prefix(length ?? 0), as: UTF8.self)
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

  /// - Parameter answered: How many requests of this connection came before.
  private func answer(_ path: String, after answered: Int) {
    let words = path.split(separator: "/").map(String.init)
    if words.first == "gate" { return gate(words.last ?? "") }
    if let said = Said.all[words.first ?? ""] {
      say(said.text)
      isOver = isOver || said.isLast
      return
    }
    switch words.first ?? "ok" {
    case "ok": ok()
    case "status": say("HTTP/1.1 \(words[1]) Odd\r\nContent-Length: 4\r\n\r\nodd\n")
    case "redirects": redirect(words)
    case "slow-redirects":
      hold(nanoseconds: 150_000_000)
      redirect(words)
    case "byte-a-second":
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n" where say(String(byte)) {
        usleep(1_000_000)
      }
    case "large-header":
      say("HTTP/1.1 200 OK\r\n")
      if sayHeader(bytes: 40 << 20) { say("\r\n") }
    case "long-line":
      say("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "y", count: 200_000) + "\r\n\r\n")
      isOver = true
    case "endless-header":
      say("HTTP/1.1 200 OK\r\n")
      sayHeader(bytes: .max)
    case "endless-hints":
      while say("HTTP/1.1 103 Early Hints\r\nLink: </style>\r\n\r\n") {}
    case "endless-body":
      say("HTTP/1.1 200 OK\r\n\r\n")
      while say(String(repeating: "z", count: 16_384)) {}
    case "hints":
      // So many informational answers first.
      for _ in 0..<(words.count > 1 ? Int(words[1]) ?? 1 : 1) {
        say("HTTP/1.1 103 Early Hints\r\nLink: </style>\r\n\r\n")
      }
      ok()
    case "twice":
      // The second answer comes right behind the first, or as a packet of its own.
      let stray = "HTTP/1.1 500 Stray\r\nContent-Length: 6\r\n\r\nstray\n"
      if words.last == "at-once" {
        say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n" + stray)
      } else {
        ok()
        say(stray)
      }
      Counts.strays.add(1, ordering: .relaxed)
    case "leaves":
      // Kept, and closed while nobody asks.
      ok()
      isOver = true
      strays = 1
    case "drops-second":
      // Kept, and closed without an answer when it is used again.
      if answered % 2 == 1 { isOver = true } else { ok() }
    case "requests": tell(Counts.requests.load(ordering: .relaxed))
    case "exits-at-second":
      // Kept, and the whole server is gone when it is used again.
      guard answered == 1 else { return ok() }
      reset()
      exit(0)
    case "exits-after-answer":
      okAndClose()
      close(socket)
      exit(0)
    case "resets-after-twenty":
      if Counts.answers.add(1, ordering: .relaxed).newValue > 20 { reset() } else { okAndClose() }
    case "exits":
      reset()
      exit(0)
    case "strays": tell(Counts.strays.load(ordering: .relaxed))
    case "never": while fill() {}
    case "method":
      let method = head.prefix { $0 != " " } + " " + body
      say("HTTP/1.1 200 OK\r\nContent-Length: \(method.utf8.count)\r\n\r\n\(method)")
    case "echo":
      let said = head + "\r\n\r\n" + body
      say("HTTP/1.1 200 OK\r\nContent-Length: \(said.utf8.count)\r\n\r\n\(said)")
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
    case "connections": tell(Counts.connections.load(ordering: .relaxed))
    case "held":
      let held = Counts.held.withLock { list in
        defer { list = [] }
        return list.map(String.init).joined(separator: "\n")
      }
      say("HTTP/1.1 200 OK\r\nContent-Length: \(held.utf8.count)\r\n\r\n" + held)
    default: say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    }
  }

  /// `redirects/302/3/ok`: three of them, and then the rest of the path; `away` leads to another server, `nowhere` says not where.
  private func redirect(_ words: [String]) {
    let left = words.count > 2 ? Int(words[2]) ?? 0 : 0
    let rest = words.dropFirst(3).joined(separator: "/")
    let place =
      switch rest {
      case "away": "Location: http://localhost:1/\r\n"
      case "nowhere": ""
      case "other": "Location: ftp://127.0.0.1/\r\n"
      default:
        "Location: /" + (left > 1 ? "\(words[0])/\(words[1])/\(left - 1)/" : "") + rest + "\r\n"
      }
    say("HTTP/1.1 \(words[1]) Elsewhere\r\n\(place)Content-Length: 3\r\n\r\nno\n")
  }

  private func ok() { say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n") }

  private func okAndClose() {
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
    isOver = true
  }

  @discardableResult
  private func sayHeader(bytes: Int) -> Bool {
    let line = "X-Large: " + String(repeating: "y", count: 8_180) + "\r\n"
    var said = 0
    while said < bytes {
      guard say(line) else { return false }
      said += line.utf8.count
    }
    return true
  }

  /// A number as an answer, on a connection that is not kept.
  private func tell(_ count: Int) {
    let text = String(count)
    say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    isOver = true
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
