import Contracts
import MimiSupplyContract
import Timekeeping

// records/modify: checks 8 to 13 of §3.1 for each operation, in array order.
extension MimiSupplyTwin {
  mutating func modify(_ asked: Modification, at place: Place, _ now: Instant) -> Answer {
    guard place.isAtomic, asked.atomic != false, rules.binds(.ms09) else {
      return .success(.items(asked.items.map { perform($0, at: place, now) }))
    }
    switch performTogether(asked.items, at: place, now) {
    case .success(let results): return .success(.items(results))
    case .failure(let end):
      let (culprit, index) = (end.culprit, end.index)
      counters.refuse(culprit.failure, of: place.identity.user)
      if culprit.failure.code == .conflict { counters.conflicts += 1 }
      if culprit.failure.code == .accessDenied {
        auditRefusal(
          culprit.failure, of: asked.items[index].record.name, by: place.identity, at: now)
      }
      return .success(.items(undone(asked.items, because: culprit, at: index)))
    }
  }

  /// The first operation of a batch that failed.
  struct BatchEnd: Error {
    let culprit: ItemFailure
    let index: Int
  }

  /// All operations, or none: when one fails, everything is as it was (MS-09).
  mutating func performTogether(
    _ items: [Modification.Item], at place: Place, _ now: Instant
  ) -> Result<[ItemResult], BatchEnd> {
    let savepoint = mark()
    var results: [ItemResult] = []
    for item in items {
      let result = perform(item, at: place, now)
      if case .failed(let culprit) = result {
        undo(to: savepoint)
        return .failure(BatchEnd(culprit: culprit, index: results.count))
      }
      results.append(result)
    }
    keep()
    return .success(results)
  }

  /// MS-09: the culprit carries its own error, all others that of the batch.
  private func undone(
    _ items: [Modification.Item], because culprit: ItemFailure, at index: Int
  ) -> [ItemResult] {
    items.enumerated().map { offset, item in
      if offset == index { return .failed(culprit) }
      return .failed(
        ItemFailure(
          item.record.name,
          Failure(
            .atomicError, .batchRequestFailed, "another operation of the batch failed")))
    }
  }

  private mutating func perform(
    _ item: Modification.Item, at place: Place, _ now: Instant
  ) -> ItemResult {
    work.rowsRead += 1
    switch write(item, at: place, now) {
    case .success(let result): return result
    case .failure(let failed):
      counters.refuse(failed.failure, of: place.identity.user)
      if failed.failure.code == .accessDenied {
        auditRefusal(failed.failure, of: failed.recordName, by: place.identity, at: now)
      }
      return .failed(failed)
    }
  }

  private typealias Written = Result<ItemResult, ItemFailure>

  private mutating func write(
    _ sent: Modification.Item, at place: Place, _ now: Instant
  ) -> Written {
    let item = place.numbersAsStrings ? readingNumbers(sent, at: place) : sent
    let draft = item.record
    if let name = draft.name, !name.withUTF8(Self.isName) {
      return .failure(
        ItemFailure(
          name,
          .invalid("a record name has 1 to 255 ASCII characters and begins with no underscore")))
    }
    if item.kind == .delete || item.kind == .forceDelete {
      return delete(item, at: place, now)
    }
    guard let name = draft.name else {
      guard item.kind != .update, item.kind != .replace else {
        return .failure(ItemFailure(nil, .invalid("\(item.kind.rawValue) needs a recordName")))
      }
      return create(item, named: freshName("record-"), at: place, now)
    }
    guard let present = stored(name, at: place) else {
      switch item.kind {
      case .update, .replace: return .failure(ItemFailure(name, .missing))
      default: break
      }
      if place.database != .public, Self.isReserved(name, for: draft.type) {
        return .failure(ItemFailure(name, Self.takenName))
      }
      return create(item, named: name, at: place, now)
    }
    let actor = actor(of: place.identity)
    if item.kind == .create, present.type != .order || rules.binds(.ms48) {  // MS-48
      let isSeen =
        isInReach(present, at: place) && market.isVisible(present, to: actor, on: shelf, at: now)
      return .failure(taken(present, draft, isSeen: isSeen, now))
    }
    let change = change(of: present, by: item)
    guard isInReach(present, at: place),
      market.isReachable(change, to: actor, on: shelf, at: now)
    else {
      // The one exception of MS-106: a name that is taken cannot be given again.
      let isForced = item.kind == .forceUpdate || item.kind == .forceReplace
      return .failure(
        isForced ? taken(present, draft, isSeen: false, now) : ItemFailure(name, .missing))
    }
    return save(change, item, at: place, actor, now)
  }

  /// A record of the shelf, or an entry of the audit log: nobody changes that, but who sees it is told so (§2.11).
  func stored(_ name: RecordName, at place: Place) -> CloudRecord? {
    guard place.database != .public else { return shelf.record(name, publicly: true) }
    return shelf.record(name, publicly: false) ?? audit.record(name)
  }

  /// Offers and audit entries get their names from the twin (§3.10): nobody takes one of them beforehand.
  private static func isReserved(_ name: RecordName, for type: RecordType?) -> Bool {
    guard type != .driverOffer, type != .auditEvent else { return false }
    return name.withUTF8 { bytes in
      ["offer_", "audit_"].contains { prefix in
        let number = bytes.dropFirst(prefix.utf8.count)
        return bytes.starts(with: prefix.utf8) && !number.isEmpty
          && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
    }
  }

  /// Values without a type that are texts where the schema wants numbers (§2.1 `numbersAsStrings`).
  private func readingNumbers(
    _ item: Modification.Item, at place: Place
  ) -> Modification.Item {
    let known = item.record.type ?? item.record.name.flatMap { stored($0, at: place) }?.type
    guard let schema = known.flatMap({ RecordSchema.of($0) }) else { return item }
    var item = item
    for (field, value) in item.record.fields.declared {
      guard let kind = schema[field]?.kind, let value else { continue }
      item.record.fields[field] = value.readingNumbers(for: kind)
    }
    return item
  }

  /// Whether a record lies in the zone and the database that a request names.
  func isInReach(_ record: CloudRecord, at place: Place) -> Bool {
    guard record.isPublic == (place.database == .public), record.zone.zoneName == place.zoneName
    else {
      return false
    }
    if place.database == .shared, record.created.userRecordName == place.identity.user {
      return false
    }
    guard let owner = place.zone?.ownerRecordName, place.database != .public else { return true }
    return record.zone.ownerRecordName == owner || owner == place.identity.user
  }

  /// `EXISTS` (§3.3): with the copies where the caller sees the record.
  private func taken(
    _ present: CloudRecord, _ draft: RecordDraft, isSeen: Bool, _ now: Instant
  ) -> ItemFailure {
    guard isSeen else { return ItemFailure(present.name, Self.takenName) }
    var ancestor = present
    ancestor.fields = [:]
    return ItemFailure(
      present.name, Self.takenName,
      conflict: .init(server: outgoing(present, nil, at: now), client: draft, ancestor: ancestor))
  }

  private static let takenName = Failure(
    .exists, .serverRecordChanged, "a record of this name exists")

  static func isName(_ text: some Collection<UInt8>) -> Bool {
    (1...255).contains(text.count) && text.first != UInt8(ascii: "_")
      && text.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  // MARK: Saving

  private mutating func create(
    _ item: Modification.Item, named name: RecordName, at place: Place, _ now: Instant
  ) -> Written {
    guard let type = item.record.type else {
      return .failure(ItemFailure(name, .invalid("a new record needs a recordType")))
    }
    if let failure = typeFailure(type, at: place) {
      return .failure(ItemFailure(name, failure))
    }
    // MS-15 switched off: the type's own database may have the name.
    guard shelf.record(name, publicly: CloudRecord.isPublic(type)) == nil else {
      return .failure(ItemFailure(name, Self.takenName))
    }
    let user = place.identity.user ?? .anonymous
    let stamp = Stamp(now, by: user, on: place.identity.device)
    let zone =
      place.database == .public ? Zone() : Zone(place.zoneName, owner: user)
    let fields = item.record.fields.written
    let record = CloudRecord(
      name: name, type: type, changeTag: "", zone: zone,
      fields: RecordSchema.of(type)?.typed(fields) ?? fields, created: stamp, modified: stamp)
    let named = item.kind == .forceReplace ? nil : item.record.fields.names
    return save(
      Change(from: nil, to: record, named: named), item, at: place,
      actor(of: place.identity), now)
  }

  /// A record type that the database does not hold is unknown in it (MS-15).
  private func typeFailure(_ type: RecordType, at place: Place) -> Failure? {
    guard market.keeps(.ms15) else { return nil }
    guard let schema = RecordSchema.of(type) else {
      return .invalid("there is no record type \(printable(type.text))")
    }
    guard schema.isPublic == (place.database == .public) else {
      return .invalid(
        "records of type \(type) do not live in the \(place.database.rawValue) database")
    }
    return nil
  }

  /// What an operation makes of a record; tags are compared later.
  private func change(of present: CloudRecord, by item: Modification.Item) -> Change {
    var after = present
    let schema = RecordSchema.of(present.type)
    let isWhole = item.kind == .replace || item.kind == .forceReplace
    if isWhole { after.fields = [:] }
    after.fields.apply(item.record.fields)
    schema?.type(&after)
    return Change(
      from: present, to: after, named: isWhole ? nil : item.record.fields.names)
  }

  private mutating func save(
    _ asked: Change, _ item: Modification.Item, at place: Place, _ actor: Actor, _ now: Instant
  ) -> Written {
    let name = asked.name
    var change = asked
    let missingFile = attachFiles(to: &change, by: place.identity, at: now)
    let sent = change.after
    change = market.completed(change, by: actor, on: shelf, at: now)
    let isForced = item.kind == .forceUpdate || item.kind == .forceReplace
    let refusal =
      isForced && !rules.binds(.ms84)
      ? market.malformation(of: change)
      : market.refusal(of: change, by: actor, on: shelf, at: now)  // 9. and 10., MS-84
    if let refusal, refusal.code == .accessDenied {
      return .failure(ItemFailure(name, refusal))
    }
    if let type = item.record.type, type != change.type {
      return .failure(ItemFailure(name, .invalid("the record is of type \(change.type)")))
    }
    let malformation =
      refusal
      ?? market.malformation(ofSent: item.record.fields.removed, sent, in: change)
    if let malformation, missingFile == nil {
      return .failure(ItemFailure(name, malformation))
    }
    if let missingFile { return .failure(ItemFailure(name, missingFile)) }
    if let after = change.after, let excess = excess(of: after) {
      return .failure(ItemFailure(name, excess))
    }
    // 11.
    if let conflict = tagFailure(of: item, on: asked.before, actor, now) {
      return .failure(conflict)
    }
    if let objection = market.objection(to: change, by: actor, on: shelf, at: now) {  // 12.
      return .failure(ItemFailure(name, objection))
    }
    if let full = quotaFailure(of: change) { return .failure(ItemFailure(name, full)) }  // 13.
    let bytes = shelf.bytes
    let savepoint = mayFill(change) ? mark() : nil
    let stored = commit([change], by: actor, cause: .request, at: now)[0]
    if let savepoint {
      guard shelf.bytes <= max(bytes, settings.maxDatabaseBytes) else {
        undo(to: savepoint)
        return .failure(ItemFailure(name, Self.full))
      }
      keep()
    }
    guard let stored else { return .success(.deleted(recordName: name)) }
    files.refer(stored)
    return .success(
      .saved(
        addresses.outgoing(
          stored, item.desiredKeys.map(FieldNames.init),
          opening: settings.deployment.assetUrlLifetime, at: now)))
  }

  /// MS-04.
  func excess(of record: CloudRecord) -> Failure? {
    guard record.bytes > settings.maxRecordBytes, rules.binds(.ms04) else { return nil }
    return .excess(
      "the record has \(record.bytes) bytes, more than \(settings.maxRecordBytes)",
      "record_too_large")
  }

  /// §3.3: who compares change tags. A driver whose claim came too late no longer sees the order (MS-106): of the three
  /// copies of MS-83 he gets his own, and as ancestor the state that he was shown, if that is what his tag names.
  private mutating func tagFailure(
    of item: Modification.Item, on before: CloudRecord?, _ actor: Actor, _ now: Instant
  ) -> ItemFailure? {
    guard let before, [.update, .replace, .delete].contains(item.kind) else { return nil }
    guard let tag = item.record.changeTag else {
      return ItemFailure(
        before.name, .invalid("\(item.kind.rawValue) needs the recordChangeTag"))
    }
    guard tag != before.changeTag, rules.binds(.ms83), !isRaced(before, tag, at: now) else {
      return nil
    }
    counters.conflicts += 1
    let failure = Failure(.conflict, .serverRecordChanged, "the record has changed since")
    let history = shelf.entry(before.name, publicly: before.isPublic)?.history
    let former = history?.last { $0.changeTag == tag }
    guard market.isVisible(before, to: actor, on: shelf, at: now) else {
      let read = market.wasShown(before.name, tag, to: actor) ? former : nil
      return ItemFailure(
        before.name, failure,
        conflict: .init(
          server: nil, client: item.record, ancestor: read.map { outgoing($0, nil, at: now) }))
    }
    market.noteShown([before], to: actor)
    var bare = before
    bare.fields = [:]
    bare.changeTag = tag
    return ItemFailure(
      before.name, failure,
      conflict: .init(
        server: outgoing(before, nil, at: now), client: item.record,
        ancestor: former.map { outgoing($0, nil, at: now) } ?? bare))
  }

  /// MS-85 switched off: tags are compared with what was there a moment ago, as by a backend that reads and writes without
  /// holding the record meanwhile.
  private func isRaced(_ before: CloudRecord, _ tag: String, at now: Instant) -> Bool {
    guard !rules.binds(.ms85),
      let entry = shelf.entry(before.name, publicly: before.isPublic)
    else { return false }
    return entry.history.last?.changeTag == tag
      && now - before.modified.timestamp < .milliseconds(100)
  }

  /// MS-06: what grows must fit; what shrinks always does.
  func quotaFailure(of change: Change) -> Failure? {
    guard rules.binds(.ms06), let after = change.after else { return nil }
    let growth = after.accountedBytes &- (change.before?.accountedBytes ?? 0)
    return growth > 0 && shelf.bytes &+ growth > settings.maxDatabaseBytes ? Self.full : nil
  }

  private static let full = Failure(.quotaExceeded, .quotaExceeded, "the database is full")

  /// Whether the side effects of a change could exceed the limit although the change alone does not (MS-06): then the
  /// commit is tried. They make at most an offer for each driver, and write its name into an order.
  private func mayFill(_ change: Change) -> Bool {
    guard rules.binds(.ms06) else { return false }
    let growth = (change.after?.accountedBytes ?? 0) &- (change.before?.accountedBytes ?? 0)
    let effects = 1_024 * (market.drivers.count + 1)
    return shelf.bytes &+ growth &+ effects > settings.maxDatabaseBytes
  }

  // MARK: Deleting

  private mutating func delete(
    _ item: Modification.Item, at place: Place, _ now: Instant
  ) -> Written {
    guard let name = item.record.name else {
      return .failure(ItemFailure(nil, .invalid("\(item.kind.rawValue) needs a recordName")))
    }
    let actor = actor(of: place.identity)
    guard let present = stored(name, at: place), isInReach(present, at: place),
      market.isVisible(present, to: actor, on: shelf, at: now)
    else {
      return item.kind == .forceDelete
        ? .success(.deleted(recordName: name)) : .failure(ItemFailure(name, .missing))
    }
    return save(Change(from: present, to: nil), item, at: place, actor, now)
  }
}
