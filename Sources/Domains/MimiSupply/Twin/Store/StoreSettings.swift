import Contracts
import MimiSupplyContract
import Timekeeping

/// What a scenario may set of the CloudKit layer (§10); the defaults are the specification's.
struct StoreSettings: Hashable, Sendable {
  var requestsPerSecondPerUser = 40
  var rateWindow = Span.seconds(1)
  var maxRecordBytes = 1 << 20
  var maxAssetBytes = 1 << 30
  var maxDatabaseBytes = 1 << 50
  var maxOperationsPerRequest = 400
  var maxRequestBytes = 2 << 20
  var maxRecordsPerResponse = 200
  var maxTokensPerRequest = 200
  /// How many changes feeds remember; `nil`: all.
  var changeHistoryLimit: Int?
  var courierQueueLimit = 1_000
  var pushMaxBytes = 4_096
  var sessionLifetime = Span.hours(24)
  var identityTokenLifetime = Span.minutes(10)
  var assetUrlLifetime = Span.minutes(15)
  var auditDriverLocation = false
  /// How long files wait for the record that names them (MS-06).
  var uploadLifetime = Span.hours(24)
  /// Real bytes beyond this are hashed and dropped (§3.2).
  var mostKeptBytes = 1 << 20
  /// What a busy zone asks for when the fault does not say (§7.1).
  var busyWait = Span.seconds(30)
  /// Above it an account is locked (MS-117).
  var riskThreshold = 0.8
  var retention = Retention()

  init() {}

  /// MS-114.
  struct Retention: Hashable, Sendable {
    var audit = Span.days(30)
    var temporary = Span.hours(24)
    /// Seven years with their leap days.
    var contract = Span.days(7 * 365 + 2)
  }
}
