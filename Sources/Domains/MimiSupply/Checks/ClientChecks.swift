import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges what the app does by itself: MS-86 to MS-89 and MS-119 to MS-130.
enum ClientChecks {
  static let all: [MSCheck] =
    ClientRetryChecks.all + ClientHealthChecks.all + ClientCacheChecks.all
    + ClientOfflineChecks.all + ClientQueueChecks.all + ClientConflictChecks.all
}
