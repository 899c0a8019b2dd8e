import Contracts
import MimiSupplyContract
import Timekeeping

/// All records, and the indices of §2.15.
struct RecordShelf: Shelf, Undoable, Sendable {
  struct Entry: Sendable {
    var record: CloudRecord
    /// What counts for MS-06: the record's size and that of its files.
    var bytes: Int
    /// Place of its last change in the order of all changes, for the feeds (MS-11).
    var position: Int
    /// Former states, the oldest first, for conflicts (§3.3).
    var history: [CloudRecord] = []

    /// - Returns: The former record, and what it counted.
    fileprivate mutating func replace(with new: Entry) -> (record: CloudRecord, bytes: Int) {
      let old = (record, bytes)
      history.append(record)
      if history.count > RecordShelf.mostFormerStates { history.removeFirst() }
      record = new.record
      bytes = new.bytes
      position = new.position
      return old
    }
  }

  /// What is no table.
  struct Savepoint {
    fileprivate let bytes: Int
    fileprivate let position: Int
  }

  /// A record of either database.
  struct Place: Hashable, Sendable {
    let type: RecordType
    let name: RecordName
  }

  private struct Key: Hashable, Sendable {
    let type: RecordType
    let field: Criteria.Subject
    let value: QueryValue
  }

  /// How many former states of a record a conflict can name.
  static let mostFormerStates = 8

  /// Of the private database.
  private var entries: UndoTable<RecordName, Entry> = [:]
  private var publicEntries: UndoTable<RecordName, Entry> = [:]
  private var types = NameIndex<RecordType>()
  private var zones = NameIndex<String>()
  private var index = NameIndex<Key>()
  private var grids: [RecordType: PlaceGrid] = [.partner: PlaceGrid(), .driver: PlaceGrid()]
  /// What inspection shows and has changed.
  var changes = ChangeLog<Place>()
  /// Accounted for MS-06. Where no limit binds, files may add up to more than 64 bits: it then goes around, and is right
  /// again once they are gone.
  private(set) var bytes = 0
  /// Counts changes, and what feeds notice between them.
  private(set) var position = 0

  private static let indexed: [RecordType: [FieldName]] = [
    .partner: [.category], .product: [.partnerId],
    .order: [.customerId, .partnerId, .driverId, .status], .driver: [.userId],
    .driverOffer: [.orderId, .driverId], .deliveryCompletion: [.orderId, .driverId],
    .driverLocation: [.driverId], .userProfile: [.appleUserID],
  ]

  var savepoint: Savepoint { Savepoint(bytes: bytes, position: position) }

  mutating func restore(_ savepoint: Savepoint) {
    bytes = savepoint.bytes
    position = savepoint.position
  }

  mutating func mark(_ marking: Marking) {
    entries.mark(marking)
    publicEntries.mark(marking)
    types.mark(marking)
    zones.mark(marking)
    index.mark(marking)
    for type in grids.keys.sorted() { grids[type]!.mark(marking) }
  }

  // MARK: Reading

  var count: Int { entries.count + publicEntries.count }

  func record(_ name: RecordName, publicly: Bool) -> CloudRecord? {
    publicly ? publicEntries[name]?.record : entries[name]?.record
  }

  func entry(_ name: RecordName, publicly: Bool = false) -> Entry? {
    publicly ? publicEntries[name] : entries[name]
  }

  private mutating func keep(_ entry: Entry?, for name: RecordName, publicly: Bool) {
    if publicly { publicEntries[name] = entry } else { entries[name] = entry }
  }

  func names<Kind>(
    of type: RecordType, where field: FieldName, is value: Name<Kind>
  ) -> [RecordName] {
    names(of: type, by: .field(field), .name(RecordName(value)))
  }

  /// Names of the records that an index holds under a value, ascending.
  func names(of type: RecordType, by subject: Criteria.Subject, _ value: QueryValue) -> [RecordName]
  {
    index.names(under: Key(type: type, field: subject, value: value))
  }

  func partners(ownedBy user: UserName) -> [RecordName] {
    names(of: .partner, by: .createdBy, .name(RecordName(user)))
  }

  /// Names of all records of a type, ascending.
  func names(of type: RecordType) -> [RecordName] { types.names(under: type) }

  /// Names of all records in zones of a name, ascending; custom zones alone are indexed.
  func names(inZone zone: String) -> [RecordName] { zones.names(under: zone) }

  func count(of type: RecordType) -> Int { types.count(under: type) }

  /// Whether there is an index.
  static func isIndexed(_ subject: Criteria.Subject, of type: RecordType) -> Bool {
    switch subject {
    case .field(let name): indexed[type]?.contains(name) == true
    case .createdBy: type == .partner
    case .createTime, .modTime, .recordName, .location: false
    }
  }

  /// How many records an index holds under a value.
  func count(of type: RecordType, by subject: Criteria.Subject, _ value: QueryValue) -> Int {
    index.count(under: Key(type: type, field: subject, value: value))
  }

  /// Candidates for a region; `nil` when only a scan can tell.
  func names(of type: RecordType, near point: Geography.Point, metres: Double) -> [RecordName]? {
    grids[type]?.near(point, metres: metres)
  }

  /// Where a record of a type with a position is.
  static func point(of record: CloudRecord) -> Geography.Point? {
    switch record.type {
    case .partner: record.point(Partner.latitude, Partner.longitude)
    case .driver: record.point(Driver.currentLatitude, Driver.currentLongitude)
    default: nil
    }
  }

  // MARK: Writing

  /// Stores a record in place of its former state.
  mutating func put(_ record: CloudRecord) {
    position += 1
    let entry = Entry(record: record, bytes: record.accountedBytes, position: position)
    let old =
      record.isPublic
      ? Self.put(entry, for: record.name, in: &publicEntries)
      : Self.put(entry, for: record.name, in: &entries)
    bytes &+= entry.bytes &- (old?.bytes ?? 0)
    changes.note(Place(type: record.type, name: record.name))
    if old == nil { types.insert(record.name, under: record.type) }
    reindex(from: old?.record, to: record)
  }

  /// - Returns: What stood there, without its history.
  private static func put(
    _ entry: Entry, for name: RecordName, in entries: inout UndoTable<RecordName, Entry>
  ) -> (record: CloudRecord, bytes: Int)? {
    if let old = entries.change(name, { $0.replace(with: entry) }) { return old }
    entries[name] = entry
    return nil
  }

  mutating func remove(_ name: RecordName, publicly: Bool) {
    guard let entry = entry(name, publicly: publicly) else { return }
    keep(nil, for: name, publicly: publicly)
    position += 1
    bytes &-= entry.bytes
    changes.note(Place(type: entry.record.type, name: name))
    types.remove(name, from: entry.record.type)
    reindex(from: entry.record, to: nil)
  }

  /// Forgets what a private record once was (MS-116).
  mutating func forgetHistory(of name: RecordName) { entries[name]?.history = [] }

  /// Puts a placeholder wherever a stamp or a zone names a user (MS-116).
  mutating func anonymise(_ user: UserName, as placeholder: UserName) {
    for publicly in [false, true] {
      let touched = (publicly ? publicEntries : entries).all.filter { _, entry in
        entry.record.mentions(user) || entry.history.contains { $0.mentions(user) }
      }
      for (name, entry) in touched.sorted(by: { $0.key < $1.key }) {
        var new = entry
        new.record = entry.record.anonymised(user, as: placeholder)
        new.history = entry.history.map { $0.anonymised(user, as: placeholder) }
        keep(new, for: name, publicly: publicly)
        changes.note(Place(type: new.record.type, name: name))
        reindex(from: entry.record, to: new.record)
      }
    }
  }

  /// A place in the order of changes for something that a feed noticed.
  mutating func takePosition() -> Int {
    position += 1
    return position
  }

  private mutating func reindex(from old: CloudRecord?, to new: CloudRecord?) {
    let record = (new ?? old)!
    let (type, name) = (record.type, record.name)
    for field in Self.indexed[type] ?? [] {
      move(name, type, .field(field), old?.indexValue(field), new?.indexValue(field))
    }
    if type == .partner {
      move(
        name, type, .createdBy, (old?.created.userRecordName).map { .name(RecordName($0)) },
        (new?.created.userRecordName).map { .name(RecordName($0)) })
    }
    if old?.zone.zoneName != new?.zone.zoneName {
      if let zone = old?.zone.zoneName, zone != Zone.defaultName { zones.remove(name, from: zone) }
      if let zone = new?.zone.zoneName, zone != Zone.defaultName {
        zones.insert(name, under: zone)
      }
    }
    guard grids[type] != nil else { return }
    let point = new.flatMap(Self.point)
    if old.flatMap(Self.point) != point { grids[type]?.place(name, at: point) }
  }

  private mutating func move(
    _ name: RecordName, _ type: RecordType, _ field: Criteria.Subject, _ old: QueryValue?,
    _ new: QueryValue?
  ) {
    guard old != new else { return }
    if let old { index.remove(name, from: Key(type: type, field: field, value: old)) }
    if let new { index.insert(name, under: Key(type: type, field: field, value: new)) }
  }
}

extension CloudRecord {
  /// The text of a field, under which an index has the record.
  func indexValue(_ field: FieldName) -> QueryValue? {
    switch fields[field] {
    case .string(let text): .text(text)
    case .identifier(let name): .name(name)
    default: nil
    }
  }
}

extension Stamp {
  fileprivate func anonymised(_ user: UserName, as placeholder: UserName) -> Stamp {
    userRecordName == user ? Stamp(timestamp, by: placeholder, on: nil) : self
  }
}

extension Zone {
  func anonymised(_ user: UserName, as placeholder: UserName) -> Zone {
    ownerRecordName == user ? Zone(zoneName, owner: placeholder) : self
  }

  static let defaultName = "_defaultZone"
  static let atomicName = "MimiSupplyZone"
}

extension CloudRecord {
  /// §2.1 "Size of a record": what MS-04 bounds.
  var bytes: Int { fields.values.reduce(fields.names.bytesOfTexts) { $0 + $1.bytes } }

  /// What MS-06 counts: the record and its files.
  var accountedBytes: Int { fields.values.reduce(bytes) { $0 &+ $1.fileBytes } }

  fileprivate func mentions(_ user: UserName) -> Bool {
    created.userRecordName == user || modified.userRecordName == user
      || zone.ownerRecordName == user
  }

  fileprivate func anonymised(_ user: UserName, as placeholder: UserName) -> CloudRecord {
    var record = self
    record.created = created.anonymised(user, as: placeholder)
    record.modified = modified.anonymised(user, as: placeholder)
    record.zone = zone.anonymised(user, as: placeholder)
    return record
  }

  /// The record with the wanted fields alone; `nil` wants all.
  func reduced(to keys: FieldNames?) -> CloudRecord {
    guard let keys else { return self }
    var record = self
    record.fields = fields.reduced(to: keys)
    return record
  }
}

extension FieldValue {
  fileprivate var bytes: Int {
    switch self {
    case .string(let text), .untyped(let text), .mistyped(_, let text): text.utf8.count
    case .int64, .double, .timestamp: 8
    case .position: 16
    case .bytes(let base64): base64.utf8.count { $0 != UInt8(ascii: "=") } * 3 / 4
    case .identifier(let name), .reference(let name): name.byteCount
    case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .asset, .assets: 0
    }
  }

  fileprivate var fileBytes: Int {
    switch self {
    case .asset(let asset): asset.size
    case .assets(let assets): assets.reduce(0) { $0 &+ $1.size }
    default: 0
    }
  }
}
