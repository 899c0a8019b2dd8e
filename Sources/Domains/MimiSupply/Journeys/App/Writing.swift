import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// How the app writes (§7.3, MS-125).
extension AppClient {
  /// More records than this do not fit into one request (MS-07).
  static let largestBatch = 400

  /// With MS-125 off every record has a request of its own.
  var batchSize: Int { rules.binds(.ms125) ? Self.largestBatch : 1 }

  /// Writes several records in one request (MS-125); empty when the request failed as a whole. Conflicts are resolved.
  func write(
    _ items: [Modification.Item], to database: String = "private", zone: Zone? = nil,
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [ItemResult] {
    var results: [ItemResult] = []
    for start in stride(from: 0, to: items.count, by: batchSize) {
      let part = Array(items[start..<min(items.count, start + batchSize)])
      let sent = try await send(
        part, to: database, zone: zone, of: min(items.count, Self.largestBatch), as: me)
      guard sent.items.count == part.count else { return [] }
      results += try await mend(sent.items, of: part, in: database, zone: zone, as: me)
    }
    return results
  }

  /// Sends one batch.
  ///
  /// - Parameter count: Of how many records that were to be written together.
  func send(
    _ items: [Modification.Item], to database: String, zone: Zone? = nil, of count: Int,
    _ manner: Manner = Manner(), as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    var manner = manner
    if count > 1 { manner.announcing = .batching(records: count) }
    return try await ask(
      .modify(Location(database: database), Modification(items, zone: zone)), manner, as: me)
  }

  /// Reads a record and writes some of its fields with the tag that it had; `nil` when it could not be read or written.
  func update(
    _ name: RecordName, in database: String = "private", as me: Person<MimiSupply>,
    _ fields: (CloudRecord) -> FieldChanges
  ) async throws(JourneyEnded) -> ItemResult? {
    guard let found = try await look(name, in: database, as: me) else { return nil }
    let draft = RecordDraft(name: name, changeTag: found.changeTag, fields: fields(found))
    return try await write([.init(.update, draft)], to: database, as: me).first
  }

  // MARK: Items that failed

  /// Does what the error table says about each item that failed.
  func mend(
    _ results: [ItemResult], of items: [Modification.Item], in database: String,
    zone: Zone? = nil, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [ItemResult] {
    var results = results
    var undone: [Int] = []
    for index in results.indices {
      guard case .failed(let failed) = results[index] else { continue }
      let error = AppError.answered(failed.failure.native)
      switch handling(of: error, as: me) {
      case .resolve:
        results[index] = try await resolve(items[index], failed, in: database, zone, as: me)
      case .repair: undone.append(index)
      default: break
      }
    }
    // An atomic batch: the culprits stay out, the rest goes once more.
    guard !undone.isEmpty, undone.count < items.count else { return results }
    let rest = undone.map { items[$0] }
    let again = try await send(rest, to: database, zone: zone, of: rest.count, as: me).items
    for (index, result) in zip(undone, again) { results[index] = result }
    return results
  }

  /// §7.3: merge, then save again with the server's tag, at most three rounds.
  private func resolve(
    _ item: Modification.Item, _ failed: ItemFailure, in database: String, _ zone: Zone?,
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult {
    guard let name = item.record.name else { return .failed(failed) }
    if item.kind == .create { return try await taken(item, failed, in: database, as: me) }
    guard [.update, .replace].contains(item.kind), var server = failed.conflict?.server else {
      return .failed(failed)
    }
    let merging = Merging(rules: rules)
    let changedAt = me.now
    for round in 1...Merging.rounds {
      let keepsOwn = me.draw(.conflict) { $0.chance(settings.keepsOwnCopy) }
      let fields = merging.fields(
        of: item.record, against: server, at: changedAt, keepsOwn: keepsOwn)
      guard !fields.isEmpty else {
        note(.conflict(record: name, rounds: round, .serverWon), me)
        return item.record.isStored(in: server) ? .saved(server) : .failed(failed)
      }
      let draft = RecordDraft(name: name, changeTag: server.changeTag, fields: fields)
      let result = try await send(
        [.init(.update, draft)], to: database, zone: zone, of: 1, as: me
      ).items.first
      switch result {
      case .saved(let record)?:
        note(.conflict(record: name, rounds: round, .merged), me)
        return .saved(record)
      case .failed(let next)?:
        _ = handling(of: .answered(next.failure.native), as: me)
        guard let newer = next.conflict?.server else {
          note(.conflict(record: name, rounds: round, .refused), me)
          return .failed(next)
        }
        server = newer
      case .deleted?, nil:
        note(.conflict(record: name, rounds: round, .refused), me)
        return .failed(failed)
      }
    }
    note(.conflict(record: name, rounds: Merging.rounds, .reported), me)
    return .failed(failed)
  }

  /// A name that is taken: by this very record, when an answer was lost (§7.2).
  private func taken(
    _ item: Modification.Item, _ failed: ItemFailure, in database: String,
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult {
    guard let stored = failed.conflict?.server, stored.isMade(by: item.record) else {
      return .failed(failed)
    }
    return .saved(stored)
  }
}
