import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-28: the token that a registration returns is that enrollment's, and bytes that the backend did not sign
/// authenticate nothing.
struct SignedTokens: FormerHistory {
  typealias Agreement = KantineKoning
  private var isForged = false

  /// A registration by itself; a token's text by the hash of its bytes, which whoever forged them wrote down.
  @Sendable static func keys(_ record: KKRecord) -> [CheckKey] {
    switch record.event {
    case .note(.forgedToken(let hash)): return [key(hash)]
    case .request(let exchange):
      if let answer = exchange.registered { return [.text(answer.deviceID)] }
      guard case .bearer(.text(let text))? = exchange.credential else { return [] }
      return [key(stableHash(text))]
    default: return []
    }
  }

  private static func key(_ hash: UInt64) -> CheckKey { .number(Int(bitPattern: UInt(hash))) }

  mutating func see(_ record: KKRecord, _ judge: inout Judge) {
    switch record.event {
    case .note: isForged = true
    case .request(let exchange):
      if let answer = exchange.registered {
        guard case .issued(let claims) = answer.apiToken else { return }
        judge.expect(
          claims.deviceID == answer.deviceID && claims.tenantSlug == answer.tenantSlug
            && claims.role == answer.role,
          "the token is not the registered enrollment's")
      } else if isForged, exchange.outcome.isAnswered {
        judge.expect(exchange.code == .invalidToken, "a forged device token was taken")
      }
    default: break
    }
  }
}
