import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-28, its other half: what the backend did not sign authenticates nothing.
struct ForgedTokens: History {
  typealias Agreement = KantineKoning
  private var isForged = false

  /// A token by the hash of its bytes; whoever forged them wrote that down.
  @Sendable static func keys(_ record: KKRecord) -> [CheckKey] {
    switch record.event {
    case .note(.forgedToken(let hash)): [.number(Int(bitPattern: UInt(hash)))]
    case .request(let exchange):
      if case .bearer(.text(let text))? = exchange.credential {
        [.number(Int(bitPattern: UInt(stableHash(text))))]
      } else {
        []
      }
    default: []
    }
  }

  mutating func see(_ record: KKRecord, _ judge: inout Judge) {
    switch record.event {
    case .note: isForged = true
    case .request(let exchange):
      guard isForged, exchange.outcome.isAnswered else { return }
      judge.expect(exchange.code == .invalidToken, "a forged device token was taken")
    default: break
    }
  }
}
