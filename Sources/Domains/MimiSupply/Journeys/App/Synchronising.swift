import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What became of a write that may wait for the network.
enum Saved {
  /// Sent and answered, item by item.
  case done([ItemResult])
  /// It waits.
  case queued
  /// The backend refused the whole request.
  case refused
}

/// The offline queue at work (§7.7).
extension AppClient {
  /// Background synchronisations are at least this far apart (MS-127).
  static let backgroundEvery = Span.seconds(60)

  /// Saves records, now or when there is a network again. Updates need no tag: it is read when they are sent.
  func save(
    _ items: [Modification.Item], queuedAs kind: QueuedKind, to database: String = "private",
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Saved {
    start(as: me)
    try await noticeNetwork(as: me)
    if isOffline || queue.waits(forAnyOf: items.compactMap(\.record.name)) {
      return try await put(kind, database, items, as: me)
    }
    switch try await deliver(items, to: database, as: me) {
    case .done(let results): return .done(results)
    case .refused: return .refused
    case .unreachable: return try await put(kind, database, items, as: me)
    }
  }

  private func put(
    _ kind: QueuedKind, _ database: String, _ items: [Modification.Item],
    as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Saved {
    note(.queued(queue.add(kind, database: database, items)), me)
    return .queued
  }

  /// Waits until a record is not waiting any more, and looks whether the backend has it now.
  func isMade(
    _ record: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    while queue.waits(forAnyOf: [record]), let next = wakes(after: me.now) {
      try await me.think(until: max(next, me.now + .seconds(1)))
      try await wake(as: me)
    }
    return try await look(record, as: me) != nil
  }

  // MARK: Draining

  /// Sends what waits, until nothing does or the network fails.
  func synchronise(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard !isSynchronising, !queue.isEmpty else { return }
    isSynchronising = true
    defer { isSynchronising = false }
    while !isOffline {
      let batch = queue.next(
        most: batchSize, priorities: rules.binds(.ms128), fifo: rules.binds(.ms89))
      guard !batch.isEmpty else { break }
      note(.draining(batch.map(\.write.number)), me)
      // With MS-88 off the queue is emptied and nothing sent.
      if !rules.binds(.ms88) {
        for entry in batch { queue.remove(entry.write.number) }
      } else if try await !drain(batch, as: me) {
        break
      }
    }
    if queue.isEmpty { note(.drained, me) }
  }

  /// Sends writes together; `false` when the network or the backend does not let them through now.
  private func drain(
    _ batch: [OfflineQueue.Entry], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    let items = batch.flatMap(\.write.items)
    switch try await deliver(items, to: batch[0].write.database, as: me) {
    case .done(let results):
      var rest = results[...]
      for entry in batch {
        finish(entry, rest.prefix(entry.write.items.count), as: me)
        rest = rest.dropFirst(entry.write.items.count)
      }
      return true
    case .refused(let failure):
      for entry in batch { fail(entry, failure?.code.rawValue ?? "", as: me) }
      return true
    case .unreachable(let wasTried):
      for entry in batch where wasTried && !queue.putBack(entry.write.number) {
        fail(entry, "retries", as: me)
      }
      return false
    }
  }

  private func finish(
    _ entry: OfflineQueue.Entry, _ results: ArraySlice<ItemResult>, as me: Person<MimiSupply>
  ) {
    if let failure = results.compactMap(\.failure).first {
      fail(entry, failure.mimiReason ?? failure.code.rawValue, as: me)
    } else {
      queue.remove(entry.write.number)
    }
  }

  private func fail(_ entry: OfflineQueue.Entry, _ code: String, as me: Person<MimiSupply>) {
    queue.remove(entry.write.number)
    note(.gaveUp(entry.write.number, code), me)
  }

  private enum Delivery {
    case done([ItemResult])
    case refused(Failure?)
    /// Not now, or nobody knows: it may be tried again.
    case unreachable(wasTried: Bool)
  }

  /// Sends writes in one request; updates with the tag that their record has now, and not at all where it already is as
  /// they want it.
  private func deliver(
    _ items: [Modification.Item], to database: String, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Delivery {
    let manner = Manner(priority: .high, patience: .zero)
    var results: [ItemResult?] = Array(repeating: nil, count: items.count)
    var items = items
    let untagged = items.indices.filter { items[$0].needsTag }
    if !untagged.isEmpty {
      let lookup = Lookup(untagged.map { .init(items[$0].record.name ?? "") })
      let found = try await ask(.lookup(Location(database: database), lookup), manner, as: me)
      guard found.items.count == untagged.count else { return Self.failed(found) }
      for (index, state) in zip(untagged, found.items) {
        guard case .saved(let record) = state else {
          results[index] = state
          continue
        }
        items[index].record.changeTag = record.changeTag
        if items[index].record.isStored(in: record) { results[index] = state }
      }
    }
    // A batch whose update has no record cannot be sent by halves.
    if results.contains(where: { $0?.failure != nil }) { return .done(results.compactMap(\.self)) }
    let open = items.indices.filter { results[$0] == nil }
    guard !open.isEmpty else { return .done(results.compactMap(\.self)) }
    let batch = open.map { items[$0] }
    let sent = try await send(batch, to: database, of: batch.count, manner, as: me)
    guard sent.items.count == batch.count else { return Self.failed(sent) }
    let mended = try await mend(sent.items, of: batch, in: database, as: me)
    for (index, result) in zip(open, mended) { results[index] = result }
    return .done(results.compactMap(\.self))
  }

  private static func failed(_ outcome: Outcome<MimiSupply>) -> Delivery {
    if case .unsent = outcome { return .unreachable(wasTried: false) }
    return outcome.isOfTheNetwork || outcome.isOfASickService
      ? .unreachable(wasTried: true) : .refused(outcome.refusal?.failure)
  }

  // MARK: In the background

  /// What the system lets the app do now and then: send what waits, fetch again what was looked at last; at least a
  /// minute after the previous time (MS-127).
  func synchroniseInBackground(
    _ queries: [Query], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    start(as: me)
    if let last = lastBackgroundSync, me.now - last < Self.backgroundEvery, rules.binds(.ms127) {
      return
    }
    lastBackgroundSync = me.now
    note(.backgroundSync, me)
    try await wake(as: me)
    guard !isOffline else { return }
    for query in queries { _ = try await find(query, as: me) }
  }
}

extension Modification.Item {
  fileprivate var needsTag: Bool { kind == .update && record.changeTag == nil }
}
