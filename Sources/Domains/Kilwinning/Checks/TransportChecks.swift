import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Frames, routes and the request limit: KW-152, KW-153 and KW-163.
enum TransportChecks {
  static let all: [KWCheck] = [
    .reading(.kw152) { it, judge in
      guard case .unread(.malformed(_, let fault)) = it.request, it.isFrameBroken else { return }
      let due: Code = fault.kind == .tooLarge ? .corpoTroppoGrande : .jsonNonValido
      judge.expect(it.code == due, "\(fault): \(it.words)")
    },
    .reading(.kw153) { it, judge in
      guard case .unread(.unrouted(let asked)) = it.request else { return }
      if asked.method == "OPTIONS" {
        judge.expect(it.reply == .preflight, "OPTIONS: \(it.words)")
      } else if asked.allowed.isEmpty {
        judge.expect(it.code == .rottaNonTrovata, "\(asked.target) is none: \(it.words)")
      } else {
        judge.expect(
          it.code == .metodoNonConsentito
            && it.exchange.outcome.refusal?.allowed == asked.allowed,
          "\(asked.method) \(asked.target): \(it.words)")
      }
    },
    .history(.kw163, .requests, by: LodgeFacts.self, Limits.init),
  ]
}

/// The requests of each network address within the last minute.
private struct Limits: History {
  static let scope = Scope<Kilwinning>.cell
  private static let window = Span.minutes(1)

  let lodge: LodgeFacts
  private var accepted: [String: [KWExchange]] = [:]

  init(_ lodge: LodgeFacts) { self.lodge = lodge }

  mutating func asked(_ exchange: KWExchange, at moment: Moment, _ judge: inout Judge) {
    guard exchange.outcome.isAnswered,
      let deployment = lodge.decided.values(during: exchange.during)
    else { return }
    let refusal = exchange.outcome.refusal
    guard deployment.limitsRequests else {
      if refusal?.kind == .troppeRichieste { judge.violated("refused where nothing is limited") }
      return
    }
    let peer = exchange.credential?.peer ?? ""
    var recent = accepted[peer] ?? []
    recent.removeAll { $0.answered < exchange.sent - Self.window }
    let certain = recent.count {
      $0.sent > exchange.answered - Self.window && $0.answered <= exchange.sent
    }
    if refusal?.kind == .troppeRichieste {
      judge.expect(
        refusal?.retryAfterSeconds ?? 0 > 0, "refused for the limit without Retry-After")
    } else {
      if certain >= deployment.requestsPerMinute {
        judge.violated("request \(certain + 1) of a minute was let through")
      }
      recent.append(exchange)
    }
    accepted[peer] = recent
  }
}
