import Contracts
import MimiSupplyContract
import Timekeeping

// What the harness may see (§11).
extension MimiSupplyTwin {
  /// - Parameter types: Of which records; `nil` is every type. The audit log has a command of its own.
  func inspection(of types: [RecordType]? = nil, at now: Instant) -> JSON {
    var records = JSONObject()
    for type in RecordSchema.types where type != .auditEvent && types?.contains(type) != false {
      let publicly = CloudRecord.isPublic(type)
      records[type.text] = .array(
        shelf.names(of: type).compactMap { shelf.record($0, publicly: publicly)?.document })
    }
    return [
      "csn": .number(csn), "now": .int(now.unixMilliseconds), "records": .object(records),
      "market": market.inspection(), "counters": .object(countersDocument),
      "audit": ["count": .number(audit.entries.count)],
    ]
  }

  var countersDocument: JSONObject {
    var counters = counters.document
    counters["admitted"] = .number(limiter.admitted)
    counters["throttled"] = .number(limiter.refused)
    // Matches: offers and assignments that the system made; retries: rounds begun anew (§6.3).
    counters["matches"] = .number(market.work.offers + market.work.assignments)
    counters["retries"] = .number(market.work.retries)
    counters["csn"] = .number(csn)
    counters["records"] = .number(shelf.count)
    counters["bytes"] = .number(shelf.bytes)
    counters["auditEvents"] = .number(audit.entries.count)
    return counters
  }

  /// The push log with queue times (MS-97).
  var outbox: JSON {
    .array(
      pushQueues.log.suffix(PushQueues.longestLog).map { sent in
        [
          "at": .int(sent.at.unixMilliseconds), "token": .string(sent.token),
          "user": .name(sent.user), "device": .name(sent.device),
          "notification": sent.notification.document,
        ]
      })
  }

  func auditDocument(of user: UserName?) -> JSON {
    .array(
      audit.records.filter { user == nil || $0[AuditEvent.user] == user }.map { record in
        .object(
          JSONObject(
            record.fields.all.map { (name: $0.name, value: $0.value.document["value"] ?? .null) }))
      })
  }
}
