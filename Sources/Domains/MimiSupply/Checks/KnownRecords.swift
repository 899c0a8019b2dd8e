import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// A record that certainly was there at some time.
struct KnownRecord {
  let type: RecordType
  let creator: UserName
  let zone: String
  /// Of a product, whose it is.
  let partner: RecordName?
  /// It certainly was there from then on.
  let since: Instant
  /// When it may have gone, and from when on it certainly is.
  var mayBeGone = Instant.distantFuture
  var gone = Instant.distantFuture
  /// Tags that accepted writes have replaced, with when that was certain; the latest ones.
  var replaced: [(tag: String, at: Instant)] = []

  init(
    _ type: RecordType, by creator: UserName, in zone: String, of partner: RecordName? = nil,
    since: Instant
  ) {
    (self.type, self.creator, self.zone) = (type, creator, zone)
    (self.partner, self.since) = (partner, since)
  }

  /// Whether an accepted write had certainly replaced a tag before an instant.
  func hasReplaced(_ tag: String?, before instant: Instant) -> Bool {
    replaced.contains { $0.tag == tag && $0.at < instant }
  }
}

/// Which records there certainly are in a city, and which certainly never were. Of positions, which hardly anybody reads by
/// name, the names alone are kept.
struct KnownRecords {
  private var all: [RecordName: KnownRecord] = [:]
  /// Names that somebody gave, or may have given, to records of which nothing more is known.
  private var tried: Set<RecordName> = []
  private var productsOf: [RecordName: [RecordName]] = [:]
  private var ofUser: [UserName: [RecordName]] = [:]
  /// By driver: how admins judge him.
  private var verification: [RecordName: Register<String>] = [:]
  /// Whether nothing was there before the records begin.
  var isWhole = false
  private static let mostReplaced = 3

  subscript(name: RecordName) -> KnownRecord? { all[name] }

  /// Whether a record certainly was there throughout, or certainly not.
  func isThere(
    _ name: RecordName, of type: RecordType? = nil, during interval: ClosedRange<Instant>
  ) -> Bool? {
    guard let known = all[name] else {
      return isWhole && !tried.contains(name) && !Self.isMade(name) ? false : nil
    }
    if known.gone <= interval.lowerBound { return tried.contains(name) ? nil : false }
    guard known.since <= interval.lowerBound, interval.upperBound < known.mayBeGone else {
      return nil
    }
    return type.map { $0 == known.type } ?? true
  }

  /// Whether a driver certainly was verified throughout.
  func isVerified(_ driver: RecordName, during interval: ClosedRange<Instant>) -> Bool {
    verification[driver]?.holds(during: interval) { $0 == "verified" } == true
  }

  /// Whether the backend gives such names itself.
  private static func isMade(_ name: RecordName) -> Bool {
    let text = name.text
    return ["offer_", "audit_", "record-", "user-", "deleted-"].contains(where: text.hasPrefix)
  }

  // MARK: Taking in

  mutating func load(_ fixture: Fixture, at now: Instant) {
    isWhole = true
    for user in fixture.users {
      add(
        user.name.profile,
        KnownRecord(.userProfile, by: user.name, in: "_defaultZone", since: now))
    }
    for entry in fixture.records where entry.type != .driverLocation {
      add(
        entry.name,
        KnownRecord(
          entry.type, by: entry.creator, in: entry.zoneName, of: entry.fields[Product.partner],
          since: now))
      if let status = entry.fields[Driver.verificationStatus] {
        verification[entry.name, default: Register()].set(status, during: now...now)
      }
    }
  }

  private mutating func add(_ name: RecordName, _ known: KnownRecord) {
    all[name] = known
    if known.type == .product, let partner = known.partner {
      productsOf[partner, default: []].append(name)
    }
    if known.type == .driver || known.type == .userProfile {
      ofUser[known.creator, default: []].append(name)
    }
  }

  mutating func learn(from call: SeenCall, of user: UserName?) {
    switch call.request {
    case .modify(let place, let asked):
      if call.isUnknown {
        for item in asked.items { mayBe(item, call) }
      } else {
        let zone = place.database == "public" ? nil : asked.zone?.zoneName ?? "_defaultZone"
        for (item, result) in call.writes { learn(item, result, call, of: user, in: zone) }
      }
    case .signIn:
      guard case .signedIn(let answer)? = call.content else { return }
      see(answer.userProfile, call)
    case .deleteAccount:
      guard call.isUnknown || call.outcome.isReplied, let user else { return }
      for name in ofUser[user] ?? [] { end(name, call, isCertain: !call.isUnknown) }
    default: break
    }
  }

  private mutating func mayBe(_ item: Modification.Item, _ call: SeenCall) {
    guard let name = item.record.name else { return }
    if let status = item.record[Driver.verificationStatus] {
      verification[name, default: Register()].note(status, during: call.during, isCertain: false)
    }
    if item.isDeletion {
      end(name, call, isCertain: false)
    } else {
      tried.insert(name)
    }
  }

  /// - Parameter zone: Where the private database was written to.
  private mutating func learn(
    _ item: Modification.Item, _ result: ItemResult?, _ call: SeenCall, of user: UserName?,
    in zone: String?
  ) {
    switch result {
    case .saved(let record)?:
      guard record.type != .driverLocation else {
        tried.insert(record.name)
        return
      }
      see(record, call)
      if item.record.fields[.verificationStatus] != nil,
        let status = record[Driver.verificationStatus]
      {
        verification[record.name, default: Register()].note(status, during: call.during)
      }
      if let base = item.base { replace(base, of: record.name, at: call.answered) }
    case .deleted(let name)?:
      // Deleting what is invisible is answered as if it had been there.
      let known = all[name]
      let isSeen =
        zone == nil
        ? known?.type == .partner || known?.type == .product
        : known?.creator == user && known?.zone == zone
      end(name, call, isCertain: isSeen)
    case .failed?, nil: break
    }
  }

  private mutating func see(_ record: CloudRecord, _ call: SeenCall) {
    if let known = all[record.name], known.gone == .distantFuture { return }
    add(
      record.name,
      KnownRecord(
        record.type, by: record.created.userRecordName, in: record.zone.zoneName,
        of: record[Product.partner], since: call.answered))
  }

  private mutating func replace(_ tag: String, of name: RecordName, at instant: Instant) {
    guard var replaced = all[name]?.replaced else { return }
    replaced.append((tag, instant))
    if replaced.count > Self.mostReplaced { replaced.removeFirst() }
    all[name]!.replaced = replaced
  }

  /// A record goes, or may go; with a partner its products.
  private mutating func end(_ name: RecordName, _ call: SeenCall, isCertain: Bool) {
    for name in [name] + (productsOf[name] ?? []) {
      guard let known = all[name] else { continue }
      all[name]!.mayBeGone = min(known.mayBeGone, call.sent)
      if isCertain { all[name]!.gone = min(known.gone, call.answered) }
    }
  }
}
