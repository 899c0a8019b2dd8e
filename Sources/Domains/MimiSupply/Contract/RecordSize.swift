// The size of a record as §2.1 counts it (MS-04); files, names and stamps do not count.

extension CloudRecord {
  public var sizeInBytes: Int { fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.sizeInBytes } }
}

extension RecordDraft {
  /// Of the fields that are set.
  public var sizeInBytes: Int {
    fields.reduce(0) { sum, field in
      field.value.map { sum + field.key.utf8.count + $0.sizeInBytes } ?? sum
    }
  }
}

extension FieldValue {
  public var sizeInBytes: Int {
    switch self {
    case .string(let text), .reference(let text), .untyped(let text), .mistyped(_, let text):
      text.utf8.count
    case .int64, .double, .timestamp: 8
    case .position: 16
    case .bytes(let base64):
      base64.utf8.count / 4 * 3 - (base64.utf8.suffix(2).count { $0 == UInt8(ascii: "=") })
    case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .asset, .assets: 0
    }
  }

  /// The files that a value names.
  public var files: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assets(let assets): assets
    default: []
    }
  }
}
