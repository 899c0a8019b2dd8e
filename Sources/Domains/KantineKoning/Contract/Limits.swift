import Contracts

extension KantineKoning {
  /// The rules of the specification's section 4, in its order and its words. Each carries the heading that it comes
  /// from; one that no check judges says why.
  public static let limits: [Limit] =
    (identityLimits
    + onboardingLimits
    + dienstLimits
    + reconciliationLimits
    + pushLimits
    + remainingLimits).map { $0.found(at: limitPlaces[$0.id]) }
}
