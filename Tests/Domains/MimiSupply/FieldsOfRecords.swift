import Contracts
import Testing
import Timekeeping

@testable import MimiSupplyContract

/// Fields against the dictionary that they stand for.
@Suite struct `Fields by number` {
  /// Names that types declare, from both ends of the numbers, and names that somebody made up.
  private static let texts =
    FieldName.allCases.enumerated().filter { $0.offset % 4 == 0 || $0.offset > 58 }
    .map(\.element.text) + ["", "Status", "colour", "statuses", "über", "zzz"]

  private static func value(_ stream: inout RandomStream) -> FieldValue {
    switch stream.pick(0..<5) {
    case 0: .string("text \(stream.pick(0..<3))")
    case 1: .int64(Int64(stream.pick(0..<3)))
    case 2: .position(latitude: 1, longitude: Double(stream.pick(0..<3)))
    case 3: .strings(["a"])
    default: .mistyped(type: "INT64", "true")
    }
  }

  /// How a field of this name keeps a value.
  private static func kept(_ value: FieldValue, under text: String) -> FieldValue {
    guard FieldName(text)?.holdsName == true, case .string(let said) = value else { return value }
    return .name(RecordName(said))
  }

  private static func sorted<Value>(_ model: [String: Value]) -> [String] { model.keys.sorted() }

  @Test(arguments: UInt64(1)...20)
  func `are read, changed and walked through as a dictionary's, in the order of their names`(
    seed: UInt64
  ) {
    var stream = RandomStream(seed: seed, owner: 7, purpose: 0)
    var fields = Fields()
    var model: [String: FieldValue] = [:]
    for _ in 0..<300 {
      let text = stream.pick(Self.texts)
      let value = stream.chance(0.35) ? nil : Self.value(&stream)
      if let name = FieldName(text), stream.chance(0.5) {
        fields[name] = value
      } else {
        fields[text: text] = value
      }
      model[text] = value.map { Self.kept($0, under: text) }
      #expect(fields.all.map(\.name) == Self.sorted(model))
      #expect(fields.all.allSatisfy { model[$0.name] == $0.value })
      #expect(fields.count == model.count && fields.isEmpty == model.isEmpty)
      #expect(fields.names.texts == Self.sorted(model))
      #expect(Self.texts.allSatisfy { fields[text: $0] == model[$0] })
      #expect(FieldName.allCases.allSatisfy { fields[$0] == model[$0.text] })
    }
    let wanted = FieldNames((0..<20).map { _ in stream.pick(Self.texts) })
    let reduced = fields.reduced(to: wanted)
    #expect(reduced.all.map(\.name) == Self.sorted(model.filter { wanted.contains(text: $0.key) }))
    var again = Fields()
    for (name, value) in model.sorted(by: { $0.key > $1.key }) { again[text: name] = value }
    #expect(again == fields && again.hashValue == fields.hashValue)
    #expect(fields.sizeInBytes == model.reduce(0) { $0 + $1.key.utf8.count + $1.value.sizeInBytes })
  }

  @Test(arguments: UInt64(1)...20)
  func `change as a dictionary of optional values says`(seed: UInt64) {
    var stream = RandomStream(seed: seed, owner: 7, purpose: 1)
    func changes() -> (FieldChanges, [String: FieldValue?]) {
      var changes = FieldChanges()
      var model: [String: FieldValue?] = [:]
      for _ in 0..<40 {
        let text = stream.pick(Self.texts)
        let value: FieldValue?? =
          stream.chance(0.2) ? nil : .some(stream.chance(0.3) ? nil : Self.value(&stream))
        if let name = FieldName(text), stream.chance(0.5) {
          changes[name] = value
        } else {
          changes[text: text] = value
        }
        model[text] = value.map { $0.map { Self.kept($0, under: text) } }
        #expect(changes.all.map(\.name) == Self.sorted(model))
        #expect(changes.all.allSatisfy { model[$0.name] == .some($0.value) })
        #expect(Self.texts.allSatisfy { changes[text: $0] == model[$0] })
        #expect(FieldName.allCases.allSatisfy { changes[$0] == model[$0.text] })
        #expect(changes.count == model.count)
      }
      return (changes, model)
    }
    let (first, firstModel) = changes()
    let (second, secondModel) = changes()
    let merged = firstModel.merging(secondModel) { $1 }
    #expect(first.merging(second).all.map(\.name) == Self.sorted(merged))
    #expect(first.merging(second).all.allSatisfy { merged[$0.name] == .some($0.value) })
    var fields = first.written
    var model = firstModel.compactMapValues(\.self)
    fields.apply(second)
    for (name, value) in secondModel { model[name] = value }
    #expect(fields.all.map(\.name) == Self.sorted(model))
    #expect(fields.all.allSatisfy { model[$0.name] == $0.value })
    let draft = RecordDraft(name: "a", type: "Order", fields: first)
    #expect(
      RecordDraft.shape.document(of: draft, .redacted)["fields"]?.object?.members.map(\.name) ?? []
        == Self.sorted(firstModel))
  }

  @Test(arguments: ["", "d-1", "é\u{0}\n", String(repeating: "x", count: 70_000)])
  func `whatever a field that holds a name is given, it is one, and text again on the wire`(
    text: String
  ) throws {
    var fields: Fields = [.driverId: .string(text), .status: .string(text)]
    #expect(fields[.driverId] == .name(RecordName(text)) && fields[.status] == .string(text))
    #expect(fields[Order.driver] == RecordName(text) && fields[Order.driver]?.text == text)
    let document = try #require(fields[.driverId]).document
    #expect(document == ["value": .string(text), "type": "STRING"])
    let size = fields.sizeInBytes
    fields[text: "driverId"] = FieldValue(document)
    #expect(fields[.driverId] == .name(RecordName(text)) && fields.sizeInBytes == size)
    #expect(Filter(.driverId, .equals, .string(text)).value == fields[.driverId])
  }

  @Test(arguments: UInt64(1)...20)
  func `names are a set of texts`(seed: UInt64) {
    var stream = RandomStream(seed: seed, owner: 7, purpose: 2)
    func some() -> Set<String> {
      Set((0..<stream.pick(0..<30)).map { _ in stream.pick(Self.texts) })
    }
    let (a, b) = (some(), some())
    let (x, y) = (FieldNames(a), FieldNames(b))
    #expect(x.texts == a.sorted() && x.count == a.count)
    #expect(x.union(y).texts == a.union(b).sorted())
    #expect(x.subtracting(y).texts == a.subtracting(b).sorted())
    #expect(x.isSubset(of: y) == a.isSubset(of: b) && x.isSubset(of: x.union(y)))
    #expect(x.isDisjoint(with: y) == a.isDisjoint(with: b))
    #expect(Self.texts.allSatisfy { x.contains(text: $0) == a.contains($0) })
  }

  @Test func `the wire has them in the order of their names, declared or not, and back`() throws {
    var fields: Fields = [.updatedAt: .timestamp(cityNoon), .status: .string("created")]
    for name in ["zzz", "colour", "Status"] { fields[text: name] = .int64(1) }
    let stamp = Stamp(cityNoon, by: "u-1", on: nil)
    let record = CloudRecord(
      name: "o-1", type: "Order", changeTag: "1", zone: Zone(), fields: fields, created: stamp,
      modified: stamp)
    let names = record.document["fields"]?.object?.members.map(\.name)
    #expect(names == ["Status", "colour", "status", "updatedAt", "zzz"])
    #expect(try CloudRecord.shape.coding.read(record.document) == record)
    let twice = try #require(
      JSON(parsing: #"{"status": {"value": "a"}, "status": {"value": "b"}}"#))
    let draft = try RecordDraft.shape.coding.read(["fields": twice])
    #expect(draft.fields[.status] == .some(.untyped("\"b\"")))
  }

  // MARK: Numbers and keys

  @Test func `numbers are in the order of the texts, and two words hold them`() {
    let texts = FieldName.allCases.map(\.text)
    #expect(texts == texts.sorted() && Set(texts).count == texts.count && texts.count <= 128)
    #expect(FieldName.allCases.allSatisfy { FieldName($0.text) == $0 })
    #expect(FieldName.allCases.enumerated().allSatisfy { Int($0.element.rawValue) == $0.offset })
    #expect(FieldName("Status") == nil)
  }

  @Test func `a schema knows its own fields, and every name is some type's`() {
    var used = FieldNames()
    for type in RecordSchema.types {
      let schema = RecordSchema.of(type)!
      let own = FieldNames(schema.fields.map(\.name.text))
      #expect(own.count == schema.fields.count, "\(type)")
      for name in FieldName.allCases {
        #expect(schema.has(name) == own.contains(name))
        #expect(schema[name]?.name == (own.contains(name) ? name : nil))
      }
      #expect(schema.unknown(among: own) == nil)
      #expect(schema.unknown(among: own.union(FieldNames(["zzz", "B"]))) == "B")
      used.formUnion(own)
    }
    #expect(used.count == FieldName.allCases.count)
  }

  @Test func `a key reads and writes values of its type alone, and a flag is whether it is 1`() {
    var fields: Fields = [.status: .int64(1), .isActive: .int64(2), .isVerified: .int64(1)]
    #expect(fields[Order.status] == nil && !fields[Partner.isActive] && fields[Partner.isVerified])
    fields[Order.status] = "created"
    fields[Order.totalCents] = 5
    fields[Order.updatedAt] = cityNoon
    fields[Product.tags] = ["a"]
    fields[Product.images] = [Asset(fileChecksum: "c", size: 1)]
    fields[Partner.isActive] = true
    #expect(fields[.status] == .string("created") && fields[.totalCents] == .int64(5))
    #expect(fields[.updatedAt] == .timestamp(cityNoon) && fields[.isActive] == .int64(1))
    #expect(fields[Product.tags] == ["a"] && fields[Product.images]?.count == 1)
    fields[Order.status] = nil
    #expect(fields[.status] == nil)
  }

  // MARK: Layout

  @Test func `a value is two words and a tag, fields are four words, a record is one reference`() {
    #expect(MemoryLayout<FieldName>.size == 1)
    // Files and what is mistyped are boxed.
    #expect(MemoryLayout<FieldValue>.size <= 17 && MemoryLayout<FieldValue?>.size <= 17)
    #expect(MemoryLayout<FieldNames>.size <= 24 && MemoryLayout<Fields>.size <= 32)
    #expect(MemoryLayout<FieldChanges>.size <= 56)
    #expect(MemoryLayout<CloudRecord>.size == 8 && MemoryLayout<CloudRecord?>.size == 8)
  }
}
