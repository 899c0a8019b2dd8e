import Contracts

extension MimiSupply {
  /// Where each limit is enforced, tried and judged.
  ///
  /// A test reads the sources, writes this table (`REHEARSAL_GOLDEN=write`) and fails when it is stale.
  static let limitPlaces: [LimitID: LimitPlaces] = [
    .ms01: place(
      enforced: "Twin/Store/Serving.swift",
      tried: [
        "Journeys/Adversaries/PlatformActs.swift",
        "Journeys/App/Attacker.swift",
        "Journeys/App/ErrorTable.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/PlatformChecks.swift"),
    .ms02: place(
      enforced: "Twin/Store/Serving.swift",
      tried: ["Journeys/Adversaries/PlatformActs.swift"],
      judged: "Checks/PlatformChecks.swift"),
    .ms03: place(
      enforced: "Twin/Store/Serving.swift",
      tried: ["Journeys/Adversaries/PlatformActs.swift"],
      judged: "Checks/PlatformChecks.swift"),
    .ms04: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/SizeActs.swift"],
      judged: "Checks/PlatformChecks.swift"),
    .ms05: place(
      enforced: "Twin/Store/Files.swift",
      tried: ["Journeys/Adversaries/SizeActs.swift"],
      judged: "Checks/PlatformChecks.swift"),
    .ms06: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: []),
    .ms07: place(
      enforced: "Twin/Store/Serving.swift",
      tried: [
        "Journeys/Adversaries/SizeActs.swift",
        "Journeys/App/Writing.swift",
      ],
      judged: "Checks/PlatformChecks.swift"),
    .ms08: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/SizeActs.swift"],
      judged: "Checks/PlatformChecks.swift"),
    .ms09: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/BatchActs.swift"],
      judged: "Checks/BatchChecks.swift"),
    .ms10: place(
      enforced: "Twin/Store/Querying.swift",
      tried: ["Journeys/Adversaries/BatchActs.swift"],
      judged: "Checks/ScanChecks.swift"),
    .ms11: place(
      enforced: "Twin/Store/Feeds.swift",
      tried: ["Journeys/Adversaries/BatchActs.swift"],
      judged: "Checks/ScanChecks.swift"),
    .ms12: place(
      enforced: "Twin/Store/Serving.swift",
      tried: [
        "Journeys/Adversaries/BatchActs.swift",
        "Journeys/Adversaries/Corner.swift",
      ],
      judged: "Checks/BatchChecks.swift"),
    .ms13: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/ValidationActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms14: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/ValidationActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms15: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/ValidationActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms16: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms17: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms18: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms19: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ReferenceChecks.swift"),
    .ms20: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms21: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms22: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/RangeActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms23: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/DocumentActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms24: place(
      enforced: "Twin/Market/Objecting.swift",
      tried: ["Journeys/Adversaries/ReferenceActs.swift"],
      judged: "Checks/ReferenceChecks.swift"),
    .ms25: place(
      enforced: "Twin/Market/Committing.swift",
      tried: ["Journeys/Adversaries/ReferenceActs.swift"],
      judged: "Checks/ReferenceChecks.swift"),
    .ms26: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/ReferenceActs.swift"],
      judged: "Checks/ReferenceChecks.swift"),
    .ms27: place(
      enforced: "Twin/Market/Validating.swift",
      tried: ["Journeys/Adversaries/ValidationActs.swift"],
      judged: "Checks/ValidationChecks.swift"),
    .ms28: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/NewOrder.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms29: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/NewOrder.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms30: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/NewOrder.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms31: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms32: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms33: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/People/Tracking.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms34: place(
      enforced: "Twin/Market/Money.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms35: place(
      enforced: "Twin/Market/Figures.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms36: place(
      enforced: "Twin/Market/Committing.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms37: place(
      enforced: "Twin/Market/Transitions.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms38: place(
      enforced: "Twin/Market/Indexing.swift",
      tried: [
        "Journeys/Adversaries/MoneyActs.swift",
        "Journeys/Adversaries/OrderingActs.swift",
      ],
      judged: "Checks/MoneyChecks.swift"),
    .ms39: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: [
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/People/Cart.swift",
      ],
      judged: "Checks/OrderingChecks.swift"),
    .ms40: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms41: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms42: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms43: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms44: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms45: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms46: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: [
        "Journeys/Adversaries/OrderingActs.swift",
        "Journeys/People/Cart.swift",
      ],
      judged: "Checks/OrderingChecks.swift"),
    .ms47: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms48: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/OrderingActs.swift"],
      judged: "Checks/OrderingChecks.swift"),
    .ms49: place(
      enforced: "Twin/Market/Permitting.swift",
      tried: ["Journeys/Adversaries/AccessActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms50: place(
      enforced: "Twin/Market/Stock.swift",
      tried: ["Journeys/Adversaries/StockActs.swift"],
      judged: "Checks/StockChecks.swift"),
    .ms51: place(
      enforced: "Twin/Market/Ordering.swift",
      tried: ["Journeys/Adversaries/StockActs.swift"],
      judged: "Checks/StockChecks.swift"),
    .ms52: place(
      enforced: "Twin/Market/Committing.swift",
      tried: ["Journeys/Adversaries/StockActs.swift"],
      judged: "Checks/StockChecks.swift"),
    .ms53: place(
      enforced: "Twin/Market/Stock.swift",
      tried: ["Journeys/Adversaries/StockActs.swift"],
      judged: "Checks/StockChecks.swift"),
    .ms54: place(
      enforced: "Twin/Market/Stock.swift",
      tried: ["Journeys/Adversaries/StockActs.swift"],
      judged: "Checks/StockChecks.swift"),
    .ms55: place(
      enforced: "Twin/Market/Indexing.swift",
      tried: [
        "Journeys/Adversaries/StockActs.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/StockChecks.swift"),
    .ms56: place(
      enforced: "Twin/Market/Objecting.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms57: place(
      enforced: "Twin/Market/Transitions.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms58: place(
      enforced: "Twin/Market/Objecting.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms59: place(
      enforced: "Twin/Market/Objecting.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms60: place(
      enforced: "Twin/Market/Transitions.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms61: place(
      enforced: "Twin/Market/Transitions.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms62: place(
      enforced: "Twin/Market/Indexing.swift",
      tried: [
        "Journeys/Adversaries/StateActs.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/StateChecks.swift"),
    .ms63: place(
      enforced: "Twin/Market/Objecting.swift",
      tried: ["Journeys/Adversaries/StateActs.swift"],
      judged: "Checks/StateChecks.swift"),
    .ms64: place(
      enforced: "Twin/Market/Claiming.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms65: place(
      enforced: "Twin/Market/Claiming.swift",
      tried: [
        "Journeys/Adversaries/DispatchActs.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/DispatchChecks.swift"),
    .ms66: place(
      enforced: "Twin/Market/Claiming.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms67: place(
      enforced: "Twin/Market/Claiming.swift",
      tried: [
        "Journeys/Adversaries/DispatchActs.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/DispatchChecks.swift"),
    .ms68: place(
      enforced: "Twin/Market/Dispatching.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms69: place(
      enforced: "Twin/Market/Claiming.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms70: place(
      enforced: "Twin/Market/Indexing.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms71: place(
      enforced: "Twin/Market/Indexing.swift",
      tried: [
        "Journeys/Adversaries/DispatchActs.swift",
        "Journeys/People/Delivering.swift",
      ],
      judged: "Checks/DispatchChecks.swift"),
    .ms72: place(
      enforced: "Twin/Market/Committing.swift",
      tried: [
        "Journeys/Adversaries/DispatchActs.swift",
        "Journeys/People/Courier.swift",
      ],
      judged: "Checks/DispatchChecks.swift"),
    .ms73: place(
      enforced: "Twin/Market/Committing.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms74: place(
      enforced: "Journeys/People/Courier.swift",
      tried: [
        "Journeys/Adversaries/DispatchActs.swift",
        "Journeys/MarketSettings.swift",
        "Journeys/People/Courier.swift",
        "Journeys/People/Delivering.swift",
      ],
      judged: "Checks/DispatchChecks.swift"),
    .ms75: place(
      enforced: "Twin/Market/Committing.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms76: place(
      enforced: "Twin/Market/Dispatching.swift",
      tried: ["Journeys/Adversaries/DispatchActs.swift"],
      judged: "Checks/DispatchChecks.swift"),
    .ms77: place(
      enforced: "Twin/Market/Delivering.swift",
      tried: [
        "Journeys/Adversaries/DeliveryActs.swift",
        "Journeys/BackendSettings.swift",
      ],
      judged: "Checks/DeliveryChecks.swift"),
    .ms78: place(
      enforced: "Twin/Market/Delivering.swift",
      tried: ["Journeys/Adversaries/DeliveryActs.swift"],
      judged: "Checks/DeliveryChecks.swift"),
    .ms79: place(
      enforced: "Twin/Market/Committing.swift",
      tried: [
        "Journeys/Adversaries/DeliveryActs.swift",
        "Journeys/Adversaries/MoneyActs.swift",
      ],
      judged: "Checks/DeliveryChecks.swift"),
    .ms80: place(
      enforced: "Twin/Market/Committing.swift",
      tried: ["Journeys/Adversaries/DeliveryActs.swift"],
      judged: "Checks/DeliveryChecks.swift"),
    .ms81: place(
      enforced: "Twin/Market/Delivering.swift",
      tried: ["Journeys/Adversaries/DeliveryActs.swift"],
      judged: "Checks/DeliveryChecks.swift"),
    .ms82: place(
      enforced: "Twin/Store/Storing.swift",
      tried: ["Journeys/Adversaries/SynchronisationActs.swift"],
      judged: "Checks/SynchronisationChecks.swift"),
    .ms83: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/SynchronisationActs.swift"],
      judged: "Checks/SynchronisationChecks.swift"),
    .ms84: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/SynchronisationActs.swift"],
      judged: "Checks/SynchronisationChecks.swift"),
    .ms85: place(
      enforced: "Twin/Store/Modifying.swift",
      tried: ["Journeys/Adversaries/SynchronisationActs.swift"],
      judged: "Checks/SynchronisationChecks.swift"),
    .ms86: place(
      enforced: "Journeys/App/Merging.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Merging.swift",
      ],
      judged: "Checks/ClientConflictChecks.swift"),
    .ms87: place(
      enforced: "Journeys/App/Merging.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Merging.swift",
      ],
      judged: "Checks/ClientConflictChecks.swift"),
    .ms88: place(
      enforced: "Journeys/App/Synchronising.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Synchronising.swift",
      ],
      judged: "Checks/ClientQueueChecks.swift"),
    .ms89: place(
      enforced: "Journeys/App/Synchronising.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/OfflineQueue.swift",
        "Journeys/App/Synchronising.swift",
      ],
      judged: "Checks/ClientQueueChecks.swift"),
    .ms90: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms91: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms92: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms93: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms94: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms95: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms96: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms97: place(
      tried: ["Journeys/Adversaries/PushActs.swift"]),
    .ms98: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms99: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms100: place(
      enforced: "Twin/Store/FanningOut.swift",
      tried: ["Journeys/Adversaries/PushActs.swift"],
      judged: "Checks/PushChecks.swift"),
    .ms101: place(
      enforced: "Twin/Store/Serving.swift",
      tried: ["Journeys/Adversaries/AccessActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms102: place(
      enforced: "Twin/Store/Serving.swift",
      tried: ["Journeys/Adversaries/AccessActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms103: place(
      enforced: "Twin/Store/SigningIn.swift",
      tried: [
        "Journeys/Adversaries/SignInActs.swift",
        "Journeys/People/Installation.swift",
      ],
      judged: "Checks/AccessChecks.swift"),
    .ms104: place(
      enforced: "Twin/Store/SigningIn.swift",
      tried: ["Journeys/Adversaries/SignInActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms105: place(
      enforced: "Twin/Market/Permitting.swift",
      tried: ["Journeys/Adversaries/AccessActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms106: place(
      enforced: "Twin/Market/Seeing.swift",
      tried: ["Journeys/Adversaries/IsolationActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms107: place(
      enforced: "Twin/Market/Seeing.swift",
      tried: [
        "Journeys/Adversaries/IsolationActs.swift",
        "Journeys/Adversaries/PushActs.swift",
      ],
      judged: "Checks/AccessChecks.swift"),
    .ms108: place(
      enforced: "Twin/Market/Permitting.swift",
      tried: [
        "Journeys/Adversaries/AccessActs.swift",
        "Journeys/Adversaries/SignInActs.swift",
      ],
      judged: "Checks/AccessChecks.swift"),
    .ms109: place(
      enforced: "Twin/Market/Permitting.swift",
      tried: ["Journeys/Adversaries/AccessActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms110: place(
      enforced: "Twin/Store/Files.swift",
      tried: ["Journeys/Adversaries/IsolationActs.swift"],
      judged: "Checks/AccessChecks.swift"),
    .ms111: place(
      enforced: "Twin/Store/AuditLog.swift",
      tried: ["Journeys/Adversaries/AuditActs.swift"],
      judged: "Checks/PrivacyChecks.swift"),
    .ms112: place(
      enforced: "Twin/Store/AuditLog.swift",
      tried: ["Journeys/Adversaries/AuditActs.swift"],
      judged: "Checks/PrivacyChecks.swift"),
    .ms113: place(
      enforced: "Twin/Store/AuditLog.swift",
      tried: ["Journeys/Adversaries/AuditActs.swift"],
      judged: "Checks/PrivacyChecks.swift"),
    .ms114: place(
      enforced: "Twin/Store/PassingTime.swift",
      tried: []),
    .ms115: place(
      enforced: "Twin/Store/OwnData.swift",
      tried: ["Journeys/Adversaries/PrivacyActs.swift"],
      judged: "Checks/PrivacyChecks.swift"),
    .ms116: place(
      enforced: "Twin/Store/OwnData.swift",
      tried: ["Journeys/Adversaries/PrivacyActs.swift"],
      judged: "Checks/PrivacyChecks.swift"),
    .ms117: place(
      enforced: "Twin/Store/Operating.swift",
      tried: [
        "Journeys/Adversaries/Corner.swift",
        "Journeys/Adversaries/PrivacyActs.swift",
      ],
      judged: "Checks/PrivacyChecks.swift"),
    .ms118: place(
      enforced: "Twin/Market/Market.swift",
      tried: [
        "Journeys/Adversaries/Corner.swift",
        "Journeys/Adversaries/PrivacyActs.swift",
      ],
      judged: "Checks/PrivacyChecks.swift"),
    .ms119: place(
      enforced: "Journeys/App/Repeating.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Repeating.swift",
      ],
      judged: "Checks/ClientRetryChecks.swift"),
    .ms120: place(
      enforced: "Journeys/App/Repeating.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Repeating.swift",
      ],
      judged: "Checks/ClientRetryChecks.swift"),
    .ms121: place(
      enforced: "Journeys/App/AppClient.swift",
      tried: ["Journeys/App/AppClient.swift"],
      judged: "Checks/ClientHealthChecks.swift"),
    .ms122: place(
      enforced: "Journeys/App/CachedReading.swift",
      tried: [
        "Journeys/App/CachedReading.swift",
        "Journeys/App/CommuterErrands.swift",
      ],
      judged: "Checks/ClientCacheChecks.swift"),
    .ms123: place(
      enforced: "Journeys/App/Sending.swift",
      tried: ["Journeys/App/Sending.swift"],
      judged: "Checks/ClientHealthChecks.swift"),
    .ms124: place(
      enforced: "Journeys/App/Connection.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Connection.swift",
        "Journeys/App/Device.swift",
      ],
      judged: "Checks/ClientOfflineChecks.swift"),
    .ms125: place(
      enforced: "Journeys/App/Writing.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Writing.swift",
        "Journeys/People/Tracking.swift",
      ],
      judged: "Checks/ClientQueueChecks.swift"),
    .ms126: place(
      enforced: "Journeys/App/CachedReading.swift",
      tried: [
        "Journeys/App/CachedReading.swift",
        "Journeys/App/CommuterErrands.swift",
        "Journeys/MarketSettings.swift",
      ],
      judged: "Checks/ClientCacheChecks.swift"),
    .ms127: place(
      enforced: "Journeys/App/Synchronising.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Synchronising.swift",
      ],
      judged: "Checks/ClientOfflineChecks.swift"),
    .ms128: place(
      enforced: "Journeys/App/Synchronising.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/OfflineQueue.swift",
        "Journeys/App/Synchronising.swift",
      ],
      judged: "Checks/ClientQueueChecks.swift"),
    .ms129: place(
      enforced: "Journeys/App/CachedReading.swift",
      tried: [
        "Journeys/App/AppClient.swift",
        "Journeys/App/CachedReading.swift",
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/RecordCache.swift",
      ],
      judged: "Checks/ClientCacheChecks.swift"),
    .ms130: place(
      enforced: "Journeys/App/Sending.swift",
      tried: [
        "Journeys/App/CommuterErrands.swift",
        "Journeys/App/Sending.swift",
      ],
      judged: "Checks/ClientHealthChecks.swift"),
  ]

  private static func place(
    enforced: String? = nil, tried: [String], judged: String? = nil
  ) -> LimitPlaces {
    let folder = "Sources/Domains/MimiSupply/"
    return LimitPlaces(
      enforced: enforced.map { folder + $0 }, tried: tried.map { folder + $0 },
      judged: judged.map { folder + $0 })
  }
}
