import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What is known of one record's change tags: how it was seen, and on which tags accepted writes rested (MS-82 to MS-85).
final class RecordTrail: Facts {
  static let scope = Scope<MimiSupply>.each("record", by: RecordName.self, asked: forEachName)
  static let concerns = Set<Concern>.asking(.modify, .lookup)

  /// A look at the record, or the answer to a write of it.
  struct Sight: Sendable {
    let tag: String
    let modified: Instant
    let sent: Instant
    let answered: Instant
    /// Of all fields, where none was left out and none holds a file, whose address is ever new.
    let fields: UInt64?
  }

  /// A write that named the tag on which it rests.
  struct Write: Sendable {
    let base: String
    let during: ClosedRange<Instant>
    let isAccepted: Bool
  }

  let name: RecordName
  /// The latest ones, the oldest first.
  private(set) var sights: [Sight] = []
  private(set) var writes: [Write] = []
  private static let mostSights = 4
  private static let mostWrites = 12
  /// Longer batches say little of single records.
  private static let mostItems = 64

  init(_ subject: Subject<Nothing<MimiSupply>>) { name = RecordName(subject.name) }

  /// Records by name; positions are written once and never read by name.
  @Sendable private static func forEachName(_ call: SeenCall, _ body: (RecordName) -> Void) {
    var names: [RecordName] = []
    switch call.request {
    case .modify(_, let modification):
      guard modification.items.count <= mostItems else { return }
      for (item, result) in call.writes {
        guard item.kind != .create || item.record.type != .driverLocation else { continue }
        if let name = item.record.name ?? result?.record?.name, !names.contains(name) {
          names.append(name)
        }
      }
    case .lookup:
      guard case .items(let items)? = call.content, items.count <= mostItems else { return }
      for case .saved(let record) in items
      where record.type != .driverLocation && !names.contains(record.name) {
        names.append(record.name)
      }
    default: break
    }
    for name in names { body(name) }
  }

  /// Every operation of a call that is about this record.
  func own(_ call: SeenCall) -> [(item: Modification.Item, result: ItemResult?)] {
    call.writes.filter(isOwn)
  }

  private func isOwn(_ write: (item: Modification.Item, result: ItemResult?)) -> Bool {
    (write.item.record.name ?? write.result?.record?.name) == name
  }

  /// The record as a call shows it, with its fields if all of them are shown.
  func shown(_ call: SeenCall) -> (record: CloudRecord, whole: SchemaReading?)? {
    switch call.request {
    case .lookup:
      for (index, result) in call.results.enumerated() {
        guard let record = result.record, record.name == name else { continue }
        return (record, call.showsWholeRecords ? call.readings[index] : nil)
      }
    case .modify:
      for index in call.writes.indices.reversed() where isOwn(call.writes[index]) {
        let (item, result) = call.writes[index]
        guard let record = result?.record else { continue }
        return (record, item.desiredKeys == nil ? call.readings[index] : nil)
      }
    default: break
    }
    return nil
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    for (item, result) in own(call) {
      guard let base = item.base, let result else { continue }
      let isAccepted = result.failure == nil
      guard isAccepted || result.failure?.code == .conflict else { continue }
      writes.append(Write(base: base, during: call.during, isAccepted: isAccepted))
    }
    if writes.count > Self.mostWrites { writes.removeFirst(writes.count - Self.mostWrites) }
    guard let (shown, whole) = shown(call) else { return }
    sights.append(
      Sight(
        tag: shown.changeTag, modified: shown.modified.timestamp, sent: call.sent,
        answered: call.answered, fields: whole?.fingerprint))
    if sights.count > Self.mostSights { sights.removeFirst() }
  }
}

extension Modification.Item {
  /// The tag that the save policy compares (§3.3).
  var base: String? {
    switch kind {
    case .update, .replace, .delete: record.changeTag
    case .create, .forceUpdate, .forceReplace, .forceDelete: nil
    }
  }
}
