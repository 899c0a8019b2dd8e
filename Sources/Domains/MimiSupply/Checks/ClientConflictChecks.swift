import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// How the app resolves conflicts: §7.3, MS-86 and MS-87.
enum ClientConflictChecks {
  static let all: [MSCheck] = [
    .byApp(.ms86, .asking(.modify)) { MergeWatch() },
    .byApp(.ms87, .asking(.modify)) { DeliveredWins() },
  ]

  /// What the merge rules leave of a local copy: fields that have to be sent, and fields that may be.
  static func documented(
    _ local: RecordDraft, against server: CloudRecord
  ) -> (required: Fields, allowed: FieldNames)? {
    switch server.type {
    case .order: order(local, server)
    case .userProfile: profile(local, server)
    case .product where local.fields[.stockQuantity] != nil: ([:], [])
    default: nil
    }
  }

  /// A non-empty local instruction and a higher local tip; the status by time is the client's business.
  private static func order(
    _ local: RecordDraft, _ server: CloudRecord
  ) -> (required: Fields, allowed: FieldNames) {
    var required: Fields = [:]
    if let text = local[Order.deliveryInstructions], !text.isEmpty,
      text != server[Order.deliveryInstructions]
    {
      required[.deliveryInstructions] = .string(text)
    }
    let tip = server[Order.tipCents] ?? 0
    if let wanted = local[Order.tipCents], wanted > tip, let total = server[Order.totalCents],
      let sum = Fees.adding(total, wanted, -tip)
    {
      required[.tipCents] = .int64(wanted)
      required[.totalCents] = .int64(sum)
    }
    return (required, [.status, .driverId])
  }

  private static func profile(
    _ local: RecordDraft, _ server: CloudRecord
  ) -> (required: Fields, allowed: FieldNames) {
    var required: Fields = [:]
    for field in [UserProfile.phoneNumber, UserProfile.email] {
      if let text = local[field], !text.isEmpty, text != server[field] {
        required[field] = text
      }
    }
    if let local = local[UserProfile.lastActiveAt],
      let known = server[UserProfile.lastActiveAt], local > known
    {
      required[.lastActiveAt] = .timestamp(local)
    }
    return (required, [])
  }
}

/// MS-86: after a conflict the merged copy is saved with the server's tag, three times at most.
private struct MergeWatch: AppWatch {
  private struct Open {
    let local: RecordDraft
    var server: CloudRecord
    let since: Instant
    var rounds = 0
  }

  private var open: [RecordName: Open] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    guard case .conflict(let record, let rounds, let end) = note,
      let conflict = open.removeValue(forKey: record)
    else { return }
    switch end {
    case .serverWon:
      let wanted = ClientConflictChecks.documented(conflict.local, against: conflict.server)
      judge.expect(
        wanted?.required.isEmpty ?? true, "the server won about \(record) against the merge rules")
    case .merged: judge.expect(rounds <= 3, "\(rounds) rounds about \(record)")
    case .reported:
      judge.expect(conflict.rounds == 3, "reported after \(conflict.rounds) rounds, not 3")
    case .refused: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    for item in call.sentItems where item.kind == .update {
      guard let name = item.record.name, var conflict = open[name],
        call.sent >= conflict.since, item.record.changeTag == conflict.server.changeTag,
        call.attempt == 1
      else { continue }
      conflict.rounds += 1
      open[name] = conflict
      judgeRound(item.record, conflict, name, &judge)
    }
    for (item, result) in call.writes {
      guard [.update, .replace].contains(item.kind), let name = item.record.name,
        case .failed(let failed)? = result, failed.failure.code == .conflict,
        let server = failed.conflict?.server
      else { continue }
      if open[name] == nil {
        open[name] = Open(local: item.record, server: server, since: call.answered)
      } else {
        open[name]?.server = server
      }
    }
  }

  private func judgeRound(
    _ sent: RecordDraft, _ conflict: Open, _ name: RecordName, _ judge: inout Judge
  ) {
    guard conflict.rounds <= 3 else {
      return judge.violated("round \(conflict.rounds) about \(name)")
    }
    guard
      let (required, allowed) = ClientConflictChecks.documented(
        conflict.local, against: conflict.server)
    else { return judge.held() }
    let isComplete = required.declared.allSatisfy { sent.fields[$0] == .some($1) }
    let extra = sent.fields.names.subtracting(required.names.union(allowed))
    judge.expect(
      isComplete && extra.isEmpty,
      "the merge about \(name) sent \(sent.fields.names.texts), due were \(required.names.texts)"
    )
  }
}

/// MS-87: who learns from a conflict that an order was delivered does not cancel it.
private struct DeliveredWins: AppWatch {
  private var delivered: [RecordName: Instant] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    guard case .conflict(let record, _, _) = note, delivered.removeValue(forKey: record) != nil
    else { return }
    judge.held()
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    for item in call.sentItems {
      guard let name = item.record.name, let since = delivered[name], call.sent >= since,
        item.record[Order.status] == OrderStatus.cancelled.rawValue
      else { continue }
      judge.violated("\(name) was to be cancelled although it had been delivered")
    }
    for (item, result) in call.writes {
      guard item.record[Order.status] == OrderStatus.cancelled.rawValue,
        let name = item.record.name, case .failed(let failed)? = result,
        failed.failure.code == .conflict, failed.conflict?.server?.status == .delivered
      else { continue }
      delivered[name] = call.answered
    }
  }
}
