import Contracts
import MimiSupplyContract
import Observations

/// Every check of the domain, in the order of the rules.
public enum MimiSupplyChecks {
  public static let all: [Check<MimiSupply>] =
    (PlatformChecks.all + ValidationChecks.all + MoneyChecks.all + OrderingChecks.all
    + StockChecks.all + StateChecks.all + DispatchChecks.all + DeliveryChecks.all
    + SynchronisationChecks.all + PushChecks.all + AccessChecks.all + PrivacyChecks.all
    + ClientChecks.all).map(RefusalChecks.with).sorted { $0.rule < $1.rule }

  public static let business: [BusinessLatency<MimiSupply>] = MimiSupplyBusiness.all
}
