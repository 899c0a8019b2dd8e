import Contracts
import Timekeeping

/// Which of Apple's two push services a push is sent through.
public enum ApnsEnvironment: String, Hashable, Sendable, CaseIterable {
  case sandbox, production

  /// The table of §6.1, its first matching row; comparison is exact (KK-92).
  ///
  /// - Parameter buildEnvironment: What the app said of itself; `nil` when it said nothing.
  public static func chosen(
    _ variables: ApnsVariables, isTestUser: Bool, buildEnvironment: String?
  ) -> ApnsEnvironment {
    if let forced = variables.forced { return forced }
    if isTestUser { return .sandbox }
    switch buildEnvironment {
    case "development", "debug": return .sandbox
    default: return .production
    }
  }
}

/// The two environment variables that override the detection (§6.1); `nil` is unset.
public struct ApnsVariables: Hashable, Sendable {
  /// `APNS_FORCE_ENV`.
  public var forceEnv: String?
  /// `APNS_ENV`, consulted when the other is unset or no environment's name.
  public var env: String?

  public init(forceEnv: String? = nil, env: String? = nil) {
    (self.forceEnv, self.env) = (forceEnv, env)
  }

  /// The environment that they force; any text but the two legal ones forces nothing.
  public var forced: ApnsEnvironment? {
    forceEnv.flatMap(ApnsEnvironment.init(rawValue:))
      ?? env.flatMap(ApnsEnvironment.init(rawValue:))
  }

  static let shape = Shape(
    ApnsVariables.init, Field("APNS_FORCE_ENV", \.forceEnv, .optional(.text)),
    Field("APNS_ENV", \.env, .optional(.text)))

  /// As the operator gives them.
  static let given = Shape(
    ApnsVariables.init,
    Field(
      "APNS_FORCE_ENV", \.forceEnv, .omittable(.text),
      "sandbox or production; empty unsets it, anything else forces nothing;"
    ).or("apns_force_env"),
    Field(
      "APNS_ENV", \.env, .omittable(.text),
      "The same, looked at when the other one forces nothing;"
    ).or("apns_env"))
}

/// The push token that iOS gives an installation: 64 lower-case hexadecimal digits.
///
/// A simulated token says in its own text for which environment it was issued: its last 16 digits are a hash of the
/// first 48 and of the environment's name. So APNs needs no list of them, every phone can be given one without a
/// request, and 64 digits that somebody made up were never issued. Texts of a tester's own choosing are issued with
/// the control command `issueApnsToken`.
public enum ApnsToken {
  /// A token for one environment; takes three words of the stream.
  public static func issue(
    for environment: ApnsEnvironment, drawing stream: inout RandomStream
  ) -> String {
    let body = (0..<3).map { _ in hexadecimal(stream.next()) }.joined()
    return body + hexadecimal(seal(of: body, environment))
  }

  /// The environment that a text was issued for; `nil` for text that is no token and for tokens never issued.
  public static func environment(of text: String) -> ApnsEnvironment? {
    guard isWellFormed(text) else { return nil }
    let (body, sealed) = (text.prefix(48), UInt64(text.suffix(16), radix: 16))
    return ApnsEnvironment.allCases.first { seal(of: body, $0) == sealed }
  }

  public static func isWellFormed(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }

  private static func seal(
    of body: some StringProtocol, _ environment: ApnsEnvironment
  ) -> UInt64 {
    stableHash("\(environment.rawValue)/\(body)")
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// What Apple's side of the world tells: the environment of the twin, no part of the product's API (§6.1).
public enum ApnsReport: Hashable, Sendable {
  /// What became of a push.
  case feedback(delivery: Int, PushDelivery.Result)
  /// iOS gave out this token for this environment; tokens of `ApnsToken.issue` need no such report.
  case issued(token: String, ApnsEnvironment)
  /// The app was deleted: pushes to this token are answered with 410 from now on.
  case appDeleted(token: String)
}
