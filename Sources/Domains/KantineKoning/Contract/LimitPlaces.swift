import Contracts

extension KantineKoning {
  /// Where each limit is enforced, tried and judged.
  ///
  /// A test reads the sources, writes this table (`REHEARSAL_GOLDEN=write`) and fails when it is stale.
  static let limitPlaces: [LimitID: LimitPlaces] = [
    .kk01: place(
      enforced: "Journeys/Phone.swift",
      tried: ["Journeys/Phone.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk02: place(
      enforced: "Twin/Authenticating.swift",
      tried: [
        "Journeys/Adversaries/Collecting.swift",
        "Journeys/Adversaries/Removing.swift",
      ],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk03: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk04: place(
      enforced: "Journeys/Installation.swift",
      tried: ["Journeys/Installation.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk05: place(
      enforced: "Journeys/Installation.swift",
      tried: ["Journeys/Installation.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk06: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Installation.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk07: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk08: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Installation.swift"],
      judged: "Checks/IdentityChecks.swift"),
    .kk10: place(
      enforced: "Twin/Authenticating.swift",
      tried: [
        "Journeys/Adversaries/Collecting.swift",
        "Journeys/Adversaries/Removing.swift",
      ],
      judged: "Checks/IdentityChecks.swift"),
    .kk11: place(
      enforced: "Twin/Registering.swift",
      tried: [
        "Journeys/Adversaries/Collecting.swift",
        "Journeys/Onboarding.swift",
      ],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk12: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk13: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk14: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk15: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk16: place(
      enforced: "Twin/Authenticating.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk19: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk20: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk21: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk22: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/EnrollmentChecks.swift"),
    .kk23: place(
      enforced: "Twin/RequestingEnrollment.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/SeasonChecks.swift"),
    .kk24: place(
      enforced: "Journeys/Onboarding.swift",
      tried: ["Journeys/Onboarding.swift"],
      judged: "Checks/PathChecks.swift"),
    .kk25: place(
      enforced: "Journeys/Onboarding.swift",
      tried: ["Journeys/Onboarding.swift"],
      judged: "Checks/PathChecks.swift"),
    .kk26: place(
      enforced: "Twin/RequestingEnrollment.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk27: place(
      enforced: "Twin/RequestingEnrollment.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk28: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk29: place(
      enforced: "Journeys/Onboarding.swift",
      tried: ["Journeys/Onboarding.swift"],
      judged: "Checks/PathChecks.swift"),
    .kk30: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Forging.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk31: place(
      enforced: "Twin/Registering.swift",
      tried: [
        "Journeys/Adversaries/Collecting.swift",
        "Journeys/Adversaries/Forging.swift",
      ],
      judged: "Checks/OnboardingChecks.swift"),
    .kk32: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Forging.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk33: place(
      enforced: "Journeys/Phone.swift",
      tried: ["Journeys/Phone.swift"],
      judged: "Checks/PathChecks.swift"),
    .kk34: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk35: place(
      enforced: "Twin/Registering.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/OnboardingChecks.swift"),
    .kk36: place(
      enforced: "Twin/Authenticating.swift",
      tried: ["Journeys/Adversaries/Trespassing.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk37: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: [
        "Journeys/Adversaries/Collecting.swift",
        "Journeys/Adversaries/Trespassing.swift",
      ],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk38: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk39: place(
      enforced: "Twin/Authenticating.swift",
      tried: ["Journeys/Adversaries/Forging.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk40: place(
      enforced: "Twin/Authenticating.swift",
      tried: [
        "Journeys/Adversaries/Syncing.swift",
        "Journeys/Adversaries/Trespassing.swift",
      ],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk41: place(
      enforced: "Twin/Authenticating.swift",
      tried: [
        "Journeys/PhoneSeed.swift",
        "Journeys/Refresh.swift",
      ],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk42: place(
      enforced: "Twin/Authenticating.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk43: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk44: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/DienstenChecks.swift"),
    .kk45: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: [
        "Journeys/Adversaries/WindowProbing.swift",
        "Journeys/Roster.swift",
      ],
      judged: "Checks/DienstenChecks.swift"),
    .kk46: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: [
        "Journeys/Adversaries/WindowProbing.swift",
        "Journeys/Roster.swift",
      ],
      judged: "Checks/DienstenChecks.swift"),
    .kk47: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: ["Journeys/Adversaries/WindowProbing.swift"],
      judged: "Checks/DienstenChecks.swift"),
    .kk48: place(
      enforced: "Twin/ListingDiensten.swift",
      tried: ["Journeys/Adversaries/Collecting.swift"],
      judged: "Checks/DienstenChecks.swift"),
    .kk49: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/DienstenChecks.swift"),
    .kk50: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/DienstenChecks.swift"),
    .kk51: place(
      tried: ["Journeys/Refresh.swift"]),
    .kk52: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/NameBreaking.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk53: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/Trespassing.swift",
      ],
      judged: "Checks/AuthenticationChecks.swift"),
    .kk54: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/Trespassing.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk55: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/Trespassing.swift",
      ],
      judged: "Checks/VolunteerChecks.swift"),
    .kk56: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/NameBreaking.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk57: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/NameBreaking.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk58: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/NameBreaking.swift",
      ],
      judged: "Checks/VolunteerChecks.swift"),
    .kk59: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/NameBreaking.swift",
      ],
      judged: "Checks/VolunteerChecks.swift"),
    .kk60: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/NameBreaking.swift",
      ],
      judged: "Checks/VolunteerChecks.swift"),
    .kk61: place(
      enforced: "Twin/Volunteering.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Adversaries/Trespassing.swift",
      ],
      judged: "Checks/VolunteerChecks.swift"),
    .kk62: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/VolunteerEntry.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk63: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/NameBreaking.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk64: place(
      enforced: "Twin/Volunteering.swift",
      tried: ["Journeys/Adversaries/NameBreaking.swift"],
      judged: "Checks/VolunteerChecks.swift"),
    .kk65: place(
      enforced: "Journeys/Foreground.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk66: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk67: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk68: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk69: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk70: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk71: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk72: place(
      enforced: "Journeys/Foreground.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/DeviceChecks.swift"),
    .kk73: place(
      enforced: "Journeys/Foreground.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/DeviceChecks.swift"),
    .kk74: place(
      enforced: "Journeys/Foreground.swift",
      tried: [
        "Journeys/Foreground.swift",
        "Journeys/Phone.swift",
      ],
      judged: "Checks/DeviceChecks.swift"),
    .kk75: place(
      enforced: "Journeys/Foreground.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/DeviceChecks.swift"),
    .kk76: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/ResetEverything.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk77: place(
      enforced: "Twin/Syncing.swift",
      tried: [
        "Journeys/Adversaries/Removing.swift",
        "Journeys/Adversaries/Syncing.swift",
      ],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk78: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk79: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk80: place(
      enforced: "Journeys/Foreground.swift",
      tried: ["Journeys/Foreground.swift"],
      judged: "Checks/DeviceChecks.swift"),
    .kk81: place(
      enforced: "Twin/Syncing.swift",
      tried: ["Journeys/Adversaries/Syncing.swift"],
      judged: "Checks/ReconciliationChecks.swift"),
    .kk82: place(
      enforced: "Journeys/SwipeDelete.swift",
      tried: ["Journeys/SwipeDelete.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk83: place(
      enforced: "Journeys/SwipeDelete.swift",
      tried: ["Journeys/SwipeDelete.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk84: place(
      enforced: "Journeys/ResetEverything.swift",
      tried: ["Journeys/ResetEverything.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk85: place(
      enforced: "Journeys/SwipeDelete.swift",
      tried: ["Journeys/SwipeDelete.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk86: place(
      enforced: "Twin/Removing.swift",
      tried: ["Journeys/Adversaries/Removing.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk87: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/RemovalChecks.swift"),
    .kk88: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk89: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk90: place(
      enforced: "Twin/UpdatingTokens.swift",
      tried: ["Journeys/Adversaries/MisleadingPushes.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk91: place(
      enforced: "Journeys/Pushes.swift",
      tried: [
        "Journeys/Pushes.swift",
        "Journeys/Refresh.swift",
      ],
      judged: "Checks/PushChecks.swift"),
    .kk92: place(
      enforced: "Twin/Apns.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk93: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk94: place(
      enforced: "Twin/Apns.swift",
      tried: [
        "Journeys/Adversaries/MisleadingPushes.swift",
        "Journeys/OperatorRounds.swift",
      ],
      judged: "Checks/PushChecks.swift"),
    .kk95: place(
      enforced: "Twin/Apns.swift",
      tried: [
        "Journeys/Adversaries/MisleadingPushes.swift",
        "Journeys/OperatorRounds.swift",
      ],
      judged: "Checks/PushChecks.swift"),
    .kk96: place(
      enforced: "Twin/Announcing.swift",
      tried: ["Journeys/Pushes.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk97: place(
      enforced: "Journeys/Pushes.swift",
      tried: ["Journeys/Pushes.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk98: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk99: place(
      enforced: "Twin/Announcing.swift",
      tried: ["Journeys/Pushes.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk100: place(
      enforced: "Twin/Announcing.swift",
      tried: ["Journeys/OperatorRounds.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk101: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Leaderboard.swift"],
      judged: "Checks/GlobalBoardChecks.swift"),
    .kk102: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Adversaries/BoardProbing.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk103: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Adversaries/BoardProbing.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk104: place(
      enforced: "Twin/KeepingStandings.swift",
      tried: [
        "Journeys/Adversaries/BoardProbing.swift",
        "Journeys/ClubAffairs.swift",
      ],
      judged: "Checks/GlobalBoardChecks.swift"),
    .kk105: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Adversaries/BoardProbing.swift"],
      judged: "Checks/GlobalBoardChecks.swift"),
    .kk106: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Leaderboard.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk107: place(
      enforced: "Twin/KeepingStandings.swift",
      tried: ["Journeys/ClubAffairs.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk108: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Leaderboard.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk109: place(
      enforced: "Twin/KeepingStandings.swift",
      tried: [
        "Journeys/Adversaries/BoardProbing.swift",
        "Journeys/Leaderboard.swift",
      ],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk110: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Leaderboard.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk111: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Adversaries/BoardProbing.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk112: place(
      enforced: "Twin/Leaderboards.swift",
      tried: ["Journeys/Leaderboard.swift"],
      judged: "Checks/LeaderboardChecks.swift"),
    .kk113: place(
      enforced: "Twin/Operating.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/SeasonEnd.swift",
      ],
      judged: "Checks/SeasonChecks.swift"),
    .kk114: place(
      enforced: "Twin/DescribingEnrollments.swift",
      tried: ["Journeys/SeasonEnd.swift"],
      judged: "Checks/SeasonChecks.swift"),
    .kk115: place(
      enforced: "Twin/Operating.swift",
      tried: ["Journeys/Adversaries/PublicReading.swift"],
      judged: "Checks/SeasonChecks.swift"),
    .kk116: place(
      enforced: "Twin/SummingUpSeasons.swift",
      tried: [
        "Journeys/Adversaries/PublicReading.swift",
        "Journeys/Roster.swift",
      ],
      judged: "Checks/PublicChecks.swift"),
    .kk117: place(
      enforced: "Twin/TakingOver.swift",
      tried: ["Journeys/Takeover.swift"],
      judged: "Checks/TakeoverChecks.swift"),
    .kk118: place(
      enforced: "Twin/TakingOver.swift",
      tried: ["Journeys/Adversaries/Grabbing.swift"],
      judged: "Checks/TakeoverChecks.swift"),
    .kk119: place(
      enforced: "Twin/TakingOver.swift",
      tried: [
        "Journeys/Adversaries/Grabbing.swift",
        "Journeys/Takeover.swift",
      ],
      judged: "Checks/TakeoverChecks.swift"),
    .kk120: place(
      enforced: "Twin/PreferringMail.swift",
      tried: ["Journeys/Adversaries/MisleadingPushes.swift"],
      judged: "Checks/PushChecks.swift"),
    .kk121: place(
      enforced: "Twin/ReadingInPublic.swift",
      tried: [
        "Journeys/Adversaries/Forging.swift",
        "Journeys/Adversaries/PublicReading.swift",
      ],
      judged: "Checks/PublicChecks.swift"),
    .kk122: place(
      enforced: "Twin/ShowingBanners.swift",
      tried: ["Journeys/Adversaries/PublicReading.swift"],
      judged: "Checks/PublicChecks.swift"),
    .kk126: place(
      tried: ["Journeys/Takeover.swift"]),
    .kk128: place(
      enforced: "Journeys/Refresh.swift",
      tried: ["Journeys/Refresh.swift"],
      judged: "Checks/PathChecks.swift"),
    .kk134: place(
      enforced: "Journeys/PushToken.swift",
      tried: ["Journeys/PushToken.swift"],
      judged: "Checks/PushTokenChecks.swift"),
    .kk137: place(
      enforced: "Journeys/PushToken.swift",
      tried: [
        "Journeys/PhoneSeed.swift",
        "Journeys/PushToken.swift",
      ],
      judged: "Checks/PushTokenChecks.swift"),
  ]

  private static func place(
    enforced: String? = nil, tried: [String], judged: String? = nil
  ) -> LimitPlaces {
    let folder = "Sources/Domains/KantineKoning/"
    return LimitPlaces(
      enforced: enforced.map { folder + $0 }, tried: tried.map { folder + $0 },
      judged: judged.map { folder + $0 })
  }
}
