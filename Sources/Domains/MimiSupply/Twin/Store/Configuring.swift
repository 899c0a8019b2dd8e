import Contracts
import MimiSupplyContract
import Timekeeping

// Values of section 10 by their names; the contract has seen to it that each is of its kind.
extension MimiSupplyTwin {
  mutating func configure(_ values: [String: JSON], at now: Instant) {
    let before = market.settings
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if !settings.set(name, to: value) { market.settings.set(name, to: value) }
    }
    market.reconfigured(from: before, at: now)
    // Midnight is another now (MS-114).
    if values["timeZone"] != nil { retentionDue = nextMidnight(after: now) }
  }
}

extension StoreSettings {
  /// - Returns: `false` when the name is the market's.
  mutating func set(_ name: String, to value: JSON) -> Bool {
    switch name {
    case "requestsPerSecondPerUser": requestsPerSecondPerUser = value.count
    case "rateWindow": rateWindow = value.span
    case "maxRecordBytes": maxRecordBytes = value.count
    case "maxAssetBytes": maxAssetBytes = value.count
    case "maxDatabaseBytes": maxDatabaseBytes = value.count
    case "maxOperationsPerRequest": maxOperationsPerRequest = value.count
    case "maxRequestBytes": maxRequestBytes = value.count
    case "maxRecordsPerResponse": maxRecordsPerResponse = max(1, value.count)
    case "maxTokensPerRequest": maxTokensPerRequest = value.count
    case "changeHistoryLimit": changeHistoryLimit = value.isNull ? nil : value.count
    case "courierQueueLimit": courierQueueLimit = max(1, value.count)
    case "pushMaxBytes": pushMaxBytes = value.count
    case "sessionLifetime": sessionLifetime = value.span
    case "identityTokenLifetime": identityTokenLifetime = value.span
    case "assetUrlLifetime": assetUrlLifetime = value.span
    case "auditDriverLocation": auditDriverLocation = value.flag
    default: return false
    }
    return true
  }
}

extension MarketSettings {
  mutating func set(_ name: String, to value: JSON) {
    switch name {
    case "paymentMode": paymentMode = value.choice()
    case "paymentDelay": paymentDelay = value.span
    case "feePolicy": feePolicy = value.choice()
    case "feePolicyEnforcement": feePolicyEnforcement = value.flag
    case "customerCancelUntil": customerCancelUntil = value.choice()
    case "maxLines": maxLines = value.count
    case "maxQuantity": maxQuantity = Int64(value.count)
    case "dispatchTrigger": dispatchTrigger = value.choice()
    case "dispatchMode": dispatchMode = value.choice()
    case "dispatchRadius": dispatchRadius = value.count
    case "positionMaxAge": positionMaxAge = value.span
    case "driverCapacity": driverCapacity = value.count
    case "offerLifetime": offerLifetime = value.span
    case "retryInterval": retryInterval = value.span
    case "dispatchGiveUp": dispatchGiveUp = value.span
    case "pickupTimeout": pickupTimeout = value.span
    case "offlineGrace": offlineGrace = value.span
    case "batchWindow": batchWindow = value.span
    case "batchAsOffers": batchAsOffers = value.flag
    case "strictDistance": strictDistance = value.flag
    case "partnerAcceptTimeout": partnerAcceptTimeout = value.span
    case "unpaidTimeout": unpaidTimeout = value.span
    case "proofPhotoRequired": proofPhotoRequired = value.flag
    case "requiredVehicle": requiredVehicle = value.string
    case "timeZone": zone = CivilZone(value.string!)!
    default: preconditionFailure("a setting '\(name)' was declared that nobody reads")
    }
  }
}

extension JSON {
  fileprivate var count: Int { int! }
  fileprivate var span: Span { Span(string!)! }
  fileprivate var flag: Bool { bool! }

  fileprivate func choice<Choice: RawRepresentable<String>>() -> Choice {
    Choice(rawValue: string!)!
  }
}
