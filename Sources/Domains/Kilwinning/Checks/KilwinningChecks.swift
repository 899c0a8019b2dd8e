import KilwinningContract
import Observations

/// Every check of the lodge, in the order of the rules.
public enum KilwinningChecks {
  public static let all: [Check<Kilwinning>] =
    (LoginChecks.all + AdministratorChecks.all + TornateChecks.all + PresenzeChecks.all
    + StatisticsChecks.all + RiepilogoChecks.all + TransportChecks.all + ScreenChecks.all
    + DeviceChecks.all + OfflineChecks.all)
    .sorted { $0.rule < $1.rule }
}
