import Contracts
import MimiSupplyContract
import Timekeeping

extension MimiSupplyTwin {
  mutating func configure(_ adjustment: Adjustment<MimiSupply.Deployment>, at now: Instant) {
    let before = market.settings
    adjustment.apply(to: &settings.deployment)
    adjustment.apply(to: &market.settings.deployment)
    market.reconfigured(from: before, at: now)
    // Midnight is another now (MS-114).
    if market.settings.zone != before.zone { retentionDue = nextMidnight(after: now) }
  }
}
