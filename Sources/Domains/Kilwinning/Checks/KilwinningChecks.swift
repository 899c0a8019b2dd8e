import KilwinningContract
import Observations

/// Every check of the lodge, in the order of the rules; what judges one rule is one check.
public enum KilwinningChecks {
  public static let all: [Check<Kilwinning>] =
    Dictionary(
      (LoginChecks.all + AdministratorChecks.all + TornateChecks.all + PresenzeChecks.all
        + StatisticsChecks.all + RiepilogoChecks.all + TransportChecks.all + ScreenChecks.all
        + DeviceChecks.all + OfflineChecks.all + RefusalChecks.all).map { ($0.rule, $0) },
      uniquingKeysWith: +
    ).values.sorted { $0.rule < $1.rule }
}
