import Contracts
import MimiSupplyContract
import Timekeeping

/// Stored subscriptions (§3.5), found by what a record of their type may hold.
struct Subscriptions: Undoable, Sendable {
  struct Key: Hashable, Comparable, Sendable {
    let user: UserName
    let database: Database
    let id: String

    static func < (a: Key, b: Key) -> Bool {
      (a.user, a.database, a.id) < (b.user, b.database, b.id)
    }
  }

  struct Stored: Sendable {
    let key: Key
    var subscription: Subscription
    let criteria: Criteria
    /// With `firesOnce`: it has.
    var isSpent = false
  }

  /// Of one record type: whom its records may concern. Subscriptions are meant by their numbers, ascending.
  private struct Concerned: Sendable {
    /// By a field that narrows subscriptions down, and the value that it must have.
    var fields: [(name: FieldName, values: [QueryValue: [Int]])] = []
    /// Those that no single value narrows down.
    var rest: [Int] = []

    mutating func add(_ number: Int, under bucket: Bucket) {
      let place = fields.firstIndex { $0.name == bucket.field } ?? fields.count
      if place == fields.count { fields.append((bucket.field, [:])) }
      fields[place].values[bucket.value, default: []].append(number)
    }

    mutating func remove(_ number: Int, under bucket: Bucket) {
      guard let place = fields.firstIndex(where: { $0.name == bucket.field }) else { return }
      fields[place].values[bucket.value]?.removeAll { $0 == number }
      if fields[place].values[bucket.value]?.isEmpty == true {
        fields[place].values[bucket.value] = nil
      }
    }
  }

  /// One value that a field of a record must have for a subscription to match.
  private struct Bucket {
    let field: FieldName
    let value: QueryValue
  }

  private var numbers: [Key: Int] = [:]
  private var stored: UndoTable<Int, Stored> = [:]
  private var byUser: [UserName: Set<Key>] = [:]
  private var concerned: [RecordType: Concerned] = [:]
  /// Counts subscriptions: fan-out goes by it.
  private var count = 0

  var isEmpty: Bool { stored.isEmpty }

  subscript(key: Key) -> Stored? { numbers[key].flatMap { stored[$0] } }
  subscript(number: Int) -> Stored? { stored[number] }

  func keys(of user: UserName, in database: Database) -> [Key] {
    (byUser[user] ?? []).filter { $0.database == database }.sorted()
  }

  mutating func put(_ subscription: Subscription, _ criteria: Criteria, under key: Key) {
    remove(key)
    count += 1
    numbers[key] = count
    stored[count] = Stored(key: key, subscription: subscription, criteria: criteria)
    byUser[key.user, default: []].insert(key)
    let buckets = Self.buckets(of: criteria)
    for bucket in buckets {
      concerned[criteria.type, default: Concerned()].add(count, under: bucket)
    }
    if buckets.isEmpty { concerned[criteria.type, default: Concerned()].rest.append(count) }
  }

  mutating func remove(_ key: Key) {
    guard let number = numbers.removeValue(forKey: key),
      let old = stored.removeValue(forKey: number)
    else { return }
    byUser[key.user]?.remove(key)
    for bucket in Self.buckets(of: old.criteria) {
      concerned[old.criteria.type]?.remove(number, under: bucket)
    }
    concerned[old.criteria.type]?.rest.removeAll { $0 == number }
  }

  mutating func removeAll(of user: UserName) {
    for key in (byUser[user] ?? []).sorted() { remove(key) }
    byUser[user] = nil
  }

  /// A batch makes and removes none; it may spend some.
  mutating func mark(_ marking: Marking) { stored.mark(marking) }

  mutating func spend(_ number: Int) { stored[number]?.isSpent = true }

  private static func buckets(of criteria: Criteria) -> [Bucket] {
    for condition in criteria.conditions where [.equals, .isIn].contains(condition.comparator) {
      let values = condition.operands.filter { $0.text != nil }
      guard values.count == condition.operands.count, case .field(let field) = condition.field
      else { continue }
      return Set(values).sorted { QueryValue.order($0, $1) < 0 }.map {
        Bucket(field: field, value: $0)
      }
    }
    return []
  }

  /// Numbers of the subscriptions that may match one of a record's states, in the order in which they were made.
  func candidates(for states: [CloudRecord?], of type: RecordType) -> [Int] {
    guard let concerned = concerned[type] else { return [] }
    var found = concerned.rest
    for (field, numbers) in concerned.fields where !numbers.isEmpty {
      for state in states {
        guard let value = state?.indexValue(field), let some = numbers[value]
        else { continue }
        found += some
      }
    }
    guard found.count > 1 else { return found }
    found.sort()
    var last = 0
    found.removeAll { number in
      defer { last = number }
      return number == last
    }
    return found
  }
}

extension MimiSupplyTwin {
  mutating func listSubscriptions(at place: Place) -> Answer {
    let keys = subscriptions.keys(of: place.identity.user ?? "", in: place.database)
    return .success(
      .subscriptions(keys.map { .stored(subscriptions[$0]!.subscription) }))
  }

  mutating func lookupSubscriptions(_ names: [String], at place: Place) -> Answer {
    .success(
      .subscriptions(
        names.map { name in
          let key = key(name, at: place)
          guard let stored = subscriptions[key] else { return .failed(name, Self.gone) }
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
      guard subscriptions[key(id, at: place)] != nil else { return .failed(id, Self.gone) }
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
    let exists = subscriptions[key(id, at: place)] != nil
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
