import Contracts
import Timekeeping

/// Where tokens are asked for.
enum TokenAddress: Hashable {
  case endpoint(String)
  /// Where the provider describes itself (OpenID Connect Discovery 1.0 §4).
  case described(String)
}

/// Tokens of a foreign server's token endpoint, asked for when they are needed and again before they expire.
struct TokenStore {
  enum Need {
    /// One is there; `isAging` says that the next has to be asked for meanwhile.
    case held(String, isAging: Bool)
    /// It is being asked for, or has to be.
    case none(isAsked: Bool)
  }

  private struct Token {
    let text: String
    let asked: Instant
    let lasts: Span
  }

  /// By what is asked with: people who ask alike share one.
  private var tokens: [String: Token] = [:]
  private var asked: Set<String> = []
  /// Token endpoints, by the descriptions that name them.
  var endpoints: [String: String] = [:]

  /// Without a word of the endpoint's (RFC 6749 §5.1).
  private static let standardLife = Span.minutes(5)

  init() {}

  func need(_ form: String, at now: Instant) -> Need {
    let isAsked = asked.contains(form)
    guard let token = tokens[form], now < token.asked + token.lasts else {
      return .none(isAsked: isAsked)
    }
    // A fifth of its life is left for the next to come.
    let isAging = now > token.asked + token.lasts / 5 * 4
    return .held(token.text, isAging: isAging && !isAsked)
  }

  mutating func ask(_ form: String) { asked.insert(form) }

  /// - Returns: Why there is no token; `nil` where there is one.
  mutating func take(_ response: WireResponse, for form: String, asked moment: Instant) -> String? {
    asked.remove(form)
    guard response.status == 200, let text = response.body?["access_token"]?.string else {
      return "the token endpoint answers \(response.status)"
        + (response.status == 200 ? " without 'access_token'" : "")
    }
    let seconds = response.body?["expires_in"]?.int
    tokens[form] = Token(
      text: text, asked: moment,
      lasts: seconds.map { .seconds(Int64(max(1, $0))) } ?? Self.standardLife)
    return nil
  }

  mutating func fail(_ form: String) { asked.remove(form) }
}
