import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges MS-09 and MS-12: what was refused as a whole leaves nothing.
enum BatchChecks {
  static let all: [MSCheck] = [
    .history(
      .ms09, Set<Concern>.asking(.modify, .lookup, .query, .changes).union([.signals]),
      AtomicBatches.init),
    .history(
      .ms12, Set<Concern>.anything.union([.controls]), by: AccountFacts.self, BusyZones.init),
  ]
}

/// Names of records whose creation was refused, to be looked for afterwards.
struct RefusedCreations: Sendable {
  private var refused: [RecordName: Instant] = [:]

  mutating func refuse(_ items: [Modification.Item], by call: SeenCall) {
    for item in items where item.kind == .create {
      if let name = item.record.name { refused[name] = call.answered }
    }
  }

  /// Whoever may have created one of them meanwhile takes it out; whoever is shown one of them says so.
  ///
  /// - Returns: For each of them that was looked for, its name and whether it was there.
  mutating func look(_ call: SeenCall) -> [(name: RecordName, isThere: Bool)] {
    guard !refused.isEmpty else { return [] }
    switch call.request {
    case .modify(_, let modification):
      for item in modification.items {
        guard let name = item.record.name, let at = refused[name], call.answered > at else {
          continue
        }
        refused[name] = nil
      }
      return []
    case .query:
      guard case .found(let records, _)? = call.content else { return [] }
      return records.compactMap { sought($0.name, call).map { ($0, true) } }
    case .lookup, .changes:
      let items: [ItemResult]
      switch call.content {
      case .items(let shown)?, .feed(let shown, _, _)?: items = shown
      default: return []
      }
      return items.compactMap { item in
        switch item {
        case .saved(let record): sought(record.name, call).map { ($0, true) }
        case .failed(let failed):
          failed.failure.code == .notFound
            ? failed.recordName.flatMap { sought($0, call) }.map { ($0, false) } : nil
        case .deleted: nil
        }
      }
    default: return []
    }
  }

  /// Whether a record's creation was refused, and nobody has tried since.
  func has(_ name: RecordName) -> Bool { refused[name] != nil }

  private func sought(_ name: RecordName, _ call: SeenCall) -> RecordName? {
    refused[name].map { $0 < call.sent } == true ? name : nil
  }
}

/// MS-09.
private struct AtomicBatches: History {
  static let scope = Scope<MimiSupply>.cell

  private var refused = RefusedCreations()
  /// Records that undone batches wanted to change, with when the last of them was under way.
  private var undone: [RecordName: ClosedRange<Instant>] = [:]

  mutating func signalled(
    _ signal: MimiSupply.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    if case .notification(let push) = signal, refused.has(push.recordName) {
      judge.violated("somebody was told of \(push.recordName) of a batch that failed as a whole")
    }
  }

  /// What an undone batch was to change was not changed while it was under way.
  private mutating func judgeChanges(_ call: SeenCall, _ judge: inout Judge) {
    if case .modify(_, let modification) = call.request, call.isUnknown {
      for item in modification.items { item.record.name.map { undone[$0] = nil } }
    }
    for record in call.shown {
      guard let during = undone[record.name] else { continue }
      let at = record.modified.timestamp
      if during.lowerBound + .milliseconds(1) < at, at < during.upperBound - .milliseconds(1) {
        judge.violated("\(record.name) was changed by a batch that failed as a whole")
      } else {
        judge.held()
      }
      undone[record.name] = nil
    }
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if !undone.isEmpty { judgeChanges(call, &judge) }
    for (name, isThere) in refused.look(call) {
      judge.expect(!isThere, "\(name) of a batch that failed as a whole is there")
    }
    guard case .modify(let location, let modification) = call.request,
      case .items(let results)? = call.content, results.count == modification.items.count
    else { return }
    let failures = results.compactMap(\.failure)
    guard !failures.isEmpty else { return }
    let errors = failures.count { $0.code == .atomicError }
    let isCustom = modification.zone.map { $0.zoneName != "_defaultZone" } ?? false
    guard isCustom, location.database != "public", modification.atomic != false else {
      judge.expect(errors == 0, "\(errors) operations of a batch that is not atomic were undone")
      return
    }
    let isWhole =
      failures.count == results.count && errors == results.count - 1
      && failures.allSatisfy { $0.code != .atomicError || $0.native == .batchRequestFailed }
    judge.expect(
      isWhole,
      "of \(results.count) operations of an atomic batch \(results.count - failures.count) were done, "
        + "\(errors) undone")
    refused.refuse(modification.items, by: call)
    for item in modification.items where item.kind != .create {
      item.record.name.map { undone[$0] = call.during }
    }
  }
}

/// MS-12.
private struct BusyZones: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private struct Fault {
    let zone: String?
    let from: Instant
    var until: Instant
  }

  private let accounts: AccountFacts
  /// Certain ones by their user; who is hit by other faults, too, is not judged by them.
  private var busy: [UserName: [Fault]] = [:]
  private var others: Set<UserName> = []
  private var isUncertain = false
  private var refused = RefusedCreations()

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    switch command {
    case .injectFault(let fault): take(fault, at: moment.time)
    case .endFaults:
      for user in busy.keys {
        for index in busy[user]!.indices {
          busy[user]![index].until = min(busy[user]![index].until, moment.time)
        }
      }
    default: break
    }
  }

  private mutating func take(_ fault: InjectedFault, at now: Instant) {
    guard let user = fault.user else {
      isUncertain = true
      return
    }
    guard fault.kind == .zoneBusy, fault.operation == nil, fault.count == nil else {
      others.insert(user)
      return
    }
    busy[user, default: []].append(
      Fault(zone: fault.zone, from: fault.from ?? now, until: fault.until ?? .distantFuture))
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    for (name, isThere) in refused.look(call) {
      judge.expect(!isThere, "\(name), which a busy zone refused, is there")
    }
    if let failure = call.failure {
      guard failure.native == .zoneBusy else { return }
      judge.expect(
        failure.code == .tryAgainLater && failure.retryAfter ?? .zero > .zero,
        "a busy zone answers \(failure.code) and to wait "
          + (failure.retryAfter.map { "\($0)" } ?? "for nothing"))
      if case .modify(_, let modification) = call.request {
        refused.refuse(modification.items, by: call)
      }
    } else if !busy.isEmpty, call.outcome.isReplied, isCertainlyBusy(call) {
      judge.violated("a busy zone worked on a request")
    }
  }

  private func isCertainlyBusy(_ call: SeenCall) -> Bool {
    guard !isUncertain, let user = accounts.user(of: call), !others.contains(user),
      let faults = busy[user], let zone = call.request.zoneName
    else { return false }
    return faults.contains { fault in
      fault.zone ?? zone == zone && fault.from + .seconds(1) < call.sent
        && call.answered < fault.until
    }
  }
}

extension MimiSupply.Request {
  /// The zone that a request works in; `nil` for one that works in none or in several.
  var zoneName: String? {
    switch self {
    case .query(_, let asked): asked.zoneWide ? nil : asked.zone?.zoneName ?? "_defaultZone"
    case .lookup(_, let asked): asked.zone?.zoneName ?? "_defaultZone"
    case .modify(_, let asked): asked.zone?.zoneName ?? "_defaultZone"
    case .changes(_, let asked): asked.zone?.zoneName
    default: nil
    }
  }
}
