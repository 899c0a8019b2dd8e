import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-110: a file is fetched only at an address that somebody was shown with a record, for a quarter of an hour, and is
/// what was sent.
struct Downloads: History {
  static let scope = Scope<MimiSupply>.cell
  static let concerns = Set<Concern>.asking(
    .modify, .lookup, .query, .changes, .signIn, .selectRole, .upload, .download)

  /// What is longer a backend may have hashed and dropped (§3.2).
  private static let longestKept = 4_096
  private static let lifetime = Span.minutes(15)

  private struct Address {
    let checksum: String
    /// The first time that it was shown: between when and when it was made.
    let sent: Instant
    let answered: Instant
  }

  private var addresses: [String: Address] = [:]
  private var files: [String: [UInt8]] = [:]

  mutating func asked(_ exchange: SeenExchange, at moment: Moment, _ judge: inout Judge) {
    switch exchange.request {
    case .upload(let upload):
      guard case .uploaded(let asset)? = exchange.content, case .bytes(let bytes) = upload.content
      else { return }
      if bytes.count <= Self.longestKept { files[asset.fileChecksum] = bytes }
    case .download(let path): judgeDownload(path, exchange, &judge)
    default: for shown in exchange.shown { note(shown, exchange) }
    }
  }

  private mutating func note(_ record: CloudRecord, _ exchange: SeenExchange) {
    for field in Self.fields[record.type] ?? [] {
      switch record.fields[field] {
      case .asset(let asset): note(asset, exchange)
      case .assets(let assets): for asset in assets { note(asset, exchange) }
      default: continue
      }
    }
  }

  private mutating func note(_ asset: Asset, _ exchange: SeenExchange) {
    guard let url = asset.downloadURL.map(Self.path), addresses[url] == nil else { return }
    addresses[url] = Address(
      checksum: asset.fileChecksum, sent: exchange.sent, answered: exchange.answered)
  }

  private static let fields: [String: [String]] = [
    "Partner": ["heroImage", "logo"], "Product": ["images"], "UserProfile": ["profileImage"],
    "Driver": ["profileImage"], "DeliveryCompletion": ["photoAsset"],
  ]

  /// An address is the same with its origin and without.
  private static func path(_ address: String) -> String { WireTarget(parsing: address).text }

  private func judgeDownload(_ path: String, _ exchange: SeenExchange, _ judge: inout Judge) {
    let address = addresses[Self.path(path)]
    switch exchange.outcome {
    case .replied(let reply):
      guard let address else {
        judge.violated("a file was given out at an address that nobody was shown")
        return
      }
      if exchange.sent - address.answered >= Self.lifetime {
        judge.violated("a file was given out at an address that had expired")
      } else if case .downloaded(let bytes) = reply.content, let sent = files[address.checksum] {
        judge.expect(bytes == sent, "a file is not what was sent")
      } else {
        judge.held()
      }
    case .refused(let refusal):
      guard let address, refusal.failure.code == .notFound else {
        judge.held()
        return
      }
      judge.expect(
        exchange.answered - address.sent >= Self.lifetime, "a good address did not open its file")
    default: return
    }
  }
}
