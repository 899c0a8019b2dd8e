import Contracts
import MimiSupplyContract
import Timekeeping

// records/query and records/lookup (§3.2).
extension MimiSupplyTwin {
  mutating func query(_ asked: Query, at place: Place, _ now: Instant) -> Answer {
    let criteria: Criteria
    switch compile(asked.query, at: place) {
    case .success(let compiled): criteria = compiled
    case .failure(let failure): return .failure(failure)
    }
    let actor = actor(of: place.identity)
    if criteria.isSupply, let failure = supplyFailure(actor) {
      return refuse(failure, place.identity, now)
    }
    if let limit = asked.resultsLimit, limit < 1 {
      return .failure(.invalid("resultsLimit is at least 1"))
    }
    var start: (values: [QueryValue], name: RecordName)?
    if let marker = asked.continuationMarker {
      guard
        let read = readMarker(
          marker, markerBinding(asked, place), keys: criteria.keys.count)
      else {
        return .failure(.invalid("the continuationMarker belongs to another query"))
      }
      start = read
    }
    var found = find(criteria, asked, at: place, actor, now)
    let isLed = found.reduce(into: QueryValue.Lead()) { $0.join($1.lead) }.isOfOneKind
    found.sort { a, b in
      if isLed, a.lead.number != b.lead.number {
        return (a.lead.number < b.lead.number) == criteria.keys[0].isAscending
      }
      return criteria.precedes(a.place, b.place)
    }
    if let start {
      found.removeAll { !criteria.precedes(start, $0.place) }
      if !rules.binds(.ms10), !found.isEmpty { found.removeFirst() }  // MS-10
    }
    let limit = min(asked.resultsLimit ?? .max, settings.maxRecordsPerResponse)
    let page = found.prefix(limit)
    let marker =
      page.count < found.count
      ? page.last.map { self.marker($0, markerBinding(asked, place)) } : nil
    noteReading(page.map(\.record), by: place.identity, actor, at: now)
    if criteria.type == .order { market.noteShown(page.map(\.record), to: actor) }
    var records: [CloudRecord] = []
    records.reserveCapacity(page.count)
    let keys = asked.desiredKeys.map(FieldNames.init)
    for found in page {
      let shown = criteria.isSupply ? market.supply(found.record, to: actor) : found.record
      // By its fields: a method that changes nothing would copy the twin for every record.
      records.append(
        addresses.outgoing(
          shown ?? found.record, keys, opening: settings.deployment.assetUrlLifetime, at: now))
    }
    return .success(.found(records, continuationMarker: marker))
  }

  func compile(_ query: RecordQuery, at place: Place) -> Result<Criteria, Failure> {
    if let schema = RecordSchema.of(query.recordType),
      schema.isPublic != (place.database == .public)
    {
      return .failure(
        .invalid(
          "records of type \(query.recordType) do not live in the \(place.database.rawValue) database"
        ))
    }
    guard place.numbersAsStrings, let schema = RecordSchema.of(query.recordType) else {
      return Criteria.compile(query)
    }
    var query = query
    query.filters = query.filters.map { filter in
      guard let kind = Criteria.subject(of: filter.fieldName, in: schema)?.kind else {
        return filter
      }
      var filter = filter
      filter.value = filter.value?.readingNumbers(for: kind)
      return filter
    }
    return Criteria.compile(query)
  }

  /// OP-17: admins and partners may look for drivers.
  private func supplyFailure(_ actor: Actor) -> Failure? {
    if case .user(_, let role, _) = actor, role == .admin || role == .partner { return nil }
    return .denied("available drivers are for partners and admins")
  }

  private struct Found {
    let record: CloudRecord
    let values: [QueryValue]
    /// Of the first value, which nearly always decides.
    let lead: QueryValue.Lead

    var place: (values: [QueryValue], name: RecordName) { (values, record.name) }
  }

  private mutating func find(
    _ criteria: Criteria, _ asked: Query, at place: Place, _ actor: Actor, _ now: Instant
  ) -> [Found] {
    var found: [Found] = []
    for record in candidates(for: criteria, asked) {
      work.rowsRead += 1
      guard criteria.matches(record), isSearched(record, asked, at: place) else { continue }
      if criteria.isSupply {
        guard actor.isAdmin || market.supply(record, to: actor) != nil else { continue }
      } else {
        guard market.isVisible(record, to: actor, on: shelf, at: now) else { continue }
      }
      let values = criteria.sortValues(of: record)
      found.append(
        Found(record: record, values: values, lead: values.first?.lead ?? QueryValue.Lead()))
    }
    return found
  }

  /// Whether a record lies in the zones and the database that a query searches.
  private func isSearched(_ record: CloudRecord, _ asked: Query, at place: Place) -> Bool {
    if asked.zoneWide, place.database != .public {
      return place.database == .private || record.created.userRecordName != place.identity.user
    }
    return isInReach(record, at: place)
  }

  /// Records that may match, by the best index that the conditions allow (§2.15).
  private func candidates(for criteria: Criteria, _ asked: Query) -> [CloudRecord] {
    if criteria.type == .auditEvent { return auditCandidates(for: criteria, asked) }
    var best: (count: Int, names: () -> [RecordName])?
    for condition in criteria.conditions {
      guard let values = indexValues(condition, of: criteria.type) else { continue }
      let (shelf, type) = (shelf, criteria.type)
      let count = values.reduce(0) { $0 + shelf.count(of: type, by: condition.field, $1) }
      guard count < best?.count ?? .max else { continue }
      best = (
        count, { values.flatMap { shelf.names(of: type, by: condition.field, $0) } }
      )
    }
    if best == nil, let near = criteria.conditions.first(where: { $0.comparator == .near }),
      let place = near.place,
      let names = shelf.names(of: criteria.type, near: place, metres: near.distance)
    {
      return records(names, of: criteria.type)
    }
    return records(best?.names() ?? shelf.names(of: criteria.type), of: criteria.type)
  }

  private func records(_ names: [RecordName], of type: RecordType) -> [CloudRecord] {
    let publicly = CloudRecord.isPublic(type)
    return names.compactMap { shelf.record($0, publicly: publicly) }
  }

  private func auditCandidates(for criteria: Criteria, _ asked: Query) -> [CloudRecord] {
    // The first page of all of them, which is how an admin reads the log; who sees one sees all.
    if criteria.conditions.isEmpty, asked.continuationMarker == nil, criteria.keys.count == 1,
      criteria.keys[0].field == .field(.sequence)
    {
      let page = min(asked.resultsLimit ?? .max, settings.maxRecordsPerResponse) + 1
      return audit.records(page, fromTheEnd: !criteria.keys[0].isAscending)
    }
    for condition in criteria.conditions where condition.field == .field(.timestamp) {
      guard [.greaterThan, .greaterThanOrEquals].contains(condition.comparator),
        case .whole(let milliseconds)? = condition.operands.first
      else { continue }
      return audit.records(since: Instant(nearestMilliseconds: milliseconds))
    }
    return audit.records
  }

  /// The values under which an index has everything that a condition lets through; `nil` without an index.
  private func indexValues(_ condition: Criteria.Condition, of type: RecordType) -> [QueryValue]? {
    guard [.equals, .isIn].contains(condition.comparator),
      RecordShelf.isIndexed(condition.field, of: type)
    else { return nil }
    var values: Set<QueryValue> = []
    for operand in condition.operands {
      guard operand.text != nil else { return nil }
      values.insert(operand)
    }
    return values.sorted { QueryValue.order($0, $1) < 0 }
  }

  // MARK: Cursors

  /// What a marker is bound to: user, place and query.
  private func markerBinding(_ asked: Query, _ place: Place) -> Digest {
    var digest = Digest()
    digest.mix(secret)
    digest.mix(place.identity.user ?? "")
    digest.mix(place.database.rawValue)
    digest.mix(place.zone?.document.description ?? "")
    digest.mix(asked.zoneWide)
    digest.mix(asked.query.document.description)
    return digest
  }

  private func marker(_ last: Found, _ binding: Digest) -> String {
    let place = JSON.array([.name(last.record.name)] + last.values.map(\.document))
    let bytes = place.bytes
    var digest = binding
    digest.mix(place.description)
    return digest.hexadecimal + bytes.map(\.twoDigits).joined()
  }

  private func readMarker(
    _ marker: String, _ binding: Digest, keys: Int
  ) -> (values: [QueryValue], name: RecordName)? {
    let digits = Array(marker.utf8)
    guard digits.count > 32, digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 32, to: digits.count, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    guard let place = JSON(parsing: bytes), let items = place.array else { return nil }
    var digest = binding
    digest.mix(place.description)
    guard digest.hexadecimal == String(decoding: digits[..<32], as: UTF8.self),
      let name: RecordName = items.first?.name(), items.count == keys + 1
    else { return nil }
    let values = items.dropFirst().compactMap { QueryValue($0) }
    return values.count == keys ? (values, name) : nil
  }

  // MARK: Lookup

  mutating func lookup(_ asked: Lookup, at place: Place, _ now: Instant) -> Answer {
    let actor = actor(of: place.identity)
    let keys = asked.desiredKeys.map(FieldNames.init)
    var seen: [CloudRecord] = []
    var items: [ItemResult] = []
    items.reserveCapacity(asked.items.count)
    for item in asked.items {
      work.rowsRead += 1
      guard let record = stored(item.recordName, at: place), isInReach(record, at: place),
        market.isVisible(record, to: actor, on: shelf, at: now)
      else {
        items.append(.failed(ItemFailure(item.recordName, .missing)))
        continue
      }
      seen.append(record)
      items.append(
        .saved(
          addresses.outgoing(
            record, item.desiredKeys.map(FieldNames.init) ?? keys,
            opening: settings.deployment.assetUrlLifetime, at: now)))
    }
    noteReading(seen, by: place.identity, actor, at: now)
    market.noteShown(seen, to: actor)
    return .success(.items(items))
  }
}
