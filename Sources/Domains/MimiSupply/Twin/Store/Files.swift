import Contracts
import MimiSupplyContract
import Timekeeping

/// Uploads and stored files (§3.2, MS-05, MS-110).
struct Files: Sendable {
  /// Permission to send one file.
  struct Ticket: Sendable {
    let user: UserName
    let recordName: RecordName
    let recordType: RecordType
    let fieldName: String
    let expires: Instant
  }

  struct File: Sendable {
    let user: UserName
    let recordType: RecordType
    let fieldName: String
    let asset: Asset
    /// Enciphered; `nil` for synthetic files and those too long to keep.
    let bytes: [UInt8]?
    /// Until when a record must name it.
    let expires: Instant
    var isReferred = false
  }

  var tickets: [String: Ticket] = [:]
  /// By receipt.
  var files: UndoTable<String, File> = [:]
  /// Receipts of files by checksum, for downloads.
  var receipts: [String: String] = [:]

  /// Files that no record named in time are gone (MS-06).
  mutating func prune(at now: Instant) {
    tickets = tickets.filter { now < $0.value.expires }
    files.replaceAll(with: files.all.filter { $0.value.isReferred || now < $0.value.expires })
    // The same bytes may have been sent twice: another receipt then stands for them.
    receipts = receipts.filter { files[$0.value] != nil }
    for (receipt, file) in files.all.sorted(by: { $0.key < $1.key })
    where receipts[file.asset.fileChecksum] == nil {
      receipts[file.asset.fileChecksum] = receipt
    }
  }

  /// A stored record names its files: they stay.
  mutating func refer(_ record: CloudRecord) {
    for value in record.fields.values where value.holdsFiles {
      for asset in value.assets {
        if let receipt = asset.receipt { files[receipt]?.isReferred = true }
      }
    }
  }

  /// Enciphers and deciphers: a stream of bits that the key names is mixed in.
  static func cipher(_ bytes: [UInt8], key: UInt64) -> [UInt8] {
    var stream = RandomStream(seed: key, owner: 0, purpose: 0)
    var word: UInt64 = 0
    return bytes.enumerated().map { index, byte in
      if index % 8 == 0 { word = stream.next() }
      return byte ^ UInt8(truncatingIfNeeded: word >> (8 * (index % 8)))
    }
  }
}

extension MimiSupplyTwin {
  mutating func requestUploads(
    _ asked: UploadRequest, at place: Place, _ now: Instant
  ) -> Answer {
    guard let user = place.identity.user else { return .failure(.missing) }
    for item in asked.items {
      let schema = RecordSchema.of(item.recordType)
      guard let kind = schema?[text: item.fieldName]?.kind, kind == .asset || kind == .assets else {
        return .failure(
          .invalid(
            "\(printable(item.recordType.text)) has no field \(printable(item.fieldName)) for files"
          ))
      }
    }
    let targets = asked.items.map { item -> UploadTarget in
      let name = item.recordName ?? freshName("record-")
      let ticket = freshSecret("")
      files.tickets[ticket] = Files.Ticket(
        user: user, recordName: name, recordType: item.recordType, fieldName: item.fieldName,
        expires: now + settings.uploadLifetime)
      return UploadTarget(
        recordName: name, fieldName: item.fieldName,
        url: addresses.origin + Upload.path(of: ticket))
    }
    return .success(.uploads(targets))
  }

  mutating func receive(_ upload: Upload, at now: Instant) -> Answer {
    guard let name = upload.ticket, let ticket = files.tickets[name], now < ticket.expires else {
      return .failure(Failure(.notFound, .unknownItem, "there is no such address for uploads"))
    }
    let size: Int
    let hash: [UInt8]
    var kept: [UInt8]?
    switch upload.content {
    case .unreadable:
      return .failure(.invalid("a synthetic file is {\"size\": bytes, \"seed\": number}"))
    case .synthetic(let bytes, let seed):
      size = bytes
      hash = tokens.sha256(Array("synthetic \(bytes) \(seed)".utf8))
    case .bytes(let bytes):
      size = bytes.count
      hash = tokens.sha256(bytes)
      if bytes.count <= settings.mostKeptBytes { kept = bytes }
    }
    let most = rules.binds(.ms05) ? settings.maxAssetBytes : Bounds.fileBytes.upperBound
    if size > min(most, Bounds.fileBytes.upperBound) {
      return .failure(
        .excess("the file has \(size) bytes, more than \(most)", "asset_too_large"))
    }
    let checksum = hash.map(\.twoDigits).joined()
    let receipt = freshSecret("receipt_")
    let key = identifiers.next()
    let asset = Asset(
      fileChecksum: checksum, size: size, receipt: receipt,
      referenceChecksum: String(checksum.prefix(40)), wrappingKey: String(key, radix: 36))
    files.files[receipt] = Files.File(
      user: ticket.user, recordType: ticket.recordType, fieldName: ticket.fieldName, asset: asset,
      bytes: kept.map { Files.cipher($0, key: key) },
      expires: now + settings.uploadLifetime)
    files.receipts[checksum] = receipt
    return .success(.uploaded(asset))
  }

  // MARK: Records that name files

  /// Puts what was really uploaded in the place of what a client says was.
  ///
  /// - Returns: `CKErrorAssetFileNotFound` when a receipt is unknown, over, or of another user or field.
  func attachFiles(
    to change: inout Change, by identity: Identity, at now: Instant
  ) -> Failure? {
    guard var after = change.after, after.fields.values.contains(where: \.holdsFiles) else {
      return nil
    }
    var missing: Failure?
    for (field, value) in after.fields.all where value.holdsFiles {
      let present = change.before?.fields[text: field]
      switch value {
      case .asset(let asset):
        guard let attached = attached(asset, field, after.type, present, identity, now) else {
          missing = Self.noFile
          continue
        }
        after.fields[text: field] = .asset(attached)
      case .assets(let assets):
        let all = assets.compactMap { attached($0, field, after.type, present, identity, now) }
        if all.count < assets.count {
          missing = Self.noFile
        } else {
          after.fields[text: field] = .assets(all)
        }
      default: break
      }
    }
    change.after = after
    return missing
  }

  private static let noFile = Failure(
    .notFound, .assetFileNotFound, "the receipt is unknown or over; upload the file again")

  /// The stored form of a file; one that the record holds already stays.
  private func attached(
    _ asset: Asset, _ field: String, _ type: RecordType, _ present: FieldValue?,
    _ identity: Identity,
    _ now: Instant
  ) -> Asset? {
    if let kept = present?.assets.first(where: { $0.fileChecksum == asset.fileChecksum }) {
      if asset.receipt == nil || kept.receipt == asset.receipt { return kept }
    }
    guard let receipt = asset.receipt, let file = files.files[receipt],
      file.user == identity.user, file.fieldName == field, file.recordType == type,
      file.isReferred || now < file.expires
    else { return nil }
    return file.asset
  }

  // MARK: Downloads

  mutating func download(_ text: String, at now: Instant) -> Answer {
    let path = WireTarget(parsing: text).path
    let gone = Failure(.notFound, .assetFileNotFound, "there is no such file at this address")
    guard path.count == 6, let expires = Int64(path[4]),
      (path[5] == addresses.key(to: path[3], path[4]) && now.unixMilliseconds < expires)
        || !rules.binds(.ms110),  // MS-110
      let receipt = files.receipts[path[3]],
      let file = files.files[receipt]
    else { return .failure(gone) }
    guard let bytes = file.bytes, let wrapping = file.asset.wrappingKey,
      let key = UInt64(wrapping, radix: 36)
    else { return .success(.downloaded([])) }
    return .success(.downloaded(Files.cipher(bytes, key: key)))
  }
}

extension FieldValue {
  var holdsFiles: Bool {
    switch self {
    case .asset, .assets: true
    default: false
    }
  }

  fileprivate var assets: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assets(let assets): assets
    default: []
    }
  }
}

/// Addresses that open stored files for a while (MS-110).
struct FileAddresses {
  /// With what they begin.
  var host = ""
  var origin: String { "http://" + host }
  /// Makes them such that nobody can guess or change one.
  let secret: UInt64

  /// A record as its reader gets it: the wanted fields, and files with an address of their own.
  func outgoing(
    _ record: CloudRecord, _ keys: FieldNames?, opening lifetime: Span, at now: Instant
  ) -> CloudRecord {
    var record = record.reduced(to: keys)
    guard record.fields.values.contains(where: \.holdsFiles) else { return record }
    let expires = String((now + lifetime).unixMilliseconds)
    record.fields.replace { value in
      switch value {
      case .asset(let asset): .asset(addressed(asset, expires))
      case .assets(let assets): .assets(assets.map { addressed($0, expires) })
      default: nil
      }
    }
    return record
  }

  /// A stored file with an address, and without what only its uploader needs.
  private func addressed(_ asset: Asset, _ expires: String) -> Asset {
    var asset = asset
    let path = ["assets", "1", "file", asset.fileChecksum, expires]
    asset.downloadURL =
      origin + WireTarget(path + [key(to: asset.fileChecksum, expires)]).text
    asset.receipt = nil
    asset.wrappingKey = nil
    return asset
  }

  func key(to checksum: String, _ expires: String) -> String {
    var digest = Digest()
    digest.mix(secret)
    digest.mix(checksum)
    digest.mix(expires)
    return digest.hexadecimal
  }
}
