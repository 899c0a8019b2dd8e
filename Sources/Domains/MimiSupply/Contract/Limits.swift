import Contracts

extension MimiSupply {
  /// Every rule of section 4 with its source, in the order of the specification.
  public static let limits: [Limit] = [
    platformLimits, validationLimits, moneyLimits, orderingLimits, ordersLimits, dispatchLimits,
    deliveryLimits, synchronisingLimits, pushesLimits, accessLimits, privacyLimits, clientsLimits,
  ].flatMap(\.self)

  /// Why a rule that the twin keeps is not judged.
  static let checkYet =
    "the twin keeps it and its own tests prove it; no check of this backend judges records yet"
  /// Why a rule of the app is not judged.
  static let clientYet =
    "it binds the app, and no simulated app of this backend is restless enough yet to show it"
}
