import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The sizes of section 10 in force in one city, as the operator set them; the defaults are the specification's.
final class PlatformSettings: Facts {
  static let concerns: Set<Concern> = [.controls]

  /// Since when they are what they are: what was sent before is not judged.
  private(set) var since = Instant.distantPast
  /// MS-04
  private(set) var maxRecordBytes = 1 << 20
  /// MS-05
  private(set) var maxAssetBytes = 1 << 30
  /// MS-07
  private(set) var maxOperations = 400
  private(set) var maxRequestBytes = 2 << 20
  private(set) var maxRecords = 200
  /// MS-100
  private(set) var pushMaxBytes = 4_096

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func commanded(_ command: Control, at moment: Moment) {
    guard case .configure(let values) = command else { return }
    let before = [
      maxRecordBytes, maxAssetBytes, maxOperations, maxRequestBytes, maxRecords, pushMaxBytes,
    ]
    func count(_ name: String, _ present: Int) -> Int { values[name]?.int ?? present }
    maxRecordBytes = count("maxRecordBytes", maxRecordBytes)
    maxAssetBytes = count("maxAssetBytes", maxAssetBytes)
    maxOperations = count("maxOperationsPerRequest", maxOperations)
    maxRequestBytes = count("maxRequestBytes", maxRequestBytes)
    // Nobody is answered with less than one record.
    maxRecords = max(1, count("maxRecordsPerResponse", maxRecords))
    pushMaxBytes = count("pushMaxBytes", pushMaxBytes)
    let after = [
      maxRecordBytes, maxAssetBytes, maxOperations, maxRequestBytes, maxRecords, pushMaxBytes,
    ]
    if after != before { since = moment.time + .seconds(1) }
  }
}
