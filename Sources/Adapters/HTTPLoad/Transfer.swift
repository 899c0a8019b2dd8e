import CCurl
import Contracts
import Foundation
import Timekeeping

/// One slot for a call at a time: an easy handle that is used again and again, with the connection that it is likely to find.
final class Transfer {
  let easy: UnsafeMutableRawPointer
  /// Which of the client's multi handles it belongs to.
  let shard: Int
  private let options: HTTPOptions
  private let readiness: Readiness
  private var route: HTTPRoute?
  private let words: UnsafeMutablePointer<CChar>
  private var books = Books()
  private var body: [UInt8] = []
  private var headers: [(name: String, value: String)] = []
  /// As libcurl was told it.
  private var timeOut: Span?
  /// How often libcurl came to a connection with the part of the call that is under way.
  private var attempts = 0
  /// Whether it may begin a connection that speaks HTTP/2 without TLS, and whether it came to need one.
  private var opensConnection = false
  private(set) var lacksConnection = false
  /// Whether it has waited in vain for a connection that another was making.
  private(set) var hasWaited = false
  /// Whether everything is to be set anew before the next call.
  private var isWorn = false
  private var headerIsWhole = false
  /// Whose call it is, as the caller named it.
  private(set) var tag = 0

  /// What a call keeps while its parts come and go: what is sent again, redirects, connections that were missing.
  private struct Books {
    var sent = Instant.distantPast
    /// How long the call may take in all.
    var patience = Span.zero
    var bytes = 0
    var requests = HTTPAnswer.Requests()
    /// Which of the requests the next one is.
    var next = \HTTPAnswer.Requests.first
    var wasRepeated = false
    /// How many redirects it has followed.
    var hops = 0
  }

  /// What was written for the call so far.
  var requests: HTTPAnswer.Requests { books.requests }

  init(shard: Int, options: HTTPOptions, readiness: Readiness) throws(HTTPProblem) {
    guard let easy = curl_easy_init() else { throw .noMeans("memory") }
    self.easy = easy
    self.shard = shard
    self.options = options
    self.readiness = readiness
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    words.deallocate()
  }

  /// Gets ready for a call; the same route as before costs nothing.
  func begin(_ route: HTTPRoute, tag: Int, at now: Instant, timeOut: Span) {
    if route !== self.route || isWorn {
      if self.route != nil { curl_easy_reset(easy) }
      isWorn = false
      self.route = route
      set(route)
      self.timeOut = nil
    }
    if timeOut != self.timeOut {
      self.timeOut = timeOut
      number(CURLOPT_TIMEOUT_MS, milliseconds(timeOut))
    }
    self.tag = tag
    books = Books(sent: now, patience: timeOut)
    attempts = 0
    lacksConnection = false
    hasWaited = false
    headerIsWhole = false
    if !body.isEmpty { body = [] }
    if !headers.isEmpty { headers = [] }
    words[0] = 0
  }

  /// Whether the kept connection had ended without a byte of an answer when the call came to it.
  private var isStale: Bool { attempts > 1 }

  /// Gets ready to send the call once more, over a new connection, where the kept one had ended and being sent twice does no harm.
  ///
  /// Nobody knows whether the server has read the call by then. What has the same effect twice as once is sent again, as browsers do;
  /// anything else has failed.
  /// - Source: RFC 9110 §9.2.2, RFC 9112 §9.3.1.
  func beginAgain(at now: Instant) -> Bool {
    guard isStale, !books.wasRepeated, let route, route.isIdempotent else { return false }
    opensConnection = false
    guard goOn(with: route, at: now) else { return false }
    number(CURLOPT_FRESH_CONNECT, 1)
    (books.next, books.wasRepeated) = (\.repeated, true)
    return true
  }

  /// Gets ready to follow a redirect; the call's time goes on.
  func beginFollowing(_ code: CURLcode, at now: Instant) -> Bool {
    guard code == CURLE_OK, books.hops < options.follows, let route, isRedirected,
      let place = rehearsal_curl_text(easy, CURLINFO_REDIRECT_URL),
      let next = route.redirected(
        to: String(cString: place), by: rehearsal_curl_long(easy, CURLINFO_RESPONSE_CODE))
    else { return false }
    opensConnection = false
    guard goOn(with: next, at: now) else { return false }
    books.next = \.redirected
    books.hops += 1
    return true
  }

  /// Gets ready to make the connection that was missing, or to wait for another's.
  func beginConnecting(_ opens: Bool, at now: Instant) -> Bool {
    guard let route else { return false }
    opensConnection = opens
    guard goOn(with: route, at: now) else { return false }
    hasWaited = !opens
    if opens { number(CURLOPT_FRESH_CONNECT, 1) }
    return true
  }

  /// Sends the rest of a call, in the time that is left of it. - Returns: `false` where none is.
  private func goOn(with route: HTTPRoute, at now: Instant) -> Bool {
    let kept = books
    let left = kept.patience - (now - kept.sent)
    guard left > .zero else { return false }
    // libcurl counts what it repeated over a handle's whole life, and gives up at five.
    self.route = nil
    curl_easy_reset(easy)
    begin(route, tag: tag, at: kept.sent, timeOut: left)
    (books, isWorn) = (kept, true)
    return true
  }

  private var isRedirected: Bool {
    HTTPRoute.redirects.contains(rehearsal_curl_long(easy, CURLINFO_RESPONSE_CODE))
  }

  /// Whether connections are made by whoever knows that the server speaks HTTP/2 without TLS.
  ///
  /// libcurl 7.88 spoils such a connection where a call that knows it comes to it again; a call that would ask for HTTP/2 finds that it is
  /// spoken already. So one call makes the connection, and the others come to it.
  private var isKnownToSpeak: Bool { options.version == .http2 && route?.isEncrypted == false }

  func end(_ code: CURLcode, at now: Instant) -> HTTPAnswer {
    // What is set for one call alone, and what libcurl counted, is forgotten with the rest.
    defer {
      if isStale || books.wasRepeated { isWorn = true }
      opensConnection = false
    }
    let status = rehearsal_curl_long(easy, CURLINFO_RESPONSE_CODE)
    var answer = HTTPAnswer(
      sent: books.sent, ended: now, failure: nil, status: status, bytes: books.bytes, body: body,
      headers: headers, requests: books.requests, explanation: "")
    guard code != CURLE_OK else {
      if options.follows > 0, isRedirected {
        let isOver = now - books.sent >= books.patience
        answer.failure = isOver ? .responseTimeOut : .unexpectedStatus(status)
        answer.explanation =
          isOver
          ? "redirects take too long"
          : books.hops == options.follows
            ? "more than \(books.hops) redirects" : "a redirect to another server, or to nowhere"
      } else if !headerIsWhole {
        answer.failure = .truncated
        answer.explanation = "the connection ended within the header"
      } else if let problem = uselessLength {
        answer.failure = .unparsable
        answer.explanation = problem
      }
      return answer
    }
    if isStale {
      answer.failure = .reset
      answer.explanation = "the kept connection ended without an answer"
      return answer
    }
    // libcurl calls a line beyond its limit of 100 kB so.
    let isTooLong = code == CURLE_OUT_OF_MEMORY && !headerIsWhole
    let said = words[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: words)
    answer.explanation = isTooLong ? "a line of the header is too long" : said
    answer.failure = HTTPFailure(
      HTTPFailure.Evidence(
        code: code, number: Int32(rehearsal_curl_long(easy, CURLINFO_OS_ERRNO)),
        wasConnected: rehearsal_curl_size(easy, CURLINFO_PRETRANSFER_TIME_T) > 0,
        hasBegun: rehearsal_curl_size(easy, CURLINFO_STARTTRANSFER_TIME_T) > 0,
        text: answer.explanation))
    // The kept connection had taken the request before no other came about: it may have had its effect.
    let wasTaken = attempts > 0 || books.wasRepeated
    if wasTaken, [.refused, .unreachable, .connectTimeOut].contains(answer.failure) {
      answer.failure = .reset
    }
    return answer
  }

  /// Whether the call goes to a connection: for the first time it does.
  ///
  /// libcurl would repeat any call whose kept connection ended just when it was used again, five times in the life of a handle, and tell
  /// nobody.
  private func start() -> Bool {
    attempts += 1
    guard attempts == 1 else { return false }
    books.requests[keyPath: books.next] += 1
    return true
  }

  /// What is wrong with a length that libcurl overlooks: of two that differ it takes one's word, of one beyond all numbers none, and of
  /// one with a sign or with letters what it can read.
  /// - Source: RFC 9112 §6.3.
  private var uselessLength: String? {
    guard options.version == .http1 else { return nil }
    var found: UnsafeMutablePointer<curl_header>?
    let code = curl_easy_header(easy, "Content-Length", 0, UInt32(CURLH_HEADER), -1, &found)
    guard code == CURLHE_OK, let last = found?.pointee else { return nil }
    let isPlain = strspn(last.value, "0123456789") == strlen(last.value)
    guard last.amount > 1 || !isPlain || strlen(last.value) > 18 else { return nil }
    let lengths = (0..<Int(last.amount)).compactMap { header("Content-Length", $0) }
      .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    if let other = lengths.first(where: { $0 != lengths[0] }) {
      return
        "Content-Length is \(printable(lengths[0], limit: 24)) and \(printable(other, limit: 24))"
    }
    let isNumber = lengths.allSatisfy {
      Int64($0) != nil && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return isNumber ? nil : "Content-Length is no number"
  }

  private func header(_ name: String, _ place: Int) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    let code = curl_easy_header(easy, name, place, UInt32(CURLH_HEADER), -1, &found)
    return code == CURLHE_OK ? found.map { String(cString: $0.pointee.value) } : nil
  }

  private func welcome(_ socket: Int32) {
    readiness.welcome(socket, isQuiet: route?.isEncrypted == false)
  }

  private func mayConnect() -> Bool {
    guard isKnownToSpeak, !opensConnection else { return true }
    lacksConnection = true
    return false
  }

  private func take(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) {
    books.bytes += count
    let room = options.keptBytes - body.count
    guard room > 0, count > 0, let data else { return }
    UnsafeRawBufferPointer(start: data, count: min(room, count)).withMemoryRebound(to: UInt8.self) {
      body.append(contentsOf: $0)
    }
  }

  /// One line of the header, or the first of an answer: what came before it, such as early hints, is of no more interest.
  private func takeHeader(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) {
    guard let data, count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    // libcurl takes an answer whose connection ended within its header for one without a body.
    if bytes[0] == 0x0D || bytes[0] == 0x0A { headerIsWhole = true }
    guard options.keepsHeaders || bytes.starts(with: "HTTP/".utf8) else { return }
    let line = String(decoding: bytes, as: UTF8.self)
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      if line.hasPrefix("HTTP/") {
        headerIsWhole = false
        headers = []
      }
      return
    }
    guard options.keepsHeaders else { return }
    let value = line[line.index(after: colon)...].filter { $0 != "\r\n" }
      .trimmingCharacters(in: .whitespaces)
    headers.append((line[..<colon].lowercased(), value))
  }

  // MARK: - Options

  private func set(_ route: HTTPRoute) {
    let own = Unmanaged.passUnretained(self).toOpaque()
    pointer(CURLOPT_PRIVATE, own)
    pointer(CURLOPT_ERRORBUFFER, words)
    number(CURLOPT_NOSIGNAL, 1)
    // Nothing from the environment and no other protocol: the load goes where it was told to.
    text(CURLOPT_PROXY, "")
    text(CURLOPT_NOPROXY, "*")
    text(CURLOPT_PROTOCOLS_STR, "http,https")
    number(CURLOPT_FOLLOWLOCATION, 0)
    text(CURLOPT_USERAGENT, options.userAgent)
    number(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeOut))
    number(CURLOPT_DNS_CACHE_TIMEOUT, -1)
    number(CURLOPT_FORBID_REUSE, route.closes ? 1 : 0)
    setSecurity()
    pointer(CURLOPT_RESOLVE, route.resolved)
    pointer(CURLOPT_CURLU, UnsafeMutableRawPointer(route.url))
    pointer(CURLOPT_HTTPHEADER, route.headers)
    setMethod(of: route)
    setCallbacks(own)
  }

  private func setSecurity() {
    let secure = !options.tls.isInsecure
    number(CURLOPT_SSL_VERIFYPEER, secure ? 1 : 0)
    number(CURLOPT_SSL_VERIFYHOST, secure ? 2 : 0)
    if let path = options.tls.authorities { text(CURLOPT_CAINFO, path) }
    if let path = options.tls.certificate { text(CURLOPT_SSLCERT, path) }
    if let path = options.tls.key { text(CURLOPT_SSLKEY, path) }
    switch options.version {
    case .http1: number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .http2:
      let version =
        !isKnownToSpeak
        ? CURL_HTTP_VERSION_2TLS
        : opensConnection ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2_0
      number(CURLOPT_HTTP_VERSION, Int(version))
      number(CURLOPT_PIPEWAIT, 1)
    }
  }

  private func setMethod(of route: HTTPRoute) {
    if let body = route.body {
      // libcurl copies it: the route may end before the transfer does.
      _ = rehearsal_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      _ = body.withUnsafeBytes { bytes in
        rehearsal_curl_set_pointer(
          easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
      text(CURLOPT_CUSTOMREQUEST, route.method)
    } else if route.method == "HEAD" {
      number(CURLOPT_NOBODY, 1)
    } else if route.method != "GET" {
      text(CURLOPT_CUSTOMREQUEST, route.method)
    }
  }

  private func setCallbacks(_ own: UnsafeMutableRawPointer) {
    pointer(CURLOPT_WRITEDATA, own)
    _ = rehearsal_curl_set_data(easy, CURLOPT_WRITEFUNCTION) { data, size, count, context in
      guard let context else { return 0 }
      Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().take(data, size * count)
      return size * count
    }
    pointer(CURLOPT_HEADERDATA, own)
    _ = rehearsal_curl_set_data(easy, CURLOPT_HEADERFUNCTION) { data, size, count, context in
      guard let context else { return 0 }
      Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().takeHeader(data, size * count)
      return size * count
    }
    _ = rehearsal_curl_set_start(
      easy,
      { context, _, _, _, _ in
        guard let context else { return CURL_PREREQFUNC_ABORT }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().start()
          ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }, own)
    let sockets = Unmanaged.passUnretained(readiness).toOpaque()
    _ = rehearsal_curl_set_open(
      easy,
      { context, _, address in
        guard let context, let address else { return curl_socket_t(-1) }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        guard transfer.mayConnect() else { return curl_socket_t(-1) }
        let wanted = address.pointee
        let descriptor = socket(
          wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.protocol)
        if descriptor >= 0 {
          transfer.welcome(descriptor)
        }
        return descriptor
      }, own)
    _ = rehearsal_curl_set_close(
      easy,
      { context, descriptor in
        guard let context else { return 1 }
        Unmanaged<Readiness>.fromOpaque(context).takeUnretainedValue().forget(descriptor)
        return close(descriptor)
      }, sockets)
  }

  private func number(_ option: CURLoption, _ value: Int) {
    accept(rehearsal_curl_set_long(easy, option, value), option)
  }

  private func text(_ option: CURLoption, _ value: String) {
    accept(rehearsal_curl_set_text(easy, option, value), option)
  }

  private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    accept(rehearsal_curl_set_pointer(easy, option, value), option)
  }

  private func accept(_ code: CURLcode, _ option: CURLoption) {
    precondition(
      code == CURLE_OK,
      "libcurl takes no option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))")
  }

  /// At least one: to libcurl none is for ever.
  private func milliseconds(_ span: Span) -> Int {
    Int(max(1, min(Int64(Int32.max), span.nanoseconds / 1_000_000)))
  }
}
