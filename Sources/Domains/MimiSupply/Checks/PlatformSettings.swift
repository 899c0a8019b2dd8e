import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The sizes of section 10 in force in one city, as the operator set them.
@dynamicMemberLookup
final class PlatformSettings: Facts {
  static let concerns: Set<Concern> = [.controls]

  private var values = MimiSupply.Deployment()
  /// Since when they are what they are: what was sent before is not judged.
  private(set) var since = Instant.distantPast

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  subscript<Value>(dynamicMember path: KeyPath<MimiSupply.Deployment, Value>) -> Value {
    values[keyPath: path]
  }

  func commanded(_ command: Control, at moment: Moment) {
    guard case .configure(let adjustment) = command else { return }
    let before = sizes
    adjustment.apply(to: &values)
    if sizes != before { since = moment.time + .seconds(1) }
  }

  /// MS-04, MS-05, MS-07, MS-100.
  private var sizes: [Int] {
    [
      values.maxRecordBytes, values.maxAssetBytes, values.maxOperationsPerRequest,
      values.maxRequestBytes, values.maxRecordsPerResponse, values.pushMaxBytes,
    ]
  }
}
