import Contracts
import KantineKoningContract
import Observations

/// Every check of the domain, in the order of the rules.
public enum KantineKoningChecks {
  public static let all: [Check<KantineKoning>] =
    (IdentityChecks.all + EnrollmentChecks.all + SeasonChecks.all + OnboardingChecks.all
    + AuthenticationChecks.all + DienstenChecks.all + VolunteerChecks.all
    + ReconciliationChecks.all + DeviceChecks.all + LeaderboardChecks.all + GlobalBoardChecks.all
    + TakeoverChecks.all + PublicChecks.all + PathChecks.all + RemovalChecks.all
    + PushChecks.all + PushTokenChecks.all).sorted { $0.rule < $1.rule }
    .map(judgingAnswers)
}
