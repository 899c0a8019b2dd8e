import Contracts
import MimiSupplyContract

/// What the twin counts (§11).
struct Counters: Undoable, Sendable {
  /// The requests of one user, or of everybody without a session.
  struct Requests: Sendable {
    var admitted = 0
    /// By wire code, of whole requests and of single operations.
    var refused: [String: Int] = [:]

    fileprivate var document: JSON {
      ["admitted": .number(admitted), "refused": .object(Counters.sorted(refused))]
    }
  }

  var commits: [Cause: Int] = [:]
  var refusals: [String: Int] = [:]
  var conflicts = 0
  /// What the rules demand and what was queued, each by notification and device: equal while every rule binds.
  var notificationsExpected = 0
  var notificationsQueued = 0
  var notificationsFetched = 0
  var notificationsCoalesced = 0
  private var byUser: UndoTable<UserName, Requests> = [:]
  private var anonymous = Requests()

  /// - Parameter user: Who asked; `nil` without a session.
  mutating func admit(_ user: UserName?) {
    if let user { byUser[user, default: Requests()].admitted += 1 } else { anonymous.admitted += 1 }
  }

  /// - Parameter user: Who asked; `nil` without a session.
  mutating func refuse(_ failure: Failure, of user: UserName?) {
    refusals[failure.mimiReason ?? failure.code.rawValue, default: 0] += 1
    let code = failure.code.rawValue
    if let user {
      byUser[user, default: Requests()].refused[code, default: 0] += 1
    } else {
      anonymous.refused[code, default: 0] += 1
    }
  }

  /// What is no table: one number for each cause and each of the few reasons for a refusal.
  struct Savepoint {
    fileprivate let commits: [Cause: Int]
    fileprivate let refusals: [String: Int]
    fileprivate let conflicts: Int
    fileprivate let notifications: [Int]
    fileprivate let anonymous: Requests
  }

  var savepoint: Savepoint {
    Savepoint(
      commits: commits, refusals: refusals, conflicts: conflicts,
      notifications: [
        notificationsExpected, notificationsQueued, notificationsFetched, notificationsCoalesced,
      ], anonymous: anonymous)
  }

  mutating func restore(_ savepoint: Savepoint) {
    commits = savepoint.commits
    refusals = savepoint.refusals
    conflicts = savepoint.conflicts
    notificationsExpected = savepoint.notifications[0]
    notificationsQueued = savepoint.notifications[1]
    notificationsFetched = savepoint.notifications[2]
    notificationsCoalesced = savepoint.notifications[3]
    anonymous = savepoint.anonymous
  }

  mutating func mark(_ marking: Marking) { byUser.mark(marking) }

  /// Counts on under another name (MS-116).
  mutating func rename(_ user: UserName, to placeholder: UserName) {
    if let requests = byUser.removeValue(forKey: user) { byUser[placeholder] = requests }
  }

  var document: JSONObject {
    let causes = commits.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    let users = byUser.all.sorted { $0.key < $1.key }
    return [
      "changes": .object(JSONObject(causes.map { (name: $0.0, value: .number($0.1)) })),
      "refusals": .object(Self.sorted(refusals)),
      "users": .object(JSONObject(users.map { (name: $0.key.text, value: $0.value.document) })),
      "anonymous": anonymous.document,
      "conflicts": .number(conflicts),
      "notifications": [
        "expected": .number(notificationsExpected), "queued": .number(notificationsQueued),
        "fetched": .number(notificationsFetched), "coalesced": .number(notificationsCoalesced),
      ],
    ]
  }

  private static func sorted(_ counts: [String: Int]) -> JSONObject {
    JSONObject(counts.sorted { $0.key < $1.key }.map { (name: $0.key, value: .number($0.value)) })
  }
}
