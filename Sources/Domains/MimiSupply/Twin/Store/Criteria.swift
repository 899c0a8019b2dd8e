import Contracts
import MimiSupplyContract
import Timekeeping

/// A value as queries compare it.
enum QueryValue: Hashable, Sendable {
  case absent
  case text(String)
  /// Of what holds names (`Criteria.Subject.holdsName`).
  case name(RecordName)
  case whole(Int64)
  case decimal(Double)
  case texts([String])

  /// Ascending order within one field: absent first, texts by their bytes.
  static func order(_ a: QueryValue, _ b: QueryValue) -> Int {
    switch (a, b) {
    case (.absent, .absent): 0
    case (.absent, _): -1
    case (_, .absent): 1
    case (.text(let a), .text(let b)):
      a == b ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    // A cursor has names as texts.
    case (.name, .text), (.text, .name): order(a.asName, b.asName)
    case (.name(let a), .name(let b)): a == b ? 0 : a < b ? -1 : 1
    case (.whole(let a), .whole(let b)): a == b ? 0 : a < b ? -1 : 1
    case (.decimal(let a), .decimal(let b)): a == b ? 0 : a < b ? -1 : 1
    default: 0
    }
  }

  /// What tells values of one kind apart without a look at them.
  struct Lead {
    /// Less only where the value comes earlier, and equal where this alone does not decide.
    private(set) var number: UInt64 = 0
    /// A bit for each kind of value; what is absent is of every kind.
    private var kinds: UInt8 = 0
    private static let wholes: UInt8 = 1
    private static let decimals: UInt8 = 2
    private static let texts: UInt8 = 4
    private static let others: UInt8 = 8

    init() {}

    fileprivate init(_ value: QueryValue) {
      switch value {
      case .absent: self.init()
      case .whole(let whole): self.init(UInt64(bitPattern: whole) ^ 1 << 63, Self.wholes)
      case .decimal(let decimal):
        // Both zeros are one number.
        let bits = (decimal == 0 ? 0 : decimal).bitPattern
        let isComparable = !decimal.isNaN
        self.init(
          bits >> 63 == 0 ? bits | 1 << 63 : ~bits, isComparable ? Self.decimals : Self.others)
      case .text(let text):
        // Other texts may be equal although their bytes differ.
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        self.init(Self.first(text.utf8), isPlain ? Self.texts : Self.others)
      case .name(let name): self.init(name.withUTF8 { Self.first($0) }, Self.texts)
      case .texts: self.init(0, Self.others)
      }
    }

    private init(_ number: UInt64, _ kinds: UInt8) {
      self.number = max(1, number)
      self.kinds = kinds
    }

    private static func first(_ bytes: some Sequence<UInt8>) -> UInt64 {
      var (number, room): (UInt64, UInt64) = (0, 64)
      for byte in bytes.prefix(8) {
        room -= 8
        number |= UInt64(byte) << room
      }
      return number
    }

    mutating func join(_ other: Lead) { kinds |= other.kinds }

    /// Whether the numbers of those that were joined can be compared.
    var isOfOneKind: Bool { kinds.nonzeroBitCount <= 1 && kinds != Self.others }
  }

  var lead: Lead { Lead(self) }

  /// As a cursor keeps it.
  var document: JSON {
    switch self {
    case .absent: .null
    case .text(let text): .string(text)
    case .name(let name): .name(name)
    case .whole(let number): .int(number)
    case .decimal(let number): ["d": .string("\(number.bitPattern)")]
    case .texts(let texts): .strings(texts)
    }
  }

  init?(_ document: JSON) {
    switch document {
    case .null: self = .absent
    case .string(let text): self = .text(text)
    case .int(let number): self = .whole(number)
    default:
      guard let bits = document["d"]?.string.flatMap({ UInt64($0) }) else { return nil }
      self = .decimal(Double(bitPattern: bits))
    }
  }
}

/// A query that was read against the schema (§3.2).
struct Criteria: Sendable {
  /// What is compared or sorted by: a field, or what every record has besides.
  enum Subject: Hashable, Sendable {
    case field(FieldName)
    case createdBy, createTime, modTime, recordName
    /// Where a record is.
    case location

    var holdsName: Bool {
      switch self {
      case .field(let field): field.holdsName
      case .createdBy, .recordName: true
      case .createTime, .modTime, .location: false
      }
    }
  }

  struct Condition: Sendable {
    let field: Subject
    let comparator: Filter.Comparator
    /// What the field is compared with; several for IN and NOT_IN.
    var operands: [QueryValue] = []
    /// Words, for the comparators of tokens.
    var words: Set<String> = []
    /// For NEAR.
    var place: Geography.Point?
    var distance = 0.0
  }

  struct Key: Sendable {
    let field: Subject
    let isAscending: Bool
    /// Where distances are taken to.
    var place: Geography.Point?
  }

  let type: RecordType
  let conditions: [Condition]
  let keys: [Key]

  /// Whether this is `fetchAvailableDrivers` (§3.4).
  var isSupply: Bool { type == .driver && conditions.contains { $0.comparator == .near } }

  // MARK: Matching

  func matches(_ record: CloudRecord) -> Bool {
    record.type == type && conditions.allSatisfy { $0.holds(for: record) }
  }

  func sortValues(of record: CloudRecord) -> [QueryValue] {
    keys.map { key in
      guard let place = key.place else { return record.value(of: key.field) }
      guard let point = RecordShelf.point(of: record) else { return .whole(.max) }
      return .whole(Int64(Geography.metres(point, place)))
    }
  }

  /// Whether one place in the order comes before another; names come last (§3.2).
  func precedes(
    _ a: (values: [QueryValue], name: RecordName), _ b: (values: [QueryValue], name: RecordName)
  ) -> Bool {
    for (index, key) in keys.enumerated() {
      let order = QueryValue.order(a.values[index], b.values[index])
      if order != 0 { return (order < 0) == key.isAscending }
    }
    return a.name < b.name
  }
}

extension Criteria.Condition {
  func holds(for record: CloudRecord) -> Bool {
    let value = record.value(of: field)
    switch comparator {
    case .equals: return value == operands[0]
    case .notEquals: return value != operands[0]
    case .lessThan: return value != .absent && QueryValue.order(value, operands[0]) < 0
    case .lessThanOrEquals: return value != .absent && QueryValue.order(value, operands[0]) <= 0
    case .greaterThan: return value != .absent && QueryValue.order(value, operands[0]) > 0
    case .greaterThanOrEquals:
      return value != .absent && QueryValue.order(value, operands[0]) >= 0
    case .isIn: return operands.contains(value)
    case .isNotIn: return !operands.contains(value)
    case .beginsWith: return begins(value)
    case .notBeginsWith: return !begins(value)
    case .containsAllTokens: return words.isSubset(of: value.words)
    case .containsAnyTokens: return !words.isDisjoint(with: value.words)
    case .listContains: return contains(value)
    case .notListContains: return !contains(value)
    case .listMemberBeginsWith: return memberBegins(value)
    case .notListMemberBeginsWith: return !memberBegins(value)
    case .near:
      guard let place, let point = RecordShelf.point(of: record) else { return false }
      return Double(Geography.metres(point, place)) <= distance
    }
  }

  private func begins(_ value: QueryValue) -> Bool {
    guard let text = value.text, let start = operands[0].text else { return false }
    return text.utf8.starts(with: start.utf8)
  }

  private func contains(_ value: QueryValue) -> Bool {
    guard case .texts(let list) = value, case .text(let wanted) = operands[0] else { return false }
    return list.contains(wanted)
  }

  private func memberBegins(_ value: QueryValue) -> Bool {
    guard case .texts(let list) = value, case .text(let start) = operands[0] else { return false }
    return list.contains { $0.utf8.starts(with: start.utf8) }
  }
}

extension QueryValue {
  var text: String? {
    switch self {
    case .text(let text): text
    case .name(let name): name.text
    case .absent, .whole, .decimal, .texts: nil
    }
  }

  /// A text as the name that it is.
  var asName: QueryValue {
    if case .text(let text) = self { .name(RecordName(text)) } else { self }
  }

  /// Case- and diacritic-insensitive words (§3.2).
  var words: Set<String> {
    switch self {
    case .text(let text): Words.of(text)
    case .name(let name): Words.of(name.text)
    case .texts(let texts): texts.reduce(into: []) { $0.formUnion(Words.of($1)) }
    case .absent, .whole, .decimal: []
    }
  }
}

extension CloudRecord {
  /// A field, or a system field (§3.2), as queries compare it.
  fileprivate func value(of subject: Criteria.Subject) -> QueryValue {
    switch subject {
    case .field(let name): fields[name].map(QueryValue.init) ?? .absent
    case .createdBy: .name(RecordName(created.userRecordName))
    case .createTime: .whole(created.timestamp.unixMilliseconds)
    case .modTime: .whole(modified.timestamp.unixMilliseconds)
    case .recordName: .name(name)
    case .location: .absent
    }
  }
}

extension QueryValue {
  fileprivate init(_ value: FieldValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .identifier(let name): self = .name(name)
    case .int64(let number): self = .whole(number)
    case .double(let number): self = .decimal(number)
    case .timestamp(let instant): self = .whole(instant.unixMilliseconds)
    case .strings(let texts): self = .texts(texts)
    // Of a file nothing can be asked but whether it is there.
    case .asset, .assets: self = .texts([])
    default: self = .absent
    }
  }
}
