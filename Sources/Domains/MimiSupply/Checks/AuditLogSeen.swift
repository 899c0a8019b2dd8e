import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-112: the entries of the audit log as admins see them.
struct AuditLogSeen: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private let accounts: AccountFacts
  /// What entries said when they were first seen.
  private var seen: [Int64: Int] = [:]
  private static let mostSeen = 20_000

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .query(_, let query):
      guard query.query.recordType == .auditEvent, query.desiredKeys == nil,
        case .found(let records, _)? = call.content
      else { return }
      compare(records, &judge)
      let isWhole = query.query.filters.allSatisfy { $0.fieldName == FieldName.timestamp.text }
      let isInOrder = query.query.sorts.map(\.fieldName) == [FieldName.sequence.text]
      if isWhole, isInOrder { judgeOrder(of: records, &judge) }
    case .lookup(_, let lookup):
      guard lookup.items.contains(where: { $0.recordName.isOfAuditLog }),
        lookup.desiredKeys == nil, case .items(let items)? = call.content
      else { return }
      look(items, call, &judge)
    case .modify where call.outcome.isAnswered:
      for (item, result) in call.writes {
        guard item.record.name?.isOfAuditLog == true, item.kind != .forceDelete else {
          continue
        }
        judge.expect(result?.failure != nil, "an entry of the audit log was written")
      }
    default: break
    }
  }

  private func judgeOrder(of records: [CloudRecord], _ judge: inout Judge) {
    let numbers = records.compactMap { $0[AuditEvent.sequence] }
    guard numbers.count > 1, numbers.count == records.count else { return }
    let gaps = zip(numbers, numbers.dropFirst()).filter { ![1, -1].contains($0.minus($1)) }
    judge.expect(
      gaps.isEmpty, "after entry \(gaps.first?.0 ?? 0) of the audit log comes \(gaps.first?.1 ?? 0)"
    )
  }

  private mutating func compare(_ records: [CloudRecord], _ judge: inout Judge) {
    for record in records where record.type == .auditEvent {
      guard let number = record[AuditEvent.sequence] else { continue }
      let said = record.fields.hashValue
      if let before = seen[number] {
        judge.expect(before == said, "entry \(number) of the audit log has changed")
      } else if seen.count < Self.mostSeen {
        seen[number] = said
      }
    }
  }

  private mutating func look(
    _ items: [ItemResult], _ call: SeenCall, _ judge: inout Judge
  ) {
    compare(items.compactMap(\.record), &judge)
    guard accounts.role(of: call) == .admin else { return }
    for case .failed(let failed) in items where failed.failure.code == .notFound {
      guard let number = failed.recordName.flatMap({ AuditEvent.sequence(of: $0) }).map(Int64.init),
        seen[number] != nil
      else { continue }
      judge.violated("entry \(number) of the audit log is gone")
    }
  }
}
