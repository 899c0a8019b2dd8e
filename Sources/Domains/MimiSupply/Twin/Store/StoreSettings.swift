import Contracts
import MimiSupplyContract
import Timekeeping

/// What the CloudKit layer goes by: the deployment's values (§10), and what nobody sets.
@dynamicMemberLookup
struct StoreSettings: Hashable, Sendable {
  var deployment = MimiSupply.Deployment()
  /// How long files wait for the record that names them (MS-06).
  var uploadLifetime = Span.hours(24)
  /// Real bytes beyond this are hashed and dropped (§3.2).
  var mostKeptBytes = 1 << 20
  /// What a busy zone asks for when the fault does not say (§7.1).
  var busyWait = Span.seconds(30)
  /// Above it an account is locked (MS-117).
  var riskThreshold = 0.8
  var retention = Retention()

  /// MS-114.
  struct Retention: Hashable, Sendable {
    var audit = Span.days(30)
    var temporary = Span.hours(24)
    /// Seven years with their leap days.
    var contract = Span.days(7 * 365 + 2)
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<MimiSupply.Deployment, Value>) -> Value {
    get { deployment[keyPath: path] }
    set { deployment[keyPath: path] = newValue }
  }
}
