import Contracts
import Foundation
import HTTPLoad
import Observations
import Simulation
import Timekeeping

/// Carries requests of contracts over HTTP to the servers of a run, as the people whose requests they are.
///
/// At most so many are under way as it has connections; others wait here, which is part of their response times.
final class TargetTransport: WireClient {
  private struct Waiting {
    let route: HTTPRoute
    let purpose: RequestTally.Purpose
    let timeOut: Span
    let onEnd: (WireEnding) -> Void
  }

  /// By domain, then by service.
  private let servers: [String: [URL?]]
  private let client: HTTPClient
  private let box: Box

  /// What has left, by tag: the client's closure is made before this is.
  private final class Box {
    var underWay: [Int: Waiting] = [:]
    var traffic = WireTraffic()
    /// When the first request left.
    var begins: Instant?

    func note(_ answer: HTTPAnswer, for purpose: RequestTally.Purpose) {
      if answer.requests.first > 0 {
        traffic.requests.count(purpose)
      } else {
        traffic.requests.unsent += 1
      }
      traffic.requests.repeated += answer.requests.repeated
      guard let connection = answer.connection else { return }
      traffic.outages.note(connection, at: answer.ended - (begins ?? answer.ended))
    }
  }

  private var line: [Waiting] = []
  private var next = 0
  /// Whoever cannot be sent is told in `rest`, as everybody is.
  private var failed: [(onEnd: (WireEnding) -> Void, cause: UnsentCause, why: String)] = []
  /// By domain, where people wear something before a server.
  private let dressers: [String: Dresser]
  private var tokens = TokenStore()
  /// Who waits for a token, by what it is asked with.
  private var waiting: [String: [(_ problem: String?) -> Void]] = [:]

  static let connections = 256
  /// More than any contract's answers hold.
  private static let keptBytes = 64 << 20
  /// How long a token endpoint may take.
  private static let tokenPatience = Span.seconds(30)

  init(_ servers: TargetServers) throws(HTTPProblem) {
    self.servers = servers.urls
    dressers = servers.wardrobes.mapValues(Dresser.init)
    let box = Box()
    self.box = box
    client = try HTTPClient(
      slots: Self.connections,
      options: HTTPOptions(tls: servers.tls, keptBytes: Self.keptBytes, keepsHeaders: true),
      onEnd: { tag, answer in
        guard let call = box.underWay.removeValue(forKey: tag) else { return }
        box.note(answer, for: call.purpose)
        call.onEnd(Self.ending(answer))
      })
  }

  func send(
    _ request: WireRequest, of domain: String, as person: PersonID?,
    for purpose: RequestTally.Purpose, timeOut: Span, onEnd: @escaping (WireEnding) -> Void
  ) {
    guard let dresser = dressers[domain], let person else {
      return enter(request, of: domain, purpose, timeOut, onEnd)
    }
    let index = Int(person.index)
    guard let wearer = dresser.wardrobe.wearer(index, request.caller) else {
      failed.append((onEnd, .noRow, "no row says who this caller is"))
      return
    }
    let undressed: (WireEnding) -> Void = { ending in
      guard case .response(let response) = ending.answer else { return onEnd(ending) }
      onEnd(
        WireEnding(.response(dresser.undress(response, for: wearer)), at: ending.nanoseconds))
    }
    withToken(dresser.wardrobe, for: wearer) { [weak self] token, problem in
      guard let self else { return }
      if let problem {
        failed.append((onEnd, .unreachable, problem))
        return
      }
      enter(
        dresser.dress(request, of: wearer, token: token), of: domain, purpose, timeOut, undressed)
    }
  }

  private func enter(
    _ request: WireRequest, of domain: String, _ purpose: RequestTally.Purpose, _ timeOut: Span,
    _ onEnd: @escaping (WireEnding) -> Void
  ) {
    do throws(HTTPProblem) {
      line.append(
        Waiting(
          route: try route(request, of: domain), purpose: purpose, timeOut: timeOut, onEnd: onEnd))
      move()
    } catch {
      failed.append((onEnd, .unreachable, "\(error)"))
    }
  }

  // MARK: - Tokens

  /// Goes on with a person's token, at once where it is there or none is wanted.
  private func withToken(
    _ wardrobe: Wardrobe, for wearer: Wearer,
    _ then: @escaping (String?, _ problem: String?) -> Void
  ) {
    guard let (url, form) = wardrobe.tokenRequest(for: wearer) else { return then(nil, nil) }
    switch tokens.need(form, at: client.clock) {
    case .held(let token, let isAging):
      if isAging { askForToken(url, form) }
      then(token, nil)
    case .none(let isAsked):
      waiting[form, default: []].append { [weak self] problem in
        guard let self else { return }
        guard problem == nil, case .held(let token, _) = tokens.need(form, at: client.clock) else {
          return then(nil, problem ?? "the token was over before it came")
        }
        then(token, nil)
      }
      if !isAsked { askForToken(url, form) }
    }
  }

  /// Asks the token endpoint, or first the description that names it.
  private func askForToken(_ url: TokenAddress, _ form: String) {
    tokens.ask(form)
    switch url {
    case .endpoint(let url): askForToken(at: url, form)
    case .described(let description):
      if let known = tokens.endpoints[description] { return askForToken(at: known, form) }
      request(description, method: "GET", form: nil) { [weak self] ending in
        guard let self else { return }
        guard case .response(let response) = ending.answer, response.status == 200,
          let endpoint = response.body?["token_endpoint"]?.string
        else { return gotNoToken(form, "the provider's description names no token endpoint") }
        tokens.endpoints[description] = endpoint
        askForToken(at: endpoint, form)
      }
    }
  }

  private func gotNoToken(_ form: String, _ problem: String?) {
    if problem != nil { tokens.fail(form) }
    for then in waiting.removeValue(forKey: form) ?? [] { then(problem) }
  }

  private func askForToken(at url: String, _ form: String) {
    let asked = client.clock
    let end: (WireEnding) -> Void = { [weak self] ending in
      guard let self else { return }
      var problem: String?
      switch ending.answer {
      case .response(let response):
        problem = tokens.take(response, for: form, asked: asked)
      case .unreached(_, let why): problem = "the token endpoint: \(why)"
      case .lost: problem = "the token endpoint gives no usable answer"
      }
      gotNoToken(form, problem)
    }
    request(url, method: "POST", form: form, end)
  }

  private func request(
    _ url: String, method: String, form: String?, _ end: @escaping (WireEnding) -> Void
  ) {
    do throws(HTTPProblem) {
      let route = try HTTPRoute(
        url, method: method,
        headers: form == nil ? [] : ["Content-Type: application/x-www-form-urlencoded"],
        body: form.map { Array($0.utf8) })
      line.append(
        Waiting(route: route, purpose: .ofHarness, timeOut: Self.tokenPatience, onEnd: end))
      move()
    } catch {
      failed.append((end, .unreachable, "\(error)"))
    }
  }

  private func move() {
    var moved = 0
    while moved < line.count, client.hasRoom {
      next += 1
      box.underWay[next] = line[moved]
      box.begins = box.begins ?? client.clock
      client.send(line[moved].route, tag: next, timeOut: line[moved].timeOut)
      moved += 1
    }
    line.removeFirst(moved)
  }

  func rest(until nanoseconds: UInt64) {
    let told = failed
    failed = []
    box.traffic.requests.unsent += told.count
    let now = WallClock.monotonic.nanoseconds()
    for (onEnd, cause, why) in told { onEnd(WireEnding(.unreached(cause, why), at: now)) }
    client.turn(until: told.isEmpty ? Instant(nanoseconds: Int64(nanoseconds)) : client.clock)
    move()
  }

  func end() -> WireTraffic {
    for (_, requests) in client.abandon() {
      if requests.first > 0 {
        box.traffic.requests.abandoned += 1
      } else {
        box.traffic.requests.unsent += 1
      }
      box.traffic.requests.repeated += requests.repeated
    }
    box.traffic.requests.unsent += line.count + failed.count
    return box.traffic
  }

  private func route(_ request: WireRequest, of domain: String) throws(HTTPProblem) -> HTTPRoute {
    guard let servers = servers[domain], servers.indices.contains(request.service),
      let base = servers[request.service]?.absoluteString
    else {
      preconditionFailure("the targets were checked before the run")
    }
    return try HTTPRoute(
      (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target,
      method: request.method, headers: request.headers.map { "\($0.name): \($0.value)" },
      body: request.body.isEmpty ? nil : request.body)
  }

  private static func ending(_ answer: HTTPAnswer) -> WireEnding {
    let nanoseconds = UInt64(answer.ended.nanoseconds)
    let what: WireEnding.Answer =
      switch answer.failure {
      case nil: response(answer).map(WireEnding.Answer.response) ?? .lost(.unparsable)
      case .refused?, .noLocalPort?: .unreached(.connectionRefused, words(of: answer))
      case .unreachable?: .unreached(.unreachable, words(of: answer))
      case .connectTimeOut?: .unreached(.connectTimeOut, words(of: answer))
      case .tls?: .unreached(.tls, words(of: answer))
      case .responseTimeOut?: .lost(.timedOut)
      case .reset?: .lost(.connectionReset)
      case .truncated?: .lost(.truncated)
      case .unparsable?, .unexpectedStatus?: .lost(.unparsable)
      }
    return WireEnding(what, at: nanoseconds)
  }

  /// The failure with what libcurl had to say about it.
  private static func words(of answer: HTTPAnswer) -> String {
    let said = printable(answer.explanation, limit: 200)
    return (answer.failure?.words ?? "") + (said.isEmpty ? "" : " (\(said))")
  }

  /// - Returns: `nil` for a document that says it is JSON and is none.
  private static func response(_ answer: HTTPAnswer) -> WireResponse? {
    let headers = answer.headers.map { WireHeader($0.name, $0.value) }
    let type = headers.value(of: "content-type") ?? ""
    let others = headers.filter {
      !["content-type", "content-length"].contains($0.name.lowercased())
    }
    let content: WireResponse.Content
    if answer.body.isEmpty {
      content = .empty
    } else if type.lowercased().contains("json") {
      guard let document = JSON(parsing: answer.body) else { return nil }
      content = .json(document)
    } else {
      content = .bytes(answer.body, mediaType: type)
    }
    return WireResponse(answer.status, headers: others, content: content)
  }
}
