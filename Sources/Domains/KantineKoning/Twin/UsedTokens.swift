import KantineKoningContract
import Timekeeping

/// The `jti`s of enrollment tokens that were used, at least until they expire (§7.2).
///
/// One that is forgotten has expired, and an expired token is refused before anybody asks whether it was used.
struct UsedTokens: Sendable {
  private struct Use: Sendable {
    let jti: TokenID
    /// Whole seconds since 1970.
    let exp: Int64
  }

  private var expiry: [TokenID: Int64] = [:]
  /// In order of use; what has expired at the front is forgotten.
  private var uses: [Use] = []
  private var forgotten = 0

  func contains(_ jti: TokenID) -> Bool { expiry[jti] != nil }

  mutating func insert(_ jti: TokenID, exp: Int64, at now: Instant) {
    forget(before: now.unixSeconds)
    expiry[jti] = exp
    uses.append(Use(jti: jti, exp: exp))
  }

  private mutating func forget(before now: Int64) {
    while forgotten < uses.count, uses[forgotten].exp < now {
      expiry[uses[forgotten].jti] = nil
      forgotten += 1
    }
    // Half the array is waste: worth one move.
    if forgotten > 64, forgotten * 2 > uses.count {
      uses.removeFirst(forgotten)
      forgotten = 0
    }
  }
}
