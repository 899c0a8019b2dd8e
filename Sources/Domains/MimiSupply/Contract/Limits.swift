import Contracts

extension MimiSupply {
  /// Every rule of section 4 with its source, in the order of the specification, and where each is enforced, tried and
  /// judged.
  public static let limits: [Limit] = [
    platformLimits, validationLimits, moneyLimits, orderingLimits, ordersLimits, dispatchLimits,
    deliveryLimits, synchronisingLimits, pushesLimits, accessLimits, privacyLimits, clientsLimits,
  ].flatMap(\.self).map { $0.found(at: limitPlaces[$0.id]) }
}
