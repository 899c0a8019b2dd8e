import Contracts
import MimiSupplyContract
import Timekeeping

/// Stored subscriptions (§3.5), found by what a record of their type may hold.
struct Subscriptions: Sendable {
  struct Key: Hashable, Comparable, Sendable {
    let user: String
    let database: Database
    let id: String

    static func < (a: Key, b: Key) -> Bool {
      (a.user, a.database, a.id) < (b.user, b.database, b.id)
    }
  }

  struct Stored: Sendable {
    var subscription: Subscription
    let criteria: Criteria
    /// Counts subscriptions: fan-out goes by it.
    let number: Int
    /// With `firesOnce`: it has.
    var isSpent = false
  }

  /// One value that a field of a record must have for a subscription to match.
  private struct Bucket: Hashable, Sendable {
    let type: String
    let field: String
    let value: String
  }

  private(set) var stored: [Key: Stored] = [:]
  private var byUser: [String: Set<Key>] = [:]
  private var buckets: [Bucket: Set<Key>] = [:]
  /// Fields by which subscriptions of a type are bucketed.
  private var bucketFields: [String: Set<String>] = [:]
  /// Those that no single value narrows down.
  private var rest: [String: Set<Key>] = [:]
  private var count = 0

  var isEmpty: Bool { stored.isEmpty }

  func keys(of user: String, in database: Database) -> [Key] {
    (byUser[user] ?? []).filter { $0.database == database }.sorted()
  }

  mutating func put(_ subscription: Subscription, _ criteria: Criteria, under key: Key) {
    remove(key)
    count += 1
    stored[key] = Stored(subscription: subscription, criteria: criteria, number: count)
    byUser[key.user, default: []].insert(key)
    for bucket in Self.buckets(of: criteria) {
      buckets[bucket, default: []].insert(key)
      bucketFields[criteria.type, default: []].insert(bucket.field)
    }
    if Self.buckets(of: criteria).isEmpty { rest[criteria.type, default: []].insert(key) }
  }

  mutating func remove(_ key: Key) {
    guard let old = stored.removeValue(forKey: key) else { return }
    byUser[key.user]?.remove(key)
    for bucket in Self.buckets(of: old.criteria) {
      buckets[bucket]?.remove(key)
      if buckets[bucket]?.isEmpty == true { buckets[bucket] = nil }
    }
    rest[old.criteria.type]?.remove(key)
  }

  mutating func removeAll(of user: String) {
    for key in (byUser[user] ?? []).sorted() { remove(key) }
    byUser[user] = nil
  }

  mutating func spend(_ key: Key) { stored[key]?.isSpent = true }

  private static func buckets(of criteria: Criteria) -> [Bucket] {
    for condition in criteria.conditions where [.equals, .isIn].contains(condition.comparator) {
      let values = condition.operands.compactMap { value -> String? in
        if case .text(let text) = value { text } else { nil }
      }
      guard values.count == condition.operands.count, condition.field.first != "_" else { continue }
      return values.map { Bucket(type: criteria.type, field: condition.field, value: $0) }
    }
    return []
  }

  /// Subscriptions that may match one of a record's states, in the order in which they were made.
  func candidates(for states: [CloudRecord?], of type: String) -> [Key] {
    var keys = rest[type] ?? []
    for field in bucketFields[type] ?? [] {
      for state in states {
        guard let value = state?.text(field) else { continue }
        keys.formUnion(buckets[Bucket(type: type, field: field, value: value)] ?? [])
      }
    }
    return keys.sorted { stored[$0]!.number < stored[$1]!.number }
  }
}

extension MimiSupplyTwin {
  mutating func listSubscriptions(at place: Place) -> Answer {
    let keys = subscriptions.keys(of: place.identity.user ?? "", in: place.database)
    return .success(
      .subscriptions(keys.map { .stored(subscriptions.stored[$0]!.subscription) }))
  }

  mutating func lookupSubscriptions(_ names: [String], at place: Place) -> Answer {
    .success(
      .subscriptions(
        names.map { name in
          let key = key(name, at: place)
          guard let stored = subscriptions.stored[key] else { return .failed(name, Self.gone) }
          return .stored(stored.subscription)
        }))
  }

  mutating func modifySubscriptions(
    _ asked: [SubscriptionOperation], at place: Place, _ now: Instant
  ) -> Answer {
    .success(.subscriptions(asked.map { modify($0, at: place) }))
  }

  private static let gone = Failure(.notFound, .unknownItem, "there is no such subscription")

  private func key(_ id: String, at place: Place) -> Subscriptions.Key {
    Subscriptions.Key(user: place.identity.user ?? "", database: place.database, id: id)
  }

  private mutating func modify(
    _ operation: SubscriptionOperation, at place: Place
  ) -> SubscriptionResult {
    switch (operation.kind, operation.subject) {
    case (_, .unreadable(let id)):
      return .failed(
        id, .invalid("a subscription has the type query, a query, and events on which it fires"))
    case (.delete, .name(let id)):
      guard subscriptions.stored[key(id, at: place)] != nil else { return .failed(id, Self.gone) }
      subscriptions.remove(key(id, at: place))
      return .deleted(id)
    case (.delete, .subscription(let subscription)):
      return .failed(subscription.id, .invalid("a deletion names the subscriptionID"))
    case (_, .name(let id)): return .failed(id, .invalid("the subscription has no query"))
    case (.create, .subscription(let subscription)), (.update, .subscription(let subscription)):
      return store(subscription, operation.kind, at: place)
    }
  }

  private mutating func store(
    _ asked: Subscription, _ kind: SubscriptionOperation.Kind, at place: Place
  ) -> SubscriptionResult {
    var subscription = asked
    if kind == .update, subscription.id == nil {
      return .failed(nil, .invalid("an update names the subscriptionID"))
    }
    let id = subscription.id ?? freshSecret("subscription-")
    guard !id.isEmpty, id.utf8.count <= 255 else {
      return .failed(id, .invalid("a subscriptionID has 1 to 255 bytes"))
    }
    subscription.id = id
    let exists = subscriptions.stored[key(id, at: place)] != nil
    if kind == .create, exists {
      return .failed(
        id, Failure(.exists, .serverRecordChanged, "a subscription of this name exists"))
    }
    if kind == .update, !exists { return .failed(id, Self.gone) }
    switch compile(subscription.query, at: place) {
    case .failure(let failure): return .failed(id, failure)
    case .success(let criteria):
      subscriptions.put(subscription, criteria, under: key(id, at: place))
      return .stored(subscription)
    }
  }
}
