import Contracts
import Timekeeping

/// Whose names may stand where a replay asks for a token.
extension MimiSupply {
  public static let sessionOperations = ["signIn", "selectRole", "refresh"]

  /// A loaded session is called by its user's record name, the last of several; its token may stand for itself, too.
  /// Users of the sample world are called as they are named there.
  public static func sessions(
    broughtBy command: Request, at now: Instant, tokens: any TokenCodec
  ) -> [(name: String, token: String)] {
    switch command {
    case .control(.load(let fixture)):
      return fixture.sessions.flatMap { [($0.user.text, $0.token), ($0.token, $0.token)] }
    case .control(.loadSampleWorld):
      let names =
        (1...10).map { "partner-\($0)" } + (1...3).map { "driver-\($0)" }
        + (1...2).map { "customer-\($0)" } + ["admin"]
      return names.map { ("user-\($0)", "session-\($0)") }
    default: return []
    }
  }
}
