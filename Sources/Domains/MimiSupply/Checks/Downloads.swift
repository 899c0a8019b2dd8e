import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-110: a file is fetched only at an address that somebody was shown with a record, for a quarter of an hour or what
/// the operator set, and is what was sent.
struct Downloads: History {
  static let scope = Scope<MimiSupply>.cell
  static let concerns = Set<Concern>.asking(
    .modify, .lookup, .query, .changes, .signIn, .selectRole, .upload, .download
  ).union([.controls])

  /// What is longer a backend may have hashed and dropped (§3.2).
  private static let longestKept = 4_096

  private struct Address {
    let checksum: String
    /// The first time that it was shown: between when and when it was made.
    let sent: Instant
    let answered: Instant
  }

  private var addresses: [String: Address] = [:]
  private var files: [String: [UInt8]] = [:]
  private var deployment = InForce<MimiSupply.Deployment>()

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .upload(let upload):
      guard case .uploaded(let asset)? = call.content else { return }
      if let size = upload.content.size {
        judge.expect(asset.size == size, "a file of \(size) bytes is said to have \(asset.size)")
      }
      guard case .bytes(let bytes) = upload.content, bytes.count <= Self.longestKept else { return }
      files[asset.fileChecksum] = bytes
    case .download(let path): judgeDownload(path, call, &judge)
    default: for shown in call.shown { note(shown, call) }
    }
  }

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    if case .configure(let adjustment) = command { deployment.adjust(adjustment, at: moment.time) }
  }

  /// For how long an address may be good that was made meanwhile.
  private func lifetimes(of address: Address) -> [Span] {
    deployment.all(during: address.sent...address.answered).map(\.assetUrlLifetime)
  }

  private mutating func note(_ record: CloudRecord, _ call: SeenCall) {
    for field in Self.fields[record.type] ?? [] {
      switch record.fields[field] {
      case .asset(let asset): note(asset, call)
      case .assets(let assets): for asset in assets { note(asset, call) }
      default: continue
      }
    }
  }

  private mutating func note(_ asset: Asset, _ call: SeenCall) {
    guard let url = asset.downloadURL.map(Self.path), addresses[url] == nil else { return }
    addresses[url] = Address(
      checksum: asset.fileChecksum, sent: call.sent, answered: call.answered)
  }

  private static let fields: [RecordType: [FieldName]] = [
    .partner: [.heroImage, .logo], .product: [.images], .userProfile: [.profileImage],
    .driver: [.profileImage], .deliveryCompletion: [.photoAsset],
  ]

  /// An address is the same with its origin and without.
  private static func path(_ address: String) -> String { WireTarget(parsing: address).text }

  private func judgeDownload(_ path: String, _ call: SeenCall, _ judge: inout Judge) {
    let address = addresses[Self.path(path)]
    switch call.outcome {
    case .replied(let reply):
      guard let address else {
        judge.violated("a file was given out at an address that nobody was shown")
        return
      }
      if let longest = lifetimes(of: address).max(), call.sent - address.answered >= longest {
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
      guard let shortest = lifetimes(of: address).min() else { return }
      judge.expect(
        call.answered - address.sent >= shortest, "a good address did not open its file")
    default: return
    }
  }
}

extension Upload.Content {
  /// In bytes; `nil` where nobody can read it.
  fileprivate var size: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .synthetic(let size, _): size
    case .unreadable: nil
    }
  }
}
