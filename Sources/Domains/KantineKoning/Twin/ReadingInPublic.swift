import Contracts
import KantineKoningContract

/// What clubs, teams, banners and season summaries have in common: everybody may read them (KK-121).
extension KantineKoningTwin {
  /// With KK-121 off only who carries a token.
  func mayReadInPublic(_ caller: Caller<KantineKoning>) -> Bool {
    if rules.binds(.kk121) { return true }
    if case .client(.bearer?) = caller { return true }
    return false
  }
}
