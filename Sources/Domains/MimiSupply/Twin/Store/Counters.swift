import Contracts
import MimiSupplyContract

/// What the twin counts (§11).
struct Counters: Sendable {
  var commits: [Cause: Int] = [:]
  var refusals: [String: Int] = [:]
  var conflicts = 0
  var notificationsExpected = 0
  var notificationsQueued = 0
  var notificationsFetched = 0
  var notificationsCoalesced = 0

  mutating func refuse(_ failure: Failure) {
    refusals[failure.mimiReason ?? failure.code.rawValue, default: 0] += 1
  }

  var document: JSONObject {
    let causes = commits.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    return [
      "changes": .object(JSONObject(causes.map { (name: $0.0, value: .number($0.1)) })),
      "refusals": .object(
        JSONObject(
          refusals.sorted { $0.key < $1.key }.map { (name: $0.key, value: .number($0.value)) })),
      "conflicts": .number(conflicts),
      "notifications": [
        "expected": .number(notificationsExpected), "queued": .number(notificationsQueued),
        "fetched": .number(notificationsFetched), "coalesced": .number(notificationsCoalesced),
      ],
    ]
  }
}
