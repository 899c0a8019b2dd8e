import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-109: partners and products are written by their verified owners and by admins; an unverified partner may be
/// completed by its owner, but not opened.
///
/// An admin verifies before his answer arrives: what speaks against the rule waits for the end.
struct Catalogue: History {
  static let scope = Scope<MimiSupply>.cell

  private let facts: AccessFacts
  /// From when on a partner may have been verified, and may have lost it.
  private var verified: [RecordName: Instant] = [:]
  private var unverified: [RecordName: Instant] = [:]
  private var suspicions: [Suspicion] = []
  /// Partners that were deleted: who forces their deletion again is told that it is done.
  private var gone: Set<RecordName> = []

  /// Something that was right only if a partner was verified, or was not, by then.
  private struct Suspicion {
    let partner: RecordName
    let answered: Instant
    let needsVerified: Bool
    let what: String
  }

  init(_ facts: AccessFacts) { self.facts = facts }

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    switch command {
    case .load(let fixture):
      for entry in fixture.records where entry.type == .partner {
        note(entry.name, entry.fields[.isVerified], at: moment.time)
      }
    case .loadSampleWorld:
      for number in 1...10 { note("partner-\(number)", .int64(1), at: moment.time) }
    default: break
    }
  }

  private mutating func note(_ partner: RecordName, _ value: FieldValue?, at instant: Instant) {
    if value == .int64(1) {
      verified[partner] = min(verified[partner] ?? .distantFuture, instant)
    } else if value != nil {
      unverified[partner] = min(unverified[partner] ?? .distantFuture, instant)
    }
  }

  /// Admins alone verify; whoever else registers a partner has one that is not verified, whatever he sends.
  private mutating func note(
    _ item: Modification.Item, _ caller: AccessFacts.Caller?, _ call: SeenCall
  ) {
    guard let name = item.record.name else { return }
    if caller?.isAdmin ?? true, let value = item.record.fields[.isVerified] {
      note(name, value, at: call.sent)
    } else if item.mayCreate, item.record.type == .partner {
      note(name, .int64(0), at: call.sent)
    }
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    guard case .modify(let location, let modification) = call.request,
      location.database == "public"
    else { return }
    let caller = facts.caller(call)
    for item in modification.items { note(item, caller, call) }
    guard let caller else { return }
    for (item, result) in call.writes {
      switch result {
      case .saved(let record): self.judge(saved: record, by: item, caller, call, &judge)
      case .deleted(let name): self.judge(deleted: name, by: item, caller, call, &judge)
      case .failed(let failed):
        self.judge(refused: item, failed.failure, caller, call, &judge)
      case nil: continue
      }
    }
  }

  // MARK: What was taken

  private mutating func judge(
    saved record: CloudRecord, by item: Modification.Item, _ caller: AccessFacts.Caller,
    _ call: SeenCall, _ judge: inout Judge
  ) {
    if caller.isAdmin {
      judge.held()
      return
    }
    guard let user = caller.name else {
      judge.violated("nobody wrote \(record.type) \(record.name)")
      return
    }
    switch record.type {
    case .partner:
      guard record.created.userRecordName == user else {
        judge.violated("\(user) wrote \(record.name) of \(record.created.userRecordName)")
        return
      }
      let opens = item.record.fields[.isActive] == .int64(1) && record[Partner.isActive]
      guard opens, item.desiredKeys == nil, !record[Partner.isVerified] else {
        judge.held()
        return
      }
      let before = facts.version(record.name, tag: item.record.changeTag)
      if item.kind == .create || before?[Partner.isActive] == false {
        judge.violated("\(user) opened \(record.name), which is not verified")
      }
    case .product: self.judge(product: record, user, call, &judge)
    default: return
    }
  }

  private mutating func judge(
    product: CloudRecord, _ user: UserName, _ call: SeenCall, _ judge: inout Judge
  ) {
    guard let partner = product[Product.partner], let owner = facts.owners[partner] else { return }
    guard owner == user else {
      judge.violated("\(user) wrote \(product.name) of \(owner)")
      return
    }
    suspicions.append(
      Suspicion(
        partner: partner, answered: call.answered, needsVerified: true,
        what: "\(user) wrote \(product.name) of \(partner), which was not verified"))
    ripen(&judge)
  }

  private mutating func judge(
    deleted name: RecordName, by item: Modification.Item, _ caller: AccessFacts.Caller,
    _ call: SeenCall, _ judge: inout Judge
  ) {
    let isFirst = gone.insert(name).inserted
    guard isFirst, !caller.isAdmin, let owner = facts.owners[name] else { return }
    // Nothing was there to be deleted, or it was its owner's.
    judge.expect(caller.name == owner, "\(caller.name ?? "nobody") deleted \(name) of \(owner)")
  }

  // MARK: What was refused

  private mutating func judge(
    refused item: Modification.Item, _ failure: Failure, _ caller: AccessFacts.Caller,
    _ call: SeenCall, _ judge: inout Judge
  ) {
    guard failure.code == .accessDenied, let user = caller.name else { return }
    let name = item.record.name ?? ""
    let type = item.record.type
    if caller.isAdmin {
      let system: FieldNames = [.rating, .reviewCount]
      let isOwn = type == .partner || type == .product
      let isFree = item.kind == .create || item.record.fields.names.isDisjoint(with: system)
      if isOwn, isFree { judge.violated("an admin was denied \(type ?? "") \(name)") }
      return
    }
    let partner = type == .product ? item.record[Product.partner] : nil
    guard item.kind == .create, caller.role == .partner, let partner,
      facts.owners[partner] == user
    else {
      judge.held()
      return
    }
    guard failure.mimiReason == "partner_unverified" else {
      return judge.violated("\(user) was denied a product of \(partner), and not told why")
    }
    suspicions.append(
      Suspicion(
        partner: partner, answered: call.answered, needsVerified: false,
        what: "\(user) was denied a product of \(partner), which was verified"))
    ripen(&judge)
  }

  /// What is clear already need not wait.
  private mutating func ripen(_ judge: inout Judge) {
    guard let last = suspicions.last, isExplained(last) else { return }
    suspicions.removeLast()
    judge.held()
  }

  private func isExplained(_ suspicion: Suspicion) -> Bool {
    let since = suspicion.needsVerified ? verified : unverified
    if let since = since[suspicion.partner] { return since <= suspicion.answered }
    // A partner who registers is not verified.
    return !suspicion.needsVerified && verified[suspicion.partner] == nil
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions { judge.expect(isExplained(suspicion), suspicion.what) }
  }
}
