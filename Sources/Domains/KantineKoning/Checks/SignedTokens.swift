import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-28: the token that a registration returns is that enrollment's, and bytes that the backend did not sign
/// authenticate nothing.
struct SignedTokens: History {
  /// A registration by itself; a token's text by the hash of its bytes, which whoever forged them wrote down.
  static let scope = Scope<KantineKoning>.each(
    "token", by: Token.self,
    asked: { call, tell in
      if let answer = call.registered {
        tell(.of(answer.deviceID))
      } else if case .bearer(.text(let text))? = call.credential {
        tell(.text(stableHash(text)))
      }
    },
    noted: { note, tell in if case .forgedToken(let hash) = note { tell(.text(hash)) } })
  private enum Token: Hashable, CustomStringConvertible {
    case of(EnrollmentID)
    case text(UInt64)

    var description: String {
      switch self {
      case .of(let enrollment): enrollment.text
      case .text(let hash): "\(hash)"
      }
    }
  }
  private var isForged = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    isForged = true
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    if let answer = call.registered {
      guard case .issued(let claims) = answer.apiToken else { return }
      judge.expect(
        claims.deviceID == answer.deviceID && claims.tenantSlug == answer.tenantSlug
          && claims.role == answer.role,
        "the token is not the registered enrollment's")
    } else if isForged, call.outcome.isAnswered {
      judge.expect(call.code == .invalidToken, "a forged device token was taken")
    }
  }
}
