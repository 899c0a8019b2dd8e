import Contracts
import MimiSupplyContract
import Timekeeping

// What the harness may see (§11).
extension MimiSupplyTwin {
  /// - Parameters:
  ///   - types: Of which records; `nil` is every type. The audit log has a command of its own.
  ///   - since: The number of an earlier look, to show what has changed since; 0 for everything.
  mutating func inspection(of types: [RecordType]? = nil, since: Int = 0, at now: Instant) -> JSON {
    let changes = shelf.changes.look(since: since)
    var shown: JSONObject = [
      "csn": .number(csn), "now": .int(now.unixMilliseconds),
      "market": market.inspection(since: since), "counters": .object(countersDocument),
      "audit": ["count": .number(audit.entries.count)], "look": .number(shelf.changes.look),
    ]
    let isWanted = { $0 != RecordType.auditEvent && types?.contains($0) != false }
    let wanted = RecordSchema.types.filter(isWanted)
    guard let changes else {
      shown["records"] = documents(wanted.map { ($0, shelf.names(of: $0)) })
      return .object(shown)
    }
    let places = Dictionary(grouping: changes.filter { isWanted($0.type) }, by: \.type)
    let names = wanted.map { type in (type, (places[type] ?? []).map(\.name).sorted()) }
    shown["since"] = .number(since)
    shown["records"] = documents(names)
    shown["deleted"] = .object(
      JSONObject(
        names.compactMap { type, names in
          let gone = names.filter { shelf.record($0, publicly: CloudRecord.isPublic(type)) == nil }
          return gone.isEmpty ? nil : (name: type.text, value: .names(gone))
        }))
    return .object(shown)
  }

  private func documents(_ names: [(type: RecordType, names: [RecordName])]) -> JSON {
    .object(
      JSONObject(
        names.map { type, names in
          let publicly = CloudRecord.isPublic(type)
          return (
            name: type.text,
            value: .array(names.compactMap { shelf.record($0, publicly: publicly)?.document })
          )
        }))
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
