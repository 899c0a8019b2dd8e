// The size of a record as §2.1 counts it (MS-04); files, names and stamps do not count.

extension Fields {
  public var sizeInBytes: Int {
    values.reduce(names.bytesOfTexts) { $0 + $1.sizeInBytes }
  }
}

extension CloudRecord {
  public var sizeInBytes: Int { fields.sizeInBytes }
}

extension RecordDraft {
  /// Of the fields that are set.
  public var sizeInBytes: Int { fields.written.sizeInBytes }
}

extension FieldNames {
  public var bytesOfTexts: Int {
    let declared = declared.reduce(0) { $0 + $1.byteCount }
    return others.reduce(declared) { $0 + $1.utf8.count }
  }
}

extension FieldValue {
  public var sizeInBytes: Int {
    switch self {
    case .identifier(let name), .reference(let name): name.byteCount
    case .string(let text), .untyped(let text), .mistyped(_, let text):
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
